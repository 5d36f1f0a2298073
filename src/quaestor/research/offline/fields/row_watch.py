"""Rows of a table that an answer is taken of, with what prose may call each and what of it would be contradicted."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.irregular_forms import to_base_form
from quaestor.evidence.tokenization import content_terms, normalize
from quaestor.research.offline.fields.cell_words import key_tokens, tokens
from quaestor.research.offline.fields.collections import Collection, Thing
from quaestor.research.offline.fields.counted_kinds import UNCOUNTED, CountedKind
from quaestor.research.offline.fields.reserve_words import CURRENCY, PRICE
from quaestor.research.offline.fields.row_mentions import (
    Call,
    find_mention,
    is_name_of_value,
    is_person,
    is_telling_name,
    person_calls,
    row_calls,
)
from quaestor.research.offline.fields.row_numbers import amounts_of
from quaestor.research.offline.words.markup import strip_markup

_WORD = re.compile(r"[^\W_]+")
_MIN_WORD = 3
_ENDINGS = 2
"""Letters that prose may add to a name."""
_LINK = re.compile(r"\[[^\]]+\]\((?!\w+:)")
"""What leads from a row to another document beside its own."""


class WatchedRow(Immutable):
    """A row that an answer is taken of: what it is called, and what of it would be contradicted."""

    name: str
    calls: tuple[Call, ...]
    values: tuple[str, ...]
    """Of the columns that are asked for."""
    words: frozenset[str]
    """Those of all its cells."""

    def states(self, sentence: str) -> bool:
        """Return whether a sentence holds a value of the columns that are asked for."""
        folded = normalize(sentence)
        return any(re.search(rf"(?<!\w){re.escape(normalize(one))}(?!\w)", folded) for one in self.values)


class RowWatch(Immutable, dict=True):
    """Rows of a table that an answer is taken of, with what is asked of them; of no column: whether they are there."""

    rows: tuple[WatchedRow, ...]
    source: str = ""
    """The document of the table."""
    is_of_columns: bool = False
    columns: frozenset[str] = frozenset()
    """The words for the columns that are asked for."""
    others: frozenset[str] = frozenset()
    """Those for the other columns alone."""
    values: tuple[tuple[str, Call], ...] = ()
    """The values of these columns and the people of the table, with what each may be called."""
    names: tuple[str, ...] = ()
    """Those of all rows of the table."""
    has_prices: bool = False
    kind: CountedKind = UNCOUNTED
    """What the rows are counted as."""
    lists_documents: bool = False
    """Whether most rows are documents, of whose subjects any text may speak."""

    @cached_property
    def by_word(self) -> Mapping[str, Sequence[tuple[WatchedRow, Call]]]:
        """The rows by the first word of each of their names, in small letters."""
        found: dict[str, list[tuple[WatchedRow, Call]]] = {}
        for row in self.rows:
            for call in row.calls:
                found.setdefault(_WORD.findall(call.text)[0].casefold(), []).append((row, call))
        return found

    def states_other(self, sentence: str, row: WatchedRow) -> bool:
        """Return whether a sentence holds a value of the columns that are asked for which a row has not."""
        others = (call for value, call in self.values if value not in row.values)
        return any(call.find(sentence) for call in others)

    def calls_in(self, words: Iterable[str]) -> Sequence[tuple[WatchedRow, Call]]:
        """Return the rows that may be called by some words, which may have an ending that a name lacks."""
        words = [word.casefold() for word in words]
        stems = {word[: len(word) - cut] for word in words for cut in range(_ENDINGS + 1)}
        stems |= {*map(to_base_form, words), *tokens(" ".join(words))}
        return [each for stem in sorted(stems & self.by_word.keys()) for each in self.by_word[stem]]

    def names_other(self, sentence: str, row: WatchedRow) -> bool:
        """Return whether a sentence names another row of the table: then a value that both may have is that one's."""
        return any(find_mention(name, sentence) for name in self.names if name != row.name and is_telling_name(name))

    def is_about(self, sentence: str) -> bool:
        """Return whether a sentence may be about the columns that are asked for: it does not name others alone."""
        said = tokens(sentence)
        return not self.columns.isdisjoint(said) or self.others.isdisjoint(said)


def watch_rows(
    table: Collection, things: Iterable[Thing], keys: Iterable[str] = (), kind: CountedKind = UNCOUNTED
) -> RowWatch:
    """Return rows of a table, to be looked for in prose that contradicts what they say in some columns."""
    asked = frozenset(keys) - table.naming
    words = {key: frozenset(word for word in key_tokens(key) if _is_telling(word)) for key in table.keys}
    columns = frozenset[str]().union(*(words[key] for key in asked))
    others = frozenset[str]().union(*(words[key] for key in table.keys if key not in asked | table.naming))
    are_goods = PRICE.search(" ".join((*table.keys, table.label))) is not None
    called_so = row_calls(table, [one for one in things if one.row], asked, are_goods=are_goods)
    rows = tuple(_watched(thing, calls, asked) for thing, calls in called_so)
    return RowWatch(
        rows,
        table.things[0].source if table.things else "",
        bool(asked),
        columns,
        others - columns,
        tuple(_values(table, asked)),
        tuple(thing.name for thing in table.things),
        any(any(amounts_of(row.values)) for row in rows) and _has_prices(table, asked),
        kind,
        2 * sum(map(_leads_to_document, table.things)) > len(table.things),
    )


def _leads_to_document(thing: Thing) -> bool:
    return any(map(_LINK.search, (cell.value for cell in thing.cells.values())))


def _has_prices(table: Collection, asked: AbstractSet[str]) -> bool:
    """Return whether columns are called prices, as their table may be, or hold some currency."""
    values = (thing.cells[key].value for thing in table.things[:1] for key in asked if key in thing.cells)
    return PRICE.search(" ".join((*asked, table.label))) is not None or any(map(CURRENCY.search, values))


def _is_telling(word: str) -> bool:
    """Return whether prose that holds a word of the name of a column may mean it: "until" is in much else."""
    return len(word) >= _MIN_WORD and bool(content_terms(word))


def _watched(thing: Thing, calls: Iterable[Call], asked: AbstractSet[str]) -> WatchedRow:
    values = [thing.cells[key].value for key in thing.cells if key in asked]
    return WatchedRow(
        thing.name,
        tuple(calls),
        tuple(filter(None, map(strip_markup, values))),
        tokens(" ".join(cell.value for cell in thing.cells.values())),
    )


def _values(table: Collection, asked: frozenset[str]) -> Iterator[tuple[str, Call]]:
    """Yield the values of columns that name something; where they name people, all of the table but of its rows."""
    cells = [cell for thing in table.things for key, cell in thing.cells.items() if key not in table.naming]
    different = dict.fromkeys(strip_markup(cell.value) for cell in cells if cell.key in asked)
    yield from ((value, Call(value)) for value in different if is_name_of_value(value))
    if any(map(is_person, different)):
        yield from person_calls(cell.value for cell in cells)
