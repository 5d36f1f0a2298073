"""What an item of a list or a row of a table stands under, where that is not shown with it."""

from collections.abc import Sequence

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import shorten
from quaestor.research.brief.best_passages import FIELD
from quaestor.research.brief.section_places import section_start
from quaestor.research.offline.sentences.item_leads import find_item_leads
from quaestor.research.offline.words.markup import strip_markup

MAX_PARAGRAPH_CHARACTERS = 900
"""A longer paragraph is cut after a sentence on either side of the marked words; a section up to it is shown whole."""
LINES_AROUND = 3
"""Lines on either side of a marked one that are shown of a long list."""
LINE_CHARACTERS = 250
"""A longer paragraph is no line of what another one introduces."""
COLONS = (":", "\uff1a")


def far_introduction(text: str, media_type: str, start: int, first: int) -> str:
    """Return the words that introduce the list of an item, where they stand above what is shown of it.

    Without them "(b) let the rooms" may be what somebody shall not do.
    """
    section = section_start(text, media_type, start)
    above: Block | None = None
    for block in parse_blocks(text[section : _line_end(text, start)]):
        if block.kind is not BlockKind.ITEM:
            above = block
        elif section + block.bottom > start:
            break
    else:
        return ""
    if above is None or above.kind is not BlockKind.PROSE or section + above.start >= first:
        return ""
    if _ends_item(text, section + above.top):
        return ""
    words = " ".join(text[section + above.start : section + above.end].split())
    plain = strip_markup(words)
    goes_on = words.endswith((*COLONS, ";", ",")) or (words[-1].isalnum() and not _is_named_value(plain))
    return shorten(plain, LINE_CHARACTERS) if goes_on else ""


def _ends_item(text: str, place: int) -> bool:
    """Return whether the lines from a place on are the rest of an item that begins farther above."""
    if text[max(place - 2, 0) : place].count("\n") != 1:
        return False
    above = parse_blocks(text[text.rfind("\n\n", 0, place) + 1 : place])
    return bool(above) and above[-1].kind is BlockKind.ITEM


def _is_named_value(plain: str) -> bool:
    """Return whether words are a name with its value, as "Present: Ann Lee"; "Note: nobody may" goes on below."""
    return FIELD.match(plain) is not None and not plain.rsplit(maxsplit=1)[-1][0].islower()


def is_nested(text: str, blocks: Sequence[Block], start: int) -> bool:
    """Return whether an item stands under another one, of which it tells."""
    lead = next((one for one in find_item_leads(text, blocks) if one.start <= start < one.end), None)
    return lead is not None and bool(lead.parents)


def far_parent(text: str, blocks: Sequence[Block], start: int) -> str:
    """Return the words of the item that another one stands under, if so many lines are between them that few are shown.

    Without them "White: 4 to 15 minutes" may be of anything.
    """
    lead = next((one for one in find_item_leads(text, blocks) if one.start <= start < one.end), None)
    if lead is None or not lead.parents or text.count("\n", lead.parents[-1].end, start) <= LINES_AROUND:
        return ""
    return shorten(strip_markup(text[lead.parents[-1].start : lead.parents[-1].end]), LINE_CHARACTERS)


def far_label(text: str, blocks: Sequence[Block], start: int, first: int) -> str:
    """Return what the table of a row is called above it, as "Day 1", where that is not shown with the row."""
    lead = next((one for one in find_item_leads(text, blocks) if one.start <= start < one.end), None)
    is_shown = lead is None or lead.label in text[first:start]
    return "" if lead is None or is_shown else shorten(strip_markup(lead.label), LINE_CHARACTERS)


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found
