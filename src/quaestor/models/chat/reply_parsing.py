"""What an answer means for the request it answers."""

from dataclasses import dataclass

from pydantic import JsonValue
from pydantic_core import from_json

from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolsRequest
from quaestor.models.chat.completion import Completion, RawToolCall
from quaestor.models.chat.schema import tool_name

_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What was said, what is to be called, and why it cannot be used as it is."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = None
    notes: tuple[str, ...] = ()


def parse_reply(request: ModelRequest, completion: Completion, limit: int) -> ParsedReply:
    """Read an answer; `limit` is the most tokens it was allowed."""
    fault = _incomplete_reason(completion, limit)
    match request:
        case ToolsRequest():
            calls, notes = _parse_calls(completion.calls)
            return ParsedReply(completion.text, calls, fault, notes)
        case OutputRequest():
            text, stray = _output_text(completion, request.given.gives.__name__, tool_name(request.given.gives))
            return ParsedReply(text, fault=fault or stray)


def _incomplete_reason(completion: Completion, limit: int) -> str | None:
    match completion.finish:
        case "length":
            tokens = completion.usage.output_tokens if completion.usage else limit
            return f"cut off after {tokens} tokens, at most {limit} are allowed; answer in fewer words"
        case "content_filter":
            return "the provider's content filter stopped the reply"
        case _:
            return f"the model refuses: {completion.refusal[:_MAX_SHOWN]}" if completion.refusal else None


def _output_text(completion: Completion, contract: str, taker: str) -> tuple[str, str | None]:
    """Give the text that should fulfil the contract, and what stands in its place; `taker` is our own output tool."""
    taken = next((call.arguments for call in completion.calls if call.name == taker), None)
    if taken is not None:
        return taken, None
    return completion.text, f"a tool call, where a {contract} is wanted" if completion.calls else None


def _parse_calls(called: tuple[RawToolCall, ...]) -> tuple[tuple[ToolCall, ...], tuple[str, ...]]:
    """Give the calls that can be read, each with its own ref, and a note for each that cannot."""
    calls: list[ToolCall] = []
    notes: list[str] = []
    for place, call in enumerate(called, 1):
        ref = call.id if call.id and call.id not in {earlier.ref for earlier in calls} else f"call-{place}"
        try:
            calls.append(ToolCall(ref=ref, tool=call.name, given=_parse_arguments(call.arguments)))
        except ValueError:
            said = call.arguments[:_MAX_SHOWN]
            notes.append(f"a call of {call.name!r} was left out, its arguments are no JSON object: {said}")
    return tuple(calls), tuple(notes)


def _parse_arguments(arguments: str) -> dict[str, JsonValue]:
    given: JsonValue = from_json(arguments or "{}")  # a tool without parameters is called with nothing
    if not isinstance(given, dict):
        raise ValueError  # noqa: TRY004 -- text that is no object, as text that is no JSON
    return given
