"""The lines around what a letter says: where and when it was written, its salutation, its closing and its signature."""

import re

_MONTH = r"[^\W\d_]{3,10}\.?"
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)?(?: de| of)? {_MONTH},?(?: de)? \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}}"
    r"|[\d./-]{6,10})"
)
_PLACE = r"[^\W\d_a-z][^\W\d_]*(?:[ -][^\W\d_a-z][^\W\d_]*)?"
_PLACE_AND_DAY = re.compile(rf"[\s_*]*(?:{_PLACE}, ?)?(?:(?:den|the|le|am|a|em|il|op) )?{_DAY}[.\s_*]*")
GREETING = (
    r"(?:(?:my )?dear(?:est)?|liebe[rs]?|sehr geehrte\w*|ch[eè]re?s?|estimad\w+|querid\w+|car[oaie]|gentil\w+|egregi\w*"
    r"|geachte|beste|prezad\w+)\b"
)
"""The first word of a salutation, in seven languages."""
_FORMAL = r"(?:(?:my )?dear|sehr geehrte\w*|estimad\w+|prezad\w+)\b"
_NAMED = r"[^\s.?!,;:]+\.?(?:[,\s]++[^\s.?!,;:]+\.?){0,5}"
_SALUTATION = re.compile(
    rf"[\s_*]*(?:(?:{GREETING}[,\s]*)+{_NAMED}(?:,|!|\s?[\u2014\u2013-])|{_FORMAL}\s{_NAMED}[,\s]*:)[\u2014\u2013\s_*-]*",
    re.IGNORECASE,
)
"""It ends with a comma, an exclamation mark or a dash, and where no other line begins so with a colon: "Care:"."""
_CLOSING = re.compile(
    r"[\s_*]*(?:(?:very |most )?(?:yours?|sincerely|truly|faithfully|(?:kind|best|warm) (?:regards|wishes)|regards)\b"
    r"|(?:mit |viele |herzliche |beste |liebe |freundliche[n]? )+gr(?:ü|ue)(?:ß|ss)en?\b|hochachtungsvoll"
    r"|cordialement|(?:bien )?à (?:vous|toi)\b|atentamente|(?:un )?saludos?\b|(?:cordiali|distinti) saluti"
    r"|met vriendelijke groet(?:en)?\b|hoogachtend|atenciosamente|cumprimentos)(?: +[^\W\d_][\w'-]*){0,4}[,.]?[\s_*]*",
    re.IGNORECASE,
)
_NAME = r"[A-Z\u00c0-\u00de][\w.'\u2019-]*"
_SIGNATURE = re.compile(rf"[\s_*]*{_NAME}(?:,? (?:of|de|von|van|di|da|{_NAME})){{0,5}}[\s_*]*")
_MOST_ABOVE = 5
"""Lines at the top of a letter among which its salutation is: the sender, the day, the address."""


def is_place_and_day(line: str) -> bool:
    """Return whether a line says where and when a text was written, and nothing else: "Hainfurt, 4 December 2023"."""
    return _PLACE_AND_DAY.fullmatch(line) is not None


def is_salutation(line: str) -> bool:
    """Return whether a line is the salutation of a letter: "Dear Ms Falk,"."""
    return _SALUTATION.fullmatch(line) is not None


def begins_as_letter(text: str) -> bool:
    """Return whether one of the first lines of a text is a salutation."""
    lines = [line for line in text.splitlines() if line.strip()][:_MOST_ABOVE]
    return any(map(is_salutation, lines))


def is_around_letter(text: str, start: int, end: int) -> bool:
    """Return whether characters of a text are lines around a letter and nothing else.

    A name alone is one below a closing, and a day alone in a text with a salutation.
    """
    is_closed = _CLOSING.fullmatch(text[:start].rstrip().rpartition("\n")[2]) is not None
    for line in text[start:end].splitlines():
        if is_closing := _CLOSING.fullmatch(line) is not None:
            is_closed = True
        is_above = is_salutation(line) or (is_place_and_day(line) and begins_as_letter(text))
        if not (is_closing or is_above or (is_closed and _SIGNATURE.fullmatch(line))):
            return False
    return end > start
