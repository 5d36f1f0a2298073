"""Whether a number is that of a version, which is compared by its digits: 3.10 is another one than 3.1."""

import re

from quaestor.evidence.stopwords import word_set
from quaestor.evidence.tokenization import content_terms
from quaestor.research.claims.numbers import NumberMention

_VERSION = re.compile(r"(?<![\d.])\d+(?:\.\d+)*")
_WITH_DOTS = re.compile(r"\d+(?:\.\d+)+")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_NAMED = re.compile(r"(?P<name>[A-Z][\w+#-]*|\bversions?|\breleases?)\s(?:\d[\d.]*(?:,|\s(?:and|or|to))\s)*$")
_ZEROS = re.compile(r"(?:\.0+)+$")
_NO_NAMES = word_set("nearly roughly around approximately almost circa exactly another total")
"""What stands before an amount at the start of a sentence."""
_MAX_BEFORE = 60
"""Characters before a number that say what it is."""


def is_version(text: str, number: NumberMention) -> bool:
    """Return whether a number with dots stands behind a name or the word "version", alone or in a list."""
    if not _WITH_DOTS.fullmatch(number.text) or _THOUSANDS.fullmatch(number.text):
        return False
    named = _NAMED.search(text[max(0, number.start - _MAX_BEFORE) : number.start])
    return named is not None and bool(content_terms(named["name"])) and named["name"].lower() not in _NO_NAMES


def version_digits(text: str) -> str:
    """Return the digits of a version by which it is compared: 2.0 is 2, and 3.10 is not 3.1."""
    return _ZEROS.sub("", text)


def known_versions(text: str) -> frozenset[str]:
    """Return the digits of all numbers that can be versions, and those that they begin with: 3.12 of 3.12.1."""
    pieces = (match[0].split(".") for match in _VERSION.finditer(text))
    return frozenset(version_digits(".".join(own[:count])) for own in pieces for count in range(1, len(own) + 1))
