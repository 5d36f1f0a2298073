"""Which letters answer others: their subject is the same behind the marks that programs set before a reply."""

import re
from typing import NamedTuple

from quaestor.contracts.source import Source
from quaestor.research.brief.marked_sentence import numbers_of
from quaestor.research.brief.record_items import Day, day_of, is_before
from quaestor.research.offline.words.change_words import may_tell_change
from quaestor.research.offline.words.dates import find_partial_dates

_MARK = re.compile(r"\s*(?:re|aw|antw|sv|r[ée]f?|rif|odp|ynt|vs)(?:\[\d+\])?\s*[:\uff1a]", re.IGNORECASE)
"""In English, German, Dutch, Swedish, French, Italian, Polish, Turkish and Finnish."""
REPLY_TERMS = ("antw", "aw", "odp", "re", "ref", "rif", "sv", "vs", "ynt")
"""The same as index terms."""
_LONGEST_NUMBER = 4
"""Characters of a number that may be a day, an hour or an amount; those of telephones are longer."""
_QUOTED = re.compile(r"[ \t]*[>|]")
"""How a line begins that a reply repeats from what it answers."""


class _Subject(NamedTuple):
    """What a letter is about, and how many marks of a reply stand before it."""

    words: str
    replies: int


def bare_subject(title: str) -> str:
    """Return the subject of a letter without the marks of replies."""
    return _subject(title).words


def answers(letter: Source, other: Source) -> bool:
    """Return whether a letter is a reply in the thread of another one, and later: by its marks or else by its day."""
    own, its = _subject(letter.title), _subject(other.title)
    if not own.words or own.words.casefold() != its.words.casefold() or not own.replies:
        return False
    days = (day_of(other), day_of(letter))
    is_later = days[0] is not None and days[1] is not None and is_before(days[0], days[1])
    return own.replies > its.replies or is_later


def place_in_thread(letter: Source) -> tuple[Day, int]:
    """Return what orders the letters of a thread: their days, and of one day the marks."""
    return day_of(letter) or (0, 0, 0), _subject(letter.title).replies


def is_told_in_reply(said: str, text: str, place: int) -> bool:
    """Return whether a sentence at a place of a reply is its own, and has a number, a day or a word for a change."""
    if _QUOTED.match(text, text.rfind("\n", 0, place) + 1, place + 1):
        return False
    values = any(len(number) <= _LONGEST_NUMBER for number in numbers_of(said))
    return values or bool(find_partial_dates(said)) or may_tell_change(said)


def _subject(title: str) -> _Subject:
    words, replies = title.strip(), 0
    while mark := _MARK.match(words):
        words, replies = words[mark.end() :].strip(), replies + 1
    return _Subject(words, replies)
