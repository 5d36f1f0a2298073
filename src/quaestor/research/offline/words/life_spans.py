"""Dates in brackets behind a name, which say when somebody was born and died though no word there does."""

import re
from collections.abc import Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.stemming import stemmed_terms
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.offline.words.dates import PartialDate, find_dates
from quaestor.research.offline.words.names import find_names, mask_quotes

_BIRTH = """
    born birth birthday geboren geburt né née naissance naître nacido nacida nació nacimiento nato nata nascita родился
    родилась
"""
_DEATH = """
    die died death dead starb sterben gestorben tod mort morte mourir décédé décédée murió muerto muerta muerte morto
    morì умер умерла
"""
_BRACKETS = re.compile(r"\(([^()]{4,160})\)")
_BEFORE = 60
"""Characters before the brackets among which the name stands."""
_BORN_MARK = re.compile(r"\*|\b(?:b\.|born|geb\.?|geboren|née?|nato|nacid[oa])(?!\w)", re.IGNORECASE)
_DIED_MARK = re.compile(r"\u2020|\b(?:d\.|died|gest\.?|gestorben|morte?|mort[oa])(?!\w)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_MIN_YEARS = 30
"""Between two bare years: fewer may be those of a reign, an office or a ship."""


class AskedLife(Immutable):
    """The names of a question, and its index terms that ask for a birth and for a death."""

    names: tuple[frozenset[str], ...]
    birth: frozenset[str]
    death: frozenset[str]

    def terms_held(self, text: str) -> frozenset[str]:
        """Return those of the terms that dates in brackets behind one of the names tell."""
        found = set[str]()
        for brackets in _BRACKETS.finditer(text) if self.birth or self.death else ():
            before = frozenset(terms(text[max(0, brackets.start() - _BEFORE) : brackets.start()].rpartition(". ")[2]))
            if any(name <= before for name in self.names):
                is_birth, is_death = _events(brackets[1])
                found.update(self.birth if is_birth else (), self.death if is_death else ())
        return frozenset(found)


def asked_life(question: str, language: str | None) -> AskedLife:
    """Return what a question asks of somebody's birth and death."""
    names = (content_terms(name) for name in find_names(mask_quotes(question)))
    asked = [(word, frozenset(stemmed_terms(word, language))) for word in question.split() if content_terms(word)]
    birth, death = (_terms_of(asked, cues) for cues in (_BIRTH, _DEATH))
    return AskedLife(tuple(map(frozenset, filter(None, names))), birth, death)


def _terms_of(asked: Sequence[tuple[str, frozenset[str]]], cues: str) -> frozenset[str]:
    words = frozenset(cues.split())
    return frozenset(term for word, held in asked if word.casefold().strip("?!.,;:\"'") in words for term in held)


def _events(inside: str) -> tuple[bool, bool]:
    """Return whether brackets tell a birth and a death: two dates and nothing else, or each with its mark."""
    dates = find_dates(inside)
    is_birth, is_death = _BORN_MARK.search(inside) is not None, _DIED_MARK.search(inside) is not None
    if is_birth or is_death:
        return is_birth and bool(dates), is_death and bool(dates)
    is_span = len(dates) == 2 and not _LETTER.search(_without(inside, dates))  # noqa: PLR2004 -- from one to the other
    return (True, True) if is_span and _may_be_life(*dates) else (False, False)


def _may_be_life(first: PartialDate, last: PartialDate) -> bool:
    return last.year - first.year >= (1 if first.month and last.month else _MIN_YEARS)


def _without(text: str, dates: Sequence[PartialDate]) -> str:
    for date in dates:
        text = text.replace(date.text, " ", 1)
    return text
