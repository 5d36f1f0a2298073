"""Whether a number follows from known ones: as their decade, rounded, in another unit, or computed."""

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from quaestor.research.claims.known_numbers import PERCENT, KnownNumbers, is_year
from quaestor.research.claims.numbers import NumberMention
from quaestor.research.claims.units import Amount, measures, unit_of

_RATIO = re.compile(r"\s?(?:%|percent\b|per cent\b|times\b|-?fold\b|x\b)", re.IGNORECASE)
_FACTOR = re.compile(r"\bfactor of\s$", re.IGNORECASE)
_CENTURY = re.compile(r"(?:st|nd|rd|th)?[\s-]century\b", re.IGNORECASE)
_DECADE = re.compile(r"['\u2019]?s\b")
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|some|circa|ca?\.|close to)|[~≈])\s?[$€£]?$", re.IGNORECASE
)
_OVER = re.compile(r"\b(?:over|above|more than|at least|upwards of|well over)\s[$€£]?$", re.IGNORECASE)
_UNDER = re.compile(
    r"\b(?:under|below|less than|fewer than|at most|up to|nearly|almost|just under)\s[$€£]?$", re.IGNORECASE
)
_CENTURY_YEARS, _DECADE_YEARS = 100, 10
_TWO_DIGITS = 10
"""From where a fraction can be left out: 76 for 76.3, but not 3 for 2.6."""
_MAX_BEFORE = 24
"""Characters before a number that say how exact it is."""


def follows_from(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    """Return whether a number of a sentence is made of known ones, in a way that its reader would accept."""
    return (
        _is_period(sentence, number, known.values)
        or _is_rounded(_before(sentence, number), number, known.values)
        or _is_converted(sentence, number, known)
        or is_computed(sentence, number, known)
    )


def _before(sentence: str, number: NumberMention) -> str:
    return sentence[max(0, number.start - _MAX_BEFORE) : number.start]


def _is_period(sentence: str, number: NumberMention, known: Collection[Decimal]) -> bool:
    """Return whether a number is the decade or the century of a year that is known."""
    if _CENTURY.match(sentence, number.end):
        last = number.value * _CENTURY_YEARS
        return any(year > _CENTURY_YEARS and last - _CENTURY_YEARS <= year <= last for year in known)
    if _DECADE.match(sentence, number.end) and number.text.endswith("0"):
        length = _CENTURY_YEARS if number.text.endswith("00") else _DECADE_YEARS
        return any(number.value <= year < number.value + length for year in known)
    return False


def _is_rounded(before: str, number: NumberMention, known: Collection[Decimal]) -> bool:
    """Return whether a number has fewer digits than a known one: it is called so, has a scale, or lacks a fraction."""
    unit = _last_place(number)
    over, under = _OVER.search(before), _UNDER.search(before)
    if over or under:
        return any(0 < (value - number.value) * (1 if over else -1) < unit for value in known)
    margin = unit / 2
    if _ABOUT.search(before) or number.unscaled is not None:
        return any(abs(value - number.value) <= margin for value in known)
    is_exact_enough = unit <= 1 and number.value >= _TWO_DIGITS
    return is_exact_enough and any(
        abs(value - number.value) <= margin for value in known if value != value.to_integral_value()
    )


def _last_place(number: NumberMention) -> Decimal:
    """Return the worth of one in the last digit that a number states: 100 for 2,700, 0.1 million for 1.2 million."""
    if number.unscaled is None:
        return Decimal(10) ** _exponent(number.value.normalize())
    scale = number.value / number.unscaled if number.unscaled else Decimal(1)
    return Decimal(10) ** _exponent(number.unscaled) * scale


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _is_converted(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    """Return whether a number is a quoted one in another unit: a time to the second, others as they are stated."""
    for dimension, amount in measures(sentence, number):
        place = _last_place(number) * amount / number.value if number.value else Decimal(0)
        margin = place / 2 if dimension != "time" or _ABOUT.search(_before(sentence, number)) else Decimal(0)
        if any(dimension == other and abs(value - amount) <= margin for other, value in known.measures):
            return True
    return False


def is_computed(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    """Return whether a number is a sum or a difference, a share of another one, or a ratio where it is called one.

    A year is only computed from another one and a count of years: most numbers would be near enough to some year.
    Numbers of two units, such as kilograms and pounds, have neither a sum nor a ratio.
    """
    if is_year(number) and number.value in {year + span for year in known.years for span in _both_ways(known.spans)}:
        return True
    if PERCENT.match(sentence, number.end) and not number.values.isdisjoint(_sums(known.percents)):
        return True
    if _is_ratio(sentence, number):
        results = _all_ratios(known)
    else:
        unit = unit_of(sentence, number)
        if not number.values.isdisjoint(_added(known, unit)):
            return True
        results = _shares(known, unit)
    margin = Decimal(10) ** min(_exponent(number.value), 0) / 2
    return any(abs(result - number.value) <= margin for result in results)


def _is_ratio(sentence: str, number: NumberMention) -> bool:
    return bool(_RATIO.match(sentence, number.end) or _FACTOR.search(_before(sentence, number)))


def _all_ratios(known: KnownNumbers) -> Sequence[Decimal]:
    groups = [(*group, *known.years) for group in _like_amounts(known.operands, "")]
    pairs = {pair for group in groups for pair in permutations(group, 2)}
    pairs |= {(times, Decimal(1)) for times in known.multiples}
    return [ratio for one, other in pairs for ratio in _ratios(one, other)]


def _added(known: KnownNumbers, unit: str) -> Collection[Decimal]:
    """Return the sums and differences of numbers with a unit, if any; a difference of years has none."""
    differences = () if unit else (one - other for one, other in permutations(known.years, 2))
    sums = (_sums(group) for group in _like_amounts(known.operands, unit))
    return frozenset(differences).union(*sums)


def _shares(known: KnownNumbers, unit: str) -> Sequence[Decimal]:
    amounts = {one.value for one in known.operands if not unit or one.unit in {"", unit}}
    return [percent / 100 * other for percent in known.percents for other in (*amounts, *known.years)]


def _like_amounts(operands: Sequence[Amount], unit: str) -> Iterator[Sequence[Decimal]]:
    """Yield the numbers that can be added: those of a unit, or of each, and with them those whose unit is not known."""
    for own in [unit] if unit else sorted({"", *(one.unit for one in operands)}):
        yield [one.value for one in operands if one.unit in {"", own}]


def _both_ways(spans: Collection[Decimal]) -> Collection[Decimal]:
    return {*spans, *(-span for span in spans)}


def _sums(operands: Sequence[Decimal]) -> frozenset[Decimal]:
    """Return the sums and differences of any two, and the sum of all."""
    pairs = list(permutations(operands, 2))
    return frozenset(
        {sum(operands, Decimal(0)), *(one + other for one, other in pairs), *(one - other for one, other in pairs)}
    )


def _ratios(one: Decimal, other: Decimal) -> tuple[Decimal, ...]:
    """Return how often one holds another, and in percent: of it, of both together, and as the change to it."""
    return one / other, 100 * one / other, 100 * one / (one + other), 100 * abs(one - other) / other
