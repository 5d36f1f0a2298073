"""Rules that need no model: every number and name of a sentence stands in its quotes, or is computed from them.

A sentence that breaks one is unverifiable, whatever else it says. One that breaks none is not supported by that:
whether its quotes mean what it says is for a checker. Years and months are numbers and names like any other.
"""

import calendar
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import permutations

from quaestor.evidence.tokenization import Word, content_terms, terms, words
from quaestor.research.contracts.verdicts import RULES, ClaimCheck, Verdict

_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,'\u00a0\u202f]\d+)*")
_SPACED_NUMBER = re.compile(r"\d{1,3}(?: \d{3})+(?!\d)")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "k": 10**3, "bn": 10**9}
_SCALE = re.compile(rf"[\s-]?({'|'.join(_SCALES)})\b", re.IGNORECASE)
_RATIO = re.compile(r"\s?(?:%|percent\b|per cent\b|times\b|-?fold\b|x\b)", re.IGNORECASE)
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
)
_WORD_VALUES = {word: Decimal(value) for line in _NUMBER_WORDS for value, word in enumerate(line.split())}
_MONTHS = tuple(calendar.month_name)[1:]
_MAX_OPERANDS = 24
"""Numbers of the quotes that are tried as operands; the pairs of more would give almost any number."""
_GERMAN = frozenset(("der", "die", "das", "und", "ist", "ein", "eine", "den", "dem", "wurde", "nicht", "von", "mit"))
"""Words of a language that writes every noun with a capital, so that a capital is no sign of a name."""
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)[\"'“”«(]*$")


def check_by_rules(sentence: str, quotes: Sequence[str], context: Sequence[str]) -> ClaimCheck | None:
    """Return the verdict of the rules on a sentence, or None where they find nothing wrong.

    `context` are the titles of the quoted sources and the question: names may stand there, numbers only in the titles
    and the quotes themselves.
    """
    missing = (*_missing_numbers(sentence, quotes), *_missing_names(sentence, (*quotes, *context)))
    if not missing:
        return None
    named = ", ".join(f"“{each}”" for each in dict.fromkeys(missing))
    note = f"{named} {'stands' if len(set(missing)) == 1 else 'stand'} in none of its quotes."
    return ClaimCheck(verdict=Verdict.UNVERIFIABLE, note=note, checked_by=RULES)


def _missing_numbers(sentence: str, quotes: Sequence[str]) -> Iterator[str]:
    text = "\n".join(quotes)
    known = frozenset(value for match in _number_matches(text) for value in _readings(text, match))
    known |= {_WORD_VALUES[word.text.lower()] for word in words(text) if word.text.lower() in _WORD_VALUES}
    for match in _NUMBER.finditer(sentence):
        readings = _readings(sentence, match)
        if known.isdisjoint(readings) and not _is_computed(sentence, match, readings, known):
            yield match[0]


def _number_matches(text: str) -> Iterator[re.Match[str]]:
    yield from _NUMBER.finditer(text)
    yield from _SPACED_NUMBER.finditer(text)


def _readings(text: str, match: re.Match[str]) -> frozenset[Decimal]:
    """Return what a number can mean: 1.200 is more than a thousand or little more than one, by who wrote it."""
    digits = re.sub(r"['\u00a0\u202f ]", "", match[0])
    whole, _, fraction = digits.replace(",", ".").rpartition(".")
    spellings = {re.sub(r"[.,]", "", digits), f"{whole.replace('.', '')}.{fraction}" if whole else digits}
    try:
        values = {Decimal(spelling) for spelling in spellings}
    except InvalidOperation:
        return frozenset()
    scale = _SCALE.match(text, match.end())
    return frozenset(values | {value * _SCALES[scale[1].lower()] for value in values if scale})


def _is_computed(
    sentence: str, match: re.Match[str], readings: Collection[Decimal], known: Collection[Decimal]
) -> bool:
    """Return whether a number is a sum or a difference of two, the sum of all, or a ratio where it is called one."""
    operands = sorted(known)[:_MAX_OPERANDS]
    is_ratio = _RATIO.match(sentence, match.end()) is not None
    results = [sum(operands, Decimal(0)), *(one + other for one, other in permutations(operands, 2))]
    results += [one - other for one, other in permutations(operands, 2)]
    if is_ratio:
        results += [part for one, other in permutations(operands, 2) if other for part in _ratios(one, other)]
    decimals = len(match[0].rpartition(".")[2]) if "." in match[0] else 0
    margin = Decimal(5) * Decimal(10) ** -(decimals + 1) if is_ratio else Decimal(0)
    return any(abs(result - reading) <= margin for result in results for reading in readings)


def _ratios(one: Decimal, other: Decimal) -> tuple[Decimal, ...]:
    return one / other, 100 * one / other, 100 * (one - other) / other


def _missing_names(sentence: str, texts: Sequence[str]) -> Iterator[str]:
    found = words(sentence)
    if sum(word.text.lower() in _GERMAN for word in found) > 1:
        return
    text = "\n".join(texts)
    known, initials = frozenset(terms(text)), _initials(text)
    months = {_MONTHS[int(number) - 1] for number in re.findall(r"\d+", text) if 1 <= int(number) <= len(_MONTHS)}
    for word in _names(sentence, found):
        absent = known.isdisjoint(terms(word.text)) and word.text not in months
        if absent and not (word.text.isupper() and word.text.lower() in initials):
            yield word.text


def _names(sentence: str, found: Sequence[Word]) -> Iterator[Word]:
    """Return the words with a capital within a sentence; at its start any word has one."""
    for word in found:
        is_start = _SENTENCE_START.search(sentence[: word.start])
        if word.text[0].isascii() and word.text[0].isupper() and not is_start and content_terms(word.text):
            yield word


def _initials(text: str) -> str:
    """Return the first letters of all words in order, so that an abbreviation can be found among them."""
    return "".join(_first_letters(words(text)))


def _first_letters(found: Iterable[Word]) -> Iterator[str]:
    return (word.text[0].lower() for word in found if word.text[0].isalpha())
