"""What documents say of the rows of a table outside it: that one is gone, or that another value holds now.

A table and the prose of another document may disagree, and which of them is right nobody knows here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.irregular_forms import to_base_form
from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.stemming import detect_language
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.cell_words import key_tokens, tokens
from quaestor.research.offline.fields.collections import Collection, Thing
from quaestor.research.offline.fields.counted_kinds import UNCOUNTED, CountedKind
from quaestor.research.offline.fields.reserve_words import (
    ABOLISHED,
    ALL_CHANGED,
    CHANGED,
    CURRENCY,
    DENIED_BEFORE,
    FOR_SALE,
    FREE,
    FROM_DAY,
    GONE,
    GONE_STATE,
    LAST,
    LOST_BEFORE,
    NUMBER_WORD,
    PRICE,
    RESERVE,
    STANDS_IN,
)
from quaestor.research.offline.fields.row_mentions import (
    Call,
    called,
    find_mention,
    is_definite,
    is_name_of_value,
    is_person,
    is_telling_name,
    person_calls,
    row_calls,
)
from quaestor.research.offline.fields.row_numbers import amounts, amounts_of, is_like, is_like_amount, numbers_in
from quaestor.research.offline.words.dates import holds_day
from quaestor.research.offline.words.markup import strip_markup

_NEAR = 40
"""Characters after a name in which its loss is told: further on it may be that of something else."""
_WORD = re.compile(r"[^\W_]+")
_MIN_WORD = 3
_MIN_COMPOUND = 5
"""Letters of a word that other words begin with in German and Dutch: Aufnahme, Aufnahmegebühr."""
_ENDINGS = 2
"""Letters that prose may add to a name."""
_SENDER = re.compile(r"(?:\A|\n)From: *([^\n<]+)")
_FIRST_PERSON = re.compile(r"\b(?:I|[Ii]ch|[Mm]ich|[Mm]ir|[Mm]e|myself|moi|ik|mij)\b")
_MAX_HEADER = 300
_MAX_NOTE = 60
"""Characters of the lines of notes: longer ones are those of prose that is wrapped."""
_BARS = 2
"""Bars in a line that is a row of a table."""


class WatchedRow(Immutable):
    """A row that an answer is taken of: what it is called, and what of it would be contradicted."""

    name: str
    calls: tuple[Call, ...]
    numbers: tuple[Decimal, ...]
    """Of the columns that are asked for."""
    known: frozenset[str]
    """All that the row says."""


class RowWatch(Immutable, dict=True):
    """Rows of a table that an answer is taken of, with what is asked of them; of no column: whether they are there."""

    rows: tuple[WatchedRow, ...]
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

    @cached_property
    def by_word(self) -> Mapping[str, Sequence[tuple[WatchedRow, Call]]]:
        """The rows by the first word of each of their names, in small letters."""
        found: dict[str, list[tuple[WatchedRow, Call]]] = {}
        for row in self.rows:
            for call in row.calls:
                found.setdefault(_WORD.findall(call.text)[0].casefold(), []).append((row, call))
        return found

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
    words = {key: frozenset(word for word in key_tokens(key) if len(word) >= _MIN_WORD) for key in table.keys}
    columns = frozenset[str]().union(*(words[key] for key in asked))
    others = frozenset[str]().union(*(words[key] for key in table.keys if key not in asked | table.naming))
    are_goods = PRICE.search(" ".join((*table.keys, table.label))) is not None
    called_so = row_calls(table, [one for one in things if one.row], asked, are_goods=are_goods)
    rows = tuple(_watched(thing, calls, asked) for thing, calls in called_so)
    return RowWatch(
        rows,
        bool(asked),
        columns,
        others - columns,
        tuple(_values(table, asked)),
        tuple(thing.name for thing in table.things),
        any(row.numbers for row in rows) and _has_prices(table, asked),
        kind,
    )


def _has_prices(table: Collection, asked: AbstractSet[str]) -> bool:
    """Return whether columns are called prices, as their table may be, or hold some currency."""
    values = (thing.cells[key].value for thing in table.things[:1] for key in asked if key in thing.cells)
    return PRICE.search(" ".join((*asked, table.label))) is not None or any(map(CURRENCY.search, values))


def _watched(thing: Thing, calls: Iterable[Call], asked: AbstractSet[str]) -> WatchedRow:
    values = [thing.cells[key].value for key in thing.cells if key in asked]
    return WatchedRow(thing.name, tuple(calls), tuple(amounts_of(values)), frozenset(_said_by(thing)))


class RowChange(NamedTuple):
    """The name of a row, and the sentence that may tell otherwise of it."""

    name: str
    said: str


def find_changed(text: str, watch: RowWatch) -> RowChange | None:
    """Return a row of which prose tells that it is gone, or something else than its table, with what it says.

    Prose does so in a sentence that calls the row, or that tells another number of what is counted, by whose word it is
    then called. Where an e-mail says "me", it calls who sent it.
    """
    body, sender = _parse_letter(text)
    if watch.has_prices and (said := _change_of_all(body, watch)):
        return RowChange(watch.rows[0].name, said)
    counting = _sentences(body) if watch.kind.is_named(body) else ()
    if said := next(filter(watch.kind.is_denied, counting), ""):
        return RowChange(watch.kind.word, said)
    words = frozenset(_WORD.findall(_with_sender(body, sender)))
    for before, said in pairwise(("", *_sentences(body))) if watch.calls_in(words) else ():
        if name := _contradicted(_with_sender(said, sender), words, watch):
            return RowChange(name, said)  # in its own words: it is quoted
        if STANDS_IN.search(said) and (name := _contradicted(f"{before} {said}", words, watch)):
            return RowChange(name, f"{before} {said}")
    return None


def _contradicted(sentence: str, words: AbstractSet[str], watch: RowWatch) -> str:
    """Return the name of a row that a sentence calls and contradicts; `words` are those of its whole text."""
    for row, call in watch.calls_in(_WORD.findall(sentence)):
        is_word = call.is_part and call.text.casefold() in words
        if not is_word and _contradicts(sentence, call, row, watch):
            return row.name
    return ""


def _change_of_all(text: str, watch: RowWatch) -> str:
    """Return the sentence of a text that tells that all prices have changed, or that none is asked; or nothing."""
    sentences = _sentences(text) if ALL_CHANGED.search(text) or ABOLISHED.search(text) else ()
    return next(
        (one for one in sentences if (ALL_CHANGED.search(one) and watch.is_about(one)) or _abolishes(one, watch)), ""
    )


def _abolishes(sentence: str, watch: RowWatch) -> bool:
    """Return whether a sentence tells that a column is no more of any row: "die Aufnahmegebühr entfällt"."""
    if any(find_mention(name, sentence) for name in watch.names if is_telling_name(name)):
        return False
    compounds = tuple(one for one in watch.columns if len(one) >= _MIN_COMPOUND)
    words = _WORD.finditer(sentence)
    named = (one for one in words if tokens(one[0]) & watch.columns or one[0].casefold().startswith(compounds))
    return any(ABOLISHED.search(sentence[one.end() : one.end() + _NEAR]) for one in named)


def _contradicts(sentence: str, call: Call, row: WatchedRow, watch: RowWatch) -> bool:
    """Return whether a sentence that calls a row tells its loss, or something else of the columns that are asked for.

    One that names another column is about that one.
    """
    found = call.find(sentence)
    if found is None:
        return False
    if call.is_value and not (call.is_part or is_person(call.text)):
        return is_definite(sentence, found) and GONE_STATE.match(sentence, found.end()) is not None
    if _tells_loss(sentence, found, is_goods=call.is_goods and _is_plain_noun(sentence, found)):
        return True
    rest = f"{sentence[: found.start()]} {sentence[found.end() :]}"
    if not watch.is_of_columns or not watch.is_about(rest) or (call.is_value and watch.names_other(sentence, row)):
        return False
    names_column = not watch.columns.isdisjoint(tokens(rest))
    tells_price = watch.has_prices and PRICE.search(rest) is not None
    numbers = [number for number in amounts(rest, watch.columns) if number not in row.known]
    is_new = CHANGED.search(rest) or any(holds_day(start[0]) for start in FROM_DAY.finditer(rest))
    is_reserved = names_column or RESERVE.search(rest) is not None
    spelled = find_spelled_numbers(rest, detect_language(rest) or "en") if is_reserved and row.numbers else ()
    others = {value for value, one in watch.values if value not in row.known and called(one.text).search(rest)}
    if call.is_goods and not (is_new or tells_price or CURRENCY.search(rest) or find_mention(call.text, sentence)):
        numbers = []  # "two cups of tea for 12 guests"
    return bool(
        (is_new and (names_column or tells_price or numbers or not row.numbers or NUMBER_WORD.search(rest)))
        or (watch.has_prices and _tells_price(sentence[found.end() : found.end() + _NEAR], row))
        or any(is_like(number, own) for number in numbers for own in row.numbers)
        or any(is_like_amount(Decimal(told), own) for told in spelled for own in row.numbers)
        or len(others) == 1  # with several it lists who was there
        or (names_column and (numbers or RESERVE.search(rest)))
    )


def _tells_price(near: str, row: WatchedRow) -> bool:
    """Return whether what is beside a name tells a price in words that a row does not have, or none at all."""
    if FREE.search(near) and 0 not in row.numbers:
        return True
    told = find_spelled_numbers(near, detect_language(near) or "en") if CURRENCY.search(near) else ()
    return any(number not in row.numbers for number in told)


def _is_plain_noun(sentence: str, found: re.Match[str]) -> bool:
    """Return whether a name is written as any noun is: small, or with the capital of the sentence that it begins."""
    return found[0][0].islower() or not sentence[: found.start()].strip(" \t-*\u2022")


def _tells_loss(sentence: str, found: re.Match[str], *, is_goods: bool) -> bool:
    """Return whether a sentence tells the loss of what it calls; goods that are sold are none unless it is the last."""
    before, near = sentence[: found.start()], sentence[found.end() : found.end() + _NEAR]
    gone = any(not (is_goods and FOR_SALE.fullmatch(one[0])) for one in GONE.finditer(near))
    lost = LOST_BEFORE.search(before) and (not is_goods or LAST.search(before))
    return gone or bool(lost) or DENIED_BEFORE.search(before) is not None


def _values(table: Collection, asked: frozenset[str]) -> Iterator[tuple[str, Call]]:
    """Yield the values of columns that name something; where they name people, all of the table but of its rows."""
    cells = [cell for thing in table.things for key, cell in thing.cells.items() if key not in table.naming]
    different = dict.fromkeys(strip_markup(cell.value) for cell in cells if cell.key in asked)
    yield from ((value, Call(value)) for value in different if is_name_of_value(value))
    if any(map(is_person, different)):
        yield from person_calls(cell.value for cell in cells)


def _said_by(thing: Thing) -> Iterator[str]:
    for cell in thing.cells.values():
        yield from (strip_markup(cell.value), *numbers_in(cell.value))


def _parse_letter(text: str) -> tuple[str, str]:
    """Return what an e-mail says below its sender, and the sender; of another text all of it, and nobody."""
    sent = _SENDER.search(text, 0, _MAX_HEADER)
    return (text[sent.end() :], sent[1].strip().replace("\\", "")) if sent else (text, "")


def _with_sender(text: str, sender: str) -> str:
    """Return words of an e-mail with the name of its sender, if there is one, in place of "I" and "me"."""
    return _FIRST_PERSON.sub(sender, text) if sender else text


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text and the lines of its notes, without the rows of its tables."""
    for start, end in sentence_spans(text):
        lines = text[start:end].split("\n")
        are_notes = all(len(line) <= _MAX_NOTE and not line[:1].islower() for line in lines)
        yield from (one for one in (lines if are_notes else [" ".join(lines)]) if one.count("|") < _BARS)
