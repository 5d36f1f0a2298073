import pytest

from quaestor.evidence.blocks import parse_blocks
from quaestor.research.offline.sentences.item_leads import find_item_leads, is_label

SHELVES = """# Shelves

Plums (stewed)

- Cellar: two years
- Attic:
  - in winter, a month
  - in summer, a week
- Kitchen: a day

The rest is thrown away.

- Ask the keeper.
"""


def leads(text: str) -> dict[str, str]:
    """Return the words that each item of a text is said of, on one line."""
    return {
        text[one.start : one.end].strip("- "): " | ".join(filter(None, one.words(text).split("\n")))
        for one in find_item_leads(text, parse_blocks(text))
    }


def test_an_item_is_said_of_the_label_of_its_list_and_of_the_items_it_stands_under() -> None:
    assert leads(SHELVES) == {
        "Cellar: two years": "Plums (stewed)",
        "Attic:": "Plums (stewed)",
        "in winter, a month": "Plums (stewed) | Attic:",
        "in summer, a week": "Plums (stewed) | Attic:",
        "Kitchen: a day": "Plums (stewed)",
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Plums (stewed)", True),
        ("The keepers shall not", True),
        ("You need:", True),
        ("The rest is thrown away.", False),
        ("plums " * 60, False),
    ],
)
def test_a_label_is_short_and_has_no_end(words: str, expected: bool) -> None:
    assert is_label(words.strip()) is expected


def test_the_rows_below_a_label_are_said_of_it() -> None:
    table = "| Meal | Hours |\n|---|---|\n| supper | 1 |\n"
    text = f"**Day 1**\n\n{table}\nThe rest is sleep.\n\n{table}"
    blocks = parse_blocks(text)
    [lead] = find_item_leads(text, blocks)
    assert (lead.label, text[lead.start : lead.end].strip()) == ("**Day 1**", table.strip())
