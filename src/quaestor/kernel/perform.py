"""The one place where actions become effects.

What a model or a tool does wrong comes back as events; only a machine that is not ready (SetupError) is raised.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TypeVar

from quaestor.contracts.action import Effect, OutputPass, ToolPass, ToolRun
from quaestor.contracts.budget import Budget, Spend
from quaestor.contracts.errors import ModelFailed, SetupError, ToolFailed
from quaestor.contracts.event import (
    ContractRejected,
    Error,
    ModelRequested,
    ModelResponded,
    Recognised,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, Prepared, ToolOffer, ToolsRequest
from quaestor.contracts.ports import Clock, Model, PureTool, TimedTool, Tool
from quaestor.kernel.fold import Run, Tries
from quaestor.kernel.judge import judged, picked, storable, storable_calls
from quaestor.kernel.rerun import Rerun

T = TypeVar("T")
_UNTRIED = Tries()
ATTEMPTS = 3
"""A reply that breaks its contract is answered with what is wrong at most twice."""
TRIES = 3
"""A call that got no reply is made at most so often, or once for each model that may answer it."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why an effect came to nothing, what it may have cost, and the event of a fault that no contract foresees."""

    reason: str
    spend: Spend | None = None
    unforeseen: tuple[Error, ...] = ()


@dataclass(frozen=True, slots=True)
class _Call:
    """A model call that is wanted or in flight, prepared once for the action as it is, at this try."""

    action: OutputPass | ToolPass
    tries: Tries
    ordinal: int
    request: ModelRequest
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Performer:
    """Performs effects with one model and a set of tools.

    A model answers within `model_seconds`, a tool within `seconds`, or within a time of its own.
    """

    model: Model
    tools: Mapping[str, Tool]
    clock: Clock
    seconds: float
    model_seconds: float
    tries: int = TRIES
    rerun: Rerun | None = None
    _calls: dict[str, _Call] = field(default_factory=dict, init=False)
    _offers: dict[str, ToolOffer] = field(default_factory=dict, init=False)

    def ceiling(self, action: Effect, run: Run) -> Spend:
        """Give the most an action can cost."""
        match action:
            case OutputPass() | ToolPass():
                return self._call(action, run).prepared.ceiling
            case ToolRun():
                return self._tool(action.tool).spend

    def budget(self, given: Budget) -> Budget:
        """Give the limits that hold: the clock does not stop a replay, which stops where the session it replays did."""
        return given.model_copy(update={"seconds": None}) if self.rerun else given

    def refusal(self, action: Effect, run: Run) -> str | None:
        """Name the limit that forbids an action whatever it costs, or None."""
        if self.rerun and (limit := self.rerun.refusal(action.key, len(run.refused))):
            return limit
        return None if isinstance(action, ToolRun) else self._call(action, run).prepared.refused

    def is_pure(self, action: Effect, run: Run) -> bool:
        """Say whether performing an action again costs nothing and reaches nothing outside."""
        match action:
            case OutputPass() | ToolPass():
                return self._call(action, run).prepared.pure
            case ToolRun():
                return isinstance(self._tool(action.tool), PureTool)

    def ending(self, flying: Iterable[Effect]) -> Sequence[str]:
        """Name the effects that must end before anything follows, in their outcomes' order; none but in a replay."""
        return self.rerun.call([action.key for action in flying]) if self.rerun else ()

    def intent(self, action: Effect, run: Run) -> Recognised:
        """Give the event that must be durable before the action is performed."""
        match action:
            case OutputPass() | ToolPass():
                return _asked(action, self._call(action, run))
            case ToolRun():
                tool = self._tool(action.tool)
                return ToolRequested(
                    key=action.key,
                    todo_id=action.todo_id,
                    tool=action.tool,
                    repeatable=tool.repeatable,
                    given=action.given.model_dump(mode="json"),
                    reserved=tool.spend,
                )

    async def perform(self, action: Effect, run: Run) -> tuple[Recognised, ...]:
        """Perform an action; `run` is the run as it was when the intent was noted."""
        if self.rerun:
            await self.rerun.its_turn(action.key)
        match action:
            case OutputPass() | ToolPass():
                return await self._ask(action, self._call(action, run))
            case ToolRun():
                return await self._use(action)

    async def _ask(self, action: OutputPass | ToolPass, call: _Call) -> tuple[Recognised, ...]:
        began = self.clock.now()
        request, prepared = call.request, call.prepared
        reply = await self._guard(action, self.model.answer(request, prepared), self.model_seconds)
        self._calls.pop(action.key, None)
        responded = partial(
            ModelResponded,
            key=action.key,
            todo_id=action.todo_id,
            role=action.role,
            milliseconds=self._since(began),
        )
        if isinstance(reply, _Failure):
            spend = prepared.ceiling if reply.spend is None else reply.spend
            failed = responded(reply=None, error=reply.reason, spend=spend)
            return (*reply.unforeseen, failed, *self._given_up(action, request, reply.reason))
        answered = responded(
            reply=storable(reply.text),
            calls=storable_calls(reply.calls),
            fault=None if reply.fault is None else storable(reply.fault),
            error=None,
            spend=reply.spend,
            usage=reply.usage,
            priced=reply.priced,
            cached=reply.cached,
            notes=tuple(map(storable, reply.notes)),
        )
        return answered, self._outcome(action, request, reply)

    def _outcome(self, action: OutputPass | ToolPass, request: ModelRequest, reply: ModelReply) -> Recognised:
        match action:
            case ToolPass():
                return picked(action, reply, {name: self._tool(name) for name in action.tools})
            case OutputPass():
                return judged(action, reply, request.attempt, final=request.attempt >= ATTEMPTS)

    def _given_up(self, action: OutputPass | ToolPass, request: ModelRequest, reason: str) -> tuple[Recognised, ...]:
        """Give what follows from a call without a reply: nothing, as long as it may be made again."""
        if request.failures + 1 < self.tries:
            return ()
        if isinstance(action, ToolPass):
            return (ToolsChosen(key=action.key, todo_id=action.todo_id, role=action.role, refused=(reason,)),)
        rejected = ContractRejected(
            key=action.key,
            todo_id=action.todo_id,
            role=action.role,
            contract=action.given.gives.__name__,
            attempt=request.attempt,
            objections=(reason,),
            final=True,
        )
        return (rejected,)

    async def _use(self, action: ToolRun) -> tuple[Recognised, ...]:
        began = self.clock.now()
        tool = self._tool(action.tool)
        seconds = tool.seconds(action.given) if isinstance(tool, TimedTool) else self.seconds
        result = await self._guard(action, tool.run(action.given), seconds)
        responded = partial(
            ToolResponded,
            key=action.key,
            todo_id=action.todo_id,
            tool=action.tool,
            spend=tool.spend,
            milliseconds=self._since(began),
        )
        if isinstance(result, _Failure):
            return *result.unforeseen, responded(result=None, error=result.reason)
        return (responded(result=result.model_dump(mode="json"), error=None),)

    async def _guard(self, action: Effect, work: Awaitable[T], seconds: float) -> "T | _Failure":
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            return _Failure(f"no answer within {seconds:g} s")
        except ModelFailed as error:
            return _Failure(storable(str(error)), error.spend)
        except ToolFailed as error:
            return _Failure(str(error))
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001 -- one of the two outermost borders; it is recorded
            reason = storable(f"{type(error).__name__}: {error}")
            unforeseen = Error(message=f"{action.kind} {action.key}: {reason}", key=action.key)
            return _Failure(reason, unforeseen=(unforeseen,))

    def _request(self, action: OutputPass | ToolPass, tries: Tries, ordinal: int) -> ModelRequest:
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
            case ToolPass(given=shown, tools=tools):
                return ToolsRequest.model_validate({**common, "given": shown, "tools": tuple(map(self._offer, tools))})

    def _offer(self, name: str) -> ToolOffer:
        if name not in self._offers:  # a schema takes a millisecond
            tool = self._tool(name)
            schema = tool.takes.model_json_schema()
            self._offers[name] = ToolOffer(name=name, description=tool.description, takes=schema)
        return self._offers[name]

    def _call(self, action: OutputPass | ToolPass, run: Run) -> _Call:
        """Give the call that an action is now; it changes with what the role is given and with every try."""
        tries, begun = run.tries.get(action.key, _UNTRIED), run.open.get(action.key)
        ordinal = begun.ordinal if begun else run.ordinals.get((action.role, action.todo_id), 0) + 1
        known = self._calls.get(action.key)
        if known is None or (known.action, known.tries, known.ordinal) != (action, tries, ordinal):
            request = self._request(action, tries, ordinal)
            known = self._calls[action.key] = _Call(action, tries, ordinal, request, self.model.prepare(request))
        return known

    def _tool(self, name: str) -> Tool:
        if name not in self.tools:
            raise ToolFailed(f"no tool is called {name!r}; this run has {', '.join(sorted(self.tools)) or 'none'}")
        return self.tools[name]

    def _since(self, began: datetime) -> int:
        return round((self.clock.now() - began).total_seconds() * 1000)


def _asked(action: OutputPass | ToolPass, call: _Call) -> ModelRequested:
    request, prepared = call.request, call.prepared
    return ModelRequested(
        key=action.key,
        todo_id=action.todo_id,
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
