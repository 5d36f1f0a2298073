"""The same said in other signs: units, months, days of the week, numbers and titles that texts write in short.

A text says besides its own words those that it writes in short, and a query is also searched by the ways in which
texts write its words. The index holds what stands in a text, and of this a word with a hyphen as one word alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from quaestor.evidence.day_ranges import days_between
from quaestor.evidence.hyphenated_words import joined_forms
from quaestor.evidence.number_words import find_spelled_numbers, spell_number
from quaestor.evidence.short_forms import CALENDARS, LABELS, MONEY, TITLES, UNITS, UNITS_BEHIND_WORDS
from quaestor.evidence.stopwords import word_set

_ENGLISH = "en"
_TEXTS = 1 << 12
"""How many texts are remembered with what they write in short: rule after rule asks for the same ones."""
_SHORTEST_SEARCHED = 3
"""Letters of a month or a day in short that is searched; two are a small word of some language. A unit has two."""
_SHORTEST_UNIT = 2
_MOST_COMMON = 10
"""Numbers up to it stand nearly everywhere, and are not searched otherwise than they are asked."""
_AMBIGUOUS = word_set("sun sat mon wed mar dec jan jun max no co set ago dom sab out sex gen mag")
"""Short forms that are words or names: who asks for the sun is not told of Sunday."""
_PLURALS = ("s", "n", "en")
"""Endings of several units, and of a day that comes every week."""
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,?000)?(?![\w:/-]|[.,]\d)")
_ORDINALS = (
    ("1st", "first"),
    ("2nd", "second"),
    ("3rd", "third"),
    ("4th", "fourth"),
    ("5th", "fifth"),
    ("6th", "sixth"),
    ("7th", "seventh"),
    ("8th", "eighth"),
    ("9th", "ninth"),
    ("10th", "tenth"),
)
_ORDINAL = re.compile(rf"(?<!\w)(?:{'|'.join(word for pair in _ORDINALS for word in pair)})(?!\w)", re.IGNORECASE)
_SHARE = re.compile(r"(?<![\w.,])\d{1,3}(?=\s?(?:%|per ?cent\b))", re.IGNORECASE)
_NUMBER_BEFORE = re.compile(r"\d(?:st|nd|rd|th)?\.? \Z")
_NUMBER_BEHIND = re.compile(r"\.?,? ?\d")
_SET_OFF_BEFORE = re.compile(r"(?:\A|[\n|,;/(\t\u2013-])[ *_]*\Z")
_SET_OFF_BEHIND = re.compile(r"[ *_]*(?:\Z|[\n|,;/)\t\u2013-])")
_BESIDE = 6
"""Characters beside a word that show whether it is a month or a day in short."""
_UNIT_BEHIND = re.compile(
    rf"(?<=[\d\u00bc-\u00be\u2150-\u215e])\s?({'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})(?!\w)"
)
"""Also behind a fraction in one sign, as in "2\u00bd km"."""
_UNIT_ALONE = re.compile(rf"(?<![\w.])({'|'.join(UNITS_BEHIND_WORDS)})(?!\w)")
_MONEY_BEFORE = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, MONEY))})\s?(?=\d)")


@lru_cache(maxsize=_TEXTS)
def full_words(text: str, language: str | None) -> tuple[str, ...]:
    """Return the words that a text writes in short or with a hyphen, and the short forms and numbers it writes out.

    `language` is that of the months, days, titles and number words that are known; None is English.
    """
    code = language or _ENGLISH
    found = [
        *_written_in_short(text, code),
        *(short for short in _shortened(text, code) if short not in _AMBIGUOUS),
        *(spell_number(int(number.replace(",", "")), code) for number in _NUMBER.findall(text)),
        *map(str, find_spelled_numbers(text, code)),
        *(UNITS["%"] for _ in _SHARE.findall(text)),
        *days_between(text, code),
        *(_ordinals(text) if code == _ENGLISH else ()),
        *joined_forms(text),
    ]
    return tuple(sorted(set(" ".join(found).split())))


def _ordinals(text: str) -> Iterator[str]:
    """Yield the ordinals of an English text otherwise: "first" of 1st, and 1st of "first"."""
    for word in map(str.casefold, _ORDINAL.findall(text)):
        yield from (one for pair in _ORDINALS for one in pair if word in pair and one != word)


def other_forms(text: str, language: str | None) -> tuple[str, ...]:
    """Return the words by which texts may write in other signs what a query says, each once.

    Not those that stand nearly everywhere: small numbers, "per cent", and labels in short, as "no." is for number.
    """
    code = language or _ENGLISH
    calendar, labels = CALENDARS.get(code, {}), LABELS.get(code, {})
    found = [
        *_written_in_short(text.replace("%", " "), code),
        *(
            one
            for one in _shortened(text, code)
            if one not in labels and len(one) >= (_SHORTEST_SEARCHED if one in calendar else _SHORTEST_UNIT)
        ),
        *(spell_number(int(share), code) for share in _SHARE.findall(text) if int(share) > _MOST_COMMON),
        *(str(number) for number in find_spelled_numbers(text, code) if number > _MOST_COMMON),
        *joined_forms(text),
    ]
    said = {word.casefold() for word in _WORD.findall(text)}
    return tuple(word for word in dict.fromkeys(" ".join(found).split()) if word.casefold() not in said)


def _shortened(text: str, code: str) -> Iterator[str]:
    """Yield the short forms of the words that a text writes out, be they of one thing or of several."""
    known = _by_full_word(code)
    for word in dict.fromkeys(map(str.casefold, _WORD.findall(text))):
        forms = (word, *(word.removesuffix(ending) for ending in _PLURALS if word.endswith(ending)))
        yield from next((known[form] for form in forms if form in known), ())


def _written_in_short(text: str, code: str) -> Iterator[str]:
    yield from (
        UNITS[found[1]] for pattern in (_UNIT_BEHIND, _UNIT_ALONE, _MONEY_BEFORE) for found in pattern.finditer(text)
    )
    labels, calendar = LABELS.get(code, {}), CALENDARS.get(code, {})
    for found in _short_words(code).finditer(text):
        word, start, end = found[0].casefold(), found.start(), found.end()
        before, behind = text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]
        if word in labels and (found[0] in TITLES or behind[:1] == "." or behind.lstrip()[:1].isdigit()):
            yield labels[word]
        if word in calendar and _is_in_calendar(found[0], before, behind):
            yield calendar[word]


def _is_in_calendar(word: str, before: str, behind: str) -> bool:
    """Return whether a short form is that of a month or a day: beside a number, with a full stop, or set off alone."""
    has_capital = word[0].isupper()
    if _NUMBER_BEFORE.search(before) or _NUMBER_BEHIND.match(behind):
        return has_capital or len(word) >= _SHORTEST_SEARCHED
    if len(word) < _SHORTEST_SEARCHED and behind[:2] == ", ":  # "So, ..." begins a sentence
        return False
    is_set_off = _SET_OFF_BEFORE.search(before) is not None and _SET_OFF_BEHIND.match(behind) is not None
    return has_capital and (behind[:1] == "." or is_set_off)


@cache
def _short_words(code: str) -> re.Pattern[str]:
    known = sorted({*LABELS.get(code, ()), *CALENDARS.get(code, ())}, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(known) or '(?!)'})(?!\w)", re.IGNORECASE)


@cache
def _by_full_word(code: str) -> Mapping[str, Sequence[str]]:
    """Return the short forms of words in small letters, of one kind or several."""
    found: dict[str, list[str]] = defaultdict(list)
    entries: Iterable[tuple[str, str]] = (
        pair for kind in (UNITS, LABELS.get(code, {}), CALENDARS.get(code, {})) for pair in kind.items()
    )
    for short, full in entries:
        for word in full.casefold().split():
            found[word].append(short)
    return found
