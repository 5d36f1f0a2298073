"""What the sides of a comparison are called in full, with what only one of them has: a year, a number, a command."""

import re

from quaestor.research.offline.words.names import find_names

_FLAG = re.compile(r"(?<=\w) --?\w")
_PRONOUN_ONE = re.compile(r" ones?\Z", re.IGNORECASE)
_TAIL = re.compile(r" (?:of|for|in|on|at) ")
_SMALL_WORD = re.compile(r"[a-z]+")
_PLURAL = re.compile(r"(?<![su])s\Z")
_YEAR_BEFORE = re.compile(r"(?:the )?(?:year before|previous year|prior year|year earlier)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\w)((?:1\d|20)\d{2})(?!\w)")
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_SMALL_NUMBER = re.compile(r"\d{1,2}")
_NUMBERED = re.compile(rf"(?P<kind>.*\w ){_BARE_NUMBER.pattern}")
_QUALIFIER = re.compile(r"\s(?:of|in|from|by|for|with|that|which)\s|\d")


def with_numbers(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return options of which those that are mere numbers have the words of the first one: version 1, 2 and 3.

    So have those that are a number with the last of these words: Alpha version 2 and version 1. Without such words they
    are none: any text has a 2.
    """
    numbered = _NUMBERED.fullmatch(options[0]) if options else None
    kind = numbered["kind"] if numbered else ""
    last = re.compile(rf"(?:{re.escape(kind.split()[-1])} )?({_BARE_NUMBER.pattern})" if kind else _BARE_NUMBER.pattern)
    named = tuple(f"{kind}{found[0].split()[-1]}" if (found := last.fullmatch(one)) else one for one in options)
    return () if any(map(_SMALL_NUMBER.fullmatch, named)) else named


def without_tail(two: str, one: str) -> str:
    """Return a second side without what is asked of both: version 2 and version 3 of the rules."""
    head = _TAIL.split(two, maxsplit=1)[0]
    is_like = head.split()[:1] == one.split()[:1] and len(head.split()) == len(one.split()) > 1
    is_number = _BARE_NUMBER.fullmatch(head) is not None and _NUMBERED.fullmatch(one) is not None
    return head if is_like or is_number else two


def with_year(side: str, other: str) -> str:
    """Return a side that is a year, or the one before that of the other, with its words: prices of 2026."""
    year, own = _YEAR.search(other), _YEAR.fullmatch(side)
    is_before = _YEAR_BEFORE.fullmatch(side) is not None
    if year is None or not (own or is_before):
        return side
    told = own[1] if own else int(year[1]) - 1
    return f"{other[: year.start()]}{told}{other[year.end() :]}"


def with_plural(one: str, two: str) -> str:
    """Return a side of one word with the plural that stands behind the word of the other: local and global labels."""
    *words, noun = _TAIL.split(two, maxsplit=1)[0].split() or [""]
    is_shared = (
        len(words) == 1 and _SMALL_WORD.fullmatch(one) and not _PLURAL.search(one) and _SMALL_WORD.fullmatch(noun)
    )
    return f"{one} {noun}" if is_shared and _PLURAL.search(noun) else one


def name_kind(option: str, other: str) -> str:
    """Return an option with the kind of the other one in the place of "one": the current staff policy."""
    kind = _QUALIFIER.split(other, maxsplit=1)[0].strip()
    return _PRONOUN_ONE.sub(f" {kind}", option) if kind else option


def with_command(option: str, other: str) -> str:
    """Return an option of a program with the command that only the other one names: git reset --soft and --hard."""
    flag = _FLAG.search(other)
    return f"{other[: flag.start()]} {option}" if flag and option.startswith("-") else option


def names_alone(options: tuple[str, ...], masked: str) -> tuple[str, ...]:
    """Return options of which all but the last are names with the name of the last alone: the rest is asked of all."""
    *before, last = options
    names = frozenset(find_names(masked))
    if not names.issuperset(before):
        return options
    # In small letters alone: a title goes on with capitals, as "A Day in the Sun".
    leading = (name for name in names if last.startswith(f"{name} ") and last[len(name) :] == last[len(name) :].lower())
    return (*before, max(leading, key=len, default=last))
