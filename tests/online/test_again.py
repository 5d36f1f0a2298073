"""What is done a second time costs nothing: replays and kept replies. What one model does not do, another one does."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import JsonValue

import quaestor
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import FAULTS, Answer, Asked, Reply, Slow, Status
from fakes.papers import QUESTION, write_papers
from fakes.researcher import TASKS, Researcher, fields, parts
from fakes.sample import sample
from online.conftest import MODEL, PRICE, Ran, settings
from online.test_faults import first_of_each_role
from online.test_prompts import Delegating
from quaestor.app import home as composition
from quaestor.app import open_home
from quaestor.contracts.cost import Spend, SpendReport
from quaestor.contracts.errors import ReplayMiss, SetupError
from quaestor.contracts.event import Event
from quaestor.faces.cli.main import run as command
from quaestor.research.contracts.report import Report
from quaestor.research.plugin import PLUGIN
from quaestor.views.spend import SpendFold

GOOD = Researcher(TASKS[:2])
OTHER = "What did the fog bell of Aldmouth cost?"


class Home:
    """One home, its documents, and runs in it, each as by a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.docs = write_papers(folder)
        self.folder = folder / "home"

    async def run(self, said: Mapping[str, JsonValue]) -> Ran:
        """Run the question over the documents, as long as there are any."""
        async with open_home(self.folder, **said) as q:
            corpus = await q.index([self.docs]) if self.docs.exists() else None
            session_id = await q.start(QUESTION, corpus)
            result = await q.run(session_id)
            return Ran(await q.events(session_id), result)

    async def forget(self) -> None:
        """Put something else in the place of the documents, and then nothing."""
        for path in self.docs.iterdir():
            path.unlink()
        (self.docs / "other.txt").write_text("The tide tables of Aldmouth were printed in 1901.\n")
        async with open_home(self.folder) as q:
            await q.index([self.docs])
        shutil.rmtree(self.docs)

    async def again(self, ran: Ran) -> Ran:
        """Replay a run, with nothing set that leads to a server."""
        return await self.run({"model": replaying(ran)})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def replaying(ran: Ran) -> str:
    return f"replay:{ran.result.session_id}"


def one_by_one(server: OpenAIServer, **options: JsonValue) -> dict[str, JsonValue]:
    """Return the settings that lead to a server, one todo after the other."""
    return {**settings(server), "parallel": 1, **options}


def rendered(report: Report | None) -> tuple[str, ...]:
    assert report
    return (
        report.model_dump_json(),
        quaestor.render_json(report),
        quaestor.render_markdown(report),
        quaestor.render_html(report),
    )


def spent(ran: Ran) -> Spend:
    return sum((answer.spend for answer in ran.answered), Spend())


def fold_spend(events: Sequence[Event]) -> SpendReport:
    """Return what `quaestor spend` reports."""
    spend = SpendFold()
    for event in events:
        spend.take(event)
    return spend.report()


class LeapingClock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def leap(self, step: timedelta) -> None:
        self._ahead += step


def overtaking(asked: Asked) -> Answer:
    """Answer well, but the first todo last."""
    waits = fields(asked) == {"queries"} and "lighthouse" in parts(asked)["task"]
    return Slow(seconds=0.1, then=GOOD(asked)) if waits else GOOD(asked)


WAYS: Mapping[str, tuple[str, Reply, dict[str, JsonValue]]] = {
    "one todo at a time": ("report_written", GOOD, {}),
    "every role and loop": ("report_written", GOOD, {"effort": "medium", "check": True}),
    "todos that are delegated": ("tools_chosen", Delegating(), {"orchestrate": True}),
    "a wall of dollars": ("budget_reached", GOOD, {"max_dollars": "0.03", "output_tokens": 500}),
    "broken contracts": ("contract_rejected", first_of_each_role(FAULTS["extra fields"]), {}),
    "replies that were cut off": ("contract_rejected", first_of_each_role(FAULTS["length"]), {}),
    "calls that were lost": ("report_written", first_of_each_role(FAULTS["cut in the middle"]), {}),
    "todos that overtake each other": ("report_written", overtaking, {"parallel": 2}),
    "a wall of searches": ("budget_reached", overtaking, {"parallel": 2, "max_tool_calls": 2}),
}
"""What happens in a run, with an event that shows it, how a server makes it happen, and with which settings."""
HELD = {"one todo at a time", "replies that were cut off", "todos that overtake each other"}
"""What happens in other ways too, and is left to soak."""


