import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks


def blocks(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, text[block.start : block.end]) for block in parse_blocks(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("03/11/2025 lamp oiled", "14/11/2025 lock changed"),
        ("3.11.25 lamp oiled", "14.11.25 lock changed"),
        ("2025-11-03 08:02 Ann: the lamp is out", "2025-11-03 08:04 Bo: so I see"),
        ("[03/11/2025, 08:02] Ann: the lamp is out", "[03/11/2025, 08:04] Bo: so I see"),
        ("08:02 - Ann: the lamp is out", "9:15 pm - Bo: so I see"),
        ("2025-11-03T08:02:11 started", "2025-11-03T08:04:12 stopped"),
    ],
)
def test_each_entry_of_a_log_is_a_block_with_its_day(one: str, other: str) -> None:
    entries = [(BlockKind.ITEM, one), (BlockKind.ITEM, f"{other}\nand so on")]
    assert blocks(f"{one}\n{other}\nand so on") == entries
    assert blocks(f"The watch\n{one}\n{other}\nand so on") == [(BlockKind.PROSE, "The watch"), *entries]


@pytest.mark.parametrize(
    "prose",
    [
        "The keeper left the tower on\n03/11/2025 with his lamp, and came back on the\nnext day.",
        "They met at\n08:02 in the harbour.\n\n09:15 was too late.",
        "12 jars were sold.\n14 more were broken.",
        "08:02, as he said.\n09:15, as I say.",
    ],
)
def test_prose_with_a_day_at_the_beginning_of_a_line_is_no_log(prose: str) -> None:
    assert all(kind is BlockKind.PROSE for kind, _ in blocks(prose))
