"""What the stream must know of the events before one to describe that one: a fold of them."""

from collections.abc import Mapping
from typing import TypeVar

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    ContractAccepted,
    ContractRejected,
    Event,
    ModelRequested,
    ModelResponded,
    Resumed,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.contracts.payload import WorkflowPayload
from quaestor.contracts.stream_view import CORE_STREAM, OpenCall, StreamState, StreamView

K = TypeVar("K")
V = TypeVar("V")
_NO_SPEND = Spend()


def fold_stream(known: StreamState, event: Event, view: StreamView = CORE_STREAM) -> StreamState:  # noqa: C901 -- one arm an event
    """Return what is known after one more event."""
    match event.payload:
        case WorkflowPayload():
            return view.fold(known, event)
        case ModelRequested() as asked:
            call = OpenCall(asked.role, None, asked.reserved)
            return replace(
                known, asked={**known.asked, event.todo_id: asked.role}, open={**known.open, asked.key: call}
            )
        case ToolRequested() as asked:
            call = OpenCall(known.actor(event.todo_id), asked.tool, asked.reserved)
            return replace(known, open={**known.open, asked.key: call})
        case ModelResponded(key=key, spend=spend) | ToolResponded(key=key, spend=spend):
            return replace(known, open=_without(known.open, key), spent=known.spent + spend)
        case ToolInterrupted(key=key):
            return replace(known, open=_without(known.open, key))
        case ActionCancelled(key=key):
            lost = known.open[key].reserved if key in known.open else _NO_SPEND
            return replace(known, open=_without(known.open, key), spent=known.spent + lost)
        case Resumed():
            spent = sum((call.reserved for call in known.open.values()), known.spent)
            unpaid = {key: replace(call, reserved=_NO_SPEND) for key, call in known.open.items()}
            return replace(known, open=unpaid, spent=spent)
        case ContractAccepted() as accepted:
            authors = {**known.authors, (accepted.contract, event.todo_id): accepted.role}
            return replace(known, authors=authors, silent=_without(known.silent, event.todo_id))
        case ContractRejected(final=True) | ToolsChosen(calls=(), refused=(_, *_)) as refused:
            return replace(known, silent={**known.silent, event.todo_id: refused.role})
        case ToolsChosen():
            return replace(known, silent=_without(known.silent, event.todo_id))
        case _:
            return known


def _without(items: Mapping[K, V], key: K) -> Mapping[K, V]:
    return {other: value for other, value in items.items() if other != key} if key in items else items