@pytest.mark.parametrize("way", [pytest.param(way, marks=pytest.mark.soak if way in HELD else ()) for way in WAYS])
async def test_a_replay_is_the_same_to_the_byte_with_no_server_no_documents_and_at_no_cost(
    home: Home, way: str
) -> None:
    shown, reply, options = WAYS[way]
    async with OpenAIServer(reply) as server:
        ran = await home.run(one_by_one(server, **options))
    assert shown in {event.type for event in ran.events}
    asked = len(server.requests)
    await home.forget()
    replayed = await home.again(ran)
    assert (replayed.result.outcome, replayed.result.statement) == (ran.result.outcome, ran.result.statement)
    assert rendered(replayed.result.report) == rendered(ran.result.report)
    assert spent(replayed) == Spend(model_calls=spent(replayed).model_calls)
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("hangs", "task", "ends"),
    [("todos", "", "no_result"), ("findings", "fog bell", "partial"), ("conclusion", "", "partial")],
    ids=["before there is a plan", "while it is carried out", "while the report is written"],
)
async def test_a_run_that_the_clock_stopped_is_finished_and_can_be_replayed_with_time_to_spare(
    home: Home, monkeypatch: pytest.MonkeyPatch, hangs: str, task: str, ends: str
) -> None:
    clock = LeapingClock()
    monkeypatch.setattr(composition, "SystemClock", lambda: clock)

    def stuck(asked: Asked) -> Answer:
        if hangs not in fields(asked) or task not in parts(asked).get("task", ""):
            return GOOD(asked)
        clock.leap(timedelta(hours=10 if hangs == "conclusion" else 9))  # of ten, eight are for gathering
        return Slow(seconds=300, then=GOOD(asked))

    async with OpenAIServer(stuck) as server:
        ran = await home.run(one_by_one(server, max_seconds=36_000))
    kinds = [event.type for event in ran.events]
    assert (ran.result.status, ran.result.outcome) == ("finished", ends)
    assert "budget_reached" in kinds
    assert kinds.index("action_cancelled") < kinds.index("session_finished") == len(kinds) - 1
    asked = len(server.requests)
    replayed = await home.again(ran)
    assert replayed.result == ran.result.model_copy(update={"session_id": replayed.result.session_id})
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("options", "cut_off"),
    [
        ({}, {"findings"}),
        ({}, {"findings", "key_findings"}),
        ({"check": True}, {"verdicts"}),
        ({"check": True, "max_dollars": "0.05", "output_tokens": 500}, {"verdicts"}),
    ],
    ids=["while it is carried out", "twice", "while it is checked", "where nothing is asked again"],
)
async def test_a_report_counts_calls_that_were_cut_off_apart_as_its_replay_does(
    home: Home, options: dict[str, JsonValue], cut_off: set[str]
) -> None:
    stuck = asyncio.Event()

    def reply(asked: Asked) -> Answer:
        if lost := cut_off & fields(asked):
            cut_off.difference_update(lost)
            stuck.set()
            return Slow(seconds=300, then=GOOD(asked))
        return GOOD(asked)

    async with OpenAIServer(reply) as server:
        said = one_by_one(server, **options)
        async with open_home(home.folder, **said) as q:
            session_id = await q.start(QUESTION, await q.index([home.docs]))
        while cut_off:
            stuck.clear()
            async with open_home(home.folder, **said) as q:
                running = asyncio.create_task(q.run(session_id))
                await stuck.wait()
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
        async with open_home(home.folder, **said) as q:
            result = await q.run(session_id)
            ran = Ran(await q.events(session_id), result)
    spend = fold_spend(ran.events)
    report = ran.result.report
    assert isinstance(report, Report)
    assert report.making.lost == spend.lost.spend != Spend()
    assert report.making.spend.dollars + report.making.lost.dollars == spend.total.spend.dollars
    line = f"- Model calls cut off: {spend.lost.spend.model_calls}, not in these sums; at most "
    assert line in quaestor.render_markdown(report)
    assert ("budget_reached" in {event.type for event in ran.events}) == ("max_dollars" in options)
    replayed = await home.again(ran)
    assert rendered(replayed.result.report) == rendered(report)
    assert rendered((await home.again(replayed)).result.report) == rendered(report)


