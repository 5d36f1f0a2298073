"""The steps from a model's reply to a value: JSON unchanged, else unwrapped, else repaired; else refused.

The law it keeps: a reply whose JSON is cut off is never read as another value than the whole one.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import JsonValue, ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.faults import list_faults
from quaestor.contracts.lazy import deferred
from quaestor.contracts.roles import RoleInput
from quaestor.replies import strict_json
from quaestor.replies.strict_json import JsonError, TruncatedJsonError

if TYPE_CHECKING:
    from quaestor.replies.json_extraction import ExtractedJson

__all__ = ["MAX_REPLY_BYTES", "JsonError", "ParsedReply", "TruncatedJsonError", "parse_reply"]

# Most replies are JSON and nothing else.
_extract_json: "Callable[[str], ExtractedJson]" = deferred("quaestor.replies.json_extraction:extract_json")
MAX_REPLY_BYTES = 65_536
"""Bytes of UTF-8; every rung takes time in proportion to the text."""


class ParsedReply(Contract):
    """An object or array, and the rung on which it was read."""

    value: JsonValue
    method: Literal["strict", "unwrapped", "repaired"]


def parse_reply(text: str) -> ParsedReply:
    """Return the one JSON object or array of a reply.

    `strict` is a reply that is JSON and nothing else, `unwrapped` one whose JSON is between other words, `repaired`
    one whose JSON is not quite JSON. Raises JsonError, or TruncatedJsonError if the reply ends too early, with a
    message that helps the model to answer again.
    """
    _check_size(text)
    try:
        value = strict_json.parse_json(text)
    except JsonError:
        return _parse_embedded(text)
    if isinstance(value, str):
        return _parse_quoted(value, text)
    if not isinstance(value, dict | list):
        raise _not_an_object(text)
    return ParsedReply(value=value, method="strict")


def _parse_quoted(inner: str, text: str) -> ParsedReply:
    """Read a reply that is JSON within a JSON string, as a model writes that quotes its own output."""
    try:
        value = strict_json.parse_json(inner)
    except JsonError as error:
        raise _not_an_object(text) from error
    if not isinstance(value, dict | list):
        raise _not_an_object(text)
    return ParsedReply(value=value, method="unwrapped")


def _not_an_object(text: str) -> JsonError:
    return JsonError(f"the reply is JSON, but no object: {strict_json.quote(text.strip())}")


def _check_size(text: str) -> None:
    if len(text) > MAX_REPLY_BYTES:
        raise JsonError(f"the reply has {len(text):,} characters; at most {MAX_REPLY_BYTES:,} bytes are read")
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_REPLY_BYTES:
        raise JsonError(f"the reply has {size:,} bytes; at most {MAX_REPLY_BYTES:,} are read")
    if not text.strip(" \t\r\n\ufeff"):
        raise JsonError("the reply is empty")


def _parse_embedded(text: str) -> ParsedReply:
    found = _extract_json(text)
    try:
        return ParsedReply(value=strict_json.parse_json(text[found.start : found.end]), method="unwrapped")
    except JsonError:
        return ParsedReply(value=found.value, method="repaired")


class ContractViolation(ValueError):
    """A reply that does not fulfil its contract; `objections` are the reasons, worded for the model."""

    def __init__(self, *objections: str) -> None:
        super().__init__("; ".join(objections))
        self.objections = objections


class ValidatedReply(NamedTuple):
    """The value of a reply, and whether its text had to be repaired."""

    output: Contract
    repaired: bool


def validate_reply(given: RoleInput, text: str) -> ValidatedReply:
    """Return the value of a reply under the contract that was requested. Raises ContractViolation."""
    try:
        parsed = parse_reply(text)
        output = given.gives.model_validate(_unwrap_single(parsed.value))
    except JsonError as error:
        raise ContractViolation(str(error)) from error
    except ValidationError as error:
        raise ContractViolation(*list_faults(error)) from error
    if objections := given.objections(output):
        raise ContractViolation(*objections)
    return ValidatedReply(output, repaired=parsed.method == "repaired")


def _unwrap_single(value: JsonValue) -> JsonValue:
    """Return the one object of a list that holds nothing else; no contract is a list."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
