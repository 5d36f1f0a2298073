"""Why the numbers of a column may not be what they look like: several units, a scale, versions, marks for no value.

A number alone is right as text and wrong as an answer where "900" is metres and "14" kilometres.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from quaestor.research.offline.fields.cell_words import parse_number, tokens
from quaestor.research.offline.fields.collections import Collection, Thing
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.reports.fixed_words import ReportWords

_UNIT_COLUMN = tokens(
    "unit measure currency einheit maßeinheit währung unité devise monnaie unidad moneda divisa unità valuta eenheid "
    "munteenheid unidade moeda единица валюта 单位 單位 货币 単位 通貨 الوحدة العملة"
)
_UNITS = tokens("mm cm m km in ft yd mi mg g kg lb ml l eur usd gbp chf jpy sek nok dkk pln") | frozenset("€$£")
_VERSION_COLUMN = tokens("version release revision section chapter clause versión versione versie versão версия")
_RANK_COLUMN = tokens(
    "position rank ranking place placing platz platzierung rang classement puesto posición posizione posto plaats "
    "lugar posição место"
)
_PLACES = re.compile(r"\b(?:places|plätze|puestos|lugares|posti|plaatsen)\b", re.IGNORECASE)
"""What there is room for: a rank is one place."""
_DOTTED = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
_NO_VALUE = re.compile(r"-99+(?:\.[09]+)?|9999+(?:\.[09]+)?")
"""Numbers that many tables hold where nothing was measured, as -999."""
_SCALE = re.compile(
    r"\b(?:(?:thousand|million|billion|hundred|dozen)s?|(?:tausend|million|milliarde)(?:en)?|milliers?|milliards?"
    r"|mill?ones|miles\sde|migliaia|milioni|miliardi|duizend(?:en)?|miljoen(?:en)?|milhares|milhões|тыс\w*|млн"
    r"|миллион\w*)\b|\b[01]00s\b|\b1?[.,\s]?000s\b|[x\N{MULTIPLICATION SIGN}*]\s?10(?:00|\^|\d?[.,]000)|[千万億百]",
    re.IGNORECASE,
)
"""What numbers are multiplied by, said of all of a table."""


def unit_beside(thing: Thing, key: str, collection: Collection) -> str:
    """Return the unit of the number in a cell that a column of units beside it holds, or nothing."""
    if key not in thing.cells or parse_number(thing.cells[key].value) is None:
        return ""
    others = (name for name in thing.cells if name != key and _holds_units(name, collection))
    return next((strip_markup(thing.cells[name].value) for name in others), "")


def doubt_numbers(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return why numbers of the columns that are asked for cannot be compared or added up, or nothing."""
    for key in asked:
        field = f"“{key}”"
        values = [strip_markup(row.cells[key].value) for row in rows if key in row.cells]
        if not any(parse_number(value) is not None for value in values):
            continue
        if len({unit_beside(row, key, collection).casefold() for row in rows}) > 1:
            return wording.units_differ.format(field=field, place=collection.label)
        if (
            tokens(key) & _VERSION_COLUMN
            or is_rank(key)
            or _mixes_dots(values)
            or any(map(_NO_VALUE.fullmatch, values))
        ):
            return wording.no_plain_numbers.format(field=field, place=collection.label)
    return _doubt_scale(asked, collection, wording)


def doubt_number(key: str, value: str, collection: Collection, wording: ReportWords) -> str:
    """Return why the number of one cell may not be what is asked, or nothing."""
    if parse_number(value) is None:
        return ""
    if _NO_VALUE.fullmatch(strip_markup(value)):
        return wording.no_plain_numbers.format(field=f"“{key}”", place=collection.label)
    return _doubt_scale({key}, collection, wording)


def doubt_times(rows: Sequence[Thing], collection: Collection, wording: ReportWords) -> str:
    """Return why numbers of days or years may not be added up, or nothing: members of each year are mostly the same."""
    if all(parse_date(row.name) for row in rows):
        return wording.rows_are_times.format(place=collection.label)
    return ""


def is_rank(key: str) -> bool:
    """Return whether a column is called one of ranks, of which the least number is the highest."""
    return not tokens(_PLACES.sub(" ", key)).isdisjoint(_RANK_COLUMN)


def _holds_units(name: str, collection: Collection) -> bool:
    """Return whether a column is called one of units, or holds nothing else."""
    values = {thing.cells[name].value.strip().casefold() for thing in collection.things if name in thing.cells}
    return bool(tokens(name) & _UNIT_COLUMN) or values <= _UNITS


def _mixes_dots(values: Sequence[str]) -> bool:
    """Return whether a dot may part thousands: it stands before three digits, and other numbers have none."""
    return any(map(_DOTTED.fullmatch, values)) and all(_DOTTED.fullmatch(value) or "." not in value for value in values)


def _doubt_scale(asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return that what stands beside a table gives its numbers a scale; a column that says it is quoted with it."""
    told = f"{collection.notes.above}\n{collection.notes.below}\n{collection.label}"
    if not _SCALE.search(told) or any(map(_SCALE.search, asked)):
        return ""
    return wording.scale_beside.format(place=collection.label)
