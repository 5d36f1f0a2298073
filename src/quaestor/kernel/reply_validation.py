"""What a model's reply counts for: a contract kept or broken, tools that may run or may not."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue, ValidationError

from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.base import sanitize_text
from quaestor.contracts.event import ContractAccepted, ContractRejected, ToolCall, ToolsChosen
from quaestor.contracts.faults import list_faults
from quaestor.contracts.model import ModelReply
from quaestor.contracts.session import redact_credentials
from quaestor.contracts.tools import AnyTool
from quaestor.replies.parsing import ContractViolation, ValidatedReply, validate_reply
from quaestor.replies.strict_json import unstorable_in_text, unstorable_in_value


def validate_output(
    action: OutputPass, reply: ModelReply, attempt: int, *, final: bool
) -> ContractAccepted | ContractRejected:
    """Return whether a reply fulfils the contract; with `final`, a rejected reply is not requested again."""
    contract = action.given.gives.__name__
    try:
        output, repaired = _parse_output(action, reply)
    except ContractViolation as broken:
        return ContractRejected(
            key=action.key,
            role=action.role,
            contract=contract,
            attempt=attempt,
            objections=tuple(map(sanitize_text, broken.objections)),
            final=final,
        )
    return ContractAccepted(
        key=action.key,
        role=action.role,
        contract=contract,
        output=output,
        repaired=repaired,
    )


def _parse_output(action: OutputPass, reply: ModelReply) -> ValidatedReply:
    if reply.fault:
        raise ContractViolation(reply.fault)
    if reply.calls:
        raise ContractViolation(f"a tool call, where a {action.given.gives.__name__} is wanted; answer with its JSON")
    return validate_reply(action.given, reply.text)


def validate_calls(action: ToolPass, reply: ModelReply, offered: Mapping[str, AnyTool]) -> ToolsChosen:
    """Return which of the chosen tools may run; a call that its tool does not take is refused with the reason."""
    judgements = [(call, tuple(_call_errors(call, offered))) for call in reply.calls]
    refused = [f"{call.tool}: {'; '.join(objections)}" for call, objections in judgements if objections]
    return ToolsChosen(
        key=action.key,
        role=action.role,
        calls=() if reply.fault else tuple(call for call, objections in judgements if not objections),
        refused=tuple(map(sanitize_text, (reply.fault, *refused) if reply.fault else refused)),
    )


def redact_calls(reply: ModelReply) -> ModelReply:
    """Return a reply that chooses tools without the credentials of URLs, which would be logged before one is refused.

    A reply that fulfils a contract is left as it is, for the words that it quotes are compared with a source.
    """
    calls = tuple(call.revised(given=_redacted(call.given)) for call in reply.calls)
    return reply.revised(text=redact_credentials(reply.text), calls=calls)


def _redacted(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return redact_credentials(value)
        case list():
            return [_redacted(each) for each in value]
        case dict():
            return {redact_credentials(name): _redacted(each) for name, each in value.items()}
        case _:
            return value


def filter_storable_calls(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Return the calls that every store takes; the others are refused by name when tools are picked."""
    return tuple(call for call in calls if not _storage_error(call))


def _storage_error(call: ToolCall) -> str | None:
    return unstorable_in_text(call.ref) or unstorable_in_text(call.tool) or unstorable_in_value(call.given)


def _call_errors(call: ToolCall, offered: Mapping[str, AnyTool]) -> Iterator[str]:
    tool = offered.get(call.tool)
    if tool is None:
        yield f"no such tool; there is {', '.join(sorted(offered))}"
        return
    if fault := _storage_error(call):
        yield fault
        return
    try:
        tool.input_type.model_validate(call.given)
    except ValidationError as error:
        yield from list_faults(error)
