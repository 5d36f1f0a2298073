"""The numbers of quotes, by what can be done with them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import terms, words
from quaestor.research.claims.dates import MONTHS, Day, known_days, month_numbers
from quaestor.research.claims.numbers import NumberMention, find_numbers, is_part_of_word
from quaestor.research.claims.times import known_times

PERCENT = re.compile(r"\s?(?:%|percent(?:age)?\b|per cent\b|points\b)", re.IGNORECASE)
_HALF = re.compile(r"\bhal(?:f|ves)\b", re.IGNORECASE)
_FRACTION = re.compile(
    r"\b(a|an|one|two|three|four|five|six|seven|eight|nine)[\s-](third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?\b",
    re.IGNORECASE,
)
_PARTS = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_UNITS: Mapping[str, tuple[str, Decimal]] = {
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
_UNIT = re.compile(r"[\s-]?([A-Za-z]+)")
_COUNTED = re.compile(r"[\s-]([^\W\d_]{3,})")
_FIELD_NAME = re.compile(r"([^\W\d_]{3,})\s?[:=|]\s*$")
_ORDINAL = re.compile(r"(?:first|second|third|th)\Z", re.IGNORECASE)
_MAX_OPERANDS = 24
"""Numbers of the quotes that are tried as operands; the pairs of more would give almost any number."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_YEARS_LONG = re.compile(r"[\s-](?:\w+\s)?years?\b", re.IGNORECASE)
_YEAR_APART = re.compile(
    r"\b(?:a|next|following|previous|preceding)\syear\b|\byear (?:later|earlier|before|after)\b", re.IGNORECASE
)
_DAY_BEFORE = re.compile(rf"\b(?:{MONTHS})\.?\s$|\b\d{{4}}-(?:\d\d-)?$", re.IGNORECASE)
_DAY_BEHIND = re.compile(rf"(?:st|nd|rd|th)?\.?\s(?:of\s)?(?:{MONTHS})\b", re.IGNORECASE)
_MAX_BEFORE = 60
"""Characters before a number that say what it is."""


class KnownNumbers(Immutable):
    """Numbers of a text: as they stand, those before no scale, and those to compute with, percents and years apart.

    `spans` are counts of years, `measures` amounts of a dimension in its base unit, and `counts` the numbers of what
    is counted, by its terms. `days` and `times` are those that the text names.
    """

    text: str
    values: frozenset[Decimal]
    unscaled: frozenset[Decimal]
    operands: Sequence[Decimal]
    percents: Sequence[Decimal]
    years: Sequence[Decimal]
    spans: frozenset[Decimal]
    measures: frozenset[tuple[str, Decimal]]
    counts: Mapping[str, frozenset[Decimal]]
    days: frozenset[Day]
    times: frozenset[int]

    @property
    def months(self) -> frozenset[Decimal]:
        """The months that the text names."""
        return frozenset(map(Decimal, month_numbers(self.text, words(self.text))))


def known_numbers(text: str) -> KnownNumbers:
    """Return the numbers of a text."""
    found = find_numbers(text)
    values = {value for number in found for value in (*number.values, *number.parts)}
    percents = {number.value for number in found if PERCENT.match(text, number.end)}
    if _HALF.search(text):
        percents.add(Decimal(50))
    percents |= {_percent_of(*match.groups()) for match in _FRACTION.finditer(text)}
    counted = [number for number in found if not _is_label(text, number)]
    years = {number.value for number in counted if is_year(number)}
    counts: dict[str, set[Decimal]] = {}
    for number in counted:
        for term in counted_terms(text, number):
            counts.setdefault(term, set()).update(number.values)
    spans = {number.value for number in counted if _YEARS_LONG.match(text, number.end)}
    return KnownNumbers(
        text=text,
        values=frozenset(values | percents | {value / 100 for value in percents}),
        unscaled=frozenset(number.value for number in found if number.unscaled is None),
        operands=sorted({number.value for number in counted} - percents - years - {Decimal(1)})[:_MAX_OPERANDS],
        percents=sorted({*percents, Decimal(100)})[:_MAX_OPERANDS] if percents else (),
        years=sorted(years)[:_MAX_OPERANDS],
        spans=frozenset(spans | ({Decimal(1)} if _YEAR_APART.search(text) else set())),
        measures=frozenset(measure for number in found for measure in measures(text, number)),
        counts={term: frozenset(own) for term, own in counts.items()},
        days=known_days((text,)),
        times=known_times((text,)),
    )


def _percent_of(count: str, part: str) -> Decimal:
    """Return a fraction in words in percent."""
    parts = 4 if part.lower() == "fourth" else _PARTS.index(part.lower()) + 3
    counted = _COUNTS.index(count.lower()) + 1 if count.lower() in _COUNTS else 1
    return Decimal(100 * counted) / parts


def is_year(number: NumberMention) -> bool:
    """Return whether a number is written as a year is."""
    return not number.is_spelled and len(number.text) == len("1874") and _FIRST_YEAR <= number.value <= _LAST_YEAR


def counted_terms(text: str, number: NumberMention) -> Sequence[str]:
    """Return the terms of what a number counts: "keepers" of "three keepers" and of "keepers: 3"."""
    if number.is_spelled and _ORDINAL.search(number.text):
        return ()
    following = _COUNTED.match(text, number.end)
    field = _FIELD_NAME.search(text[max(0, number.start - _MAX_BEFORE) : number.start])
    return [term for found in (following, field) if found for term in terms(found[1])]


def measures(text: str, number: NumberMention) -> Iterator[tuple[str, Decimal]]:
    """Return the dimension and the amount of a number with a unit."""
    unit = _UNIT.match(text, number.end)
    named = unit[1].lower() if unit else ""
    if found := _UNITS.get(named) or _UNITS.get(named.removesuffix("s")):
        yield found[0], number.value * found[1]


def _is_label(text: str, number: NumberMention) -> bool:
    """Return whether a number is no amount: nothing, a day of a month, of a date or a version, or of a name."""
    before = text[max(0, number.start - _MAX_BEFORE) : number.start]
    is_dated = number.parts or _DAY_BEFORE.search(before) or _DAY_BEHIND.match(text, number.end)
    return not number.value or bool(is_dated) or is_part_of_word(text, number)
