"""What a text has in another form: the numbers of kings, decades, degrees of adjectives, releases of a version."""

import re
from collections.abc import Iterator

_ORDINALS = (
    "first I 1st; second II 2nd; third III 3rd; fourth IV 4th; fifth V 5th; sixth VI 6th; seventh VII 7th;"
    " eighth VIII 8th; ninth IX 9th; tenth X 10th; eleventh XI 11th; twelfth XII 12th"
)
_ORDINALS_BY_FORM = {form.casefold(): entry.split() for entry in _ORDINALS.split(";") for form in entry.split()}
_DECADE_WORDS = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_DECADES = {word: tens for tens, word in enumerate(_DECADE_WORDS, 2)}
_DECADE = re.compile(r"(?<![\w.,])(?:\d\d|['\u2018\u2019])?(?P<tens>\d)0['\u2019]?s(?!\w)")
_WORD_FOR_DECADE = re.compile(rf"\b(?:{'|'.join(_DECADE_WORDS)})\b", re.IGNORECASE)
_SHORTEST = 4
"""Letters of an adjective with degrees, as fast; shorter ones begin too many other words."""
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}")
_NUMBERED = re.compile(r"(?P<named>.*[^\W\d_]) (?P<number>\d{1,3})")
_NO_DEGREES = frozenset({"earnest", "forest", "honest", "interest", "modest", "tempest"})
"""Words that end as the highest degree of another one."""


def holds_ordinal_name(text: str, name: str) -> bool:
    """Return whether a text has a name whose number it writes otherwise: Henry the Eighth, Henry VIII."""
    *before, last = name.split()
    forms = "|".join(_ORDINALS_BY_FORM.get(last.casefold(), ()))
    called = " ".join(re.escape(part) for part in before if part != "the") or r"[A-Z]\w+"
    return bool(forms) and re.search(rf"\b{called},? (?:the )?(?i:{forms})(?!\w)", text) is not None


def holds_decade(text: str, word: str) -> bool:
    """Return whether a text holds a decade that is written otherwise: eighties, 1980s."""
    asked = frozenset(_tens(word))
    return bool(asked) and not asked.isdisjoint(_tens(text))


def holds_degree(text: str, word: str) -> bool:
    """Return whether a text holds a higher degree of an adjective: cheapest, or cheaper before "than", of cheap."""
    if not word.isalpha() or not word.islower() or len(word) < _SHORTEST:
        return False
    stem = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
    found = re.finditer(rf"\b{stem}{stem[-1]}?(?:est|er than)\b", text, re.IGNORECASE)
    return any(one[0].casefold() not in _NO_DEGREES for one in found)


def holds_release(text: str, version: str) -> bool:
    """Return whether a text has a release of a version of two numbers: 3.14.0 and v3.14.2 are of 3.14.

    What ends in four digits is a date.
    """
    is_version = _VERSION.fullmatch(version) is not None
    return is_version and re.search(rf"(?<![\d.]){re.escape(version)}\.\d{{1,3}}(?!\d)", text) is not None


def holds_numbered_release(text: str, name: str) -> bool:
    """Return whether a text has a name whose number it writes as a version: Ember v6 and Ember 6.0.2 are Ember 6."""
    found = _NUMBERED.fullmatch(name)
    if found is None:
        return False
    named, number = re.escape(found["named"]), found["number"]
    written = rf"(?<!\w){named} (?:v{number}|v?{number}(?:\.(?:\d{{1,3}}|x))+)(?!\w|\.\w)"
    return re.search(written, text) is not None


def _tens(text: str) -> Iterator[int]:
    yield from (int(found["tens"]) for found in _DECADE.finditer(text))
    yield from (_DECADES[found[0].casefold()] for found in _WORD_FOR_DECADE.finditer(text))
