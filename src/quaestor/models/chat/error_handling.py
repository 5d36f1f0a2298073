"""What is to be made of a refusal: ask in a simpler manner, ask again later, or not at all."""

from dataclasses import dataclass

from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest, ToolsRequest
from quaestor.models.chat.exchange import ErrorResponse
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body

_DOWNGRADE_STATUSES = {400, 404, 422}
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
_MODE_KEYWORDS: dict[OutputMode, tuple[str, ...]] = {
    "schema": _FORMAT_KEYWORDS,
    "object": _FORMAT_KEYWORDS,
    "tool": _TOOL_KEYWORDS,
    "prompt": (),
}
_INVALID_OUTPUT_CODES = {"json_validate_failed", "tool_use_failed", "output_parse_failed"}
_QUOTA_CODE = "insufficient_quota"
_CONTEXT_LENGTH_CODE = "context_length_exceeded"
_PAYLOAD_TOO_LARGE = 413
_SERVER_ERROR = 500
_CLIENT_ERROR = 400


@dataclass(frozen=True, slots=True)
class Downgrade:
    """The manner without what a server does not take, and what to note of it."""

    mode: RequestMode
    note: str


def find_downgrade(request: ModelRequest, body: Body, manner: RequestMode, refused: ErrorResponse) -> Downgrade | None:
    """Give the manner that the server may take; None when the manner is not what it refuses."""
    status, said = refused.status, refused.said
    if status not in _DOWNGRADE_STATUSES or is_invalid_output(refused) or said.code == _CONTEXT_LENGTH_CODE:
        return None
    if body.temperature is not None and said.names("temperature"):
        return Downgrade(manner.without_temperature(), f"{status}, the server takes no temperature; asked without one")
    less = manner.simpler()
    if isinstance(request, OutputRequest) and less and said.names(*_MODE_KEYWORDS[manner.output]):
        note = f"{status}, the server takes no output mode {manner.output}; asked with {less.output}"
        return Downgrade(less, note)
    return None


def is_transient(refused: ErrorResponse) -> bool:
    """Say whether the same request may be answered later; it was not, so it is not charged for."""
    passes = refused.status in {408, 409, 429} or refused.status >= _SERVER_ERROR
    return passes and refused.said.code != _QUOTA_CODE


def is_invalid_output(refused: ErrorResponse) -> bool:
    """Say whether the model did answer, but not in the format; Groq gives that as a status 400 with these codes."""
    return refused.said.code in _INVALID_OUTPUT_CODES


def remedy(request: ModelRequest, refused: ErrorResponse, key_env: str | None) -> str:
    """Say what to do about a refusal that stays one."""
    status, said = refused.status, refused.said
    match status:
        case 401 | 403 if key_env:
            return f"put a key that may use this model into {key_env}"
        case 401 | 403:
            return "the provider wants a key; name the variable that holds it with key_env"
        case 402 | 429:
            return "see to the credit of the account"
        case _ if status == _PAYLOAD_TOO_LARGE or said.code == _CONTEXT_LENGTH_CODE:
            return "choose a model that takes longer prompts, or let it read less at once"
        case _ if status < _CLIENT_ERROR:
            return "write the base_url as the server has it now"
        case 404:
            return "see whether the base_url and the name of the model are right"
        case _ if isinstance(request, ToolsRequest) and said.names(*_TOOL_KEYWORDS):
            return "choose a model that can call tools"
        case _:
            return "choose another model, or change what the server names"
