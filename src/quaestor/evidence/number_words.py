"""Whole numbers in words, in seven languages: composed in English, elsewhere those that are one word."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

_ENGLISH = "en"
_FIRST_WORDS: Mapping[str, str] = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
    " dieciocho diecinueve",
    "it": "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove",
    "nl": "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
    " achttien negentien",
    "pt": "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito"
    " dezenove",
}
"""From one on."""
_TENS: Mapping[str, str] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem",
}
"""From twenty on; but for English, up to a hundred."""
_DOZEN: Mapping[str, str] = {
    "en": "a dozen",
    "de": "ein dutzend",
    "fr": "une douzaine",
    "es": "una docena",
    "it": "una dozzina",
    "nl": "een dozijn",
    "pt": "uma dúzia",
}
_TWELVE = 12
_HUNDRED, _THOUSAND = 100, 1000
_JOINED = re.compile(r"[\s-]+(?:and\s+)?")


def spell_number(number: int, language: str) -> str:
    """Return a whole number from 1 on in the words of a language; empty where these are not known."""
    return _words_of(language).get(number, "")


def find_spelled_numbers(text: str, language: str) -> Iterator[int]:
    """Yield the numbers that a text has in words of a language, the longest where they overlap.

    The number one is none: in most languages it is an article.
    """
    numbers = _numbers_of(language)
    found = (numbers.get(_JOINED.sub(" ", match[0].casefold()), 1) for match in _spelled(language).finditer(text))
    return (number for number in found if number > 1)


@cache
def _words_of(language: str) -> Mapping[int, str]:
    found = dict(enumerate(_FIRST_WORDS.get(language, "").split(), 1))
    found |= {10 * place: word for place, word in enumerate(_TENS.get(language, "").split(), 2)}
    return found | _composed(found) if language == _ENGLISH else found


def _composed(simple: Mapping[int, str]) -> dict[int, str]:
    """Return the English words for the numbers up to a thousand, and for whole thousands."""
    small = {n: simple.get(n) or f"{simple[n - n % 10]} {simple[n % 10]}" for n in range(1, _HUNDRED)}
    found = dict(small)
    for number in range(_HUNDRED, _THOUSAND):
        rest = number % _HUNDRED
        found[number] = " ".join(filter(None, (small[number // _HUNDRED], "hundred", small.get(rest))))
    return found | {n * _THOUSAND: f"{words} thousand" for n, words in small.items()}


@cache
def _numbers_of(language: str) -> Mapping[str, int]:
    numbers = {_JOINED.sub(" ", words): number for number, words in _words_of(language).items()}
    return numbers | {dozen: _TWELVE for dozen in [_DOZEN.get(language)] if dozen}


@cache
def _spelled(language: str) -> re.Pattern[str]:
    words = f"{_FIRST_WORDS.get(language, '')} {_TENS.get(language, '')}".split()
    single = "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"
    if language == _ENGLISH:
        small = rf"(?:(?:{'|'.join(_TENS[language].split())})[\s-](?:{single})|{single})"
        single = rf"{small}(?:\s(?:hundred(?:\s(?:and\s)?{small})?|thousand))?"
    dozen = _DOZEN.get(language, "(?!)")
    return re.compile(rf"(?<![\w-])(?:(?<!half ){dozen}|{single})(?![\w-])", re.IGNORECASE)
