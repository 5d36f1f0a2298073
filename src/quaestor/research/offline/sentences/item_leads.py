"""What an item or a row is said of: the item that it stands under, and the words that introduce its list or table."""

from collections.abc import Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.block_lines import Block, BlockKind

_MAX_LABEL = 250
"""A longer paragraph is no label of the list below it."""
_LABEL_ENDS = (":", "\uff1a", ")", "*", "_")


class ItemLead(Immutable):
    """The characters of an item from `start` up to `end`, and what it is said of: a label, the items above it."""

    start: int
    end: int
    label: str
    parents: tuple[Block, ...]

    def words(self, text: str) -> str:
        """Return the words that the item is said of."""
        return "\n".join((self.label, *(text[one.start : one.end] for one in self.parents)))


def find_item_leads(text: str, blocks: Sequence[Block]) -> tuple[ItemLead, ...]:
    """Return the leads of the items and the tables of a text that have one, in order.

    "White: 4 to 15 minutes" is said of the tea that the item above it speaks of, the rows below "Day 1" of that day.
    """
    leads: list[ItemLead] = []
    label = ""
    parents: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.TABLE and label:
            leads.append(ItemLead(block.top, block.bottom, label, ()))
        if block.kind is not BlockKind.ITEM:
            words = text[block.start : block.end]
            label = words if block.kind is BlockKind.PROSE and is_label(words) else ""
            parents.clear()
            continue
        while parents and _column(text, parents[-1]) >= _column(text, block):
            parents.pop()
        if label or parents:
            leads.append(ItemLead(block.top, block.bottom, label, tuple(parents)))
        parents.append(block)
    return tuple(leads)


def _column(text: str, block: Block) -> int:
    return block.top - text.rfind("\n", 0, block.top) - 1


def is_label(words: str) -> bool:
    """Return whether a paragraph is short and has no end, so that what stands below it goes on."""
    return len(words) <= _MAX_LABEL and (words[-1:].isalnum() or words.endswith(_LABEL_ENDS))
