"""What a model's reply counts for: a contract kept or broken, tools that may run or may not."""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.event import ContractAccepted, ContractRejected, ToolCall, ToolsChosen
from quaestor.contracts.model import ModelReply
from quaestor.contracts.ports import Tool
from quaestor.replies.contract import BrokenContract, Fulfilled, faults, fulfil
from quaestor.replies.strict import fault_in_text, fault_in_value


def judged(action: OutputPass, reply: ModelReply, attempt: int, *, final: bool) -> ContractAccepted | ContractRejected:
    """Say whether a reply fulfils the contract; when it does not, `final` says that it will not be asked for again."""
    contract = action.given.gives.__name__
    try:
        output, repaired = _fulfilled(action, reply)
    except BrokenContract as broken:
        return ContractRejected(
            key=action.key,
            todo_id=action.todo_id,
            role=action.role,
            contract=contract,
            attempt=attempt,
            objections=tuple(map(storable, broken.objections)),
            final=final,
        )
    return ContractAccepted(
        key=action.key,
        todo_id=action.todo_id,
        role=action.role,
        contract=contract,
        output=output.model_dump(mode="json"),
        repaired=repaired,
    )


def _fulfilled(action: OutputPass, reply: ModelReply) -> Fulfilled:
    if reply.fault:
        raise BrokenContract(reply.fault)
    if reply.calls:
        raise BrokenContract(f"a tool call, where a {action.given.gives.__name__} is wanted; answer with its JSON")
    return fulfil(action.given, reply.text)


def picked(action: ToolPass, reply: ModelReply, offered: Mapping[str, Tool]) -> ToolsChosen:
    """Say which of the chosen tools may run; a call that its tool does not take is refused with the reason."""
    judgements = [(call, tuple(_objections(call, offered))) for call in reply.calls]
    refused = [f"{call.tool}: {'; '.join(objections)}" for call, objections in judgements if objections]
    return ToolsChosen(
        key=action.key,
        todo_id=action.todo_id,
        role=action.role,
        calls=() if reply.fault else tuple(call for call, objections in judgements if not objections),
        refused=tuple(map(storable, (reply.fault, *refused) if reply.fault else refused)),
    )


def storable(text: str) -> str:
    """Give a text that every store takes: without lone surrogates and without NUL."""
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def storable_calls(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Give the calls that every store takes; the others are refused by name when tools are picked."""
    return tuple(call for call in calls if not _unstorable(call))


def _unstorable(call: ToolCall) -> str | None:
    return fault_in_text(call.ref) or fault_in_text(call.tool) or fault_in_value(call.given)


def _objections(call: ToolCall, offered: Mapping[str, Tool]) -> Iterator[str]:
    tool = offered.get(call.tool)
    if tool is None:
        yield f"no such tool; there is {', '.join(sorted(offered))}"
        return
    if fault := _unstorable(call):
        yield fault
        return
    try:
        tool.takes.model_validate(call.given)
    except ValidationError as error:
        yield from faults(error)
