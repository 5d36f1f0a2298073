"""Paragraphs that were added below what a document says, and change it: "PS 19 May: the train now goes at 5.31"."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.note_words import (
    CHANGE_LABEL,
    CHANGED,
    NO_LONGER,
    POSTSCRIPT,
    REMARK_LABEL,
    SIGNED,
)

_MAX_CHARACTERS = 20_000
"""Behind a paragraph in which notes on it are looked for."""
_MAX_END = 4_000
"""Characters at the end of a longer text in which they are looked for too: a postscript stands there."""
_MAX_NOTES = 3
_NOTES = frozenset({BlockKind.PROSE, BlockKind.FIELD, BlockKind.ITEM})
_LISTED = frozenset({BlockKind.FIELD, BlockKind.ITEM})
_LABELS = (CHANGE_LABEL, REMARK_LABEL, POSTSCRIPT)
_LINE_END = re.compile(r"\n(?=.)")
_SHARED = 2
"""Words that a note shares with a sentence that stands above another heading, or where it says nothing of a change."""


def later_notes(text: str, end: int, marked: MarkedSentence) -> Iterator[tuple[int, int]]:
    """Yield where a text has notes on a marked sentence below its paragraph, which ends at an offset.

    A note begins with a label, and shares a word with the sentence; two, if a heading is between them. One that is
    called an update or the like changes what is above it; a remark does if it has a day or a name, or begins with a
    sentence that says that something is otherwise now, and a postscript also if it shares two words.
    """
    near = end + _MAX_CHARACTERS
    found = [*_notes_in(text, (end, near), marked, 1)]
    found += _notes_in(text, (max(near, len(text) - _MAX_END), len(text)), marked, _SHARED)
    yield from found[-_MAX_NOTES:]


def ended_below(text: str, end: int, marked: MarkedSentence) -> Iterator[tuple[int, int]]:
    """Yield where sentences of a section say below a marked one that what it tells is no longer so.

    As "Since 2.11 it is no longer necessary to set the header": each shares words with it that tell what.
    """
    below = text[end : end + _MAX_END]
    if not marked.words or NO_LONGER.search(below) is None:
        return
    for block in takewhile(lambda one: one.kind is not BlockKind.HEADING, parse_blocks(below)):
        for start, stop in sentence_spans(below[block.start : block.end]) if block.kind in _NOTES else ():
            said = below[block.start + start : block.start + stop]
            if NO_LONGER.search(said) and len(_shared(said, marked)) > _SHARED:
                yield end + block.start + start, end + block.start + stop


def _notes_in(text: str, span: tuple[int, int], marked: MarkedSentence, needed: int) -> Iterator[tuple[int, int]]:
    """Yield where a part of a text has notes on a marked sentence that share so many words with it."""
    below = text[slice(*span)]
    blocks = parse_blocks(below) if marked.words else []
    for place, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            needed = _SHARED
        elif block.kind in _NOTES:
            for top, bottom in _parts(below, block):
                said = below[top:bottom]
                shared = len(_shared(said, marked))
                if shared >= needed and _is_note(said, marked, is_listed=_is_listed(blocks, place)):
                    yield span[0] + max(top, block.start), span[0] + min(bottom, block.end)


def _parts(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield where a block and each line of it begins and ends that has a label of its own, with the lines below it."""
    lines = (block.top + match.end() for match in _LINE_END.finditer(text[block.top : block.bottom]))
    starts = [block.top, *(line for line in lines if any(label.match(text, line) for label in _LABELS))]
    yield from ((top, top + len(text[top:bottom].rstrip())) for top, bottom in pairwise([*starts, block.bottom]))


def _is_note(said: str, marked: MarkedSentence, *, is_listed: bool) -> bool:
    """Return whether a paragraph is a note by its label; an item that is called "Update" may be one of several acts."""
    change, remark, postscript = CHANGE_LABEL.match(said), REMARK_LABEL.match(said), POSTSCRIPT.match(said)
    label = change or remark or postscript
    if label is None or not (_is_label(label) or _is_on_subject(label, marked)):
        return False
    if _is_dated(label) or (change and not is_listed):
        return True
    told = said[label.end() :]
    first = next((told[start:end] for start, end in sentence_spans(told)), "")
    is_changed = CHANGED.search(first) is not None and bool(_shared(first, marked))
    return (is_changed and not is_listed) or (postscript is not None and len(_shared(said, marked)) >= _SHARED)


def _shared(said: str, marked: MarkedSentence) -> frozenset[str]:
    return marked.words.intersection(content_terms(said))


def _is_dated(label: re.Match[str]) -> bool:
    """Return whether a label has a day, or the name of who it is by: that of "Note 2" is a number."""
    of = label["of"] or ""
    return bool(find_partial_dates(of)) or any(map(str.isalpha, of))


def _is_label(label: re.Match[str]) -> bool:
    """Return whether nothing is between a label and its end but a day, or who it is by."""
    of = label["of"] or ""
    for date in find_partial_dates(of):
        of = of.replace(date.text, "")
    rest = of.strip(" *_,;.()[]/")
    return not any(map(str.isalpha, rest)) or SIGNED.fullmatch(rest) is not None or of.strip().startswith("(")


def _is_on_subject(label: re.Match[str], marked: MarkedSentence) -> bool:
    """Return whether all that is between a label and its end are words of a sentence: "PS picture lock: the 14th"."""
    told = frozenset(content_terms(label["of"] or ""))
    return bool(told) and told <= marked.words


def _is_listed(blocks: Sequence[Block], place: int) -> bool:
    """Return whether a block is an item of a list, or a field beside another one."""
    kind = blocks[place].kind
    beside = (*blocks[max(place - 1, 0) : place], *blocks[place + 1 : place + 2])
    return kind is BlockKind.ITEM or (kind in _LISTED and any(one.kind is kind for one in beside))
