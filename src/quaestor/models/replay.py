"""Replay of a finished session: every call is answered from its log, without a key and at no cost."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue

from quaestor.contracts.codec import value_to_json
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelUnavailable, ReplayMiss
from quaestor.contracts.event import Event, ModelRequested, ModelResponded
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall

_ONE_CALL = Spend(model_calls=1)
"""The ceiling of a replayed call; it counts as in the log, so a limit of calls ends both at the same call."""


class _RecordedCall(Immutable):
    """A request of the log with its responses: errors, and last the reply if there was one."""

    asked: ModelRequested
    cycle: int
    answers: list[ModelResponded]


_CallKey = tuple[str, int]
"""The key of an action and the attempt at it."""


def _read_calls(events: Iterable[Event]) -> Mapping[_CallKey, Sequence[_RecordedCall]]:
    """Return the calls in a log by their key."""
    calls: dict[_CallKey, list[_RecordedCall]] = {}
    latest: dict[str, _RecordedCall] = {}
    for event in events:
        match event.payload:
            case ModelRequested() as asked:
                known = calls.setdefault((asked.key, asked.attempt), [])
                same = (call for call in known if call.cycle == event.cycle and _has_same_input(call.asked, asked))
                call = next(same, None)
                if call is None:
                    call = _RecordedCall(asked, event.cycle, [])
                    known.append(call)
                latest[asked.key] = call
            case ModelResponded() as answered if answered.key in latest:
                latest[answered.key].answers.append(answered)
            case _:
                pass
    for call in (call for known in calls.values() for call in known):
        if not call.answers[-1:] or not call.answers[-1].unavailable:
            # An outage that has passed is not replayed; one that the session ended with is.
            call.answers[:] = [answer for answer in call.answers if not answer.unavailable]
    return calls


class ReplayModel:
    """A model that answers from the log of a session; a `Model`."""

    def __init__(self, session_id: str, events: Iterable[Event]) -> None:
        self.name = f"replay:{session_id}"
        self._session_id = session_id
        self._calls = _read_calls(events)

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Prepare the call, which is free."""
        call = self._call(request)
        return PreparedCall(model=call.asked.model if call else self.name, ceiling=_ONE_CALL)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:  # noqa: ARG002 - nothing to send
        """Return the recorded reply. Raises ModelFailed with the recorded error, ReplayMiss for an unknown call."""
        call = self._call(request)
        if call is None or not call.answers:
            raise ReplayMiss(
                f"the log of session {self._session_id} has no call of {request.role} for {request.key} "
                f"(attempt {request.attempt}) with this input; replay it with the same question and documents"
            )
        answer = call.answers[min(request.failures, len(call.answers) - 1)]
        counted = Spend(model_calls=answer.spend.model_calls)
        cost = answer.recorded or answer.spend
        if answer.reply is None:
            kind = ModelUnavailable if answer.unavailable else ModelFailed
            failure = kind(answer.error or "no reply was recorded", counted)
            failure.recorded = cost
            raise failure
        return ModelReply(text=answer.reply, calls=answer.calls, fault=answer.fault, spend=counted, recorded=cost)

    def _call(self, request: ModelRequest) -> _RecordedCall | None:
        """Return the recorded call of a request; of equal calls in several cycles the latest up to its ordinal."""
        known = self._calls.get((request.key, request.attempt), ())
        same = [call for call in known if _matches(call.asked, request)]
        return next((call for call in reversed(same) if call.asked.ordinal <= request.ordinal), next(iter(same), None))


def _matches(asked: ModelRequested, request: ModelRequest) -> bool:
    """Return whether a request equals a recorded one; fields that a later release added do not count."""
    contract = request.given.gives.__name__ if isinstance(request, OutputRequest) else None
    tools = () if isinstance(request, OutputRequest) else tuple(offer.name for offer in request.tools)
    return (
        (asked.role, asked.contract, asked.tools, asked.objections)
        == (request.role, contract, tools, request.objections)
    ) and _keep_known_fields(request.given.model_dump(mode="json"), value_to_json(asked.given)) == value_to_json(
        asked.given
    )


def _has_same_input(one: ModelRequested, other: ModelRequested) -> bool:
    """Return whether two requests are equal; then the second was a retry of the first."""
    return (one.contract, one.tools, one.given, one.objections) == (
        other.contract,
        other.tools,
        other.given,
        other.objections,
    )


def _keep_known_fields(value: JsonValue, like: JsonValue) -> JsonValue:
    """Return a value with only the fields that another one has."""
    if isinstance(value, dict) and isinstance(like, dict):
        return {name: _keep_known_fields(part, like[name]) for name, part in value.items() if name in like}
    if isinstance(value, list) and isinstance(like, list) and len(value) == len(like):
        return [_keep_known_fields(part, other) for part, other in zip(value, like, strict=True)]
    return value
