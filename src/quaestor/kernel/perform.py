"""The one place where actions become effects.

What a model or a tool does wrong comes back as events; only a machine that is not ready (SetupError) is raised.
"""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from pydantic import ValidationError

from quaestor.contracts.action import Effect, OutputPass, ToolRun
from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed, SetupError, ToolFailed
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Error,
    ModelRequested,
    ModelResponded,
    Recognised,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.ports import Clock, Model, ModelRequest, Tool
from quaestor.kernel.fold import Run

T = TypeVar("T")
ATTEMPTS = 3
"""A reply that breaks its contract is answered with what is wrong at most twice."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why an effect came to nothing; `unforeseen` holds the event of a fault that no contract foresees."""

    reason: str
    unforeseen: tuple[Error, ...] = ()


@dataclass(frozen=True, slots=True)
class Performer:
    """Performs effects with one model and a set of tools; each within `seconds`."""

    model: Model
    tools: Mapping[str, Tool]
    clock: Clock
    seconds: float

    def ceiling(self, action: Effect, run: Run) -> Spend:
        """Give the most an action can cost."""
        match action:
            case OutputPass():
                return self.model.ceiling(_request(action, run))
            case ToolRun():
                return self._tool(action.tool).spend

    def intent(self, action: Effect, run: Run) -> Recognised:
        """Give the event that must be durable before the action is performed."""
        match action:
            case OutputPass():
                request = _request(action, run)
                return ModelRequested(
                    key=action.key,
                    todo_id=action.todo_id,
                    role=action.role,
                    model=self.model.name,
                    contract=action.given.gives.__name__,
                    ordinal=request.ordinal,
                    attempt=request.attempt,
                    given=action.given.model_dump(mode="json"),
                    objections=request.objections,
                )
            case ToolRun():
                return ToolRequested(
                    key=action.key,
                    todo_id=action.todo_id,
                    tool=action.tool,
                    repeatable=self._tool(action.tool).repeatable,
                    given=action.given.model_dump(mode="json"),
                )

    async def perform(self, action: Effect, run: Run) -> tuple[Recognised, ...]:
        """Perform an action; `run` is the run as it was when the intent was noted."""
        began = self.clock.now()
        match action:
            case OutputPass():
                return await self._ask(action, _request(action, run), began)
            case ToolRun():
                return await self._use(action, began)

    async def _ask(self, action: OutputPass, request: ModelRequest, began: datetime) -> tuple[Recognised, ...]:
        reply = await self._guard(action, self.model.answer(request))
        responded = partial(
            ModelResponded,
            key=action.key,
            todo_id=action.todo_id,
            role=action.role,
            milliseconds=self._since(began),
        )
        if isinstance(reply, _Failure):
            failed = responded(reply=None, error=reply.reason, spend=Spend(model_calls=1))
            return (*reply.unforeseen, failed, _refuse(action, request, (reply.reason,)))
        text = reply.text.encode(errors="replace").decode()  # a lone surrogate cannot be stored
        return responded(reply=text, error=None, spend=reply.spend), _judge(action, request, text)

    async def _use(self, action: ToolRun, began: datetime) -> tuple[Recognised, ...]:
        result = await self._guard(action, self._tool(action.tool).run(action.given))
        responded = partial(
            ToolResponded,
            key=action.key,
            todo_id=action.todo_id,
            tool=action.tool,
            spend=self._tool(action.tool).spend,
            milliseconds=self._since(began),
        )
        if isinstance(result, _Failure):
            return *result.unforeseen, responded(result=None, error=result.reason)
        return (responded(result=result.model_dump(mode="json"), error=None),)

    async def _guard(self, action: Effect, work: Awaitable[T]) -> "T | _Failure":
        try:
            async with asyncio.timeout(self.seconds):
                return await work
        except TimeoutError:
            return _Failure(f"no answer within {self.seconds:g} s")
        except (ModelFailed, ToolFailed) as error:
            return _Failure(str(error))
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001 -- one of the two outermost borders; it is recorded
            reason = f"{type(error).__name__}: {error}"
            return _Failure(reason, (Error(message=f"{action.kind} {action.key}: {reason}", key=action.key),))

    def _tool(self, name: str) -> Tool:
        if name not in self.tools:
            raise ToolFailed(f"no tool is called {name!r}; this run has {', '.join(sorted(self.tools)) or 'none'}")
        return self.tools[name]

    def _since(self, began: datetime) -> int:
        return round((self.clock.now() - began).total_seconds() * 1000)


def _request(action: OutputPass, run: Run) -> ModelRequest:
    refused = run.refusals.get(action.key)
    begun = run.open.get(action.key)
    ordinal = begun.ordinal if begun else run.ordinals.get((action.role, action.todo_id), 0) + 1
    return ModelRequest(
        key=action.key,
        todo_id=action.todo_id,
        role=action.role,
        ordinal=ordinal,
        attempt=refused.times + 1 if refused else 1,
        given=action.given,
        objections=refused.objections if refused else (),
    )


def _judge(action: OutputPass, request: ModelRequest, text: str) -> Recognised:
    try:
        output = action.given.gives.model_validate_json(text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        return _refuse(action, request, tuple(f"{_place(fault['loc'])}{fault['msg']}" for fault in faults))
    if objections := action.given.objections(output):
        return _refuse(action, request, objections)
    return ContractAccepted(
        key=action.key,
        todo_id=action.todo_id,
        role=action.role,
        contract=action.given.gives.__name__,
        output=output.model_dump(mode="json"),
    )


def _refuse(action: OutputPass, request: ModelRequest, objections: tuple[str, ...]) -> ContractRejected:
    return ContractRejected(
        key=action.key,
        todo_id=action.todo_id,
        role=action.role,
        contract=action.given.gives.__name__,
        attempt=request.attempt,
        objections=objections,
        final=request.attempt >= ATTEMPTS,
    )


def _place(loc: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, loc))}: " if loc else ""
