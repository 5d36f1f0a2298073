"""Entries of a list of changes that take back what an earlier one says: "Removed: support for Python 3.8"."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.passages import find_headings
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.marked_sentence import SHORTEST, MarkedSentence, numbers_of
from quaestor.research.brief.record_items import record_day
from quaestor.research.brief.removals import literals_of
from quaestor.research.brief.section_places import heading_at
from quaestor.research.offline.words.dates import find_dates
from quaestor.research.offline.words.note_words import CHANGED, GONE, REMOVAL, REVERSAL
from quaestor.research.reports.languages import function_words

_VERSION = re.compile(r"(?<![\w.])v?(?!\d{1,2}\.\d{1,2}\.\d{4})(\d+(?:\.\d+)+)(?:\.x)?(?![\w.])")
_MAJOR = re.compile(
    r"(?<=\bto )v(\d+)\b|\bv(\d+)(?=:? (?:released?|is out|release notes|changes|migration|upgrade)\b)", re.IGNORECASE
)
"""A version of one number, in the title of notes on it: "Migrating to v8"."""
_NUMBERED = re.compile(r"\d+(?:\.\d+)+\.?\s+[^\W\d]")
"""A heading with the number of a section, as "4.2 Fees"."""
_ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)|https?://[^\s)>\]]+")
"""Where a link leads, in whose address any word may stand."""
_CLAUSE = re.compile(r"[^,;:()]+")
_NOT_NOW = re.compile(
    r"\b(?:no longer|not \w+ any ?more|nicht mehr|ne \w+ plus|n['\u2019]\w+ plus|ya no|non (?:\w+ )?più"
    r"|niet (?:meer|langer)|já não)\b",
    re.IGNORECASE,
)
"""Said in an entry of what was so before."""
_ENTRIES = frozenset({BlockKind.ITEM, BlockKind.PROSE, BlockKind.FIELD})
_FIRST_YEAR = 1900
"""An earlier one alone is the number of a document: "1501-upgrades.md"."""
_SHARED = 2
"""Words of an entry that tell what it is of."""


class Release(NamedTuple):
    """What a heading says of when it was: a version and a day, each empty where it is not known."""

    version: tuple[int, ...]
    day: tuple[int, ...]

    def is_after(self, other: "Release") -> bool:
        """Return whether it is later than another one by the version or the day, and by neither of them earlier."""
        known = [(own, its) for own, its in zip(self, other, strict=True) if own and its]
        return any(own > its for own, its in known) and all(own >= its for own, its in known)


class _Entry(NamedTuple):
    """An entry of a list of changes: where it stands, its words and numbers, and what it does to what was so.

    `denied` are the names of code and the words of each clause that says that they are no longer so.
    """

    start: int
    end: int
    words: frozenset[str]
    numbers: frozenset[str]
    is_removal: bool
    is_reversal: bool
    is_otherwise: bool
    denied: tuple[tuple[frozenset[str], frozenset[str]], ...]


def dated_heading(heading: str) -> str:
    """Return the innermost of a path of headings that names a version or a day; nothing where none does."""
    return next((part for part in reversed(heading.split(" > ")) if any(release_of(part))), "")


def dated_heading_at(text: str, media_type: str, place: int) -> str:
    """Return the innermost heading above a place that names a version or a day; nothing where none does."""
    return dated_heading(heading_at(text, media_type, place))


@lru_cache(maxsize=256)  # it is asked of a text for every sentence that the text may correct
def is_of_time(title: str, stem: str, heading: str) -> bool:
    """Return whether a text is of a day, a year or a version by its title, its file or the headings above."""
    above = f"{title} {heading}"
    is_dated = any(one.month or one.year >= _FIRST_YEAR for one in find_dates(f"{stem} {above}"))
    return record_day(title, stem) is not None or is_dated or any(release_of(above))


def later_changes(text: str, media_type: str, place: int, marked: MarkedSentence) -> Iterator[tuple[int, int]]:
    """Yield the entries of later releases by which a sentence at a place of a list of changes no longer holds.

    Such an entry says that something was removed, was set back or is otherwise now. All its words are in the sentence;
    its numbers too, where it was removed. Or it denies in one clause what the sentence says of code: "(`-x` no longer
    implies `--lots`)".
    """
    releases = (release_of(above) for above in marked.heading.split(" > "))
    if not any(map(any, releases)):  # no list of changes: it need not be taken apart
        return
    sections = _sections(text, media_type)
    own = next((release for start, end, release in sections if start <= place < end), None)
    later = [(start, end) for start, end, release in sections if own and release.is_after(own)]
    for one in _entries(text) if later else ():
        if any(start <= one.start < end for start, end in later) and _takes_back(one, marked):
            yield one.start, one.end


@lru_cache(maxsize=4)  # a list of changes is asked for every sentence of it that is shown
def _sections(text: str, media_type: str) -> tuple[tuple[int, int, Release], ...]:
    """Return where the sections of a text begin and end whose headings have a version or a day."""
    dated = [(block.top, release_of(text[block.start : block.end])) for block, _ in find_headings(text, media_type)]
    known = [*((start, release) for start, release in dated if any(release)), (len(text), Release((), ()))]
    return tuple((start, end, release) for (start, release), (end, _) in pairwise(known))


def release_of(heading: str) -> Release:
    """Return the first version and day that a heading names."""
    days = [day for day in find_dates(heading) if day.day]
    version = None if _NUMBERED.match(heading) and not days else _VERSION.search(heading) or _MAJOR.search(heading)
    return Release(
        tuple(map(int, version[version.lastindex or 0].split("."))) if version else (),
        (days[0].year, days[0].month, days[0].day) if days else (),
    )


def without_version(title: str) -> str:
    """Return a title without its versions: those of the announcements of one program are the same."""
    return " ".join(_MAJOR.sub(" ", _VERSION.sub(" ", title)).split())


@lru_cache(maxsize=4)
def _entries(text: str) -> tuple[_Entry, ...]:
    """Return the entries of a text that tell of something that it is gone, set back or otherwise, in order."""
    found: list[_Entry] = []
    is_removal = False
    for block in parse_blocks(text):
        if block.kind is BlockKind.HEADING:
            is_removal = REMOVAL.match(text, block.start) is not None
        elif block.kind in _ENTRIES and (one := _read_entry(text, block, is_removal=is_removal)):
            found.append(one)
    return tuple(found)


def _read_entry(text: str, block: Block, *, is_removal: bool) -> _Entry | None:
    """Return what an entry tells in its first sentence; None where it tells of nothing that is otherwise."""
    entry = text[block.start : block.end]
    removal, reversal = REMOVAL.match(entry), REVERSAL.match(entry)
    label = removal or reversal
    told = _ADDRESS.sub(" ", entry[label.end() :] if label else entry)
    plain = " ".join(told.split())
    if not (is_removal or label or any(one.search(plain) for one in (GONE, CHANGED, _NOT_NOW))):
        return None
    first = next((" ".join(told[start:end].split()) for start, end in sentence_spans(told)), "")
    is_removal = is_removal or removal is not None or GONE.search(first) is not None
    return _Entry(
        start=block.start,
        end=block.end,
        words=_words(GONE.sub(" ", CHANGED.sub(" ", first))),
        numbers=numbers_of(first),
        is_removal=is_removal,
        is_reversal=reversal is not None,
        is_otherwise=is_removal or reversal is not None or CHANGED.search(first) is not None,
        denied=tuple(_denied(clause) for clause in _CLAUSE.findall(first) if _NOT_NOW.search(clause)),
    )


def _denied(clause: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of code and the words of which a clause says that they are no longer so."""
    return literals_of(clause), _words(_NOT_NOW.sub(" ", clause))


def _takes_back(one: _Entry, marked: MarkedSentence) -> bool:
    """Return whether an entry denies what a sentence says of code, or tells its words to be gone or otherwise."""
    if any(named and named <= marked.literals and words <= marked.words for named, words in one.denied):
        return True
    is_plain_reversal = one.is_reversal and not one.numbers
    is_same = one.numbers <= marked.numbers if one.is_removal else bool(marked.numbers) or is_plain_reversal
    return one.is_otherwise and len(one.words) >= _SHARED and one.words <= marked.words and is_same


def _words(text: str) -> frozenset[str]:
    telling = (one for one in content_terms(text) if len(one) >= SHORTEST and not one[0].isdigit())
    return frozenset(telling) - function_words(text)
