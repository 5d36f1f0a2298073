"""Snapshots of long sessions: what is restored from one, with the events behind it, is what all events lead to."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from typing_extensions import override

from fakes.desks import folder as desk_folder
from fakes.papers import QUESTION, write_papers
from fakes.workshops import playbook, script
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.app.overview import read_details
from quaestor.app.turns.turn_state import TURNS_FOLD
from quaestor.app.turns.turns import newest_turn
from quaestor.app.watching.following import StreamHub, StreamPosition
from quaestor.app.watching.live_page import LiveSessions
from quaestor.app.watching.panels import SessionPanels
from quaestor.app.watching.progress import track_behind
from quaestor.contracts.command import Pause
from quaestor.contracts.event import Event
from quaestor.contracts.panels import Panel
from quaestor.contracts.snapshot import Snapshot
from quaestor.kernel.run_state import RunState, fold
from quaestor.kernel.state_codec import StateCodec
from quaestor.runtime.live_state import live_fold
from quaestor.runtime.log_folds import RUN_FOLD, SPEND_FOLD, LogFold, panel_fold, session_fold, stream_fold
from quaestor.runtime.registry import TodoWorkflows, get_plugin
from quaestor.runtime.snapshots import FINAL_EVENTS, Snapshots
from quaestor.storage.sqlite import SqliteStore, open_store
from quaestor.storage.sqlite.backup import copy_store
from quaestor.trading import sessions as backtests
from quaestor.trading.mandate_file import read_mandate

STEPS: Sequence[Mapping[str, object]] = (
    {"goal": "It is read.", "plan": {"Look": ["Read it"], "Say": ["Say it"]}},
    {"say": "I read.", "read_file": "chronicle.txt", "progress": "Read.", "tick": {"Phase 1": "Read it"}},
    {"say": "I read what is not there.", "read_file": "none.txt", "findings": ["Issues: one page is lost.", "Two."]},
    {"say": "It is read.", "phases": {"Phase 2": "complete"}, "done": "It is read."},
)
BUYS: Mapping[str, object] = {
    "action": "buy",
    "asset": "BTC/USDT",
    "quantity": 0.1,
    "confidence": 0.9,
    "reasoning": "The trend points up.",
    "strategy_used": "trend",
}
PLANNED: Mapping[str, object] = {"goal": "It is read.", "phases": [{"title": "Read", "checklist": ["Read it"]}]}
TODOS: Sequence[Mapping[str, object]] = (
    {"task": "When was the Aldmouth lighthouse built?"},
    {"task": "Decide whether Bitcoin is to be bought.", "kind": "decision"},
    {"task": "Read the chronicle.", "kind": "tool"},
)


async def research(place: Path) -> Sequence[Event]:
    """Research with a todo of every kind, and a follow-up question."""
    desk: JsonValue = {"mandate": str(desk_folder(place / "desk", 5, fresh=True).mandate()), "orders": True}
    roles: Mapping[str, Sequence[Mapping[str, object]]] = {
        "planner": [{"reply": {"todos": list(TODOS)}}],
        "task_planner": [{"reply": PLANNED}],
        "portfolio_manager": [{"reply": BUYS}],
    }
    options: Mapping[str, JsonValue] = {"todos": {"decision": desk}, "allow": ["read_file"], "effort": "low"}
    async with open_home(place, model=script(place, roles), questions=False, **options) as q:
        session = await q.start(QUESTION, await q.index([write_papers(place)]))
        await q.run(session)
        await q.ask(session, "When was the fog bell cast?")
        await q.run(session)
        return await q.events(session)


async def longtask(place: Path) -> Sequence[Event]:
    workspace = place / "workspace"
    workspace.mkdir()
    model = playbook(place, *STEPS)
    async with open_home(place, model=model, workspace=str(workspace), questions=False) as q:
        session = await q.start_task("Read the chronicle.")
        await q.run(session)
        return await q.events(session)


async def decision(place: Path) -> Sequence[Event]:
    mandate = read_mandate(desk_folder(place / "desk", 5).mandate())
    async with open_home(place) as q:
        session = await backtests.start_or_resume(q, mandate, backtest=True)
        await q.run(session)
        return await q.events(session)


LOGS = {"research": research, "longtask": longtask, "decision": decision}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[Event]]:
    """Return a log of a session of each workflow."""
    return {name: asyncio.run(run(tmp_path_factory.mktemp(name))) for name, run in LOGS.items()}


def codec_of(name: str) -> StateCodec[Any]:
    workflow = get_plugin(name).workflow
    others = [get_type_hints(each.start)["return"] for each in TodoWorkflows().values()]
    return StateCodec((RunState, get_type_hints(workflow.apply)["return"]), (RunState(), workflow.begin()), others)


CODECS = {name: codec_of(name) for name in LOGS}


def begin(name: str) -> tuple[Any, Any]:
    return RunState(), get_plugin(name).workflow.begin()


def fold_one(name: str, folds: tuple[Any, Any], event: Event) -> tuple[Any, Any]:
    return fold(folds[0], event), get_plugin(name).workflow.apply(folds[1], event)


@pytest.fixture(scope="module")
def prefixes(logs: Mapping[str, Sequence[Event]]) -> Mapping[str, Sequence[tuple[Any, Any]]]:
    """Return what the first events of each log are folded to, however many."""
    return {
        name: list(accumulate(events, partial(fold_one, name), initial=begin(name))) for name, events in logs.items()
    }


@pytest.mark.parametrize("name", LOGS)
@given(st.data())
def test_a_snapshot_and_the_events_behind_it_lead_to_what_all_events_lead_to(
    logs: Mapping[str, Sequence[Event]],
    prefixes: Mapping[str, Sequence[tuple[Any, Any]]],
    name: str,
    data: st.DataObject,
) -> None:
    cut = data.draw(st.integers(0, len(logs[name])))
    begun, codec = prefixes[name][cut], CODECS[name]
    restored = codec.decode(codec.encode(begun))
    assert restored == begun
    workflow = get_plugin(name).workflow
    assert workflow.next(restored[1]) == workflow.next(begun[1])
    assert reduce(partial(fold_one, name), logs[name][cut:], restored) == prefixes[name][-1]


@dataclass
class NoPanels:
    """The panels of a workflow that has none."""

    def take(self, event: Event) -> None:
        pass

    def panels(self) -> Sequence[Panel]:
        return ()


FOLDS: Mapping[str, Callable[[str], LogFold[Any]]] = {
    "run": lambda _: RUN_FOLD,
    "spend": lambda _: SPEND_FOLD,
    "stream": lambda name: stream_fold(get_plugin(name).stream),
    "live": lambda name: live_fold(get_plugin(name)),
    "turns": lambda _: TURNS_FOLD,
    "panels": lambda name: panel_fold(get_plugin(name).panels or NoPanels),
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("kind", FOLDS)
def test_what_readers_show_is_the_same_from_a_snapshot_at_any_event(
    logs: Mapping[str, Sequence[Event]], name: str, kind: str
) -> None:
    folded = FOLDS[kind](name)
    whole = reduce(folded.apply, logs[name], folded.begin())
    for cut in range(0, len(logs[name]) + 1, 1 + len(logs[name]) // 20):
        begun = folded.codec.encode(reduce(folded.apply, logs[name][:cut], folded.begin()))
        assert reduce(folded.apply, logs[name][cut:], folded.codec.decode(begun)) == whole, cut


def test_the_schema_of_a_state_is_the_same_in_another_process() -> None:
    asked = (
        "from quaestor.runtime.log_folds import session_fold; from quaestor.runtime.registry import get_plugin; "
        "print(session_fold(get_plugin('longtask')).digest)"
    )
    other = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True)
    assert other.stdout.strip() == session_fold(get_plugin("longtask")).digest


def test_the_logs_of_this_law_have_todos_of_every_kind(logs: Mapping[str, Sequence[Event]]) -> None:
    assert {event.state for event in logs["research"]} >= {"DECIDING_TRADE", "WORKING", "QUOTING", "VERIFYING"}


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with open_home(tmp_path / "home") as q:
        yield q


async def long_session(q: Quaestor, folder: Path) -> str:
    """Run a backtest of more events than a run must add for a snapshot at its end."""
    mandate = read_mandate(desk_folder(folder / "desk", FINAL_EVENTS // 10).mandate())
    session = await backtests.start_or_resume(q, mandate, backtest=True)
    await q.run(session)
    return session


async def taken(q: Quaestor, session: str) -> Snapshot | None:
    assert q.snapshots
    return await q.snapshots.snapshot(session)


class Watched(SqliteStore):
    """Remembers behind which numbers events were read."""

    read_after: list[int]

    @override
    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        self.read_after.append(after)
        return await super().events(session_id, after, limit)


async def test_a_long_session_goes_on_from_its_snapshot(q: Quaestor, tmp_path: Path) -> None:
    session = await long_session(q, tmp_path)
    snapshot = await taken(q, session)
    assert snapshot
    assert snapshot.events == (await q.session(session)).events > FINAL_EVENTS
    assert isinstance(q.store, SqliteStore)
    q.store = watched = Watched(q.store._database)
    watched.read_after = []
    assert await q.tell(session, Pause()) == (
        "the session is finished; it begins nothing more that could be paused, paid for or approved"
    )
    assert watched.read_after == [snapshot.events]


async def test_nobody_who_looks_at_a_long_session_folds_its_log_again(q: Quaestor, tmp_path: Path) -> None:
    session = await long_session(q, tmp_path)
    events = (await q.session(session)).events
    whole = [event async for event in q.stream(session)]
    assert isinstance(q.store, SqliteStore)
    q.store = watched = Watched(q.store._database)
    watched.read_after = []
    hub = StreamHub(q)
    await read_details(q, session)
    await LiveSessions().read(q, session)
    await SessionPanels().read(q, session)
    await track_behind(q, session, events)
    await newest_turn(q, session)
    assert [event async for event in q.stream(session, events - 2)] == [each for each in whole if each.seq > events - 2]
    assert [item.event async for page in hub.pages(session, StreamPosition(1_005), 1) for item in page] == [
        event for event in whole if event.seq > 1_005
    ]
    assert sorted(watched.read_after)[:2] == [1_000, 1_005]


async def short_session(q: Quaestor, folder: Path) -> tuple[str, tuple[Any, Any]]:
    """Run a backtest; return what its log is folded to."""
    session = await backtests.start_or_resume(q, read_mandate(desk_folder(folder / "desk", 3).mandate()), backtest=True)
    await q.run(session)
    return session, reduce(partial(fold_one, "decision"), await q.events(session), begin("decision"))


async def keep(q: Quaestor, session: str, folds: tuple[Any, Any], name: str = "decision") -> Snapshots[Any]:
    """Note folds until a snapshot is taken of them; return the snapshots as the next process has them."""
    taking = Snapshots(session, q.store, q.snapshots, get_plugin(name), every=10)
    async with taking.kept():
        taking.note(*folds)
    return Snapshots(session, q.store, q.snapshots, get_plugin(name))


async def test_a_snapshot_that_does_not_fit_is_ignored_and_replaced(q: Quaestor, tmp_path: Path) -> None:
    session, folds = await short_session(q, tmp_path)
    assert await (await keep(q, session, folds)).load() == folds
    snapshot = await taken(q, session)
    assert snapshot
    assert q.snapshots
    unfit: Sequence[Mapping[str, object]] = (
        {"head": "0" * 64},
        {"fold": "of another release"},
        {"events": 10},
        {"events": 1_000_000},
        {"state": "no JSON"},
        {"state": "[]"},
        {"state": '[{"999":[]},null]'},
    )
    for changes in unfit:
        await q.snapshots.put_snapshot(snapshot.revised(**changes))
        again = await Snapshots(session, q.store, q.snapshots, get_plugin("decision")).load()
        assert again is None, changes
    assert await (await keep(q, session, folds)).load() == folds


async def test_a_defect_in_what_readers_show_ends_no_run(q: Quaestor, tmp_path: Path) -> None:
    session, folds = await short_session(q, tmp_path)

    async def fail(upto: int, *, is_last: bool) -> None:
        del upto, is_last
        raise RuntimeError("a view of another package is broken")

    taking = Snapshots(session, q.store, q.snapshots, get_plugin("decision"), every=10, also=fail)
    async with taking.kept():
        taking.note(*folds)
    assert await taken(q, session)


async def test_a_damaged_snapshot_is_none(q: Quaestor, tmp_path: Path) -> None:
    session, folds = await short_session(q, tmp_path)
    await keep(q, session, folds)
    assert isinstance(q.store, SqliteStore)
    q.store._database.run("UPDATE snapshots SET data = substr(data, 1, length(data) - 9)")
    assert await taken(q, session) is None


async def test_a_backup_has_no_snapshot(q: Quaestor, tmp_path: Path) -> None:
    session, folds = await short_session(q, tmp_path)
    await keep(q, session, folds)
    await copy_store(q.home / DATABASE_FILE, tmp_path / "copy.db")
    store = open_store(tmp_path / "copy.db")
    assert await store.snapshots.snapshot(session) is None
    assert (await store.session(session)).events == folds[0].seq
    await store.close()


async def test_a_state_that_has_no_form_in_json_is_in_the_way_of_nothing(q: Quaestor, tmp_path: Path) -> None:
    session, (run, _) = await short_session(q, tmp_path)
    assert await (await keep(q, session, (run, object()))).load() is None
    assert await taken(q, session) is None
