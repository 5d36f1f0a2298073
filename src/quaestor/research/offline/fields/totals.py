"""Rows of a table that sum up others: suspected by a word of their name, and certain by their numbers.

A theodolite is a "Total Station", and some town may be called Sum: a word alone shows no total, nor do numbers alone.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from enum import StrEnum
from itertools import permutations

from quaestor.evidence.table_rows import Row, Table
from quaestor.research.offline.fields.cell_words import parse_number, telling_tokens, tokens, word_sequence
from quaestor.research.offline.words.markup import strip_markup

_MEANS = tokens("mean average durchschnitt mittelwert moyenne promedio média gemiddeld gemiddelde średnia среднее")
_WORDS = _MEANS | tokens(
    "total sum overall totali suma soma somma somme som sumy razem łącznie ogółem insgesamt gesamt "
    "итого всего итог подытог сумма"
)
_BALANCES = tokens(
    "result balance difference surplus deficit saldo ergebnis überschuss fehlbetrag differenz résultat solde excédent "
    "resultado risultato resultaat verschil wynik результат сальдо остаток"
)
"""Words for what is left of one total when another is taken from it."""
_COMPOUND_ENDS = ("total", "totale", "totalen", "totaal", "summe", "summen")
_COMPOUND_START = "gesamt"
_QUALIFIERS = tokens("grand general général générale generale geral sub sous общий промежуточный")
_ALL = tokens("all alle sämtliche tous toutes todos todas tutti tutte wszystkie wszyscy все")
_JOINING = tokens("and plus with und mit et avec y con e ed en met com")
_MIN_FORM = 4
"""Letters of a word of which others are taken for forms."""
_MIN_ADDED = 2
"""Rows that a total adds up: of one row a sum would be its repetition."""
_MIN_ADDED_UNTOLD = 3
"""The same, where a word of its name is in none of these rows: two small numbers often add up to a third."""
_AMOUNT = re.compile(r"\W{0,3}\d[\d.,' ]*(?:\W?[^\W\d_]{1,5})?\W{0,2}")
"""A number, with its sign, its currency or its unit."""
_MAX_COMPARED = 20_000
"""Rows that are compared with each other in a table; where it would take more, no total is certain."""


class RowKind(StrEnum):
    """What a row of a table holds."""

    THING = "thing"
    TOTAL = "total"
    UNSURE = "unsure"


def classify_rows(table: Table, name_column: int, nouns: AbstractSet[str]) -> tuple[RowKind, ...]:
    """Return of each row of a table whether it is a thing or sums up others; `nouns` are the words for its things."""
    if not any(_holds_amount(row.cells, name_column) for row in table.rows):
        return (RowKind.THING,) * len(table.rows)
    suspects = [place for place, row in enumerate(table.rows) if _seems_total(row.cells, name_column, nouns)]
    totals = frozenset[int]()
    if len(suspects) * len(table.rows) <= _MAX_COMPARED:
        suspects = [place for place in suspects if not _has_least_number(table, place)]
        totals = _find_totals(table, name_column, suspects)
    if not totals and len(table.rows) ** 2 <= _MAX_COMPARED:
        suspects += [place for place in range(len(table.rows)) if _may_sum_up(table, place, name_column)]
    balances = [place for place, row in enumerate(table.rows) if totals and _is_balance(row.cells[name_column])]
    certain = totals.union(place for place in balances if _is_difference(table, place, totals))
    kinds = dict.fromkeys((*suspects, *balances), RowKind.UNSURE) | dict.fromkeys(certain, RowKind.TOTAL)
    return tuple(kinds.get(place, RowKind.THING) for place in range(len(table.rows)))


def _holds_amount(cells: Sequence[str], name_column: int) -> bool:
    """Return whether a row holds what can be summed up, beside its name."""
    return any(at != name_column and _AMOUNT.fullmatch(strip_markup(cell)) for at, cell in enumerate(cells))


def _find_totals(table: Table, name_column: int, suspects: Sequence[int]) -> frozenset[int]:
    """Return which rows sum up those above them or below them; the totals among these are not added up again."""
    totals: set[int] = set()
    for place in suspects:
        above = [row for at, row in enumerate(table.rows[:place]) if at not in totals]
        if _sums_up(table, place, name_column, above[::-1]):
            totals.add(place)
    for place in reversed(suspects):
        below = [row for at, row in enumerate(table.rows) if at > place and at not in totals]
        if _sums_up(table, place, name_column, below):
            totals.add(place)
    return frozenset(totals)


def _seems_total(cells: Sequence[str], name_column: int, nouns: AbstractSet[str]) -> bool:
    """Return whether a row is called a total, or has numbers and no name."""
    name, first = strip_markup(cells[name_column]), strip_markup(next(filter(None, cells), ""))
    if not name and _numbers(cells):
        return True
    return any(map(_is_called_total, {name, first})) or _is_called_all(name, nouns)


def _is_called_total(name: str) -> bool:
    return any(map(_is_total_word, _outer_words(name)))


def _outer_words(name: str) -> frozenset[str]:
    """Return the first and the last word of a name, one of which says what is summed up and the others of what."""
    said = [word for word in word_sequence(name) if word not in _QUALIFIERS]
    return frozenset((*said[:1], *said[-1:]))


def _is_total_word(word: str) -> bool:
    return word in _WORDS or word.endswith(_COMPOUND_ENDS) or word.startswith(_COMPOUND_START)


def _is_called_all(name: str, nouns: AbstractSet[str]) -> bool:
    """Return whether a name is that of all things of a kind, as "All ports"."""
    said = word_sequence(name)
    return bool(said) and said[0] in _ALL and _are_forms(telling_tokens(name) - _ALL, nouns)


def _are_forms(some: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Return whether each of some words is one of others, but for an ending in place of its last letter."""
    return some <= others or all(
        any(word == other or (len(other) >= _MIN_FORM and word.startswith(other[:-1])) for other in others)
        for word in some
    )


