"""Responses of services, parsed leniently: fields in JSON, text with HTML, dates in many notations.

A field that is missing or of the wrong type is empty.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from html import unescape
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, ValidationError

MAX_TITLE_CHARACTERS = 300
MAX_SNIPPET_CHARACTERS = 2_000
T = TypeVar("T")
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


class ResponseModel(BaseModel):
    """A part of a response; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class InvalidResponse(Exception):
    """Why a response cannot be read; completes the sentence «gave an answer ...»."""

    @classmethod
    def missing(cls, what: str) -> "InvalidResponse":
        """Return the error for a missing field."""
        return cls(f"without {what!r}")


ModelT = TypeVar("ModelT", bound=ResponseModel)


def parse_json(model: type[ModelT], body: bytes) -> ModelT:
    """Parse JSON as a model. Raises InvalidResponse that names what is missing or wrong."""
    try:
        value = json.loads(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError):
        raise InvalidResponse("that is no JSON") from None
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise InvalidResponse.missing(where)
    raise InvalidResponse(f"whose {where!r} is not as it should be" if where else "that is no JSON object")


def clean_title(text: str) -> str:
    """Return a title without HTML, cut to 300 characters."""
    return strip_html(text, MAX_TITLE_CHARACTERS)


def clean_snippet(text: str) -> str:
    """Return a snippet without HTML, cut to 2,000 characters."""
    return strip_html(text, MAX_SNIPPET_CHARACTERS)


def _text(value: object) -> str:
    """Return a text without the lone surrogates that JSON can spell and UTF-8 cannot."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def _title(value: object) -> str:
    return clean_title(_text(value))


def _snippet(value: object) -> str:
    return clean_snippet(_text(value))


def _day(value: object) -> date | None:
    return parse_leading_date(str(value)) if isinstance(value, str | int) else None


def _objects(value: object) -> object:
    """Drop what is no object from a list, unless nothing would be left."""
    if not isinstance(value, list):
        return value
    objects = [each for each in value if isinstance(each, dict)]
    return objects or value


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> Sequence[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


Text = Annotated[str, BeforeValidator(_text)]
Title = Annotated[str, BeforeValidator(_title)]
Snippet = Annotated[str, BeforeValidator(_snippet)]
Day = Annotated[date | None, BeforeValidator(_day)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


def _text_lists(value: object) -> Sequence[Sequence[str]]:
    return [_texts(each) for each in value] if isinstance(value, list) else []


TextLists = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_text_lists)]
Object = Annotated[Mapping[str, JsonValue], BeforeValidator(_object)]
ListOf = Annotated[tuple[T, ...], BeforeValidator(_objects)]
OptionalObject = Annotated[T, BeforeValidator(_object)]
"""A part that may be null."""


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
