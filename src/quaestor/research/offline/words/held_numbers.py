"""The numbers of names that a text holds as those of other things: a Pi 3 is no Pi 2, GPL-3.0 no Poetry 3.0."""

import re
from collections.abc import Sequence

from quaestor.evidence.stemming import held_stems, stemmed_terms
from quaestor.evidence.tokenization import Word, terms, words
from quaestor.research.offline.words.dates import find_partial_dates, parse_partial_date
from quaestor.research.offline.words.other_writings import holds_release
from quaestor.research.offline.words.wording import AskedWord

_NUMBERED_NAME = re.compile(r"(?:.*[ /.-])?(?P<named>[^\W\d_]+)(?: (?=\d{1,3}\Z)|-)(?P<number>[1-9]\d{0,5})")
"""A name with a number that is no year, as "Form B 12", Node.js 22 and EIP-1559."""
_BARE_NUMBER = re.compile(r"[1-9]\d{0,2}")
"""Of a question, where it is no year and stands in no date."""
_VERSIONED_NAME = re.compile(r"(?:.* )?(?P<named>[^\W\d_]+) v?(?P<version>\d+(?:\.\d+)+)")
_ENDS_IN_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+)\Z")
_CAPITAL_BEFORE = re.compile(r"(?<![\w-])([A-Z][\w+#-]*) \Z")
_OF_VERSIONS = frozenset(["version", "versions", "release", "since", "in", "from", "until", "before", "after", "with"])
"""Words before a version that name nothing of which it is one."""
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_NUMBER = re.compile(r"\d+")
_NUMBERS_BEHIND = re.compile(
    r"[^\w.!?]{0,3}(?:(?:[a-z\u00df-\u00ff]+|N[or])\.? )?\d+(?!\w)"
    r"(?:[^\w\n]{1,3}(?:(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of) )?\d+(?!\w))*"
)
"""As "Pi 3, 4 and 5" and "Pi model 3"; a word with a capital makes another name: "Pi Zero 2"."""
_ORDINAL_BEFORE = re.compile(r"\d+(?:\.|st|nd|rd|th|e|er|[ºª°])[ ]\Z")


def numbers_of_others(text: str, asked: Sequence[AskedWord], language: str | None, above: str) -> frozenset[str]:
    """Return the numbers of names that a text holds, and nowhere as the number of that name: a Pi 3 is no Pi 2.

    What stands `above` it may have the name itself, with the number of the document that it is.
    """
    numbered = {word: found for word in asked if word.is_name and (found := _NUMBERED_NAME.fullmatch(word.text))}
    bare = [word for word in asked if _BARE_NUMBER.fullmatch(word.text)]
    of_dates = [word.text for word in bare if _is_only_in_dates(text, word.text)]
    lone = (
        found["number"]
        for word, found in numbered.items()
        if not parse_partial_date(word.text)
        and (
            _is_only_in_dates(text, found["number"])
            or not _is_numbered(text, found["named"], found["number"], language, above)
        )
    )
    kept = (word.terms for word in asked if word not in numbered and word not in bare)
    return frozenset((*lone, *of_dates)).difference(*kept)


def dates_above(text: str, asked: Sequence[AskedWord]) -> frozenset[str]:
    """Return the numbers of names that what stands above a text holds in dates and versions alone."""
    names = [word.text for word in asked if word.is_name and not parse_partial_date(word.text)]
    numbered = (_NUMBERED_NAME.fullmatch(name) for name in names)
    numbers = {*(found["number"] for found in numbered if found), *filter(str.isdigit, names)}
    return frozenset(number for number in numbers if _is_only_in_dates(text, number))


def _is_only_in_dates(text: str, number: str) -> bool:
    """Return whether a text has a number, and only as a part of dates and versions, which is the number of no name."""
    if number not in text or number not in terms(text):
        return False
    bare = _VERSION.sub(" ", text)
    for date in find_partial_dates(text):
        bare = bare.replace(date.text, " ")
    return number not in terms(bare)


def _is_numbered(text: str, named: str, number: str, language: str | None, above: str) -> bool:
    """Return whether a number stands at a word or is the mark of an item; so it may be where the word is missing.

    It is not where the word stands above with another number, nor within a word of letters and digits, nor where it
    counts: "a 3-digit number", "in 3 ways".
    """
    if number not in text or re.search(rf"^\W*{number}[.)]\s", text, re.MULTILINE):
        return True
    if numbers := _numbers_of(text, named, language):
        return any(number in each for each in numbers)
    others = frozenset[str]().union(*_numbers_of(above, named, language))
    return re.search(rf"(?<!\w)0*{number}(?!\w|-[a-z]| [a-z]{{3,}}s\b)", text) is not None and (
        not others or number in others
    )


def _numbers_of(text: str, named: str, language: str | None) -> list[frozenset[str]]:
    """Return the numbers of a word at each place where a text has it."""
    stems = frozenset(stemmed_terms(named, language))
    return [_numbers_at(text, one) for one in words(text) if stems <= held_stems(one.text, language)]


def _numbers_at(text: str, word: Word) -> frozenset[str]:
    """Return the numbers of a word: in it, behind it, also several, or before it as an ordinal."""
    found = _NUMBER.findall(word.text)
    if not found:
        behind, before = _NUMBERS_BEHIND.match(text, word.end), _ORDINAL_BEFORE.search(text, 0, word.start)
        found = _NUMBER.findall(f"{behind[0] if behind else ''} {before[0] if before else ''}")
    return frozenset(number.lstrip("0") for number in found)


def versions_of_others(text: str, asked: Sequence[AskedWord]) -> frozenset[str]:
    """Return the versions of names that a text holds as those of other names alone, or as parts of words."""
    versioned = {word: found for word in asked if word.is_name and (found := _VERSIONED_NAME.fullmatch(word.text))}
    lone = (found["version"] for found in versioned.values() if not _is_versioned(text, found))
    return frozenset(lone).difference(*(word.terms for word in asked if word not in versioned))


def releases_held(text: str, asked: Sequence[AskedWord]) -> frozenset[str]:
    """Return the versions that are asked for, alone or of a name, of which a text has a release: 3.14.0 is of 3.14."""
    versions = (found[1] for word in asked if (found := _ENDS_IN_VERSION.search(word.text)))
    return frozenset(version for version in versions if holds_release(text, version))


def _is_versioned(text: str, name: re.Match[str]) -> bool:
    for found in re.finditer(rf"(?<![\w.-])v?{re.escape(name['version'])}(?:\.\d+)*(?![\w-])", text):
        before = _CAPITAL_BEFORE.search(text, 0, found.start())
        if before is None or before[1].casefold() in {name["named"].casefold(), *_OF_VERSIONS}:
            return True
    return False
