"""The calls of models that actions are: what is asked, what is noted before, and what follows where nobody answers."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from quaestor.contracts.action import Action, OutputPass, ToolPass
from quaestor.contracts.event import ContractRejected, KnownPayload, ModelRequested, ToolsChosen
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import ModelRequest, OutputRequest, PreparedCall, ToolOffer, ToolsRequest
from quaestor.kernel.run_state import CallAttempts, RunState

NO_ATTEMPTS = CallAttempts()
MAX_ATTEMPTS = 3
"""A reply that breaks its contract is answered with what is wrong at most twice."""
MAX_UNUSABLE = 2
"""Model calls of a cycle that may be given up before one gets a usable reply; each has cost up to MAX_ATTEMPTS."""
MAX_TRIES = 3
"""A call that got no reply is made at most so often, or once for each model that may answer it."""


class ExhaustedCall(Immutable):
    """A model call that got no reply as often as it may be made, and whether its provider answers anybody."""

    action: OutputPass | ToolPass
    reason: str
    is_outage: bool
    retry_at: datetime | None


class PreparedModelCall(Immutable):
    """A model call that is due or in flight, prepared once for this attempt of its action."""

    action: OutputPass | ToolPass
    tries: CallAttempts
    ordinal: int
    request: ModelRequest
    prepared: PreparedCall


def build_request(
    action: OutputPass | ToolPass, tries: CallAttempts, ordinal: int, offers: Sequence[ToolOffer]
) -> ModelRequest:
    """Return what a model is asked in this attempt; `offers` are the tools of a pass that chooses among them."""
    common = {
        "key": action.key,
        "todo_id": action.todo_id,
        "role": action.role,
        "ordinal": ordinal,
        "attempt": tries.broken + 1,
        "failures": tries.failures,
        "objections": tries.objections,
        "rejected": tries.reply if tries.broken else None,
    }
    match action:
        case OutputPass(given=given):
            return OutputRequest.model_validate({**common, "given": given})
        case ToolPass(given=shown):
            return ToolsRequest.model_validate({**common, "given": shown, "tools": tuple(offers)})


def describe_intent(action: OutputPass | ToolPass, call: PreparedModelCall) -> ModelRequested:
    """Return the event that must be durable before a call is made."""
    request, prepared = call.request, call.prepared
    return ModelRequested(
        key=action.key,
        role=action.role,
        model=prepared.model,
        contract=action.given.gives.__name__ if isinstance(action, OutputPass) else None,
        tools=action.tools if isinstance(action, ToolPass) else (),
        ordinal=request.ordinal,
        attempt=request.attempt,
        given=action.given.model_dump(mode="json"),
        objections=request.objections,
        prompt=prepared.prompt.sha256 if prepared.prompt else None,
        messages=prepared.prompt.messages if prepared.prompt else (),
        reserved=prepared.ceiling,
    )


def find_exhausted(due: Iterable[Action], run: RunState, most: int, *, replays: bool) -> Sequence[ExhaustedCall]:
    """Return the calls that are not made again now: `most` times their provider was out of order.

    Where it answered others meanwhile it is no outage, nor in a replay, which goes on as its session did.
    """
    if not any(tries.unavailable for tries in run.tries.values()):
        return ()
    calls = (action for action in due if isinstance(action, OutputPass | ToolPass) and action.key not in run.open)
    tried = ((action, run.tries.get(action.key, NO_ATTEMPTS)) for action in calls)
    return [
        ExhaustedCall(
            action,
            tries.unavailable,
            is_outage=not replays and not tries.others_answered,
            retry_at=tries.retry_at,
        )
        for action, tries in tried
        if tries.unavailable and tries.failures >= most
    ]


def find_misfit(due: Iterable[Action], run: RunState) -> str | None:
    """Return why no model call is made any more although one is due: the model gives no reply that can be used."""
    calls = any(isinstance(action, OutputPass | ToolPass) for action in due)
    if not calls or run.has_usable_reply or len(run.unusable) < MAX_UNUSABLE:
        return None
    return (
        f"{run.unusable[0]}; no reply of this cycle could be used: see to the model and resume, or fork the session "
        "with another one"
    )


def give_up(action: OutputPass | ToolPass, run: RunState, reason: str) -> tuple[KnownPayload, ...]:
    """Return what follows from a call that gets no reply."""
    if isinstance(action, ToolPass):
        return (ToolsChosen(key=action.key, role=action.role, refused=(reason,)),)
    rejected = ContractRejected(
        key=action.key,
        role=action.role,
        contract=action.given.gives.__name__,
        attempt=run.tries.get(action.key, NO_ATTEMPTS).broken + 1,
        objections=(reason,),
        final=True,
        unanswered=True,
    )
    return (rejected,)
