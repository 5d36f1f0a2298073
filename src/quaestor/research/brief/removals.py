"""What a text names as code or in two words, and of which of it a sentence tells that it is gone or will be."""

import re
from collections.abc import Iterable

from quaestor.research.offline.words.removal_words import (
    NAME_REMOVED,
    OF_CODES,
    REMOVAL_ANNOUNCED,
    REMOVED_BEFORE,
    REMOVED_BEHIND,
    TO_BE_ENDED,
)
from quaestor.research.reports.languages import function_words

_LITERAL = re.compile(r"`+(?P<code>[\w.-]{3,}(?: [\w.-]{2,}){0,2}(?:\(\))?)`+|(?<![\w`-])(?P<option>--[a-z][\w-]+)")
_VALUES = frozenset(["off", "true", "false", "yes", "none", "null", "nil", "default", "auto", "empty"])
_CLAUSE = re.compile(r"[.;:!?)]\s|\|")
"""What parts the clauses of a sentence, and the cells of a row."""


def literals_of(text: str) -> frozenset[str]:
    """Return what a text writes as code, in backticks or as an option; a value that many options have names none."""
    found = (match["code"] or match["option"] for match in _LITERAL.finditer(text))
    return frozenset(one for one in found if one.casefold() not in _VALUES and not one.isdigit())


def removed_literals(text: str) -> frozenset[str]:
    """Return what a text writes as code and tells in one clause to be gone or deprecated, and not a thing beside it."""
    return frozenset(
        literal
        for clause in _CLAUSE.split(OF_CODES.sub(r"\1", text))
        for literal in literals_of(clause)
        if _is_removed(literal, clause)
    )


def literals_to_go(sentence: str) -> frozenset[str]:
    """Return what a sentence that opens with an end writes as code before anything else: "We will remove `x`"."""
    opening = TO_BE_ENDED.match(sentence)
    return literals_of(opening["what"]) if opening else frozenset()


def ended_names(sentence: str) -> tuple[str, ...]:
    """Return the names of two words that a sentence tells to be gone: "Transponder tab removed".

    What is called by one word may be many things. The rows of a table describe what comes about: "Rule Delete | A rule
    was deleted".
    """
    if "|" in sentence:
        return ()
    named = [found["name"] for found in NAME_REMOVED.finditer(sentence)]
    small = function_words(sentence) if named else frozenset()
    return tuple(name for name in named if small.isdisjoint(name.split()))


def calls_one_of(names: Iterable[str], text: str) -> bool:
    """Return whether a text calls something by one of these names."""
    told = " ".join(text.split())
    return any(re.search(rf"\b{re.escape(name)}\b", told, re.IGNORECASE) for name in names)


def is_done(sentence: str) -> bool:
    """Return whether a sentence tells that something is gone, and not only that it will be."""
    return REMOVAL_ANNOUNCED.search(sentence) is None


def _is_removed(literal: str, clause: str) -> bool:
    places = ((found.start(), found.end()) for found in re.finditer(re.escape(literal), clause))
    return any(REMOVED_BEHIND.match(clause, end) or REMOVED_BEFORE.search(clause[:start]) for start, end in places)
