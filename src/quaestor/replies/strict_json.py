"""JSON by RFC 8259, less what cannot be stored or would be read in two ways."""

import json
import re
from typing import NoReturn

from pydantic import JsonValue

MAX_DEPTH = 64
"""Brackets within brackets; RFC 8259 section 9 lets a reader set a limit."""

MAX_NUMBER_CHARACTERS = 640
"""Characters; Python converts as many digits to an integer under any limit it can be given."""

TOO_DEEP_MESSAGE = f"the brackets are nested more than {MAX_DEPTH} deep"

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_INTEGER = re.compile(r"-?[0-9]+")
_MAX_QUOTED_CHARACTERS = 60


def parse_json(text: str) -> JsonValue:
    """Return the value of a JSON text. Raises JsonError.

    Besides what is not JSON, it refuses a duplicate key in an object, a number that is not finite or has more
    than MAX_NUMBER_CHARACTERS characters, a lone surrogate or a NUL in a key or a string, and nesting deeper than
    MAX_DEPTH.
    """
    if _is_nested_too_deep(text):
        raise JsonError(TOO_DEEP_MESSAGE)
    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=_unique_members,
            parse_int=parse_number,
            parse_float=parse_number,
            parse_constant=_reject_constant,
        )
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON at character {error.pos + 1}: {error.msg}") from error
    if fault := unstorable_in_value(value):
        raise JsonError(fault)
    return value


def parse_number(digits: str) -> int | float:
    """Return the number that a JSON number writes. Raises JsonError when it is too long or too large."""
    if len(digits) > MAX_NUMBER_CHARACTERS:
        raise JsonError(
            f"the number {digits[:8]}... has {len(digits):,} characters; at most {MAX_NUMBER_CHARACTERS:,} are read"
        )
    if _INTEGER.fullmatch(digits):
        return int(digits)
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        raise JsonError(f"the number {quote(digits)} is too large")
    return value


def unstorable_in_text(text: str) -> str | None:
    """Name the first character of a text that no store takes, a lone surrogate or a NUL; None if there is none."""
    if odd := _UNSTORABLE.search(text):
        name = "NUL" if odd[0] == "\0" else "lone surrogate"
        return f"a {name} is character {odd.start() + 1} of a string"
    return None


def unstorable_in_value(value: JsonValue) -> str | None:
    """Name such a character in a key or a string of a value, however deep; None if there is none."""
    # A list of what is left instead of a recursion, which a deep value would exhaust.
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                if fault := unstorable_in_text(text):
                    return fault
            case list() as items:
                waiting.extend(items)
            case dict() as members:
                waiting.extend(members)
                waiting.extend(members.values())
            case _:
                pass
    return None


def duplicate_key_message(key: str) -> str:
    """Return the message that an object has a key twice."""
    return f"the key {quote(key)} occurs twice in an object"


def quote(text: str) -> str:
    """Return a text as a message shows it: quoted, in one line, without its end if it is long."""
    return repr(text if len(text) <= _MAX_QUOTED_CHARACTERS else f"{text[:_MAX_QUOTED_CHARACTERS]}...")


def _unique_members(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in members:
            raise JsonError(duplicate_key_message(key))
        members[key] = value
    return members


def _reject_constant(word: str) -> NoReturn:
    raise JsonError(f"{word} is not JSON")


def _is_nested_too_deep(text: str) -> bool:
    """Look at the brackets before the parser does, which would exhaust its stack."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[0] in {"[", "{"}:
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif found[0] in {"]", "}"}:
            depth -= 1
    return False


class JsonError(ValueError):
    """A text that is no JSON value; the message is worded for its author."""


class TruncatedJsonError(JsonError):
    """A text that ends before what it opened is closed."""


class MalformedJsonError(JsonError):
    """A text that breaks the rules, whatever may follow it.

    It was read from `since` up to `at`, offsets from 0, when that was certain.
    """

    def __init__(self, message: str, since: int, at: int) -> None:
        super().__init__(message)
        self.since = since
        self.at = at
