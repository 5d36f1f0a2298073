"""Answers in JSON, read as far as they are understood: what a field does not say is empty."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, ValidationError

from quaestor.tools.engines.text_fields import parse_leading_date, strip_html

MAX_TITLE_CHARACTERS = 300
MAX_SNIPPET_CHARACTERS = 2_000


class ResponseModel(BaseModel):
    """A part of an answer; what it holds besides is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class InvalidResponse(Exception):
    """Why an answer cannot be read; goes on as in «gave an answer ...»."""

    @classmethod
    def missing(cls, what: str) -> "InvalidResponse":
        """Say what is missing."""
        return cls(f"without {what!r}")


S = TypeVar("S", bound=ResponseModel)


def parse_json(shape: type[S], body: bytes) -> S:
    """Read JSON as a shape. Raises Misshapen that names what is missing or wrong."""
    try:
        said = json.loads(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError):
        raise InvalidResponse("that is no JSON") from None
    try:
        return shape.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise InvalidResponse.missing(where)
    raise InvalidResponse(f"whose {where!r} is not as it should be" if where else "that is no JSON object")


def clean_title(text: str) -> str:
    """Give a title without HTML, at most 300 characters of it."""
    return strip_html(text, MAX_TITLE_CHARACTERS)


def clean_snippet(text: str) -> str:
    """Give a snippet without HTML, at most 2,000 characters of it."""
    return strip_html(text, MAX_SNIPPET_CHARACTERS)


def _text(value: object) -> str:
    """Give a text; JSON may spell half of a pair of surrogates, which no text can hold."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def _title(value: object) -> str:
    return clean_title(_text(value))


def _snippet(value: object) -> str:
    return clean_snippet(_text(value))


def _day(value: object) -> date | None:
    return parse_leading_date(str(value)) if isinstance(value, str | int) else None


def _objects(value: object) -> object:
    """Take what is no object out of a list, unless then nothing is left."""
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
T = TypeVar("T")
ListOf = Annotated[tuple[T, ...], BeforeValidator(_objects)]
OptionalObject = Annotated[T, BeforeValidator(_object)]
"""A part that may be null."""
