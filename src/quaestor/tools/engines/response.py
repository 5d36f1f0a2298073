"""Responses in JSON, parsed leniently: a field that is missing or of the wrong type is empty."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, ValidationError

from quaestor.tools.engines.text_fields import parse_leading_date, strip_html

MAX_TITLE_CHARACTERS = 300
MAX_SNIPPET_CHARACTERS = 2_000


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
T = TypeVar("T")
ListOf = Annotated[tuple[T, ...], BeforeValidator(_objects)]
OptionalObject = Annotated[T, BeforeValidator(_object)]
"""A part that may be null."""
