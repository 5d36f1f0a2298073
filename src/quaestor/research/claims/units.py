"""The units of numbers: measures that convert into one another, and currencies that do not."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from quaestor.contracts.immutable import Immutable
from quaestor.research.claims.numbers import NumberMention

_MEASURES: Mapping[str, tuple[str, Decimal]] = {
    form: (dimension, Decimal(factor))
    for dimension, factor, forms in (
        ("length", "0.001", "mm millimetre millimeter"),
        ("length", "0.01", "cm centimetre centimeter"),
        ("length", "1", "m metre meter"),
        ("length", "1000", "km kilometre kilometer"),
        ("length", "0.3048", "ft foot feet"),
        ("length", "1609.344", "mile"),
        ("mass", "0.001", "g gram"),
        ("mass", "1", "kg kilogram kilo"),
        ("mass", "1000", "t tonne"),
        ("time", "1", "second"),
        ("time", "60", "minute min"),
        ("time", "3600", "hour h"),
        ("time", "86400", "day"),
        ("time", "604800", "week"),
    )
    for form in forms.split()
}
_CURRENCIES = {
    form: forms
    for forms in (
        "$ usd dollar",
        "€ eur euro",
        "£ gbp pound",
        "¥ jpy yen",
        "chf franc",
        "crown krone krona sek nok dkk czk",
        "mark",
        "cad",
        "aud",
        "rouble ruble rub",
        "rupee rs inr",
        "yuan cny rmb",
    )
    for form in forms.split()
}
_BEHIND = re.compile(r"(?:\s(?:thousand|million|billion|trillion))?[\s-]?([A-Za-z]+|[€£])")
_BEFORE = re.compile(r"([$€£¥]|\b[A-Z][A-Za-z]{1,2})\s?$")
_MAX_BEFORE = 5


class Amount(Immutable, order=True):
    """A number and its unit, which is empty where none is known."""

    value: Decimal
    unit: str = ""


def measures(text: str, number: NumberMention) -> Iterator[tuple[str, Decimal]]:
    """Return the dimension and the amount of a number with a measure."""
    if found := _MEASURES.get(_named_behind(text, number)):
        yield found[0], number.value * found[1]


def unit_of(text: str, number: NumberMention) -> str:
    """Return the unit of a number, the same for every name of it; empty where it has none that is known."""
    before = _BEFORE.search(text[max(0, number.start - _MAX_BEFORE) : number.start])
    if currency := _CURRENCIES.get(before[1].lower()) if before else None:
        return currency
    named = _named_behind(text, number)
    measure = _MEASURES.get(named)
    return f"{measure[1]} {measure[0]}" if measure else _CURRENCIES.get(named, "")


def _named_behind(text: str, number: NumberMention) -> str:
    """Return the word behind a number and its scale, in small letters and without the ending of its plural."""
    behind = _BEHIND.match(text, number.end)
    named = behind[1].lower() if behind else ""
    return named if named in _MEASURES else named.removesuffix("s")
