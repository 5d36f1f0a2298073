"""Sides of a comparison that are told apart by how they are written, and not by the words that one has alone."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quaestor.research.offline.words.status_words import ENDED

_NUMBERED = re.compile(r"(?:(?P<of>.*\w) )?(?P<kind>[^\W\d_]+) (?P<number>\d+(?:\.\d+)*)")
_FILE = re.compile(r"[\w.-]*\w\.(?P<ending>[^\W\d_]\w*)")
"""The name of a file, with its ending."""
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")
_SIGNED = re.compile(r"\w[+#*]+\Z")
_NO = ("not", "non", "nicht")
_STATE = re.compile(rf"(?:{ENDED}|removed|accepted|adopted|approved)(?!\w)", re.IGNORECASE)
_NEGATED = re.compile(rf"\A(?:{'|'.join(_NO)})[- ]", re.IGNORECASE)
_NEAR = 4
"""Words between a state and what is in it."""


class NumberedSides(NamedTuple):
    """What the numbers are of, in small letters, or nothing, and what finds each side."""

    of: str
    sides: Mapping[str, re.Pattern[str]]


def numbered_sides(sides: Sequence[str]) -> NumberedSides | None:
    """Return what finds each side, where all are one thing with a number, as version 2 and version 3 of it."""
    parts = {side: found for side in sides if (found := _NUMBERED.fullmatch(side))}
    kinds = {((found["of"] or "").casefold(), found["kind"].casefold()) for found in parts.values()}
    if len(parts) < len(sides) or len(kinds) != 1:
        return None
    [(of, kind)] = kinds
    before = rf"(?<![^\W_])(?:{re.escape(kind)}{'|v' if kind.startswith('v') else ''})"
    if of and kind.startswith("v"):
        before = rf"(?:{before}|(?<={re.escape(of)})v)"  # AutoNATv2
    numbers = {side: re.escape(found["number"]) for side, found in parts.items()}
    return NumberedSides(
        of, {side: re.compile(rf"{before}[\W_]{{0,2}}{one}(?!\.?\d)", re.IGNORECASE) for side, one in numbers.items()}
    )


def literal_sides(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where they are of one kind that is found as it is written; else nothing."""
    kinds = (_files, _signed, _negated, _identifiers, _states, _phrases)
    return next((patterns for kind in kinds if (patterns := kind(sides))), {})


def _files(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where all are files with one ending; else nothing.

    "core-install.yaml" is another file than "install.yaml"; of names with one beginning, as `shutil.copy`, texts write
    the end alone.
    """
    files = [found for side in sides if (found := _FILE.fullmatch(side))]
    if len(files) < len(sides) or len({one["ending"].casefold() for one in files}) > 1:
        return {}
    return {side: re.compile(rf"(?<![\w-]){re.escape(side)}(?![\w-]|\.\w)", re.IGNORECASE) for side in sides}


def _signed(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where one has a sign behind its word, as Enterprise+; else nothing."""
    if not any(map(_SIGNED.search, sides)):
        return {}
    return {side: re.compile(rf"(?<!\w){re.escape(side)}(?![\w+#*])", re.IGNORECASE) for side in sides}


def _negated(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where one is the other with a word that says no, as non-root of root; else nothing.

    The word that tells them apart stands in any text.
    """
    plain = next((one for one in sides for other in sides if _NEGATED.sub("", other) == one != other), "")
    if not plain:
        return {}
    name = rf"[\"'\u201c]?{re.escape(plain)}s?(?!\w)"
    before = "".join(rf"(?<!\b{no}[- ])(?<!\b{no}[- ][\"'\u201c])" for no in _NO)
    denied = re.compile(rf"\b(?:{'|'.join(_NO)})[- ]{name}", re.IGNORECASE)
    return {
        side: re.compile(rf"(?<![\w-]){before}{name}", re.IGNORECASE) if side == plain else denied for side in sides
    }


def _identifiers(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where one is the beginning of another, as find of findComponent; else nothing.

    Then it is a name of code too, which "finds all" does not have.
    """
    if not all(map(_IDENTIFIER.fullmatch, sides)) or not any(
        other != one and other.startswith(one) and is_joined(other) for one in sides for other in sides
    ):
        return {}
    return {side: re.compile(rf"(?<![\w.]){re.escape(side)}(?!\w)") for side in sides}


def _states(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where all are a state that a document is in, as a withdrawn and a removed note.

    A note that is called "Remove all lids" is not removed, nor does it tell of removed notes.
    """
    states = {side: found for side in sides if (found := _STATE.match(side))}
    if len(states) < len(sides):
        return {}
    kinds = [re.escape(kind) for side, found in states.items() if (kind := side[found.end() :].strip())]
    return {side: _stated(re.escape(found[0]), "|".join(kinds) or r"\w+") for side, found in states.items()}


def _stated(state: str, kind: str) -> re.Pattern[str]:
    """Return what finds a state near to a kind of document, or in the field for it."""
    near = rf"\W+(?:\w+\W+){{0,{_NEAR}}}?"
    said = rf"(?:{state}{near}(?:{kind})|(?:{kind}){near}{state}|status\W+{state})"
    return re.compile(rf"(?<!\w){said}(?!\w)", re.IGNORECASE)


def _phrases(sides: Sequence[str]) -> Mapping[str, re.Pattern[str]]:
    """Return what finds each side, where one has all words of another and one between them; else nothing.

    The jar lid has no word that the jar cork lid has not.
    """
    words = {side: side.casefold().split() for side in sides}
    is_within = any(
        one != other and set(words[one]) < set(words[other]) and one.casefold() not in other.casefold()
        for one in sides
        for other in sides
    )
    if not is_within:
        return {}
    patterns = {side: r"\s+".join(map(re.escape, words[side])) for side in sides}
    return {side: re.compile(rf"(?<!\w){one}s?(?!\w)", re.IGNORECASE) for side, one in patterns.items()}


def is_joined(word: str) -> bool:
    """Return whether a word is an identifier of several words."""
    return not word.isupper() and word[1:] != word[1:].lower()


def held_in(text: str, patterns: Mapping[str, re.Pattern[str]]) -> tuple[str, ...]:
    """Return the sides that are found in a text."""
    return tuple(side for side, pattern in patterns.items() if pattern.search(text))
