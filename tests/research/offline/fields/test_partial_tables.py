import pytest

from quaestor.research.contracts.brief import CheckedAnswer
from quaestor.research.offline.fields.calculation import calculate, find_operation
from quaestor.research.offline.fields.cell_lookup import find_cell
from quaestor.research.offline.fields.collections import Collection, StoredText, table_collections
from quaestor.research.offline.fields.enumeration import enumerate_things

ROWS = "| Port | Dues |\n|---|---|\n| Quell | 40 |\n| Ek | 60 |\n| Total | 100 |\n"


def tables(above: str, below: str = "") -> list[Collection]:
    text = f"# {above}\n\n{ROWS}\n{below}\n"
    return list(table_collections(StoredText("a" * 64, above.partition("\n")[0], "/d/ports.md", text)))


def answers(above: str, below: str = "") -> list[bool]:
    """Return whether a total, a sum, a count and a cell are answered."""
    of, asked = tables(above, below), "What is the sum of the dues?"
    operation, count = find_operation(asked), enumerate_things("How many ports are there?", of)
    assert operation
    assert count
    assert CheckedAnswer(count.asked) is CheckedAnswer.COUNT
    return [
        find_cell("What is the total of the dues?", of) is not None,
        calculate(asked, operation, of) is not None,
        not count.refusal,
        find_cell("What are the dues of Quell?", of) is not None,
    ]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Ports 2031 (first half)", ""),
        ("Häfen, Teil 1 von 2", ""),
        ("Ports", "This table lists the northern ports only."),
        ("Ports\n\nThe list is incomplete.", ""),
        ("Ports", "Le tableau est un extrait."),
    ],
)
def test_of_a_table_that_says_it_is_a_part_single_cells_alone_are_answered(above: str, below: str) -> None:
    assert answers(above, below) == [False, False, False, True]


@pytest.mark.parametrize(
    ("above", "below"),
    [("Ports 2031", ""), ("Ports", "Boats land there by day only.")],
)
def test_any_other_is_whole(above: str, below: str) -> None:
    assert answers(above, below)[1:] == [True, True, True]
