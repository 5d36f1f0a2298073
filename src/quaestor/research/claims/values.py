"""Whether the numbers of a sentence stand in its quotes, or follow from theirs."""

import re
from collections.abc import Iterator, Sequence

from quaestor.research.claims.arithmetic import follows_from, is_computed
from quaestor.research.claims.dates import NUMERIC_DATE, find_days, is_known_day
from quaestor.research.claims.known_numbers import PERCENT, KnownNumbers, counted_terms, known_numbers
from quaestor.research.claims.numbers import NumberMention, find_numbers, is_part_of_word
from quaestor.research.claims.times import find_times
from quaestor.research.claims.units import unit_of
from quaestor.research.claims.versions import is_version, version_digits

_LARGEST_COUNT = 12
"""Up to which a number in words may count what its quotes name: "two of them", "three reasons"."""
_LONE_SCALE = re.compile(r"(?:hundred|thousand|million|billion)", re.IGNORECASE)
_ONE_BEFORE = re.compile(r"(?<!half )\b(?:an?|the)\s$", re.IGNORECASE)
_DAY_DIGITS = len("31")
_ZEROS = re.compile(r"0+")


def missing_numbers(sentence: str, quotes: Sequence[str]) -> Iterator[str]:
    """Return the numbers of a sentence that its quotes do not give.

    A small number in words may count what the quotes name, so it is missing only where they count the same things
    otherwise: "nine keepers" of "three keepers".
    """
    found = find_numbers(sentence)
    if not found:
        return
    known = known_numbers("\n".join(quotes))
    spaced = [number for number in found if " " in number.text and not number.is_spelled]
    given = [number for number in spaced if _is_given(sentence, number, known)]
    for number in found:
        if number in spaced or any(one.start <= number.start and number.end <= one.end for one in given):
            continue
        if is_part_of_word(sentence, number) or _ZEROS.fullmatch(number.text) or _is_vague(sentence, number):
            continue
        if number.is_spelled and number.value <= _LARGEST_COUNT:
            if _is_counted_otherwise(sentence, number, known):
                yield number.text
        elif not _is_given(sentence, number, known):
            yield number.text


def _is_vague(sentence: str, number: NumberMention) -> bool:
    """Return whether a number stands for many, as in "several hundred", or for a half of many."""
    return bool(_LONE_SCALE.fullmatch(number.text)) and not _ONE_BEFORE.search(sentence[: number.start])


def _is_given(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    """Return whether a number stands in the quotes, or is made of theirs."""
    if _is_of_known_moment(sentence, number, known):
        return True
    if is_version(sentence, number) and not _is_amount(sentence, number):
        return version_digits(number.text) in known.versions
    if not known.values.isdisjoint(number.values) or number.unscaled in known.unscaled:
        return True
    dates = (date.span() for date in NUMERIC_DATE.finditer(sentence))
    if any(start <= number.start and number.end <= end for start, end in dates):
        return not known.months.isdisjoint(number.values)
    return follows_from(sentence, number, known)


def _is_amount(sentence: str, number: NumberMention) -> bool:
    """Return whether a number has a scale, a unit or a percent sign."""
    is_share = PERCENT.match(sentence, number.end) is not None
    return is_share or number.unscaled is not None or bool(unit_of(sentence, number))


def _is_of_known_moment(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    """Return whether a number belongs to a day or a time of the quotes, however it is written there."""
    times = (time for time in find_times(sentence) if time.start <= number.start and number.end <= time.end)
    if any(not known.times.isdisjoint(time.readings) for time in times):
        return True
    # The quotes may name the day without its year, which is then a number like any other.
    is_year = len(number.text) > _DAY_DIGITS
    days = (day for day in find_days(sentence) if day.start <= number.start and number.end <= day.end)
    return any(
        not known.days.isdisjoint(day.readings) or (not is_year and is_known_day(day, known.days)) for day in days
    )


def _is_counted_otherwise(sentence: str, number: NumberMention, known: KnownNumbers) -> bool:
    if not known.values.isdisjoint(number.values):
        return False
    counted = [own for term in counted_terms(sentence, number) for own in known.counts.get(term, ())]
    return bool(counted) and not is_computed(sentence, number, known)
