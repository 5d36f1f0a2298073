"""The numbers of quotes, by what can be done with them."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import terms, words
from quaestor.research.claims.dates import MONTHS, Day, known_days, month_numbers
from quaestor.research.claims.numbers import NumberMention, find_numbers, is_part_of_word
from quaestor.research.claims.times import known_times
from quaestor.research.claims.units import Amount, measures, unit_of
from quaestor.research.claims.versions import known_versions

PERCENT = re.compile(r"\s?(?:%|percent(?:age)?\b|per cent\b|points\b)", re.IGNORECASE)
_HALF = re.compile(r"\bhal(?:f|ves)\b", re.IGNORECASE)
_FRACTION = re.compile(
    r"\b(a|an|one|two|three|four|five|six|seven|eight|nine)[\s-](third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?\b",
    re.IGNORECASE,
)
_MULTIPLES: Mapping[str, int] = {
    form: times
    for times, forms in enumerate(
        (
            "double doubles doubled doubling twofold",
            "triple triples tripled tripling treble trebled trebling threefold",
            "quadruple quadruples quadrupled quadrupling fourfold",
        ),
        2,
    )
    for form in forms.split()
}
_MULTIPLE = re.compile(rf"\b(?:{'|'.join(_MULTIPLES)})\b", re.IGNORECASE)
_PARTS = ("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
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
_DAY_BEHIND = re.compile(rf"(?:st|nd|rd|th|er|[º°])?\.?\s(?:of\s)?(?:{MONTHS})\b", re.IGNORECASE)
_MAX_BEFORE = 60
"""Characters before a number that say what it is."""


class KnownNumbers(Immutable):
    """Numbers of a text: as they stand, those before no scale, and those to compute with, percents and years apart.

    `spans` are counts of years, `measures` amounts of a dimension in its base unit, and `counts` the numbers of what
    is counted, by its terms. `multiples` say how many times as much something became.
    """

    text: str
    values: frozenset[Decimal]
    unscaled: frozenset[Decimal]
    operands: Sequence[Amount]
    percents: Sequence[Decimal]
    years: Sequence[Decimal]
    spans: frozenset[Decimal]
    measures: frozenset[tuple[str, Decimal]]
    counts: Mapping[str, frozenset[Decimal]]
    days: frozenset[Day]
    times: frozenset[int]
    versions: frozenset[str]
    multiples: frozenset[Decimal]

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
    no_amounts = percents | years | {Decimal(1)}
    amounts = {Amount(number.value, unit_of(text, number)) for number in counted if number.value not in no_amounts}
    counts: dict[str, set[Decimal]] = {}
    for number in counted:
        for term in counted_terms(text, number):
            counts.setdefault(term, set()).update(number.values)
    spans = {number.value for number in counted if _YEARS_LONG.match(text, number.end)}
    return KnownNumbers(
        text=text,
        values=frozenset(values | percents | {value / 100 for value in percents}),
        unscaled=frozenset(number.value for number in found if number.unscaled is None),
        operands=sorted(amounts)[:_MAX_OPERANDS],
        percents=sorted({*percents, Decimal(100)})[:_MAX_OPERANDS] if percents else (),
        years=sorted(years)[:_MAX_OPERANDS],
        spans=frozenset(spans | ({Decimal(1)} if _YEAR_APART.search(text) else set())),
        measures=frozenset(measure for number in found for measure in measures(text, number)),
        counts={term: frozenset(own) for term, own in counts.items()},
        days=known_days((text,)),
        times=known_times((text,)),
        versions=known_versions(text),
        multiples=frozenset(map(Decimal, (_MULTIPLES[word.lower()] for word in _MULTIPLE.findall(text)))),
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


def _is_label(text: str, number: NumberMention) -> bool:
    """Return whether a number is no amount: nothing, a day of a month, of a date or a version, or of a name."""
    before = text[max(0, number.start - _MAX_BEFORE) : number.start]
    is_dated = number.parts or _DAY_BEFORE.search(before) or _DAY_BEHIND.match(text, number.end)
    return not number.value or bool(is_dated) or is_part_of_word(text, number)
