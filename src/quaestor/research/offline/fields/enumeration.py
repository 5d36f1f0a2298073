"""Lists and counts: what fields and tables answer when every word of a question is accounted for.

Nothing is guessed: a word of the question that no field, value or name accounts for ends it, as do words that compare,
negate or choose. A list is whole only if every thing of the kind states the field by which it was chosen.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import takewhile
from operator import itemgetter

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.tokenization import normalize, words
from quaestor.research.offline.fields.cell_words import key_tokens, parse_number, telling_tokens, tokens
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.conditions import (
    Condition,
    named_conditions,
    phrases_said,
    plain_conditions,
    small_keys,
    values_said,
)
from quaestor.research.offline.fields.doubtful_rows import are_days, doubt_count, doubt_list, doubt_names, doubt_values
from quaestor.research.offline.fields.row_changes import RowWatch, watch_rows
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.question import split_clauses
from quaestor.research.reports.fixed_words import ReportWords, report_words

MAX_LISTED = 300
"""Things that an answer lists; of more only the number is given."""
_COUNT = re.compile(
    r"\b(?:how many|number of|count(?: of)?(?: all)?(?: the)?|cuánt[oa]s|combien de|wie ?viele|сколько)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:(?:list|name|enumerate)(?: me)?(?: all| every)?(?: of)?(?: the)?|(?:which|what)(?: are)?(?: all)?(?: the)?"
    r"|qué|quels|quelles|welche)\s+(?P<rest>.+)",
    re.IGNORECASE,
)
OPERATORS = re.compile(
    r"\b(?:not|no|never|without|except|besides|but|before|after|since|until|more|less|fewer|least|most|than|between|or"
    r"|nor|either|neither|average|mean|total|sum|first|last|latest|oldest|newest|largest|smallest|longest|shortest"
    r"|highest|lowest|biggest|times|percent|why|how (?!many)\w+|compare[ds]?|cannot"
    r"|nicht|kein\w*|ohne|oder|vor|nach|seit|bis|zwischen|mehr|pas|sans|ou|depuis|entre|moins"
    r"|ningun\w*|ningún|non|antes|desde|hasta|más|не|нет|без|кроме|или|до|после|между)\b|[<>=%]",
    re.IGNORECASE,
)
"""Words that compare, negate or choose; of other languages the small ones, as each other word must be accounted for."""
REQUEST_WORDS = tokens("list listed name enumerate number count total kind sort type example show have exist entry row")
_NOUN_RUN = 4
"""Words after "how many" or "which" among which the name of the kind must be."""


class Asked(StrEnum):
    """What is asked of a kind of things."""

    LIST = "list"
    COUNT = "count"


class Enumeration(Immutable):
    """Things that fulfil every condition of a question, each with the cell that shows it; or why none are given.

    `fit` counts the words of the question that fields account for, not the name of the place.
    """

    asked: Asked
    label: str
    fit: int = 0
    members: tuple[tuple[Thing, Cell], ...] = ()
    watched: tuple[RowWatch, ...] = ()
    """The rows that other documents may contradict."""
    refusal: str = ""


class Selection(Immutable):
    """Things with the cells that show why they are chosen, where, why they may not be all, and the words it took."""

    members: tuple[tuple[Thing, Cell], ...]
    chosen_by: frozenset[str]
    """The names of the fields whose values chose them."""
    label: str
    refusal: str
    fit: int


def asks_for_things(text: str) -> Asked | None:
    """Return what a question asks of a kind of things, by its words; whether there is such a kind is not known."""
    if len(split_clauses(text)) > 1:
        return None
    if _COUNT.search(text):
        return Asked.COUNT
    return Asked.LIST if _LIST.search(text) else None


def enumerate_things(text: str, collections: Sequence[Collection], language: str | None = None) -> Enumeration | None:
    """Return the things of the one collection that accounts for every word; None where there is none or several.

    Its label is in a language; None: English.
    """
    asked = asks_for_things(text)
    match = (_COUNT if asked is Asked.COUNT else _LIST).search(text)
    if asked is None or match is None:
        return None
    wording = report_words(language)
    fitting = [one for each in collections if (one := _of_collection(text, asked, match["rest"], each, wording))]
    best = max((one.fit for one in fitting), default=0)
    found = [one for one in fitting if one.fit == best]
    if not found:
        return None
    if len(found) > 1:
        places = "; ".join(one.label for one in found)
        return Enumeration(asked, places, refusal=wording.several_places.format(number=len(found), places=places))
    if OPERATORS.search(text):
        return Enumeration(asked, found[0].label, refusal=wording.holds_operators)
    return found[0]


def _of_collection(
    text: str, asked: Asked, rest: str, collection: Collection, wording: ReportWords
) -> Enumeration | None:
    values = values_said(text, collection) if collection.things[:1] and collection.things[0].row else ()
    rest, beside = _without(rest, values), _without(text, values)
    noun = _noun(rest, collection.nouns)
    column = None if noun or _names_row(text, collection) else _listed_column(rest, asked, collection)
    asked_terms = telling_tokens(beside) - noun - (key_tokens(column) if column else frozenset()) - REQUEST_WORDS
    asked_terms = asked_terms.union(*map(telling_tokens, values))
    if not (noun or column) or (
        collection.numbered and any(term.isdigit() for term in asked_terms & _numbers(collection, text))
    ):
        return None
    selection = select_things(text, asked_terms, collection, wording)
    if selection is None or _lacks_value(text, selection.chosen_by | {column}, collection):
        return None
    if not noun and column in selection.chosen_by and are_days(one.name for one in _rows(selection.members)):
        return None  # "What was paid in cash?" asks for no days
    shown, label, refusal = selection.members, selection.label, selection.refusal
    if column and column not in selection.chosen_by:  # "How many have the port Oslo?" counts rows, not ports
        if asked is Asked.COUNT and not _counts(rest, column):
            return None
        label = f"“{column}”, {label}"
        if asked is Asked.COUNT and are_days(one.name for one in _rows(shown)):  # then the values may name the rows
            refusal = refusal or doubt_values(column, _rows(shown), collection, wording)
        shown = _different_values(column, shown)
    elif asked is Asked.COUNT:
        refusal = refusal or doubt_names(_rows(shown), noun, collection, wording)
        label = wording.rows_counted.format(place=label) if _rows(shown) else label
    doubt = doubt_count if asked is Asked.COUNT else doubt_list
    columns = selection.chosen_by | frozenset(filter(None, [column]))
    refusal = refusal or doubt(_rows(selection.members), _rows(shown), columns, collection, wording)
    if asked is Asked.LIST and len(shown) > MAX_LISTED:
        refusal = refusal or wording.too_many_to_list.format(number=len(shown), place=label)
    if refusal:
        return Enumeration(asked, label, selection.fit, refusal=refusal)
    contradicted = columns if selection.chosen_by else selection.chosen_by  # the values of all rows hold most others
    return Enumeration(asked, label, selection.fit, shown, watch_selection(selection, contradicted, collection))


def watch_selection(selection: Selection, columns: AbstractSet[str], collection: Collection) -> tuple[RowWatch, ...]:
    """Return the rows that were chosen with the columns that are asked for, and the others with those that chose."""
    chosen = [one for one, _ in selection.members]
    rows = {one.row for one in chosen}
    others = [one for one in collection.things if one.row not in rows]
    watched = [watch_rows(collection, chosen, columns)]
    if others and selection.chosen_by:
        watched.append(watch_rows(collection, others, selection.chosen_by))
    return tuple(each for each in watched if each.rows)


def _rows(members: Iterable[tuple[Thing, Cell]]) -> list[Thing]:
    """Return those of the things that are rows of a table."""
    return [one for one, _ in members if one.row]


def select_things(text: str, left: frozenset[str], collection: Collection, wording: ReportWords) -> Selection | None:
    """Return the things of a kind that these words of a question choose; None where one is not accounted for."""
    if any(not telling for key in collection.keys for telling in phrases_said(text, collection, key).values()):
        return None  # "in use" is a value without a telling word: without it all would be chosen
    whole = left = left | small_keys(text, collection)
    conditions: list[Condition] = []
    for condition, used in (*named_conditions(text, left, collection), *plain_conditions(text, left, collection)):
        if used <= left and used:
            conditions.append(condition)
            left -= used
    if left - collection.named or not _in_order(text, conditions):
        return None
    members = [one for one in collection.things if all(each.holds(one) for each in conditions)]
    if not members:
        return None
    return Selection(
        tuple((one, _shown(one, conditions)) for one in members),
        frozenset(one.key for one in conditions),
        _described(conditions, collection, wording),
        _incompleteness(conditions, collection, len(members), wording)
        or _misplaced(conditions, collection, telling_tokens(text), wording),
        len(whole - left),
    )


def _listed_column(rest: str, asked: Asked, collection: Collection) -> str | None:
    """Return the column of a table whose values are asked for; how many numbers there are is no such question."""
    for key in collection.keys if collection.things and collection.things[0].row else ():
        values = [one.cells[key].value for one in collection.things]
        if (
            (own := key_tokens(key))
            and _noun(rest, own) == own
            and not (asked is Asked.COUNT and any(parse_number(value) is not None for value in values))
        ):
            return key
    return None


def _without(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def _lacks_value(text: str, chosen_by: AbstractSet[str | None], collection: Collection) -> bool:
    """Return whether a question has a field that no value was found of: "of the kind x-boat"."""
    keys = "|".join(re.escape(key) for key in collection.keys if key not in chosen_by and tokens(key) <= REQUEST_WORDS)
    return bool(keys) and re.search(rf"\b(?:of|with)(?: the)? (?:{keys})\b\W*\w", text, re.IGNORECASE) is not None


def _counts(rest: str, column: str) -> bool:
    """Return whether "how many" counts the values of a column; "How many were delivered?" counts no days.

    There a small word is between them, as a verb.
    """
    before = takewhile(lambda word: tokens(word.text) != key_tokens(column), words(rest))
    return all(telling_tokens(word.text) for word in before)


def _names_row(text: str, collection: Collection) -> bool:
    """Return whether a question names a row whole: of a column it then asks for one cell."""
    said = text.casefold()
    return any(re.search(rf"(?<!\w){re.escape(one.name.casefold())}(?!\w)", said) for one in collection.things)


def _different_values(column: str, members: Iterable[tuple[Thing, Cell]]) -> tuple[tuple[Thing, Cell], ...]:
    """Return the first row of each value of a column, called by that value."""
    first: dict[str, tuple[Thing, Cell]] = {}
    for thing, _ in members:
        cell = thing.cells[column]
        if not cell.is_empty:
            first.setdefault(normalize(cell.parts[0]), (replace(thing, name=cell.parts[0]), cell))
    return tuple(first.values())


def _in_order(text: str, conditions: Sequence[Condition]) -> bool:
    """Return whether fields and their values follow each other alike, so that no value is taken for another field's."""
    lowered = text.casefold()
    named = [one for one in conditions if one.named and one.wanted]
    places = [(_first(lowered, key_tokens(one.key)), _first(lowered, one.wanted)) for one in named]
    return [key for key, _ in sorted(places)] == [key for key, _ in sorted(places, key=itemgetter(1))]


