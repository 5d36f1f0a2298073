import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks


def kinds(*lines: str) -> list[tuple[BlockKind, int]]:
    """Return of each block what it is, and how many lines it has."""
    text = "\n".join(lines)
    return [(one.kind, text[one.top : one.bottom].count("\n") + 1) for one in parse_blocks(text)]


@pytest.mark.parametrize(
    "rows",
    [
        ("Mill        Ann Berg", "Rent        20 a year", "Sub-letting none"),
        ("Mill        Ann Berg", "Rent        20 a year"),
        ("Mon  Ann  9-12", "Tue  Bob  9-12", "Wed  Kim  9-10"),
        ("Mon\tAnn\t9-12", "Tuesday\tBob\t9-12"),
        ("  Mill    Ann Berg", "          of Leland", "  Rent    20 a year"),
    ],
)
def test_lines_with_a_column_at_the_same_place_are_rows(rows: tuple[str, ...]) -> None:
    told = [(BlockKind.PROSE, 1), (BlockKind.TABLE, len(rows)), (BlockKind.PROSE, 1)]
    assert kinds("Lease of the mill", "", *rows, "", "Ann wrote it.") == told
    assert kinds("Lease of the mill", *rows, "", "Ann wrote it.") == told


@pytest.mark.parametrize(
    "lines",
    [
        ("Ann mended it.  Bob paid her.", "Kim came late.  She had a jar."),
        ("Mill        Ann Berg", "Rent  20 a year"),
        ("Mill        Ann Berg", "Rent  for    a year", "Jars        Bo Lee"),
        ("Mill        Ann Berg", "All of it is hers."),
        ("Ann had jars", "Rent      20 a year"),
    ],
)
def test_other_lines_are_a_paragraph(lines: tuple[str, ...]) -> None:
    assert kinds(*lines) == [(BlockKind.PROSE, len(lines))]
