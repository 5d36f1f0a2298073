"""Lists and counts: what fields and tables answer when every word of a question is accounted for.

Nothing is guessed: a word of the question that no field, value or name accounts for ends it, as do words that compare,
negate or choose. A list is whole only if every thing of the kind states the field by which it was chosen.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import pairwise, takewhile

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.tokenization import normalize, words
from quaestor.research.offline.fields.cell_words import key_tokens, parse_number, telling_tokens, tokens
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.conditions import (
    values_said,
)
from quaestor.research.offline.fields.counted_kinds import UNCOUNTED, CountedKind
from quaestor.research.offline.fields.doubtful_rows import (
    are_days,
    doubt_amounts,
    doubt_count,
    doubt_list,
    doubt_names,
    doubt_values,
)
from quaestor.research.offline.fields.row_watch import RowWatch
from quaestor.research.offline.fields.selection import select_things, watch_selection
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
    kind = _noun(rest, collection.nouns)
    listed = None if _names_row(text, collection) else _listed_column(rest, asked, collection)
    # "List the towns of the clubs" lists the towns.
    is_before = asked is Asked.LIST and listed is not None and _noun(rest, kind | key_tokens(listed)) != kind
    column = listed if not kind or is_before else None
    noun = frozenset[str]() if column else kind
    asked_terms = telling_tokens(beside) - kind - (key_tokens(column) if column else frozenset()) - REQUEST_WORDS
    asked_terms = asked_terms.union(*map(telling_tokens, values))
    is_of_one = _calls_row(rest, noun, collection) or (
        collection.numbered and any(term.isdigit() for term in asked_terms & _numbers(collection, text))
    )
    if is_of_one or not (noun or column):
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
        refusal = refusal or doubt_amounts(_rows(shown), _first_telling(rest), collection, wording)
        label = wording.rows_counted.format(place=label) if _rows(shown) else label
    doubt = doubt_count if asked is Asked.COUNT else doubt_list
    columns = selection.chosen_by | frozenset(filter(None, [column]))
    refusal = refusal or doubt(_rows(selection.members), _rows(shown), columns, collection, wording)
    if asked is Asked.LIST and len(shown) > MAX_LISTED:
        refusal = refusal or wording.too_many_to_list.format(number=len(shown), place=label)
    if refusal:
        return Enumeration(asked, label, selection.fit, refusal=refusal)
    contradicted = columns if selection.chosen_by else selection.chosen_by  # the values of all rows hold most others
    words = selection.wanted or (frozenset[str]() if selection.chosen_by else noun or key_tokens(column or ""))
    counted = CountedKind("".join(words), len(shown)) if len(words) == 1 else UNCOUNTED
    watched = watch_selection(selection, contradicted, collection, counted)
    return Enumeration(asked, label, selection.fit, shown, watched)


def _rows(members: Iterable[tuple[Thing, Cell]]) -> list[Thing]:
    """Return those of the things that are rows of a table."""
    return [one for one, _ in members if one.row]


def _listed_column(rest: str, asked: Asked, collection: Collection) -> str | None:
    """Return the column of a table whose values are asked for first; how many numbers there are asks for none."""
    found: dict[frozenset[str], str] = {}
    for key in collection.keys if collection.things and collection.things[0].row else ():
        values = [one.cells[key].value for one in collection.things]
        if (
            (own := key_tokens(key))
            and _noun(rest, own) == own
            and not (asked is Asked.COUNT and any(parse_number(value) is not None for value in values))
        ):
            found.setdefault(own, key)
    return found.get(_noun(rest, frozenset[str]().union(*found)))


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


def _calls_row(rest: str, noun: frozenset[str], collection: Collection) -> bool:
    """Return whether a row is named right behind the word for the kind: "lesson 4" is one of the lessons."""
    said = [normalize(word.text) for word in words(rest)]
    names = {normalize(one.name) for one in collection.things if one.row}
    return any(noun and tokens(word) == noun and after in names for word, after in pairwise(said))


def _different_values(column: str, members: Sequence[tuple[Thing, Cell]]) -> tuple[tuple[Thing, Cell], ...]:
    """Return the first row of each value of a column, called by that value; of numbers each, with what it is of."""
    told = [(thing, cell) for thing, _ in members if not (cell := thing.cells[column]).is_empty]
    if len(told) > 1 and all(parse_number(cell.value) is not None for _, cell in told):
        return tuple((replace(thing, name=f"{cell.parts[0]} ({thing.name})"), cell) for thing, cell in told)
    first: dict[str, tuple[Thing, Cell]] = {}
    for thing, cell in told:
        first.setdefault(normalize(cell.parts[0]), (replace(thing, name=cell.parts[0]), cell))
    return tuple(first.values())


def _first_telling(rest: str) -> frozenset[str]:
    """Return the terms of what is counted: the first telling word behind "how many"."""
    return next(filter(None, (telling_tokens(word.text) for word in words(rest))), frozenset())


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
