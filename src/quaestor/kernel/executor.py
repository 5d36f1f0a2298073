"""The one place where actions become effects.

What a model or a tool does wrong comes back as events; only a machine that is not ready (SetupError) is raised.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from quaestor.contracts.action import Action, Effect, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import Contract, sanitize_text
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.errors import ModelFailed, ModelUnavailable, SetupError, ToolFailed, ToolUnavailable
from quaestor.contracts.event import (
    ErrorRecorded,
    KnownPayload,
    ModelResponded,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import ModelReply, ModelRequest, ToolOffer
from quaestor.contracts.ports import Clock, Model
from quaestor.contracts.session import redact_credentials
from quaestor.contracts.tools import AnyTool
from quaestor.kernel.model_calls import (
    MAX_ATTEMPTS,
    MAX_TRIES,
    NO_ATTEMPTS,
    ExhaustedCall,
    PreparedModelCall,
    build_request,
    describe_intent,
    find_exhausted,
    find_misfit,
    give_up,
)
from quaestor.kernel.replay_schedule import ReplaySchedule
from quaestor.kernel.reply_validation import (
    filter_storable_calls,
    redact_calls,
    validate_calls,
    validate_output,
)
from quaestor.kernel.run_state import RunState
from quaestor.kernel.tool_table import find_tool, run_checked

T = TypeVar("T")
_SWITCH_SECONDS = 0.0001
"""After how long a thread that computes makes way for the event loop, which waits so long some ten times an answer."""


def _computing_thread() -> ThreadPoolExecutor:
    """Return an executor of one thread, started when it is needed: several would make every answer wait for each."""
    return ThreadPoolExecutor(1, "computing", initializer=partial(sys.setswitchinterval, _SWITCH_SECONDS))


class _Failure(Immutable):
    """Why an effect came to nothing, what it may have cost, and the event of a fault that no contract foresees.

    `unavailable`: because what it needs from others is out of order.
    """

    reason: str
    spend: Spend | None = None
    recorded: Spend | None = None
    unforeseen: tuple[ErrorRecorded, ...] = ()
    unavailable: bool = False
    retry_at: datetime | None = None


def _reason(error: Exception) -> str:
    """Return what an error says as it may be logged: storable, and without the credentials of the URLs it names."""
    return redact_credentials(sanitize_text(str(error)))


def _notes_of_wait(timeout: Exception) -> Iterable[str]:
    """Return what work that was cut off by a time limit had noted on its cancellation: what it was waiting for."""
    return map(redact_credentials, map(sanitize_text, getattr(timeout.__cause__, "__notes__", ())))


def _with_lost(fact: KnownPayload, lost: Spend | None) -> KnownPayload:
    """Return an outcome of a replay with what was reserved for the calls that its session lost before."""
    return fact.revised(lost=lost) if lost and isinstance(fact, ModelResponded | ToolResponded) else fact


@dataclass(frozen=True, slots=True)
class Executor:
    """The executor of effects, with one model and a set of tools.

    A model answers within `model_seconds`, a tool within `seconds`, or within a time of its own.
    """

    model: Model
    tools: Mapping[str, AnyTool]
    clock: Clock
    seconds: float
    model_seconds: float
    tries: int = MAX_TRIES
    rerun: ReplaySchedule | None = None
    crowded: Callable[[], bool] = lambda: False
    """Whether other sessions run in this process, whose answers wait for whatever keeps the event loop busy."""
    later_steps: Sequence[Callable[[], object]] = ()
    """What prepares the calls behind the first one, a piece each, to be run while that is awaited."""
    _calls: dict[str, PreparedModelCall] = field(default_factory=dict, init=False)
    _offers: dict[AnyTool, ToolOffer] = field(default_factory=dict, init=False)
    _computing: ThreadPoolExecutor = field(init=False, default_factory=_computing_thread)

    def ceiling(self, action: Effect, run: RunState) -> Spend:
        """Return the most an action can cost."""
        match action:
            case OutputPass() | ToolPass():
                return self._call(action, run).prepared.ceiling
            case ToolRun():
                return self._tool(action.tool, action.state).spend

    def budget(self, given: Budget) -> Budget:
        """Return the limits that apply; a replay has no time limit, because it stops where its session stopped."""
        return given.revised(seconds=None) if self.rerun else given

    def refusal(self, action: Effect, run: RunState) -> str | None:
        """Name the limit that forbids an action whatever it costs, or None."""
        if self.rerun and (limit := self.rerun.refusal(action.key, len(run.refused))):
            return limit
        return None if isinstance(action, ToolRun) else self._call(action, run).prepared.refused

    def is_pure(self, action: Effect, run: RunState) -> bool:
        """Return whether performing an action again costs nothing and reaches nothing outside."""
        match action:
            case OutputPass() | ToolPass():
                return self._call(action, run).prepared.pure
            case ToolRun():
                return self._tool(action.tool, action.state).pure

    def computes(self, action: Effect, run: RunState) -> bool:
        """Return whether an action keeps the processor busy and waits for nothing else."""
        match action:
            case OutputPass() | ToolPass():
                return self._call(action, run).prepared.pure
            case ToolRun():
                return self._tool(action.tool, action.state).computes

    def ending(self, flying: Iterable[Effect]) -> Sequence[str]:
        """Name the effects that must end before anything follows, in their outcomes' order; none but in a replay."""
        return self.rerun.call([action.key for action in flying]) if self.rerun else ()

    def intent(self, action: Effect, run: RunState) -> KnownPayload:
        """Return the event that must be durable before the action is performed."""
        match action:
            case OutputPass() | ToolPass():
                return describe_intent(action, self._call(action, run))
            case ToolRun():
                tool = self._tool(action.tool, action.state)
                return ToolRequested(
                    key=action.key,
                    tool=action.tool,
                    repeatable=tool.repeatable,
                    given=action.given,
                    reserved=tool.spend,
                )

    async def execute(self, action: Effect, run: RunState, *, apart: bool = False) -> tuple[KnownPayload, ...]:
        """Perform an action; `run` is the run as it was when the intent was noted.

        With `apart` what computes does so in a thread, so that answers that arrive meanwhile are recorded at once.
        """
        if self.rerun:
            lost = await self.rerun.wait_for_turn(action.key)
            return tuple(_with_lost(fact, lost) for fact in await self._perform(action, run))
        if apart and self.computes(action, run):
            return await asyncio.get_running_loop().run_in_executor(self._computing, self._compute, action, run)
        return await self._perform(action, run)

    def _compute(self, action: Effect, run: RunState) -> tuple[KnownPayload, ...]:
        return asyncio.run(self._perform(action, run))

    async def _perform(self, action: Effect, run: RunState) -> tuple[KnownPayload, ...]:
        match action:
            case OutputPass() | ToolPass():
                return await self._ask(action, self._call(action, run), run)
            case ToolRun():
                return await self._use(action)

    async def _ask(
        self, action: OutputPass | ToolPass, call: PreparedModelCall, run: RunState
    ) -> tuple[KnownPayload, ...]:
        began = self.clock.now()
        request, prepared = call.request, call.prepared
        reply = await self._guard(action, self.model.answer(request, prepared), self.model_seconds)
        self._calls.pop(action.key, None)
        responded = partial(
            ModelResponded,
            key=action.key,
            role=action.role,
            milliseconds=self._elapsed_ms(began),
        )
        if isinstance(reply, _Failure):
            ends = request.failures + 1 >= self.tries and not reply.unavailable
            if ends and run.has_only_failed_calls:
                raise SetupError(
                    f"{reply.reason}; no model call was answered: check the model, its key and its address"
                )
            # Nobody knows what a call without an answer cost, so the most that it can have cost is counted.
            spend = prepared.ceiling if reply.spend is None else reply.spend
            failed = responded(
                reply=None,
                error=reply.reason,
                spend=spend,
                recorded=reply.recorded,
                unavailable=reply.unavailable,
                retry_at=reply.retry_at,
            )
            return (*reply.unforeseen, failed, *(give_up(action, run, reply.reason) if ends else ()))
        if isinstance(action, ToolPass):
            reply = redact_calls(reply)
        answered = responded(
            reply=sanitize_text(reply.text),
            calls=filter_storable_calls(reply.calls),
            fault=None if reply.fault is None else sanitize_text(reply.fault),
            error=None,
            spend=reply.spend,
            recorded=reply.recorded,
            usage=reply.usage,
            priced=reply.priced,
            cached=reply.cached,
            notes=tuple(map(sanitize_text, reply.notes)),
        )
        return answered, self._outcome(action, request, reply)

    def _outcome(self, action: OutputPass | ToolPass, request: ModelRequest, reply: ModelReply) -> KnownPayload:
        match action:
            case ToolPass():
                return validate_calls(action, reply, {name: self._tool(name, action.state) for name in action.tools})
            case OutputPass():
                return validate_output(action, reply, request.attempt, final=request.attempt >= MAX_ATTEMPTS)

    def exhausted(self, due: Iterable[Action], run: RunState) -> Sequence[ExhaustedCall]:
        """Return the calls that are not made again now; none is an outage in a replay, which goes on as its session."""
        return find_exhausted(due, run, self.tries, replays=self.rerun is not None)

    def misfit(self, due: Iterable[Action], run: RunState) -> str | None:
        """Return why no model call is made any more; never in a replay, which goes on as its session did."""
        return None if self.rerun else find_misfit(due, run)

    async def _use(self, action: ToolRun) -> tuple[KnownPayload, ...]:
        began = self.clock.now()
        tool = self._tool(action.tool, action.state)
        result = await self._guard(action, run_checked(tool, action.given), self._time_limit(tool, action.given))
        responded = partial(
            ToolResponded,
            key=action.key,
            tool=action.tool,
            spend=tool.spend,
            milliseconds=self._elapsed_ms(began),
        )
        if isinstance(result, _Failure):
            failed = responded(
                result=None, error=result.reason, unavailable=result.unavailable, retry_at=result.retry_at
            )
            return *result.unforeseen, failed
        return (responded(result=result, error=None),)

    def _time_limit(self, tool: AnyTool, given: Contract) -> float:
        own = tool.time_limit(given) if isinstance(given, tool.input_type) else None
        return self.seconds if own is None else own

    async def _guard(self, action: Effect, work: Awaitable[T], seconds: float) -> "T | _Failure":
        try:
            async with asyncio.timeout(seconds) as limit:
                return await work
        except ModelUnavailable as error:
            return self._outage(error, error.wait, error.spend, error.recorded)
        except ModelFailed as error:
            return _Failure(_reason(error), error.spend, error.recorded)
        except ToolUnavailable as error:
            return self._outage(error, error.wait)
        except ToolFailed as error:
            return _Failure(_reason(error))
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001 -- a crash is what is counted here
            if limit.expired():
                return _Failure("; ".join((f"no answer within {seconds:g} s", *_notes_of_wait(error))))
            # A TimeoutError of the work itself, as of a connection that the system gave up, has no words.
            reason = ": ".join(filter(None, (type(error).__name__, _reason(error))))
            unforeseen = ErrorRecorded(message=f"{action.kind} {action.key}: {reason}", key=action.key)
            return _Failure(reason, unforeseen=(unforeseen,))

    def _outage(
        self, error: Exception, wait: float | None, spend: Spend | None = None, recorded: Spend | None = None
    ) -> _Failure:
        """Return why something is out of order, and when it may be asked again, as far as it says so."""
        if wait is None:
            return _Failure(_reason(error), spend, recorded, unavailable=True)
        retry_at = self.clock.now() + timedelta(seconds=wait)
        reason = f"{_reason(error)} (asks for a pause until {retry_at:%Y-%m-%d %H:%M} UTC)"
        return _Failure(reason, spend, recorded, unavailable=True, retry_at=retry_at)

    def _offer(self, name: str, state: str) -> ToolOffer:
        tool = self._tool(name, state)
        if tool not in self._offers:  # a schema takes a millisecond
            schema = tool.input_type.model_json_schema()
            self._offers[tool] = ToolOffer(name=name, description=tool.description, takes=schema)
        return self._offers[tool]

    def _call(self, action: OutputPass | ToolPass, run: RunState) -> PreparedModelCall:
        """Return the call that an action is now; it changes with what the role is given and with every try."""
        tries, begun = run.tries.get(action.key, NO_ATTEMPTS), run.open.get(action.key)
        ordinal = begun.ordinal if begun else run.ordinals.get((action.role, action.todo_id), 0) + 1
        known = self._calls.get(action.key)
        if known is None or (known.action, known.tries, known.ordinal) != (action, tries, ordinal):
            offers = (
                () if isinstance(action, OutputPass) else [self._offer(tool, action.state) for tool in action.tools]
            )
            request = build_request(action, tries, ordinal, offers)
            known = self._calls[action.key] = PreparedModelCall(
                action, tries, ordinal, request, self.model.prepare(request)
            )
        return known

    def _tool(self, name: str, state: str) -> AnyTool:
        return find_tool(self.tools, name, state)

    def _elapsed_ms(self, began: datetime) -> int:
        return round((self.clock.now() - began).total_seconds() * 1000)