def _first(text: str, some: frozenset[str]) -> int:
    return min((place for each in some if (place := text.find(each)) >= 0), default=-1)


def _noun(rest: str, nouns: frozenset[str]) -> frozenset[str]:
    """Return the terms of the first word that names the kind, among the words that follow the request."""
    for word in words(rest)[:_NOUN_RUN]:
        if (own := tokens(word.text)) and own <= nouns:
            return own
    return frozenset()


def _numbers(collection: Collection, text: str) -> frozenset[str]:
    """Return the numbers of documents that a question names: what is asked is then about these, not about all."""
    scheme = "|".join(re.escape(term) for term in collection.named)
    return frozenset(re.findall(rf"\b(?:{scheme})s?[ \-]*0*(\d+)", text, re.IGNORECASE)) if scheme else frozenset()


def _incompleteness(conditions: Sequence[Condition], collection: Collection, members: int, wording: ReportWords) -> str:
    """Return why a list may not be whole, or nothing."""
    if collection.unread:
        return wording.some_unread.format(number=len(collection.unread), document=collection.unread[0])
    for one in conditions:
        if changed := next((each.name for each in collection.things if _may_have_changed(each, one.key)), ""):
            return wording.told_otherwise.format(title=changed, name=one.key, place=collection.label)
        if one.is_ambiguous:
            return wording.value_ambiguous.format(field=f"“{one.key}”", place=collection.label)
        if one.is_unclear:
            return wording.value_unclear.format(field=f"“{one.key}”", place=collection.label)
        lacking = sum(one.key not in each.cells or each.cells[one.key].is_empty for each in collection.things)
        if lacking and not one.named:
            return wording.value_lacking.format(
                number=members,
                all=len(collection.things),
                field=f"“{one.key}”",
                lacking=lacking,
                place=collection.label,
            )
    return ""


def _may_have_changed(thing: Thing, key: str) -> bool:
    """Return whether a document tells a new state below its header, which may be that of a field that is no date."""
    return thing.may_have_changed and key in thing.cells and parse_date(thing.cells[key].value) is None


def _misplaced(
    conditions: Sequence[Condition], collection: Collection, asked: frozenset[str], wording: ReportWords
) -> str:
    """Return why a table in a text may not be what is asked for, or nothing.

    Many texts have a table of methods, and one of these a cell that says "strings": that is no list of string methods.
    """
    chosen = next((one.key for one in conditions if not one.named), "")
    if not (collection.is_part_of_text and chosen) or asked & collection.named:
        return ""
    return wording.only_value_holds.format(field=f"“{chosen}”", place=collection.label)


def _described(conditions: Sequence[Condition], collection: Collection, wording: ReportWords) -> str:
    keys = ", ".join(f"“{one.key}”" for one in conditions)
    return wording.chosen_by.format(fields=keys, place=collection.label) if keys else collection.label


def _shown(thing: Thing, conditions: Sequence[Condition]) -> Cell:
    """Return the cell that shows why a thing is listed: that of the first condition, else its first."""
    return thing.cells[conditions[0].key] if conditions else next(iter(thing.cells.values()))
