"""What is to be made of a refusal: ask in a simpler manner, ask again later, or not at all."""

from dataclasses import dataclass

from quaestor.contracts.model import ModelRequest, OutputRequest, ToolsRequest
from quaestor.contracts.provider import OutputMode
from quaestor.models.chat.asking import Manner
from quaestor.models.chat.exchange import Refused
from quaestor.models.chat.wire import Body

_SIMPLER_HELPS = {400, 404, 422}
_A_FORMAT = ("response_format", "response format", "json_object", "json mode", "schema", "structured output", "grammar")
_A_TOOL = ("tool", "function")
_NAMES: dict[OutputMode, tuple[str, ...]] = {"schema": _A_FORMAT, "object": _A_FORMAT, "tool": _A_TOOL, "prompt": ()}
_BROKEN_OUTPUT = {"json_validate_failed", "tool_use_failed", "output_parse_failed"}
_NO_CREDIT = "insufficient_quota"
_TOO_LONG = "context_length_exceeded"
_TOO_LARGE = 413
_SERVER_ERROR = 500
_CLIENT_ERROR = 400


@dataclass(frozen=True, slots=True)
class Simpler:
    """The manner without what a server does not take, and what to note of it."""

    manner: Manner
    note: str


def simpler(request: ModelRequest, body: Body, manner: Manner, refused: Refused) -> Simpler | None:
    """Give the manner that the server may take; None when the manner is not what it refuses."""
    status, said = refused.status, refused.said
    if status not in _SIMPLER_HELPS or broken_output(refused) or said.code == _TOO_LONG:
        return None
    if body.temperature is not None and said.names("temperature"):
        return Simpler(manner.without_temperature(), f"{status}, the server takes no temperature; asked without one")
    less = manner.simpler()
    if isinstance(request, OutputRequest) and less and said.names(*_NAMES[manner.output]):
        note = f"{status}, the server takes no output mode {manner.output}; asked with {less.output}"
        return Simpler(less, note)
    return None


def passing(refused: Refused) -> bool:
    """Say whether the same request may be answered later; it was not, so it is not charged for."""
    passes = refused.status in {408, 409, 429} or refused.status >= _SERVER_ERROR
    return passes and refused.said.code != _NO_CREDIT


def broken_output(refused: Refused) -> bool:
    """Say whether the model did answer, but not in the format; Groq gives that as a status 400 with these codes."""
    return refused.said.code in _BROKEN_OUTPUT


def advice(request: ModelRequest, refused: Refused, key_env: str | None) -> str:
    """Say what to do about a refusal that stays one."""
    status, said = refused.status, refused.said
    match status:
        case 401 | 403 if key_env:
            return f"put a key that may use this model into {key_env}"
        case 401 | 403:
            return "the provider wants a key; name the variable that holds it with key_env"
        case 402 | 429:
            return "see to the credit of the account"
        case _ if status == _TOO_LARGE or said.code == _TOO_LONG:
            return "choose a model that takes longer prompts, or let it read less at once"
        case _ if status < _CLIENT_ERROR:
            return "write the base_url as the server has it now"
        case 404:
            return "see whether the base_url and the name of the model are right"
        case _ if isinstance(request, ToolsRequest) and said.names(*_A_TOOL):
            return "choose a model that can call tools"
        case _:
            return "choose another model, or change what the server names"
