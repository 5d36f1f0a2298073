"""Text as services write and accept it: without HTML, on one line, cut at a word; dates in many notations."""

import re
from datetime import date
from html import unescape

_INVISIBLE_ELEMENT = re.compile(
    r"<(script|style)\b[^<>]*>[^<]*(?:<(?!/?\1\b)[^<]*)*</\1\s*>|<!--[^<-]*(?:(?:-(?!->)|<(?!!--))[^<-]*)*-->",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][\w:.-]*+(?:\s[^<>=]*+=[^<>]*+|\s*+/?)>")
"""A name, and attributes with values or none at all; `a <b and c> d` is no tag."""
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b",
    re.IGNORECASE,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MAX_INPUT_CHARACTERS = 20_000
_MAX_LINE_CHARACTERS = 200


def strip_html(text: str, max_characters: int) -> str:
    """Return text without HTML, on one line, cut at the end of a word where there is one."""
    bare = _TAG.sub(_tag_replacement, _INVISIBLE_ELEMENT.sub(" ", text[:_MAX_INPUT_CHARACTERS]))
    return _truncate(" ".join(_CONTROLS.sub("", unescape(bare)).split()), max_characters)


def one_line(text: str) -> str:
    """Return the words of a server on one line, cut to 200 characters."""
    return strip_html(text, _MAX_LINE_CHARACTERS)


def first_words(query: str, *, characters: int, words: int | None = None) -> str:
    """Return as many words from the beginning of a query as a service accepts."""
    return _truncate(" ".join(query.split()[:words]), characters)


def _tag_replacement(tag: re.Match[str]) -> str:
    return " " if _BLOCK_TAG.match(tag[0]) else ""


def _truncate(text: str, max_characters: int) -> str:
    if len(text) <= max_characters:
        return text
    return text[: max_characters + 1].rsplit(" ", 1)[0][:max_characters]


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR, _DAY, _END = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})", r"(?!\d)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATE_PATTERNS = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        rf"{_YEAR}\s+{_MONTH}(?:\s+{_DAY}{_END})?",  # 2023 Mar 15
        rf"{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_END}",  # March 15, 2023
        rf"(?:[a-z]+,?\s+)?{_DAY}\s+{_MONTH},?\s+{_YEAR}{_END}",  # Wed, 15 Mar 2023
        rf"{_MONTH}\s+{_YEAR}{_END}",  # March 2023
        rf"{_YEAR}(?:[-/ ](?P<month>\d{{1,2}}){_END}(?:[-/ ]{_DAY}{_END})?)?{_END}",  # 2023-03-15T08:00:00Z
    )
)


def parse_leading_date(text: str) -> date | None:
    """Return the date that a text begins with; None where it names none, as `3 days ago`.

    A day is taken as it is written, in whatever time zone; a month or a year alone counts as its first day.
    """
    found = next(filter(None, (form.match(text.strip()) for form in _DATE_PATTERNS)), None)
    if found is None:
        return None
    parts = found.groupdict()
    try:
        return date(int(parts["year"]), _month_number(parts.get("month")), int(parts.get("day") or 1))
    except ValueError:
        return None


def _month_number(month: str | None) -> int:
    if month is None:
        return 1
    return int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1