def _has_least_number(table: Table, place: int) -> bool:
    """Return whether a number of a row is less than that of every other, which no sum and no mean of these is."""
    for at, number in _numbers(table.rows[place].cells).items():
        others = [parse_number(row.cells[at]) for other, row in enumerate(table.rows) if other != place]
        known = [other for other in others if other is not None]
        if len(others) == len(known) >= _MIN_ADDED and min(known) >= 0 and number < min(known):
            return True
    return False


def _numbers(cells: Sequence[str]) -> Mapping[int, Decimal]:
    """Return the numbers of a row by their columns."""
    return {at: number for at, cell in enumerate(cells) if (number := parse_number(cell)) is not None}


def _sums_up(table: Table, place: int, name_column: int, beside: Sequence[Row]) -> bool:
    """Return whether all numbers of a row are sums of the rows beside it, the nearest first; of a mean, their means."""
    name, numbers = table.rows[place].cells[name_column], _numbers(table.rows[place].cells)
    if not numbers:
        return False
    if _outer_words(name) & _MEANS:
        return _are_means(numbers, beside)
    added = _added_rows(numbers, beside)
    told = tokens(" ".join((*table.columns, *(cell for row in added for cell in row.cells))))
    own = telling_tokens(name) - _QUALIFIERS - _ALL
    is_told = _are_forms(frozenset(word for word in own if not _is_total_word(word)), told)
    return len(added) >= (_MIN_ADDED if is_told else _MIN_ADDED_UNTOLD)


def _may_sum_up(table: Table, place: int, name_column: int) -> bool:
    """Return whether a row without a word for totals may be one by its place, by its numbers, or by its name.

    At an end of a table it has the sum of all others in a column, anywhere those of rows beside it in several, or it
    is called as rows whose sum it has ("North and South").
    """
    numbers = _numbers(table.rows[place].cells)
    numbers = {at: number for at, number in numbers.items() if at != name_column and number > 0}
    others = [row for at, row in enumerate(table.rows) if at != place]
    is_at_end = place in {0, len(others)}
    if is_at_end and any(_added_rows({at: number}, others) == others for at, number in numbers.items()):
        return len(others) >= _MIN_ADDED_UNTOLD
    beside = table.rows[:place][::-1], table.rows[place + 1 :]
    if len(numbers) > 1 and any(len(_added_rows(numbers, rows)) >= _MIN_ADDED_UNTOLD for rows in beside):
        return True
    named = _rows_in_name(table.rows[place].cells[name_column], others, name_column)
    return any(named and _added_rows({at: number}, named) == named for at, number in numbers.items())


def _rows_in_name(name: str, others: Sequence[Row], name_column: int) -> list[Row]:
    """Return the rows by whose names alone a row is called, joined by small words or signs; none if it is not."""
    named = [row for row in others if (own := row.cells[name_column].strip()) and own in name and own != name]
    rest = name
    for row in named:
        rest = rest.replace(row.cells[name_column].strip(), " ")
    return named if len(named) >= _MIN_ADDED and tokens(rest) <= _JOINING else []


def _is_balance(name: str) -> bool:
    return not _outer_words(strip_markup(name)).isdisjoint(_BALANCES)


def _is_difference(table: Table, place: int, totals: AbstractSet[int]) -> bool:
    """Return whether all numbers of a row are the differences of those of two totals."""
    numbers = _numbers(table.rows[place].cells)
    summed = [_numbers(table.rows[total].cells) for total in sorted(totals)]
    return bool(numbers) and any(
        all(at in one and at in other and one[at] - other[at] == number for at, number in numbers.items())
        for one, other in permutations(summed, 2)
    )


def _added_rows(numbers: Mapping[int, Decimal], beside: Sequence[Row]) -> Sequence[Row]:
    """Return the fewest of the nearest rows whose numbers add up to these; none where they never do."""
    sums = dict.fromkeys(numbers, Decimal(0))
    for count, row in enumerate(beside, 1):
        for at in numbers:
            addend = _addend(row.cells[at])
            if addend is None:
                return ()
            sums[at] += addend
        if count >= _MIN_ADDED and sums == numbers:
            return beside[:count]
    return ()


def _addend(cell: str) -> Decimal | None:
    """Return what a cell adds to a sum: nothing where it is empty; None where it holds no number."""
    return parse_number(cell) if any(map(str.isalnum, cell)) else Decimal(0)


def _are_means(numbers: Mapping[int, Decimal], beside: Sequence[Row]) -> bool:
    """Return whether numbers are the means of the numbers of rows, to their last digit."""
    for at, number in numbers.items():
        values = [parse_number(row.cells[at]) for row in beside if any(map(str.isalnum, row.cells[at]))]
        known = [value for value in values if value is not None]
        if not _MIN_ADDED <= len(known) == len(values):
            return False
        digits = len(f"{number:f}".partition(".")[2])
        if abs(sum(known, Decimal(0)) / len(known) - number) >= Decimal(10) ** -digits:
            return False
    return True
