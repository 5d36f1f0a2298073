"""Whether a sentence of a short record sets right a field of its header: by another year, number, place or person."""

from quaestor.research.offline.fields.reserve_words import CHANGED, CURRENCY, NUMBER_WORD
from quaestor.research.offline.fields.row_numbers import amounts, tells_other_year, years_in
from quaestor.research.offline.words.dates import holds_day, parse_date
from quaestor.research.offline.words.state_words import SETS_RIGHT, is_place_key


def sets_right(sentence: str, key: str, value: str, *, names_field: bool, names_another: bool) -> bool:
    """Return whether a sentence without the value of a field tells what holds in its place.

    It names the field beside a change or another number, quotes another year than that of the field, or says what is so
    "instead" and holds something of the kind of the value.
    """
    if tells_other_year(sentence, years_in(value), names_column=names_field):
        return True
    if names_field and (CHANGED.search(sentence) or _holds_number(sentence, value)):
        return True
    return SETS_RIGHT.search(sentence) is not None and (names_another or _holds_kind(sentence, key, value))


def _holds_number(sentence: str, value: str) -> bool:
    """Return whether a sentence tells a number, where a value does, in digits or as an amount in words."""
    if not any(map(str.isdigit, value)):
        return False
    is_amount_in_words = NUMBER_WORD.search(sentence) and CURRENCY.search(sentence)
    return is_amount_in_words is not None or any(amounts(sentence, frozenset())) or bool(years_in(sentence))


def _holds_kind(sentence: str, key: str, value: str) -> bool:
    """Return whether a sentence may hold another value of a field: a day, a number or a place."""
    if parse_date(value) or years_in(value):
        return holds_day(sentence) or bool(years_in(sentence))
    return is_place_key(key) or _holds_number(sentence, value)
