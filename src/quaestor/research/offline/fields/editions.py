"""Documents of one name and several years: the table of an old one does not answer what holds today."""

import re
from collections.abc import Iterable

from quaestor.evidence.tokenization import normalize

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_PARTS = re.compile(r"[\W_]+")


def named_year(name: str) -> str:
    """Return the one year in the name of a document, or nothing."""
    years = frozenset(_YEAR.findall(name))
    return next(iter(years)) if len(years) == 1 else ""


def find_newer(stem: str, others: Iterable[str]) -> str:
    """Return the name among others that is the same without a year or with a later one, or nothing."""
    year = named_year(stem)
    if not year:
        return ""
    for other in others:
        is_later = named_year(other) > year or not _YEAR.search(other)
        if is_later and _without_year(other) == _without_year(stem):
            return other
    return ""


def _without_year(name: str) -> tuple[str, ...]:
    return tuple(filter(None, _PARTS.split(_YEAR.sub(" ", normalize(name)))))
