"""The lines by which a text says that it corrects or amends another one, each with the part that it is said of."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from quaestor.evidence.block_lines import split_lines
from quaestor.evidence.front_matter_blocks import front_matter_end
from quaestor.evidence.passages import find_headings
from quaestor.research.offline.words.correction_words import AMENDMENT, CHANGES, ERRATUM, MISTAKES
from quaestor.research.offline.words.dates import find_dates

_OPENING = 3
"""Lines with words in which a text says what it is."""
_NO_WORD = re.compile(r"\A[\W\d_]+")
_END = re.compile(r"[.!?][)\]\"\u201c\u201d*_]*\s*\Z")


class Announcement(NamedTuple):
    """The characters from `start` up to `end` of a text, and the line that says that they correct something."""

    start: int
    end: int
    line: str


def announced_at(place: int, text: str, title: str, media_type: str) -> str:
    """Return the line that says of a character of a text that it is of a correction, the outermost; else nothing."""
    found = (one.line for one in find_announcements(text, title, media_type) if one.start <= place < one.end)
    return next(found, "")


@lru_cache(maxsize=256)  # of every document that is looked through for one brief
def find_announcements(text: str, title: str, media_type: str) -> tuple[Announcement, ...]:
    """Return what announces corrections or changes in a text, that of the whole text first.

    Its title and a line at its top that is no sentence say so of the whole text. A heading says so of its section, and
    a sentence at the top of what is above the next heading. An erratum, or a list of changes, begins with the word for
    it: "Error correction" is a subject.
    """
    found = [*_in_opening(text, media_type), *_in_headings(text, media_type)]
    lines = dict.fromkeys(one.line for one in found if (one.start, one.end) == (0, len(text)))
    named = [title] if _announces(title) else []
    named += [line for line in lines if line not in title]
    whole = [Announcement(0, len(text), "\n".join(sorted(named, key=is_list, reverse=True)))] if named else []
    parts = (one for one in found if one.line not in lines)
    return (*whole, *sorted(parts, key=lambda one: one.start - one.end))


def is_erratum(announced: str) -> bool:
    """Return whether an announcement begins with a word for an erratum, or tells of mistakes in what is of a date."""
    return ERRATUM.match(_NO_WORD.sub("", announced)) is not None or tells_mistakes(announced)


def tells_mistakes(announced: str) -> bool:
    """Return whether an announcement tells that a text of some date has mistakes."""
    is_dated = MISTAKES.search(announced) is not None and any(date.month for date in find_dates(announced))
    return is_dated and ERRATUM.match(_NO_WORD.sub("", announced)) is None


def is_list(announced: str) -> bool:
    """Return whether an announcement is that of an erratum or of changes, which name no sections."""
    return is_erratum(announced) or CHANGES.match(_NO_WORD.sub("", announced)) is not None


def _announces(line: str) -> bool:
    return is_list(line) or AMENDMENT.search(line) is not None


def _opening(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first lines with words below the front matter, each with where it begins."""
    top = front_matter_end(text)
    lines = (line for line in split_lines(text) if line.text and line.start >= top)
    yield from ((line.start, line.text) for _, line in zip(range(_OPENING), lines, strict=False))


def _in_opening(text: str, media_type: str) -> Iterator[Announcement]:
    headings = find_headings(text, media_type)
    for start, line in _opening(text):
        if _announces(line):
            own = next((depth for block, depth in headings if block.top <= start < block.bottom), None)
            is_whole = own is None and _END.search(line) is None
            any_depth = max((depth for _, depth in headings), default=0)
            part = _section(text, media_type, start, any_depth if own is None else own, line)
            yield Announcement(0, len(text), line) if is_whole else part


def _in_headings(text: str, media_type: str) -> Iterator[Announcement]:
    if ERRATUM.search(text) or MISTAKES.search(text):
        for block, depth in find_headings(text, media_type):
            if is_erratum(line := text[block.start : block.end]):
                yield _section(text, media_type, block.top, depth, line)


def _section(text: str, media_type: str, start: int, depth: int, line: str) -> Announcement:
    """Return what a line announces from its place on up to the next heading that is not below a depth."""
    ends = (block.top for block, other in find_headings(text, media_type) if block.top > start and other <= depth)
    return Announcement(start, next(ends, len(text)), line)
