"""From a completion to the reply to its request."""

from pydantic import JsonValue
from pydantic_core import from_json

from quaestor.contracts.event import ToolCall
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolsRequest
from quaestor.models.chat.completion import Completion, RawToolCall
from quaestor.models.chat.schema import tool_name

_MAX_SHOWN = 200


class ParsedReply(Immutable):
    """Text and tool calls of a reply; `fault` is why it cannot be used as it is."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = None
    notes: tuple[str, ...] = ()


def parse_reply(request: ModelRequest, completion: Completion, limit: int) -> ParsedReply:
    """Parse a completion; `limit` is the most tokens it was allowed."""
    fault = _incomplete_reason(completion, limit)
    match request:
        case ToolsRequest():
            calls, notes = _parse_calls(completion.calls)
            return ParsedReply(completion.text, calls, fault, notes)
        case OutputRequest():
            contract = request.given.gives
            text, misplaced_call = _output_text(completion, contract.__name__, tool_name(contract))
            return ParsedReply(text, fault=fault or misplaced_call)


def _incomplete_reason(completion: Completion, limit: int) -> str | None:
    match completion.finish:
        case "length":
            usage = completion.credible_usage
            tokens = usage.output_tokens if usage else limit
            return f"cut off after {tokens} tokens, at most {limit} are allowed; answer in fewer words"
        case "repetition":
            return "stopped, because it repeated itself without an end; answer in fewer words, and end"
        case "time":
            return "cut off at the time limit of a call; answer in fewer words"
        case "content_filter":
            return "the provider's content filter stopped the reply"
        case _:
            return f"the model refuses: {completion.refusal[:_MAX_SHOWN]}" if completion.refusal else None


def _output_text(completion: Completion, contract: str, output_tool: str) -> tuple[str, str | None]:
    """Return the text that should fulfil the contract, and the fault when there is a tool call in its place."""
    arguments = next((call.arguments for call in completion.calls if call.name == output_tool), None)
    if arguments is not None:
        return arguments, None
    return completion.text, f"a tool call, where a {contract} is wanted" if completion.calls else None


def _parse_calls(raw_calls: tuple[RawToolCall, ...]) -> tuple[tuple[ToolCall, ...], tuple[str, ...]]:
    """Return the calls that can be parsed, each with a ref of its own, and a note for each that cannot."""
    calls: list[ToolCall] = []
    notes: list[str] = []
    for place, call in enumerate(raw_calls, 1):
        ref = call.id if call.id and call.id not in {earlier.ref for earlier in calls} else f"call-{place}"
        try:
            calls.append(ToolCall(ref=ref, tool=call.name, given=_parse_arguments(call.arguments)))
        except ValueError:
            shown = call.arguments[:_MAX_SHOWN]
            notes.append(f"a call of {call.name!r} was left out, its arguments are no JSON object: {shown}")
    return tuple(calls), tuple(notes)


def _parse_arguments(arguments: str) -> dict[str, JsonValue]:
    parsed: JsonValue = from_json(arguments or "{}")  # a tool without parameters is called with nothing
    if not isinstance(parsed, dict):
        raise ValueError  # noqa: TRY004 -- handled as text that is no JSON
    return parsed
