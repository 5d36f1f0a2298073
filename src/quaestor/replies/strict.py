"""JSON by RFC 8259, less what cannot be stored or would be read in two ways."""

import json
import re
from typing import NoReturn

from pydantic import JsonValue

from quaestor.replies.unreadable import Unreadable

DEEPEST = 64
"""Brackets within brackets; RFC 8259 section 9 lets a reader set a limit."""

LONGEST_NUMBER = 640
"""Characters; Python converts as many digits to an integer under any limit it can be given."""

TOO_DEEP = f"the brackets are nested more than {DEEPEST} deep"

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_INTEGER = re.compile(r"-?[0-9]+")
_SHOWN = 60


def read(text: str) -> JsonValue:
    """Give the value of a JSON text. Raises Unreadable.

    Besides what is not JSON, it refuses a key that stands twice in an object, a number that is not finite or has more
    than LONGEST_NUMBER characters, a lone surrogate or a NUL in a key or a string, and nesting deeper than DEEPEST.
    """
    if _nested_too_deep(text):
        raise Unreadable(TOO_DEEP)
    try:
        value: JsonValue = json.loads(
            text, object_pairs_hook=_members, parse_int=number, parse_float=number, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON at character {error.pos + 1}: {error.msg}") from error
    if fault := fault_in_value(value):
        raise Unreadable(fault)
    return value


def number(digits: str) -> int | float:
    """Give the number that a JSON number writes. Raises Unreadable when it is too long or too large."""
    if len(digits) > LONGEST_NUMBER:
        raise Unreadable(
            f"the number {digits[:8]}... has {len(digits):,} characters; at most {LONGEST_NUMBER:,} are read"
        )
    if _INTEGER.fullmatch(digits):
        return int(digits)
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        raise Unreadable(f"the number {shown(digits)} is too large")
    return value


def fault_in_text(text: str) -> str | None:
    """Name the first character of a text that no store takes, a lone surrogate or a NUL; None if there is none."""
    if odd := _UNSTORABLE.search(text):
        name = "NUL" if odd[0] == "\0" else "lone surrogate"
        return f"a {name} is character {odd.start() + 1} of a string"
    return None


def fault_in_value(value: JsonValue) -> str | None:
    """Name such a character in a key or a string of a value, however deep; None if there is none."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                if fault := fault_in_text(text):
                    return fault
            case list() as items:
                waiting.extend(items)
            case dict() as members:
                waiting.extend(members)
                waiting.extend(members.values())
            case _:
                pass
    return None


def twice(key: str) -> str:
    """Say that a key stands twice in an object."""
    return f"the key {shown(key)} stands twice in an object"


def shown(text: str) -> str:
    """Give a text as a message shows it: quoted, in one line, without its end if it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _members(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in members:
            raise Unreadable(twice(key))
        members[key] = value
    return members


def _no_number(word: str) -> NoReturn:
    raise Unreadable(f"{word} is not JSON")


def _nested_too_deep(text: str) -> bool:
    """Look at the brackets before the parser does, which would exhaust its stack."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[0] in {"[", "{"}:
            depth += 1
            if depth > DEEPEST:
                return True
        elif found[0] in {"]", "}"}:
            depth -= 1
    return False
