"""Two small workflows for the kernel's tests.

Chores are done by one tool, some of them before others, and then summed up in an output pass. Errands are what a model
picks for the same tool in a tool pass.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar, TypeVar

from typing_extensions import override

from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.codec import CORE_CODEC
from quaestor.contracts.command import Answer, Command, FinishNow
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import (
    Answered,
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    Event,
    FactRecorded,
    FinishRequested,
    KnownPayload,
    SessionStarted,
    ToolInterrupted,
    ToolResponded,
    ToolsChosen,
    UnknownPayload,
)
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.contracts.session import Lease, LeaseOwner, Session
from quaestor.contracts.tools import Tool
from quaestor.contracts.workflow import CommandOutcome, StateSpec, Workflow
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.model_calls import MAX_TRIES

F = TypeVar("F")
S = TypeVar("S")

SESSION = "chores"
ONE_CALL = Spend(model_calls=1)
OWNER = LeaseOwner(host="here", pid=1, started="1")


class Chore(Contract):
    name: str


class Done(Contract):
    said: str


class Summing(RoleInput):
    gives: ClassVar[type[Contract]] = Done

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        return ("say more",) if isinstance(reply, Done) and reply.said == "" else super().objections(reply)


class ChoresState(Contract):
    ended: Mapping[str, str] = {}
    noted: bool = False
    summary: str | None = None
    stopped: str | None = None
    told: str | None = None


class Chores:
    """Wants every chore whose predecessors ended, then a record, an output pass and the finish."""

    name: ClassVar[str] = "chores"
    table: ClassVar[Mapping[str, StateSpec]] = {
        "WORKING": StateSpec(takes="chores", tools=frozenset({"broom"}), leads_to=frozenset({"SUMMING", "DONE"})),
        "SUMMING": StateSpec(takes="results", gives=Done, role="summer", leads_to=frozenset({"DONE"})),
        "DONE": StateSpec(takes="nothing"),
    }

    def __init__(self, chores: Mapping[str, Sequence[str]], drop_after: Mapping[str, str] | None = None) -> None:
        self._chores = chores
        self._drop_after = drop_after or {}

    def begin(self) -> ChoresState:
        return ChoresState()

    def apply(self, state: ChoresState, event: Event) -> ChoresState:
        match event.payload:
            case ToolResponded(key=key, error=error):
                return state.model_copy(update={"ended": {**state.ended, key: error or "done"}})
            case ToolInterrupted(key=key):
                return state.model_copy(update={"ended": {**state.ended, key: "interrupted"}})
            case FactRecorded(contract="Swept"):
                return state.model_copy(update={"noted": True})
            case ContractAccepted(output=output):
                return state.model_copy(update={"summary": Done.model_validate(output).said})
            case ContractRejected(final=True, objections=objections):
                return state.model_copy(update={"summary": f"gave up: {objections[0]}"})
            case BudgetReached(limit=limit):
                return state.model_copy(update={"stopped": limit})
            case FinishRequested():
                return state.model_copy(update={"stopped": "asked to", "told": "finish"})
            case Answered(text=text):
                return state.model_copy(update={"told": text})
            case _:
                return state

    def next(self, state: ChoresState) -> Sequence[Action]:
        if state.stopped:
            return [Finish(key="finish", state="DONE", outcome="partial", statement=state.stopped)]
        dropped = {chore for chore, cause in self._drop_after.items() if cause in state.ended}
        wanted = [
            ToolRun(key=chore, state="WORKING", tool="broom", given=Chore(name=chore))
            for chore, before in self._chores.items()
            if chore not in state.ended and chore not in dropped and state.ended.keys() >= set(before)
        ]
        if wanted:
            return wanted
        if not state.noted:
            return [
                Record(key="note", state="WORKING", facts=(FactRecorded(key="swept", contract="Swept", value=None),))
            ]
        if state.summary is None:
            return [OutputPass(key="sum", state="SUMMING", role="summer", given=Summing())]
        return [Finish(key="finish", state="DONE", outcome="done", statement=state.summary)]

    def handle(self, state: ChoresState, order: Command) -> CommandOutcome:
        """Stop when it is asked to finish, take an answer once, and do nothing else."""
        match order:
            case FinishNow() if state.told is None:
                return CommandOutcome(facts=(FinishRequested(),))
            case Answer(text=text) if state.told is None:
                return CommandOutcome(facts=(Answered(ref="told", text=text),))
            case _:
                return CommandOutcome(refused=f"{order.kind} is nothing to do about {len(self._chores)} chores")


class Picking(PromptInput):
    what: str = "errands"


class ErrandsState(Contract):
    choice: ToolsChosen | None = None
    ended: frozenset[str] = frozenset()
    stopped: str | None = None


class Errands:
    """Lets a model pick what is to be done with the broom, wants it done, and finishes with what was refused."""

    name: ClassVar[str] = "errands"
    table: ClassVar[Mapping[str, StateSpec]] = {
        "PICKING": StateSpec(
            takes="nothing", role="picker", tools=frozenset({"broom"}), leads_to=frozenset({"WORKING", "DONE"})
        ),
        "WORKING": StateSpec(takes="calls", tools=frozenset({"broom"}), leads_to=frozenset({"DONE"})),
        "DONE": StateSpec(takes="nothing"),
    }

    def begin(self) -> ErrandsState:
        return ErrandsState()

    def apply(self, state: ErrandsState, event: Event) -> ErrandsState:
        match event.payload:
            case ToolsChosen() as choice:
                return state.model_copy(update={"choice": choice})
            case ToolResponded(key=key):
                return state.model_copy(update={"ended": state.ended | {key}})
            case BudgetReached(limit=limit):
                return state.model_copy(update={"stopped": limit})
            case _:
                return state

    def next(self, state: ErrandsState) -> Sequence[Action]:
        if state.stopped:
            return [Finish(key="finish", state="DONE", outcome="partial", statement=state.stopped)]
        if state.choice is None:
            return [ToolPass(key="pick", state="PICKING", role="picker", given=Picking(), tools=("broom",))]
        wanted = [
            ToolRun(key=call.ref, state="WORKING", tool=call.tool, given=Chore.model_validate(call.given))
            for call in state.choice.calls
            if call.ref not in state.ended
        ]
        statement = "; ".join(state.choice.refused) or "all done"
        return wanted or [Finish(key="finish", state="DONE", outcome="done", statement=statement)]

    def handle(self, state: ErrandsState, order: Command) -> CommandOutcome:
        del state
        return CommandOutcome(refused=f"{order.kind} is no errand")


class Broom(Tool[Chore, Done]):
    """A tool that takes its time, may fail, and remembers what it was used for."""

    name = "broom"
    description = "Does one chore."
    repeatable = True

    def __init__(self, seconds: Mapping[str, float] | None = None, broken: Sequence[str] = ()) -> None:
        self.used: list[str] = []
        self.begun = asyncio.Event()
        self.cancelled: list[str] = []
        self.most_at_once = 0
        self._now = 0
        self._seconds = seconds or {}
        self._broken = broken

    @override
    async def run(self, given: Chore) -> Done:
        self.used.append(given.name)
        self.begun.set()
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            await asyncio.sleep(self._seconds.get(given.name, 0))
        except asyncio.CancelledError:
            self.cancelled.append(given.name)
            raise
        finally:
            self._now -= 1
        if given.name in self._broken:
            raise ToolFailed(f"{given.name} is broken")
        return Done(said=given.name)


class Once(Broom):
    """A tool that must not run twice."""

    repeatable = False


class Answers:
    """A model that gives fixed answers in turn, and then the last one again and again.

    A text is a reply that costs one call; an error is raised.
    """

    name = "answers"

    def __init__(
        self, *answers: str | ModelReply | Exception, ceiling: Spend | None = None, refused: str | None = None
    ) -> None:
        self._answers = list(answers)
        self._ceiling = ceiling or ONE_CALL
        self._refused = refused
        self.requests: list[ModelRequest] = []

    def prepare(self, request: ModelRequest) -> PreparedCall:
        del request
        return PreparedCall(model=self.name, ceiling=self._ceiling, refused=self._refused)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        del prepared
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        match answer:
            case str():
                return ModelReply(text=answer, spend=ONE_CALL)
            case ModelReply():
                return answer
            case _:
                raise answer


SWEPT = '{"said": "swept"}'


def performer(
    broom: Broom, clock: Clock, model: Answers | None = None, seconds: float = 5, tries: int = MAX_TRIES
) -> Executor:
    return Executor(model or Answers(SWEPT), {"broom": broom}, clock, seconds, seconds, tries)


def limits(in_flight: int = 8, budget: Budget | None = None, grace_seconds: float = 0.2) -> Limits:
    return Limits(
        in_flight={"output_pass": in_flight, "tool_pass": in_flight, "tool_run": in_flight},
        budget=budget or Budget(),
        grace_seconds=grace_seconds,
    )


async def begin(store: Store, clock: Clock) -> None:
    """Put a session with nothing but its start into a store."""
    started = SessionStarted(question="chores?", workflow="chores", task_key="k", options={})
    first = Event(session_id=SESSION, seq=1, cycle=1, at=clock.now(), state="WORKING", payload=started)
    session = Session(id=SESSION, task_key="k", workflow="chores", question="chores?", created_at=clock.now())
    await store.create_session(session, [first])


async def journal_of(store: Store, clock: Clock, workflow: Workflow[S]) -> Journal[S]:
    """Take the lease and load the session, as a new process would."""
    journal = Journal(SESSION, workflow, store, clock, await lease_of(store, clock), codec=CORE_CODEC)
    await journal.load()
    return journal


async def lease_of(store: Store, clock: Clock) -> Lease:
    held = await store.lease(SESSION)
    lease = await store.take_lease(SESSION, OWNER, held.epoch if held else 0, clock.now() + timedelta(hours=1))
    assert lease is not None
    return lease


async def carried(
    store: Store,
    clock: Clock,
    workflow: Workflow[S],
    model: Answers | None = None,
    *,
    broom: Broom | None = None,
    budget: Budget | None = None,
    seconds: float = 5,
    tries: int = MAX_TRIES,
    in_flight: int = 8,
) -> Sequence[KnownPayload]:
    """Run the session as a new process would; return what its log says then."""
    journal = await journal_of(store, clock, workflow)
    performing = performer(broom or Broom(), clock, model, seconds, tries)
    await drive(journal, performing, limits(in_flight, budget), asyncio.Event())
    return await facts(store)


async def facts(store: Store) -> Sequence[KnownPayload]:
    """Return what the log of the session says."""
    payloads = [event.payload for event in await store.events(SESSION)]
    return [payload for payload in payloads if not isinstance(payload, UnknownPayload)]


def of(kind: type[F], log: Sequence[KnownPayload]) -> list[F]:
    """Return the facts of one kind."""
    return [fact for fact in log if isinstance(fact, kind)]
