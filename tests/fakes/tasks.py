"""Long tasks on the real kernel and store, with a scripted model and a scripted sandbox."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from pydantic import JsonValue

from fakes.sandboxes import ObedientSandbox
from fakes.time import ManualClock
from quaestor.contracts.command import Command
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.contracts.ports import Model
from quaestor.contracts.session import Lease, LeaseOwner, Session
from quaestor.contracts.tools import AnyTool
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.run_state import RunState
from quaestor.longtask.contracts import RoundInput, TaskOptions, TaskPlanInput
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.longtask.plugin import CODEC
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.workflow import LongTask, LongTaskState
from quaestor.storage.sqlite import SqliteStore, open_store
from quaestor.tools.workspace import ReadFile, RunPython, RunShell, WorkspaceFolder, WriteFile

TASK = "Count the words of the chronicle."
KEY = "0" * 40
SESSION = "task"
OWNER = LeaseOwner(host="here", pid=1, started="1")
PLAN: Mapping[str, JsonValue] = {
    "goal": "The words are counted.",
    "phases": [
        {"title": "Look", "checklist": ["List the files", "Read the chronicle"]},
        {"title": "Count", "checklist": ["Count the words"]},
    ],
}
ONE_CALL = Spend(model_calls=1)

Said = Mapping[str, JsonValue] | str
Replies = Sequence[Said] | Callable[[RoundInput], Said]


def reply(answer: str = "I go on.", call: JsonValue = None, **more: JsonValue) -> dict[str, JsonValue]:
    """Return a round's reply with an empty writeback, as a model would write it."""
    empty: JsonValue = {"findings_append": [], "progress_append": [], "task_plan_updates": {}}
    return {"assistant_answer": answer, "done": False, "tool_call": call, "writeback": empty, **more}


def shell(command: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"tool": "shell", "command": command, **more}


def noted(*findings: str, progress: Sequence[str] = (), **updates: JsonValue) -> dict[str, JsonValue]:
    """Return a writeback."""
    return {"findings_append": list(findings), "progress_append": list(progress), "task_plan_updates": updates}


DONE = reply("There are 42 words.", done=True, done_reason="The words are counted.")


class Worker:
    """Answers round n with the n-th reply, the last one again and again; a text is sent as it is.

    It never answers the round it hangs at.
    """

    name = "worker"

    def __init__(self, replies: Replies, plan: Said = PLAN, hangs_at: int | None = None) -> None:
        self._replies = replies
        self._hangs_at = hangs_at
        self.hanging = asyncio.Event()
        self._plan = plan
        self.asked: list[ModelRequest] = []

    def prepare(self, request: ModelRequest) -> PreparedCall:
        del request
        return PreparedCall(model=self.name, ceiling=ONE_CALL)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        del prepared
        self.asked.append(request)
        if isinstance(request.given, RoundInput) and request.given.round == self._hangs_at:
            self.hanging.set()
            await asyncio.sleep(3600)
        said = self._said(request)
        return ModelReply(text=said if isinstance(said, str) else json.dumps(said), spend=ONE_CALL)

    def _said(self, request: ModelRequest) -> Said:
        if isinstance(request.given, TaskPlanInput):
            return self._plan
        assert isinstance(request.given, RoundInput)
        if callable(self._replies):
            return self._replies(request.given)
        return self._replies[min(request.given.round, len(self._replies)) - 1]

    def shown(self, number: int) -> RoundInput:
        """Return what was shown in a round."""
        return next(
            each.given for each in self.asked if isinstance(each.given, RoundInput) and each.given.round == number
        )


class Desk:
    """One task over its whole life: its log, its workspace, and what carries it on."""

    def __init__(self, store: SqliteStore, clock: ManualClock, root: Path, options: TaskOptions) -> None:
        self.store = store
        self.clock = clock
        self.root = root
        self.options = options

    @classmethod
    async def open(cls, root: Path, **options: object) -> "Desk":
        desk = cls(
            open_store(":memory:"),
            ManualClock(),
            root,
            TaskOptions.model_validate({"workspace": str(root), **options}),
        )
        started = SessionStarted(
            question=TASK, workflow="longtask", task_key=KEY, options=desk.options.model_dump(mode="json")
        )
        now = desk.clock.now()
        first = Event(session_id=SESSION, seq=1, cycle=1, at=now, state="OUTLINING", payload=started)
        session = Session(id=SESSION, task_key=KEY, workflow="longtask", question=TASK, created_at=now)
        await desk.store.create_session(session, [first])
        return desk

    async def carry(
        self,
        model: Model,
        sandbox: ObedientSandbox | None = None,
        *,
        more: Sequence[AnyTool] = (),
        budget: Budget | None = None,
        stop: asyncio.Event | None = None,
    ) -> RunState:
        """Carry the task on as a new process would, until it rests."""
        journal = await self.journal()
        limits = Limits(in_flight={"output_pass": 4, "tool_run": 4}, budget=budget or Budget(), grace_seconds=0)
        performer = Executor(model, self.tools(sandbox or ObedientSandbox(), more), self.clock, 600, 600)
        return await drive(journal, performer, limits, stop or asyncio.Event())

    def tools(self, sandbox: ObedientSandbox, more: Sequence[AnyTool] = ()) -> Mapping[str, AnyTool]:
        folder = WorkspaceFolder(self.root)
        tools: Sequence[AnyTool] = (
            DumpWorkspace(folder, keeps_own_files=sandbox.name == "bubblewrap"),
            ReadFile(folder),
            WriteFile(folder),
            RunShell(folder, sandbox),
            RunPython(folder, sandbox),
            *more,
        )
        return {tool.name: tool for tool in tools}

    async def journal(self) -> Journal[LongTaskState]:
        journal = Journal(SESSION, LongTask(), self.store, self.clock, await self._lease(), codec=CODEC)
        await journal.load()
        return journal

    async def _lease(self) -> Lease:
        held = await self.store.lease(SESSION)
        until = self.clock.now() + timedelta(hours=9)
        lease = await self.store.take_lease(SESSION, OWNER, held.epoch if held else 0, until)
        assert lease is not None
        return lease

    async def tell(self, order: Command) -> str | None:
        """Put a command into the inbox and handle it at once; return why it is refused."""
        command = await self.store.send(SESSION, order, self.clock.now())
        journal = await self.journal()
        journal.handle(command)
        await journal.flush()
        settled = await self.store.settled(SESSION, command.number)
        assert settled is not None
        return settled.refused

    async def events(self) -> Sequence[Event]:
        return [CODEC.decode(event) for event in await self.store.events(SESSION)]

    async def state(self) -> LongTaskState:
        return fold(await self.events())

    async def task(self) -> PlannedTask:
        """Return the task, which has a plan."""
        return planned(await self.state())

    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


def planned(state: LongTaskState) -> PlannedTask:
    assert isinstance(state.task, PlannedTask)
    return state.task


def fold(events: Sequence[Event]) -> LongTaskState:
    state = LongTask().begin()
    for event in events:
        state = LongTask().apply(state, event)
    return state
