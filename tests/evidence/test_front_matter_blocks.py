import pytest

from quaestor.evidence.front_matter_blocks import front_matter_end
from quaestor.evidence.passages import split_passages
from quaestor.evidence.tokenization import sentence_spans

FRONT = "---\ntitle: Pumps\nhide:\n  # - navigation\n# - contents\ntags:\n- water\n- tools\n---\n"
TEXT = f"{FRONT}\nA pump lifts water.\n\n## Valves\n\nA valve stops it.\n"


def headings(text: str) -> list[str]:
    return [span.heading for span in split_passages(text, "text/markdown")]


def test_a_comment_in_the_front_matter_is_no_heading_of_what_follows() -> None:
    assert headings(TEXT) == ["", "Valves"]


@pytest.mark.parametrize("front", ["---\ntitle: Pumps\n---\n", "---\r\ntitle: Pumps\r\n...\r\n", f"\n{FRONT}"])
def test_the_last_field_of_the_front_matter_is_no_underlined_title(front: str) -> None:
    assert headings(f"{front}\nA pump lifts water.") == [""]


def test_each_field_of_the_front_matter_is_one_unit_and_comments_are_none() -> None:
    assert [TEXT[start:end] for start, end in sentence_spans(TEXT)] == [
        "title: Pumps",
        "hide:",
        "tags:\n- water\n- tools",
        "A pump lifts water.",
        "Valves",
        "A valve stops it.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# Pumps\n\nA pump lifts water.\n\n---\n\n## Valves\n\nA valve.",
        "---\nA pump lifts water: it is old.\n\n# Pumps\n\nText.\n\n---\n\n## Valves\n\nA valve.",
        "A pump lifts water.\n\n---\ntitle: x\n# Pumps\n\nText.\n\n---\n\n## Valves\n\nA valve.",
        "---\ntitle: Pumps\n\n# Pumps\n\nText.\n\n## Valves\n\nA valve.",
    ],
)
def test_text_between_two_rules_is_no_front_matter(text: str) -> None:
    assert headings(text)[-1] == "Pumps > Valves"


@pytest.mark.parametrize(
    ("front", "below"),
    [
        (FRONT.rstrip("\n"), "\nA pump lifts water.\n\n---\n\nA valve.\n"),
        ("\n---\ntitle: Pumps\n...", "\n# Pumps\n"),
        ("", "A pump lifts water.\n\n---\ntitle: x\n---\n"),
        ("", "---\nA pump lifts water: it is old.\n\nA valve.\n\n---\n"),
        ("", f"---\n{'a: b' + chr(10) * 300}---\n"),
        ("---\ntitle: Pumps\n---", "\nWater.\n" * 900),
    ],
)
def test_front_matter_ends_behind_its_closing_line(front: str, below: str) -> None:
    text = f"{front}{below}"
    assert text[: front_matter_end(text)] == front
