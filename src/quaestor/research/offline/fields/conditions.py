"""The conditions of a question on things: fields that it names with what they hold, and values that it names alone."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from typing_extensions import override

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import words
from quaestor.research.offline.fields.cell_words import key_tokens, parse_number, telling_tokens, tokens
from quaestor.research.offline.fields.collections import Collection, Thing
from quaestor.research.offline.fields.header_fields import references
from quaestor.research.offline.fields.reserve_words import GONE_STATE, NO_NAME
from quaestor.research.offline.fields.yes_no import says_no, says_yes
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.language import AUTHOR_WORDS
from quaestor.research.offline.words.markup import strip_markup

_PERSON = re.compile(r"[A-ZÀ-Þ][\w'\u2019-]*\.? (?:[a-zà-ÿ]{1,3} ){0,2}[A-ZÀ-Þ]")
"""Two words with capitals, as in the name of a person."""
_PARTICLES = re.compile(r"(?:[a-zà-ÿ'\u2019]{1,3} ){1,2}[A-ZÀ-Þ]")
"""The short words with which some names begin: "van der Berg"."""


class Condition(Immutable):
    """A field with the terms that one part of its value must hold; without terms it holds any value but a no."""

    key: str
    wanted: frozenset[str]
    named: bool
    """Whether the question names the field; else its value alone chose it."""
    is_ambiguous: bool = False
    """Whether other values hold the terms among others, so that these may be meant as well."""
    is_unclear: bool = False
    """Whether it asks for a yes, and some value says neither yes nor no."""

    def holds(self, thing: Thing) -> bool:
        """Return whether a thing fulfils it."""
        cell = thing.cells.get(self.key)
        if cell is None or cell.is_empty:
            return False
        if not self.wanted:
            return not says_no(cell.value)
        return any(self.wanted == tokens(part) for part in cell.parts)


class HeldWithin(Condition):
    """The same, where a part of the value holds these terms among others: a year of a date, a name of a person."""

    @override
    def holds(self, thing: Thing) -> bool:
        cell = thing.cells.get(self.key)
        return cell is not None and any(self.wanted <= tokens(part) for part in cell.parts[1:] or cell.parts)


def named_conditions(
    text: str, left: frozenset[str], collection: Collection
) -> Iterator[tuple[Condition, frozenset[str]]]:
    """Return the fields that a question names with what it says of each, and the terms that this accounts for."""
    said = tokens(text)
    telling = telling_tokens(text) | small_keys(text, collection)
    authorship = _authorship()
    for key in sorted(collection.keys, key=lambda one: -len(key_tokens(one))):
        own = key_tokens(key)
        by_author = is_authorship(key) and bool(said & authorship)
        if not (own <= telling or by_author) or own <= collection.nouns:
            continue
        used = (own | (authorship if by_author else frozenset())) & left
        parts, longer = _part_tokens(collection, key)
        wanted = frozenset(term for term in left - used if any(term in part for part in parts))
        whole = next(
            (full for full, telling in phrases_said(text, collection, key).items() if telling == wanted),
            wanted,
        )
        if wanted and whole in parts:
            ambiguous = any(whole < part for part in longer)
            yield Condition(key, whole, named=True, is_ambiguous=ambiguous), used | wanted
        elif (
            wanted
            and any(wanted <= part for part in parts)
            and not (_is_choice(collection, key) or _differs_in_small_words(wanted, collection, key))
        ):
            yield HeldWithin(key, wanted, named=True), used | wanted
        elif not wanted and used and not by_author:
            yield Condition(key, frozenset(), named=True, is_unclear=_is_unclear(collection, key)), used


def is_authorship(key: str) -> bool:
    """Return whether a field tells who wrote something: all that is written has that, by whatever name."""
    return not key_tokens(key).isdisjoint(_authorship())


@cache
def _authorship() -> frozenset[str]:
    return tokens(f"{AUTHOR_WORDS} write")


def small_keys(text: str, collection: Collection) -> frozenset[str]:
    """Return the words of a question that are whole names of fields, though they carry a subject nowhere else: done."""
    names = (key_tokens(key) for key in collection.keys if not telling_tokens(key))
    return frozenset().union(*(own for own in names if own <= tokens(text)))


def _is_unclear(collection: Collection, key: str) -> bool:
    """Return whether some value of a field says neither yes nor no, where others do or the name alone asks for it.

    A day says that something was done. Of other values without a yes or a no each is what the field is for, as are
    numbers of which one is 1; but one that tells an end or a lack in a column of others, or stands in small letters
    where people are named ("waiting"), may say that nobody is.
    """
    cells = [one.cells[key] for one in collection.things if key in one.cells]
    values = [cell.value for cell in cells if not cell.is_empty or says_no(cell.value)]
    answers = [value for value in values if says_yes(value) or says_no(value)]
    if any(_tells_lack(strip_markup(value), key, values) for value in values if value not in answers):
        return True
    is_asked = any(parse_number(value) != 1 for value in answers) or not telling_tokens(key)
    return is_asked and any(value not in answers and parse_date(value) is None for value in values)


def _tells_lack(value: str, key: str, among: Sequence[str]) -> bool:
    """Return whether a value may say that a field has none, or has one no longer; not where it repeats its name."""
    if NO_NAME.fullmatch(value):
        return True
    if key_tokens(key) & tokens(value):
        return False
    is_plain = value[:1].islower() and not _PARTICLES.match(value)
    return GONE_STATE.match(value) is not None or (is_plain and any(map(_PERSON.match, among)))


def _differs_in_small_words(wanted: frozenset[str], collection: Collection, key: str) -> bool:
    """Return whether a value of a field has these telling words and small ones, as "in service" has."""
    values = {one.cells[key].value for one in collection.things if key in one.cells}
    return any(telling_tokens(value) == wanted != tokens(value) for value in values)


def plain_conditions(
    text: str, left: frozenset[str], collection: Collection
) -> Iterator[tuple[Condition, frozenset[str]]]:
    """Return the fields that hold words of the question as a whole value; none where several fields do.

    A number says not of what it is one: a year may be that of anything. A value with small words, as "in service", is
    held where it stands so in the question: "out of service" has the same telling word.
    """
    offers: dict[frozenset[str], list[Condition]] = {}
    for key in collection.keys:
        parts, longer = _part_tokens(collection, key)
        phrases = phrases_said(text, collection, key)
        for part in parts if key not in collection.naming else ():
            telling = phrases.get(part, part)
            names_kind = telling <= collection.nouns and part not in phrases
            if telling and telling <= left and not names_kind and not all(map(str.isdigit, telling)):
                ambiguous = any(part < other for other in longer)
                offers.setdefault(telling, []).append(Condition(key, part, named=False, is_ambiguous=ambiguous))
    for telling in sorted(offers, key=lambda one: (-len(one), sorted(one))):
        if len(offers[telling]) == 1:
            yield offers[telling][0], telling


def phrases_said(text: str, collection: Collection, key: str) -> dict[frozenset[str], frozenset[str]]:
    """Return the telling words of each value of a field that has small words as well, and stands so in a question."""
    said, lowered = f" {_spaced(text)} ", text.casefold()
    values = {part for one in collection.things if key in one.cells for part in one.cells[key].parts}
    return {
        tokens(value): telling
        for value in values
        if value.casefold() in lowered
        and (telling := telling_tokens(value)) < tokens(value)
        and f" {_spaced(value)} " in said
    }


def values_said(text: str, collection: Collection) -> tuple[str, ...]:
    """Return the values of several words that stand whole in a question, the longest first: an e-bike is no bike."""
    said, lowered = f" {_spaced(text)} ", text.casefold()
    cells = (cell for one in collection.things for key, cell in one.cells.items() if key not in collection.naming)
    values = {part for cell in cells for part in cell.parts if part.casefold() in lowered and len(tokens(part)) > 1}
    return tuple(sorted((one for one in values if f" {_spaced(one)} " in said), key=lambda one: (-len(one), one)))


def _spaced(text: str) -> str:
    return " ".join(word.text.casefold() for word in words(text))


def _part_tokens(collection: Collection, key: str) -> tuple[frozenset[frozenset[str]], frozenset[frozenset[str]]]:
    """Return the terms of the values of a field and of their parts, and of the smallest parts alone."""
    cells = [one.cells[key] for one in collection.things if key in one.cells]
    read = [cell.parts for cell in cells if not (collection.numbered and references(cell.value))]
    every = frozenset(tokens(part) for parts in read for part in parts)
    smallest = frozenset(tokens(part) for parts in read for part in (parts[1:] or parts))
    return every - {frozenset()}, smallest


def _is_choice(collection: Collection, key: str) -> bool:
    """Return whether a field takes one of a few values, so that a part of one is another value."""
    values = {one.cells[key].value for one in collection.things if key in one.cells}
    return len(values) * 4 < len(collection.things)
