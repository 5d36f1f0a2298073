"""The numbers of a text and what they can mean: in digits, in English words, with their scale, unit or century."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import is_part_of_spaced_word

_DIGITS = re.compile(r"\d+(?:[.,'\u00a0\u202f]\d+)*")
_SPACED_DIGITS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_SEVERAL_DOTS = re.compile(r"\d+(?:\.\d+){2,}")
_GROUPS_OF_THREE = re.compile(r"[1-9]\d{0,2}(?:[.,'\u00a0\u202f ]\d{3})+")
_SCALES: Mapping[str, int] = {
    **dict.fromkeys(("thousand", "k"), 10**3),
    **dict.fromkeys(("million", "mn", "m"), 10**6),
    **dict.fromkeys(("billion", "bn", "b"), 10**9),
    "trillion": 10**12,
}
_SCALE = re.compile(
    rf"(?:\s?(?:to|and|or|[-\u2013])\s?\d+(?:[.,]\d+)?)?[\s-]?({'|'.join(_SCALES)})\b",  # a range is scaled at its end
    re.IGNORECASE,
)
_YEAR_OF_RANGE = re.compile(r"(?<!\d)(\d{2})\d{2}[-\u2013/]$")  # 1914-18
_CARDINALS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_ORDINALS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL: Mapping[str, int] = {
    **{word: value for line in (_CARDINALS, _ORDINALS) for value, word in enumerate(line.split())},
    **{form: 10 * value for value, word in enumerate(_TENS, 2) for form in (word, f"{word[:-1]}ieth")},
    "dozen": 12,
}
_LARGE: Mapping[str, int] = {
    f"{word}{ending}": value
    for word, value in (("hundred", 100), ("thousand", 10**3), ("million", 10**6), ("billion", 10**9))
    for ending in ("", "th")
}
_ONE_WORD = "|".join(sorted((*_SMALL, *_LARGE), key=len, reverse=True))
_LARGE_WORD = "|".join(sorted(_LARGE, key=len, reverse=True))
_SPELLED = re.compile(
    rf"\b(?:{_ONE_WORD})(?:(?:(?<=y)-|\s(?=(?:{_LARGE_WORD})\b)|(?<=hundred)\s|(?<=thousand)\s|(?<=million)\s|-)"
    rf"(?:and\s)?(?:{_ONE_WORD}))*\b",
    re.IGNORECASE,
)
_ENDS_IN_DIGIT = re.compile(r"\d[\s-]?$")
_TEXTS = 64
"""How many texts are kept with their numbers: one rule after the other asks for those of a sentence."""
_HUNDRED = 100
_MAX_CODE = 100
_MAX_BEFORE = 8
"""Characters before a number that show that it ends a range of years."""
_ROMAN = re.compile(r"\b(?=[XVI]{2})X{0,2}(?:IX|IV|V?I{0,3})(?!\w)")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


class NumberMention(Immutable):
    """A number at start..end of a text.

    `value` is what it most likely means; `values` has what it can mean besides: 1.200 is more than a thousand or little
    more than one, by who wrote it. `parts` are the numbers of a date or a version, and what such a version begins with.
    `unscaled` is the number before a scale such as "million".
    """

    start: int
    end: int
    text: str
    value: Decimal
    values: frozenset[Decimal]
    parts: frozenset[Decimal] = frozenset()
    unscaled: Decimal | None = None
    is_spelled: bool = False


@lru_cache(maxsize=_TEXTS)
def find_numbers(text: str) -> tuple[NumberMention, ...]:
    """Return the numbers of a text in order, a spelled one as one number, and Roman ones above I and below XXX."""
    found = [*_digit_numbers(text), *_spelled_numbers(text)]
    return tuple(sorted(found, key=lambda number: (number.start, -number.end)))


def is_part_of_word(text: str, number: NumberMention) -> bool:
    """Return whether a number belongs to a name or a code, as in `GPLv3` or `CTLA-4`, where it counts nothing."""
    before = text[max(0, number.start - 2) : number.start]
    is_joined = before[-1:] == "-" and before[0].isalpha() and number.value < _MAX_CODE
    return is_joined or (bool(before) and is_part_of_spaced_word(before[-1]))


def _digit_numbers(text: str) -> Iterator[NumberMention]:
    for pattern in (_DIGITS, _SPACED_DIGITS):
        for match in pattern.finditer(text):
            yield _digit_number(text, match)


def _digit_number(text: str, match: re.Match[str]) -> NumberMention:
    plain = _readings(match[0])
    values, unscaled = plain, None
    if scale := _SCALE.match(text, match.end()):
        scaled = tuple(value * _SCALES[scale[1].lower()] for value in plain)
        # "5 m" is five metres or five million, and the first end of a range may be scaled or not.
        is_certain = len(scale[1]) > 1 and not any(map(str.isdigit, scale[0]))
        values, unscaled = (scaled, plain[0]) if is_certain else ((*plain, *scaled), None)
    elif len(match[0]) == len("18") and (
        year := _YEAR_OF_RANGE.search(text[max(0, match.start() - _MAX_BEFORE) : match.start()])
    ):
        values = (Decimal(f"{year[1]}{match[0]}"), *plain)
    parts: tuple[Decimal, ...] = ()
    if _SEVERAL_DOTS.fullmatch(match[0]) and not _GROUPS_OF_THREE.fullmatch(match[0]):
        pieces = match[0].split(".")
        parts = (*map(Decimal, pieces), Decimal(".".join(pieces[:2])))
    return NumberMention(*match.span(), match[0], values[0], frozenset(values), frozenset(parts), unscaled)


def _readings(digits: str) -> tuple[Decimal, ...]:
    """Return what digits can mean, the likeliest first."""
    plain = re.sub(r"['\u00a0\u202f ]", "", digits).replace(",", ".")
    whole, separator, fraction = plain.rpartition(".")
    if not separator:
        return (Decimal(plain),)
    whole = whole.replace(".", "")
    joined, decimal = Decimal(whole + fraction), Decimal(f"{whole}.{fraction}")
    if _SEVERAL_DOTS.fullmatch(plain) or (_GROUPS_OF_THREE.fullmatch(digits) and plain.count(".") > 1):
        return (joined,)
    if not _GROUPS_OF_THREE.fullmatch(digits):
        return (decimal,)
    return (joined, decimal) if plain.rpartition(".")[2].strip("0") else (joined,)


def _spelled_numbers(text: str) -> Iterator[NumberMention]:
    for match in _SPELLED.finditer(text):
        if _ENDS_IN_DIGIT.search(text[max(0, match.start() - 2) : match.start()]):
            continue  # the scale of a number in digits
        total = part = 0
        for word in re.findall(r"[a-z]+", match[0].lower()):
            if large := _LARGE.get(word):
                part = max(part, 1) * large
                total, part = (total, part) if large == _HUNDRED else (total + part, 0)
            else:
                part += _SMALL.get(word, 0)
        value = Decimal(total + part)
        yield NumberMention(*match.span(), match[0], value, frozenset({value}), is_spelled=True)
    for match in _ROMAN.finditer(text):
        value = Decimal(_roman_value(match[0]))
        yield NumberMention(*match.span(), match[0], value, frozenset({value}), is_spelled=True)


def _roman_value(numeral: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(-own if own < after else own for own, after in zip(digits, [*digits[1:], 0], strict=True))
