"""A small workflow for the kernel's tests: chores done by one tool, some of them before others, then an output pass."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

from typing_extensions import override

from fakes.time import ManualClock
from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolRun
from quaestor.contracts.budget import Budget, Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import (
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    ContradictionsFound,
    Event,
    SessionStarted,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import ModelReply, ModelRequest, Store
from quaestor.contracts.roles import Given
from quaestor.contracts.session import Lease, Owner, Session
from quaestor.contracts.workflow import StateRow
from quaestor.kernel.drive import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.perform import Performer

SESSION = "chores"
OWNER = Owner(host="here", pid=1, started="1")


class Chore(Noun):
    name: str


class Done(Noun):
    said: str


class Summing(Given):
    gives: ClassVar[type[Noun]] = Done

    @override
    def objections(self, reply: Noun) -> tuple[str, ...]:
        return ("say more",) if isinstance(reply, Done) and reply.said == "" else super().objections(reply)


class ChoresState(Noun):
    ended: Mapping[str, str] = {}
    noted: bool = False
    summary: str | None = None
    stopped: str | None = None
    unwanted: frozenset[str] = frozenset()


class Chores:
    """Wants every chore whose predecessors ended, then a record, an output pass and the finish."""

    name: ClassVar[str] = "chores"
    table: ClassVar[Mapping[str, StateRow]] = {
        "WORKING": StateRow(takes="chores", tools=frozenset({"broom"}), leads_to=frozenset({"SUMMING", "DONE"})),
        "SUMMING": StateRow(takes="results", gives=Done, role="summer", leads_to=frozenset({"DONE"})),
        "DONE": StateRow(takes="nothing"),
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
            case ContradictionsFound():
                return state.model_copy(update={"noted": True})
            case ContractAccepted(output=output):
                return state.model_copy(update={"summary": Done.model_validate(output).said})
            case ContractRejected(final=True, objections=objections):
                return state.model_copy(update={"summary": f"gave up: {objections[0]}"})
            case BudgetReached(limit=limit):
                return state.model_copy(update={"stopped": limit})
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
            return [Record(key="note", state="WORKING", facts=(ContradictionsFound(contradictions=()),))]
        if state.summary is None:
            return [OutputPass(key="sum", state="SUMMING", role="summer", given=Summing())]
        return [Finish(key="finish", state="DONE", outcome="done", statement=state.summary)]


class Broom:
    """A tool that takes its time, may fail, and remembers what it was used for."""

    name: ClassVar[str] = "broom"
    takes: ClassVar[type[Noun]] = Chore
    gives: ClassVar[type[Noun]] = Done
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, seconds: Mapping[str, float] | None = None, broken: Sequence[str] = ()) -> None:
        self.used: list[str] = []
        self.begun = asyncio.Event()
        self.cancelled: list[str] = []
        self.most_at_once = 0
        self._now = 0
        self._seconds = seconds or {}
        self._broken = broken

    async def run(self, given: Noun) -> Noun:
        assert isinstance(given, Chore)
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

    repeatable: ClassVar[bool] = False


class Answers:
    """A model that gives fixed texts in turn, and then the last one again and again."""

    name = "answers"

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.requests: list[ModelRequest] = []

    def ceiling(self, request: ModelRequest) -> Spend:
        del request
        return Spend(model_calls=1)

    async def answer(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        text = self._texts.pop(0) if len(self._texts) > 1 else self._texts[0]
        return ModelReply(text=text, spend=Spend(model_calls=1))


SWEPT = '{"said": "swept"}'


def performer(broom: Broom, clock: ManualClock, model: Answers | None = None, seconds: float = 5) -> Performer:
    return Performer(model or Answers(SWEPT), {"broom": broom}, clock, seconds)


def limits(in_flight: int = 8, budget: Budget | None = None, grace_seconds: float = 0.2) -> Limits:
    return Limits(
        in_flight={"output_pass": in_flight, "tool_run": in_flight},
        budget=budget or Budget(),
        grace_seconds=grace_seconds,
    )


async def begin(store: Store, clock: ManualClock) -> None:
    """Put a session with nothing but its start into a store."""
    started = SessionStarted(question="chores?", workflow="chores", task_key="k", options={})
    first = Event(session_id=SESSION, seq=1, cycle=1, at=clock.now(), state="WORKING", payload=started)
    session = Session(id=SESSION, task_key="k", workflow="chores", question="chores?", created_at=clock.now())
    await store.create_session(session, [first])


async def journal_of(store: Store, clock: ManualClock, workflow: Chores) -> Journal[ChoresState]:
    """Take the lease and load the session, as a new process would."""
    journal = Journal(SESSION, workflow, store, clock, await lease_of(store, clock))
    await journal.load()
    return journal


async def lease_of(store: Store, clock: ManualClock) -> Lease:
    held = await store.lease(SESSION)
    lease = await store.take_lease(SESSION, OWNER, held.epoch if held else 0, clock.now() + timedelta(hours=1))
    assert lease is not None
    return lease