async def test_a_todo_that_was_tried_again_is_tried_again_in_a_replay(home: Home, tmp_path: Path) -> None:
    (tmp_path / "fails.yaml").write_text("reader: [{todo: t1, fault: error, times: 3}]")
    ran = await home.run({"model": f"script:{tmp_path / 'fails.yaml'}", "effort": "low"})
    assert any(event.type == "todo_failed" for event in ran.events)
    assert rendered((await home.again(ran)).result.report) == rendered(ran.result.report)


async def test_a_replay_can_be_replayed_and_keeps_its_limits_whatever_is_set_now(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        ran = await home.run(one_by_one(server))
    other: dict[str, JsonValue] = {"effort": "high", "max_todos": 1, "max_model_calls": 3, "check": True}
    twice = await home.run({"model": replaying(await home.again(ran)), **other})
    assert rendered(twice.result.report) == rendered(ran.result.report)
    assert {asked.model for asked in twice.asked} == {MODEL}


async def test_a_replay_of_another_question_names_what_is_not_in_the_log_and_can_be_resumed(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        ran = await home.run(one_by_one(server))
    said = f"the log of session {ran.result.session_id} has no call of planner for plan "
    async with open_home(home.folder, model=replaying(ran)) as q:
        session_id = await q.start(OTHER, None)
        for _ in range(2):
            with pytest.raises(ReplayMiss, match=said) as caught:
                await q.run(session_id)
            assert isinstance(caught.value, SetupError)
            assert caught.value.exit_code == 3
            last = (await q.events(session_id))[-1]
            assert (last.type, (await q.result(session_id)).status) == ("paused", "paused")
        assert (await q.store.session(session_id)).outcome is None
        assert await q.store.verify_chain(session_id) == []


async def test_with_a_cache_the_second_session_asks_nobody_and_spends_nothing(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        first = await home.run(one_by_one(server, cache=True))
        asked = len(server.requests)
        second = await home.run(one_by_one(server, cache=True))
        assert len(server.requests) == asked
    assert second.result.report
    assert first.result.report
    assert second.result.report.claims() == first.result.report.claims()
    assert second.result.report.making.spend.dollars == 0 < first.result.report.making.spend.dollars
    assert (spent(first).model_calls, spent(second)) == (asked, Spend())
    assert [answer.cached for answer in (*first.answered, *second.answered)] == [False] * asked + [True] * asked
    assert {answer.usage for answer in second.answered} == {None}


async def test_a_session_that_was_answered_from_the_cache_can_be_replayed(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        await home.run(one_by_one(server, cache=True))
        cached = await home.run(one_by_one(server, cache=True))
    assert rendered((await home.again(cached)).result.report) == rendered(cached.result.report)


async def test_without_a_cache_nothing_is_kept_and_nothing_kept_is_used(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        ran = [await home.run(one_by_one(server, cache=cache)) for cache in (False, True, False)]
    assert not any(answer.cached for one in ran for answer in one.answered)


async def test_each_role_is_answered_by_its_own_model_wherever_it_is(home: Home, tmp_path: Path) -> None:
    own = (
        (PLUGIN.agents[0] / "reviewer.prompt")
        .read_text(encoding="utf-8")
        .replace("---\n", "---\nmodel: far:thinks\n", 1)
    )
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "reviewer.prompt").write_text(own, encoding="utf-8")
    async with OpenAIServer(GOOD) as near, OpenAIServer(GOOD) as far:
        options: dict[str, JsonValue] = {
            "providers": {"local": {"base_url": near.url}, "far": {"base_url": far.url}},
            "models": {"planner": "local:large", "reader": "far:reads"},
            "agents": str(tmp_path / "agents"),
        }
        ran = await home.run({**settings(near), **options})
    assert {(one.model, min(fields(one))) for one in far.asked} == {
        ("reads", "findings"),
        ("thinks", "follow_up_queries"),
    }
    assert {max(fields(one)) for one in near.asked if one.model == "large"} == {"todos"}
    assert {one.model for one in near.asked} == {"small", "large"}
    special = {"planner": "local:large", "reader": "far:reads", "reviewer": "far:thinks"}
    assert all(asked.model == special.get(asked.role, MODEL) for asked in ran.asked)
    assert len(ran.asked) == len(near.asked) + len(far.asked)


def eager(url: str) -> JsonValue:
    return {"base_url": url, "retries": 0, "backoff_seconds": 0.001}


@asynccontextmanager
async def failing(status: int | None) -> AsyncIterator[str]:
    """Return the address of a server that answers nothing but this, or that is gone."""
    async with OpenAIServer(lambda _: Status(status=status or 500)) as server:
        if status:
            yield server.url
    if status is None:
        yield server.url


@pytest.mark.parametrize(
    ("status", "why"),
    sample([(None, "no connection"), (401, "answered 401"), (500, "answered 500")], lambda place: place < 2),
)
async def test_when_the_first_model_gives_no_reply_the_next_one_does_and_the_log_says_so(
    home: Home, status: int | None, why: str
) -> None:
    async with failing(status) as url, OpenAIServer(GOOD) as server:
        options: dict[str, JsonValue] = {
            "model": "first:dear",
            "fallback": [MODEL],
            "providers": {"first": eager(url), "local": eager(server.url)},
            "prices": {"first:dear": PRICE, MODEL: PRICE},
        }
        ran = await home.run(one_by_one(server, **options, max_dollars=5))
    assert ran.result.outcome == "done"
    tries: dict[str, list[str]] = {}
    for asked in ran.asked:
        tries.setdefault(asked.key, []).append(asked.model)
    assert set(map(tuple, tries.values())) == {("first:dear", MODEL)}
    failed = [answer.error or "" for answer in ran.answered if answer.reply is None]
    assert all(error.startswith("first:dear at ") and why in error for error in failed)
    notes = [answer.notes for answer in ran.answered if answer.reply is not None]
    assert len(failed) == len(server.asked)
    assert notes == [()] * len(failed), "the next model is asked at once"
    assert rendered((await home.again(ran)).result.report) == rendered(ran.result.report)


async def test_without_a_wall_a_model_of_unknown_price_runs_and_it_is_said(home: Home) -> None:
    async with OpenAIServer(GOOD) as server:
        ran = await home.run(one_by_one(server, prices={}))
    assert {answer.priced for answer in ran.answered} == {False}
    charged = sum(usage.input_tokens + usage.output_tokens for usage in server.charged)
    assert spent(ran) == Spend(model_calls=len(server.requests), tokens=charged)
    async with open_home(home.folder) as q:
        assert await q.unpriced(ran.result.session_id) == (MODEL,)


def test_the_command_line_says_what_has_no_price_and_what_is_not_in_the_log(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ["--home", str(home.folder)]
    researching = ["research", QUESTION, "--docs", str(home.docs), "--parallel", "1", "--model", MODEL, *place]
    with OpenAIServer(GOOD) as server:
        monkeypatch.setenv("QUAESTOR_PROVIDERS", json.dumps({"local": {"base_url": server.url}}))
        assert command([*researching, "--budget", "0.5"]) == 2
        assert "the price of local:small is not known, so 0.5 dollars are no wall" in capsys.readouterr().err
        assert server.requests == []
        assert command(researching) == 0
    ran = capsys.readouterr()
    assert "the price of local:small is not known, so its calls are counted but no dollars" in ran.err
    replay = next(f"replay:{line.split()[1]}" for line in ran.err.splitlines() if line.startswith("session "))
    assert command(["research", QUESTION, "--model", replay, *place]) == 0
    assert capsys.readouterr().out == ran.out
    assert command(["research", OTHER, "--model", replay, *place]) == 3
    assert "has no call of clarifier" in capsys.readouterr().err
    assert command(["resume", *place]) == 3
