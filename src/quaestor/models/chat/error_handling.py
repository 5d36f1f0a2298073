"""How to react to an error response: ask in a simpler mode, retry, or give up with advice."""

from collections.abc import Iterator
from itertools import islice

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest, ToolsRequest
from quaestor.http.retry import is_transient_status
from quaestor.models.chat.exchange import ErrorResponse
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body

_DOWNGRADE_STATUSES = {400, 404, 422, 500, 501}
"""Of a refused feature that the body names; some servers answer a field they do not know with 500."""
_UNEXPLAINED_STATUSES = {400, 405, 406, 415, 422, 500, 501}
"""With which servers refuse a feature without naming it."""
_FORMAT_KEYWORDS = (
    "response_format",
    "response format",
    "json_object",
    "json mode",
    "schema",
    "structured output",
    "grammar",
)
_TOOL_KEYWORDS = ("tool", "function")
_SYSTEM_ROLE_KEYWORDS = ("system role", "system message", "roles must alternate")
_STREAM_KEYWORDS = ("stream",)
_MODE_KEYWORDS: dict[OutputMode, tuple[str, ...]] = {
    "schema": _FORMAT_KEYWORDS,
    "object": _FORMAT_KEYWORDS,
    "tool": _TOOL_KEYWORDS,
    "prompt": (),
}
_INVALID_OUTPUT_CODES = {"json_validate_failed", "tool_use_failed", "output_parse_failed"}
_QUOTA_CODE = "insufficient_quota"
_CONTEXT_LENGTH_CODE = "context_length_exceeded"
_CONFLICT = 409
_PAYLOAD_TOO_LARGE = 413
_CLIENT_ERROR = 400


class Downgrade(Immutable):
    """A mode without what a server refuses, and the note that the call gets."""

    mode: RequestMode
    note: str


def find_downgrade(request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse) -> Downgrade | None:
    """Return the mode that the server may accept; None when the mode is not what it refuses."""
    status, error = failure.status, failure.error
    if status not in _DOWNGRADE_STATUSES or is_invalid_output(failure) or error.code == _CONTEXT_LENGTH_CODE:
        return None
    if body.temperature is not None and error.mentions("temperature"):
        return Downgrade(mode.without_temperature(), f"{status}, the server takes no temperature; asked without one")
    simpler = mode.downgraded()
    if isinstance(request, OutputRequest) and simpler and error.mentions(*_MODE_KEYWORDS[mode.output]):
        note = f"{status}, the server takes no output mode {mode.output}; asked with {simpler.output}"
        return Downgrade(simpler, note)
    if mode.system_message and error.mentions(*_SYSTEM_ROLE_KEYWORDS):
        note = f"{status}, the server takes no system message; the instructions were sent in the user's message"
        return Downgrade(mode.without_system_message(), note)
    if mode.stream and error.mentions(*_STREAM_KEYWORDS):
        return Downgrade(mode.without_stream(), f"{status}, the server streams no reply; asked for it in one piece")
    return None


def may_be_a_refusal(request: ModelRequest, failure: ErrorResponse) -> bool:
    """Return whether an error that names no feature may still be the refusal of one."""
    refuses_tools = isinstance(request, ToolsRequest) and failure.error.mentions(*_TOOL_KEYWORDS)
    return (
        failure.status in _UNEXPLAINED_STATUSES
        and not refuses_tools
        and not is_invalid_output(failure)
        and failure.error.code not in {_CONTEXT_LENGTH_CODE, _QUOTA_CODE}
    )


def simpler_modes(request: ModelRequest, body: Body, mode: RequestMode) -> Iterator[RequestMode]:
    """Yield the modes to try after an unexplained refusal: one feature less each, and at last none of them."""
    simplest = mode
    if isinstance(request, OutputRequest):
        for simplest in islice(mode.with_downgrades(), 1, None):
            yield simplest
    if body.temperature is not None:
        simplest = simplest.without_temperature()
        yield mode.without_temperature()
    if mode.system_message and body.messages[0].role == "system":
        simplest = simplest.without_system_message()
        yield mode.without_system_message()
    if mode.stream:
        simplest = simplest.without_stream()
        yield mode.without_stream()
    yield simplest


def is_transient(failure: ErrorResponse) -> bool:
    """Return whether the same request may succeed later; it was not processed, so it is not charged."""
    transient = is_transient_status(failure.status) or failure.status == _CONFLICT
    return transient and failure.error.code != _QUOTA_CODE


def is_invalid_output(failure: ErrorResponse) -> bool:
    """Return whether the model answered, but not in the format; Groq reports that with status 400 and these codes."""
    return failure.error.code in _INVALID_OUTPUT_CODES


def remedy(request: ModelRequest, failure: ErrorResponse, key_env: str | None) -> str:
    """Return what to do about an error that no retry will change."""
    status, error = failure.status, failure.error
    match status:
        case 401 | 403 if key_env:
            return f"put a key that may use this model into {key_env}"
        case 401 | 403:
            return "the provider wants a key; name the variable that holds it with key_env"
        case 402 | 429:
            return "see to the credit of the account"
        case _ if status == _PAYLOAD_TOO_LARGE or error.code == _CONTEXT_LENGTH_CODE:
            return "choose a model that takes longer prompts, or let it read less at once"
        case _ if status < _CLIENT_ERROR:
            return "write the base_url as the server has it now"
        case 404:
            return "see whether the base_url and the name of the model are right"
        case _ if isinstance(request, ToolsRequest) and error.mentions(*_TOOL_KEYWORDS):
            return "choose a model that can call tools"
        case _:
            return "choose another model, or change what the server names"
