"""The words and the numbers of cells, compared as they stand: those of a question are looked for among them."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from quaestor.evidence.tokenization import content_terms, normalize
from quaestor.research.offline.words.markup import strip_markup

_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9]{1,30}(?:\.[0-9]{1,30})?")
_MIN_PLURAL = 4
_MIN_ROOT = 3
_ENDING = 2
"""Letters by which forms of one word may end otherwise: inventor, invented."""
_NUMBERS = 1 << 14
"""How many cells are remembered with their numbers: those of a table are compared with each other many times."""
_BRACKETS = re.compile(r"\s*\([^()]*\)|\s*\[[^\]]*\]")


def tokens(text: str) -> frozenset[str]:
    """Return the words of a text as they stand, but for case, a plural's s and leading zeros.

    Index terms would take a type for typing: what is listed must be called so, and not only of the same stem.
    """
    return frozenset(word_sequence(text))


def word_sequence(text: str) -> Sequence[str]:
    """Return the same words in their order."""
    return [_fold(word) for word in _TOKEN.findall(normalize(text))]


@lru_cache(maxsize=_NUMBERS)
def parse_number(value: str) -> Decimal | None:
    """Return the number that a cell holds; None for anything else, as one with commas, which countries differ on."""
    bare = strip_markup(value)
    return Decimal(bare.replace("\N{MINUS SIGN}", "-")) if _NUMBER.fullmatch(bare) else None


def telling_tokens(text: str) -> frozenset[str]:
    """Return the words of a text that carry a subject."""
    return frozenset(_fold(normalize(word)) for word in _TOKEN.findall(text) if content_terms(word))


def key_tokens(key: str) -> frozenset[str]:
    """Return the words of the name of a field, without what is in brackets, as its unit."""
    bare = _BRACKETS.sub("", key)
    return telling_tokens(bare) or tokens(bare)


def are_akin(one: str, other: str) -> bool:
    """Return whether two words begin alike up to an ending, as what is done and who does it: invented, inventor."""
    root = max(min(len(one), len(other)) - _ENDING, _MIN_ROOT)
    return min(len(one), len(other)) >= _MIN_ROOT and one[:root] == other[:root]


def last_token(text: str) -> Sequence[str]:
    """Return the last word of a name: what a table of "Weather stations" lists is stations."""
    found = [word for word in _TOKEN.findall(text) if content_terms(word)]
    return [_fold(normalize(found[-1]))] if found else []


def _fold(word: str) -> str:
    if word.isdigit():
        return word.lstrip("0") or "0"
    if len(word) > _MIN_PLURAL and word.endswith("ies"):
        return f"{word[:-3]}y"
    is_plural = len(word) >= _MIN_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word
