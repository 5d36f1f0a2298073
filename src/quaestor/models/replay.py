"""Runs a finished session again: every call is answered from its log, with no key and at no cost."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed, NotRecorded
from quaestor.contracts.event import BudgetReached, Event, ModelRequested, ModelResponded, ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, Prepared, content_key

_ONE_CALL = Spend(model_calls=1)


@dataclass(frozen=True, slots=True)
class Recorded:
    """How one call was answered: its reply, or the error that came in its place."""

    model: str
    reply: str | None
    calls: tuple[ToolCall, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class Recording:
    """The calls of one session by what was asked, and the limit that ended its gathering, if one did."""

    session_id: str
    calls: Mapping[str, Recorded]
    stopped: str | None


def record(session_id: str, events: Iterable[Event]) -> Recording:
    """Read a session's log as a recording; a reply weighs more than the errors before it."""
    open_calls: dict[str, ModelRequested] = {}
    calls: dict[str, Recorded] = {}
    stopped: str | None = None
    for event in events:
        match event.payload:
            case ModelRequested() as asked:
                open_calls[asked.key] = asked
            case ModelResponded() as answered if answered.key in open_calls:
                asked = open_calls[answered.key]
                calls[_asked(asked)] = Recorded(asked.model, answered.reply, answered.calls, answered.error)
            case BudgetReached(limit=limit):
                stopped = stopped or limit
            case _:
                pass
    return Recording(session_id, calls, stopped)


class ReplayModel:
    """Answers from a recording; a `Model`."""

    def __init__(self, recording: Recording) -> None:
        self.name = f"replay:{recording.session_id}"
        self._recording = recording

    def prepare(self, request: ModelRequest) -> Prepared:
        """Say what a call is: free, and forbidden where the recorded session had reached its limit."""
        recorded = self._recording.calls.get(_content(request))
        refused = self._recording.stopped if recorded is None else None
        return Prepared(model=recorded.model if recorded else self.name, ceiling=_ONE_CALL, refused=refused)

    async def answer(self, request: ModelRequest, prepared: Prepared) -> ModelReply:  # noqa: ARG002 - nothing to send
        """Give the recorded reply. Raises ModelFailed with the recorded error, NotRecorded for an unknown call."""
        recorded = self._recording.calls.get(_content(request))
        if recorded is None:
            raise NotRecorded(
                f"the log of session {self._recording.session_id} has no call of {request.role} for {request.key} "
                f"(attempt {request.attempt}) with this input; replay it with the same question and documents"
            )
        if recorded.reply is None:
            raise ModelFailed(recorded.error or "no reply was recorded", _ONE_CALL)
        return ModelReply(text=recorded.reply, calls=recorded.calls, spend=_ONE_CALL)


def _content(request: ModelRequest) -> str:
    return content_key(
        role=request.role,
        contract=request.given.gives.__name__ if isinstance(request, OutputRequest) else None,
        tools=() if isinstance(request, OutputRequest) else tuple(offer.name for offer in request.tools),
        given=request.given.model_dump(mode="json"),
        attempt=request.attempt,
        objections=request.objections,
    )


def _asked(asked: ModelRequested) -> str:
    return content_key(
        role=asked.role,
        contract=asked.contract,
        tools=asked.tools,
        given=asked.given,
        attempt=asked.attempt,
        objections=asked.objections,
    )
