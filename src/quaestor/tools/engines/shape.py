"""Answers in JSON, read as far as they are understood: what a field does not say is empty."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue, ValidationError

from quaestor.tools.engines.days import day
from quaestor.tools.engines.words import plain

MOST_OF_A_TITLE = 300
MOST_OF_A_SNIPPET = 2_000


class Shape(BaseModel):
    """A part of an answer; what it holds besides is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Misshapen(Exception):
    """Why an answer cannot be read; goes on as in «gave an answer ...»."""

    @classmethod
    def without(cls, what: str) -> "Misshapen":
        """Say what is missing."""
        return cls(f"without {what!r}")


S = TypeVar("S", bound=Shape)


def read(shape: type[S], body: bytes) -> S:
    """Read JSON as a shape. Raises Misshapen that names what is missing or wrong."""
    try:
        said = json.loads(body.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError):
        raise Misshapen("that is no JSON") from None
    try:
        return shape.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise Misshapen.without(where)
    raise Misshapen(f"whose {where!r} is not as it should be" if where else "that is no JSON object")


def title(text: str) -> str:
    """Give a title without HTML, at most 300 characters of it."""
    return plain(text, MOST_OF_A_TITLE)


def snippet(text: str) -> str:
    """Give a snippet without HTML, at most 2,000 characters of it."""
    return plain(text, MOST_OF_A_SNIPPET)


def _text(value: object) -> str:
    """Give a text; JSON may spell half of a pair of surrogates, which no text can hold."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def _title(value: object) -> str:
    return title(_text(value))


def _snippet(value: object) -> str:
    return snippet(_text(value))


def _day(value: object) -> date | None:
    return day(str(value)) if isinstance(value, str | int) else None


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


def _lists(value: object) -> Sequence[Sequence[str]]:
    return [_texts(each) for each in value] if isinstance(value, list) else []


Lists = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_lists)]
Object = Annotated[Mapping[str, JsonValue], BeforeValidator(_object)]
T = TypeVar("T")
Each = Annotated[tuple[T, ...], BeforeValidator(_objects)]
Perhaps = Annotated[T, BeforeValidator(_object)]
"""A part that may be null."""
