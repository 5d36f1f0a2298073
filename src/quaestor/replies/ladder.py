"""The ladder from a model's words to a value: JSON as it stands, else unwrapped, else repaired; else refused.

The law it keeps: a reply whose JSON is cut off is never read as another value than the whole one.
"""

from typing import Literal

from pydantic import JsonValue

from quaestor.contracts.noun import Noun
from quaestor.replies import strict, unwrap
from quaestor.replies.unreadable import CutOff, Unreadable

__all__ = ["LARGEST", "CutOff", "Parsed", "Unreadable", "parse"]

LARGEST = 65_536
"""Bytes of UTF-8; every rung takes time in proportion to the text."""


class Parsed(Noun):
    """An object or array, and the rung on which it was read."""

    value: JsonValue
    rung: Literal["strict", "unwrapped", "repaired"]


def parse(text: str) -> Parsed:
    """Give the one JSON object or array of a reply.

    `strict` is a reply that is JSON and nothing else, `unwrapped` one whose JSON stands between other words, `repaired`
    one whose JSON is not quite JSON. Raises Unreadable (CutOff, if the reply ends too early) with a message that helps
    the model to answer again.
    """
    _refuse_size(text)
    try:
        value = strict.read(text)
    except Unreadable:
        return _between_words(text)
    if isinstance(value, str):
        return _quoted(value, text)
    if not isinstance(value, dict | list):
        raise _no_object(text)
    return Parsed(value=value, rung="strict")


def _quoted(inner: str, text: str) -> Parsed:
    """Read a reply that is JSON within a JSON string, as a model writes that quotes what it gives."""
    try:
        value = strict.read(inner)
    except Unreadable as error:
        raise _no_object(text) from error
    if not isinstance(value, dict | list):
        raise _no_object(text)
    return Parsed(value=value, rung="unwrapped")


def _no_object(text: str) -> Unreadable:
    return Unreadable(f"the reply is JSON, but no object: {strict.shown(text.strip())}")


def _refuse_size(text: str) -> None:
    if len(text) > LARGEST:
        raise Unreadable(f"the reply has {len(text):,} characters; at most {LARGEST:,} bytes are read")
    size = len(text.encode(errors="surrogatepass"))
    if size > LARGEST:
        raise Unreadable(f"the reply has {size:,} bytes; at most {LARGEST:,} are read")
    if not text.strip(" \t\r\n\ufeff"):
        raise Unreadable("the reply is empty")


def _between_words(text: str) -> Parsed:
    found = unwrap.find(text)
    try:
        return Parsed(value=strict.read(text[found.start : found.end]), rung="unwrapped")
    except Unreadable:
        return Parsed(value=found.value, rung="repaired")
