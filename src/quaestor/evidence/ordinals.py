"""Numbers with a full stop that ends no sentence: days before a month, German ordinals, numbers of a list."""

import re

from quaestor.evidence.stopwords import GERMAN, word_set

_GERMAN_MONTHS = (
    "Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember "
    "Jan\\. Feb\\. Apr\\. Aug\\. Sept?\\. Okt\\. Nov\\. Dez\\."
)
_ENGLISH_TOO = word_set("April August September November")
_MONTHS = """
    januar februar marts mars april maj mai juni juli august september oktober november december desember
    janúar febrúar apríl maí júní júlí ágúst október nóvember jaanuar\\w* veebruar\\w* märts\\w* aprill\\w* juuni\\w*
    juuli\\w* (?:tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu)kuu\\w*
    ledna února března dubna května června července srpna září října listopadu prosince
    januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra
    stycznia lutego kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    januarja februarja aprila junija julija avgusta oktobra
    siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna studenoga studenog prosinca
"""
"""Months behind a day with a full stop: Danish, Norwegian, Icelandic, Estonian, Finnish, and Slavic languages."""
_OWN = "|".join(month for month in _GERMAN_MONTHS.split() if month not in _ENGLISH_TOO)
_SHARED = "|".join(sorted(_ENGLISH_TOO))
_MONTH_BEHIND = re.compile(
    rf"\s+(?:(?:{_OWN}|{'|'.join(_MONTHS.split())})(?!\w)|(?:{_SHARED})(?!\w|\s+[^\W\d_a-zäöü])"
    r"|\d{1,2}\.\s*\d{4}(?!\d))"
)
_DAY_BEFORE = re.compile(r"(?<!\w)\d{1,2}\.\s+\Z")
_YEAR_BEHIND = re.compile(r"\s+\d{4}(?!\d)")
_CENTURY_BEHIND = re.compile(r"\s+Jahrhundert")
_GERMAN_ARTICLE = re.compile(r"(?<!\w)(?:am|beim|das|dem|den|der|des|die|im|vom|zum|zur)\s+\Z", re.IGNORECASE)
"""German alone has a capital behind an ordinal, so what stands before it tells it from the end of a sentence."""
_SENTENCE_BEFORE = re.compile(r"[.!;][\"'”’»)\]]*\s+\Z")  # noqa: RUF001 (typographic quotes are the subject)
_COLON_BEFORE = re.compile(r":\s+\Z")
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
_FIRST = frozenset({"1", "I"})
_LAST_DAY = 31
_MAX_ORDINAL_DIGITS = 3
_MAX_PLACE_DIGITS = 2
_WIDTH = 16
"""Characters before a number that can tell what it is."""


def is_numeral(token: str) -> bool:
    """Return whether a word is a number in digits, or a Roman one in capitals."""
    return token.isdecimal() or _ROMAN.fullmatch(token) is not None


def ends_no_sentence(text: str, start: int, token: str, mark: int, following: str) -> bool:
    """Return whether the full stop at `mark` belongs to the number before it.

    `token` is the number, `start` where its paragraph begins, `following` the word behind the full stop.
    """
    before = text[max(start, mark - len(token) - _WIDTH) : mark - len(token)]
    is_top = not text[start : mark - len(token)].strip()
    opens = is_top or _SENTENCE_BEFORE.search(before) or (token in _FIRST and _COLON_BEFORE.search(before))
    if opens and len(token) <= (_MAX_PLACE_DIGITS if token.isdecimal() else _WIDTH):
        return True
    if not token.isdecimal() or len(token) > _MAX_ORDINAL_DIGITS:
        return False
    if _CENTURY_BEHIND.match(text, mark + 1) or (_DAY_BEFORE.search(before) and _YEAR_BEHIND.match(text, mark + 1)):
        return True
    if int(token) <= _LAST_DAY and _MONTH_BEHIND.match(text, mark + 1):
        return True
    is_noun = following[:1].isupper() and following.casefold() not in GERMAN | {"die"}
    return is_noun and _GERMAN_ARTICLE.search(before) is not None
