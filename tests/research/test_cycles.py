"""A session goes on after its report: with a follow-up question, or with a new look at its sources."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from pydantic import JsonValue

from fakes.coast import coast
from fakes.papers import write_papers
from fakes.sequels import COST, FOLLOW_UP, KEEPER, ask, of_cycle, papers, refresh, rewrite, told
from fakes.site import Site, page, raw
from fakes.sittings import BELL, GUILD, LIGHTHOUSE, LIGHTS, ONE_SOURCE_EACH, PLANNED, Sitting, reads, sit
from fakes.streams import stream_session
from quaestor import render_markdown
from quaestor.app import open_home
from quaestor.contracts.codec import value_to_json
from quaestor.contracts.command import AddBudget, Answer, Cancel, FinishNow, OpenCycle, Pause
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import (
    BudgetReached,
    CycleStarted,
    Event,
    ModelRequested,
    QuestionAsked,
    SessionFinished,
    ToolRequested,
    ToolResponded,
)
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.contracts.commands import EditPlan, RetryTodo
from quaestor.research.contracts.plan import AddTodo, DropTodo, TodoStatus
from quaestor.research.contracts.roles import PlanInput, QueriesInput, ReadInput
from quaestor.research.contracts.tools import RecheckInput, RecheckResult
from quaestor.research.events import PlanCreated, ReportWritten, TodoRecorded, TodoStarted
from quaestor.research.plugin import PLUGIN
from quaestor.research.state import ResearchState
from quaestor.research.todos.tool_outcomes import search_key
from quaestor.research.workflow import Research

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "stream.schema.json").read_text(encoding="utf-8"))
RUNS = ("asked on", "refreshed", "refreshed in vain")


class Logs:
    """What was recorded, by the name of its run; it is not shown where a test fails, for it is long."""

    def __init__(self, of: Mapping[str, Sequence[Event]]) -> None:
        self.of = of


async def _recorded(folder: Path) -> Logs:
    asked = await told(folder / "asked", {"clarifier": [{}, VAGUE]}, review_plan=True, max_model_calls=500)
    assert (await ask(asked)).status == "waiting"
    for text in ("those of the new channel", "/confirm_plan"):
        assert await asked.tell(Answer(text=text)) is None
        await asked.run()
    changed = await told(folder / "changed")
    rewrite(changed, "fog.md", "1844", "1845")
    assert (await refresh(changed)).outcome == "done"
    vain = await told(folder / "vain")
    assert (await refresh(vain)).outcome == "done"
    return Logs(dict(zip(RUNS, [await one.events() for one in (asked, changed, vain)], strict=True)))


VAGUE = {"reply": {"is_clear": False, "questions": ["Which lights?"], "assumptions": []}}


async def reviewed(folder: Path) -> Sitting:
    sitting = await sit(folder, {"planner": PLANNED}, review_plan=True)
    await sitting.run()
    return sitting


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return asyncio.run(_recorded(tmp_path_factory.mktemp("cycles")))


def state_of(events: Iterable[Event]) -> ResearchState:
    return reduce(Research().apply, events, Research().begin())


def given_to(role: str, events: Iterable[Event]) -> list[JsonValue]:
    asked = (event.payload for event in events if isinstance(event.payload, ModelRequested))
    return [value_to_json(one.given) for one in asked if one.role == role]


def keys(events: Iterable[Event], kind: type[ModelRequested] | type[ToolRequested]) -> list[str]:
    return [event.payload.key for event in events if isinstance(event.payload, kind)]


def quoted(report: ResearchDocument | None) -> str:
    assert report is not None
    return "\n".join(citation.text for citation in report.citations())


def how_it_was_made(document: ResearchDocument | None) -> list[str]:
    """Return the lines of a report on how it was made that count what was done."""
    assert document is not None
    made = render_markdown(document).rpartition("## How this was made")[2]
    counted = ("- Cycles", "- Todos", "- Searches", "- Tool calls")
    return [line.removeprefix("- ") for line in made.splitlines() if line.startswith(counted)]


async def test_a_report_counts_the_whole_session_in_every_line_so_that_no_count_goes_down(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    await ask(sitting)
    rewrite(sitting, "leading-lights.txt", "1866", "1867")
    await refresh(sitting)
    first, asked, refreshed = map(how_it_was_made, [event.report for event in await sitting.of(ReportWritten)])
    assert first == ["Todos: 3 of 3 done", "Searches: 3", "Tool calls: 3"]
    cycles = "Cycles: {}, all of which are counted here".format
    assert asked == [cycles(2), "Todos: 5 of 5 done", "Searches: 5", "Tool calls: 5"]
    assert refreshed == [cycles(3), "Todos: 7 of 7 done", "Searches: 7", "Tool calls: 8"]


async def test_a_follow_up_is_a_cycle_of_its_own_whose_todos_go_on_counting(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    before = await sitting.events()
    result = await ask(sitting)
    events = await sitting.events()
    assert events[: len(before)] == before
    assert {event.cycle for event in before} == {1}
    assert {event.cycle for event in events[len(before) :]} == {2}
    assert events[len(before)].payload == CycleStarted(why="question", question=FOLLOW_UP)
    state = await sitting.state()
    assert [(todo.id, todo.dependencies) for todo in state.plan.todos] == [("t4", ()), ("t5", ("t4",))]
    assert [todo.id for todo in state.earlier_plan.todos] == ["t1", "t2", "t3"]
    assert await sitting.todos_of(TodoStarted) == ["t1", "t2", "t3", "t4", "t5"]
    assert result.report is not None
    assert (result.report.version, result.report.question) == (2, FOLLOW_UP)
    assert [section.todo_id for section in result.report.sections] == ["t4", "t5"]


async def test_both_versions_of_the_report_can_be_read(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    async with open_home(sitting.folder) as q:
        first = await q.report(sitting.session_id)
    second = (await ask(sitting)).report
    async with open_home(sitting.folder) as q:
        assert await q.reports(sitting.session_id) == [first, second]
        assert await q.report(sitting.session_id) == second
    assert ("1831" in quoted(first), "1866" in quoted(second)) == (True, True)


async def test_no_id_is_used_again_not_even_that_of_a_todo_that_was_dropped(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, review_plan=True)
    await sitting.run()
    assert await sitting.tell(EditPlan(edits=(AddTodo(task=LIGHTS),))) is None
    assert await sitting.tell(EditPlan(edits=(DropTodo(todo_id="t4"),))) is None
    await sitting.tell(Answer(text="/confirm_plan"))
    assert (await sitting.run()).outcome == "done"
    for number in (1, 2):
        assert (await ask(sitting, f"{KEEPER} Look {number} times.")).status == "waiting"
        await sitting.tell(Answer(text="/confirm_plan"))
        assert (await sitting.run()).status == "finished"
    created = [[todo.id for todo in fact.plan.todos] for fact in await sitting.of(PlanCreated)]
    ids = [todo_id for plan in created for todo_id in plan]
    assert created[0] == ["t1", "t2", "t3"]
    assert created[1][0] == "t5"
    assert len(ids) == len(set(ids))
    assert "t4" not in ids


async def test_a_query_that_was_searched_before_is_not_searched_again_and_what_it_brought_is_read(
    tmp_path: Path,
) -> None:
    query = {"reply": {"queries": ["leading lights of Aldmouth"]}}
    sitting = await told(tmp_path, {"query_writer": [{**query, "todo": "t1"}, {**query, "todo": "t4"}]})
    assert (await ask(sitting)).outcome == "done"
    searched = [asked.key for asked in await sitting.of(ToolRequested) if asked.tool == "search"]
    assert searched.count(search_key("leading lights of Aldmouth")) == 1
    assert len(searched) == len(set(searched))
    [reading] = [given for given in given_to("reader", await sitting.events()) if task_of(given) == LIGHTS]
    assert "1866" in json.dumps(reading)


def task_of(given: JsonValue) -> JsonValue:
    assert isinstance(given, dict)
    return given["task"]


THINKS = {"task": "Which is older, the lighthouse or the fog bell of Aldmouth?", "kind": "analysis"}
"""A todo of a follow-up that has only earlier findings to think about."""


async def test_the_planner_remembers_and_what_was_found_before_leads_the_queries(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    memory = [line.text for line in (await sitting.state()).memory]
    found = {finding.claim for finding in (await sitting.state()).all_findings()}
    await ask(sitting)
    events = of_cycle(await sitting.events(), 2)
    [planning] = given_to("planner", events)
    assert list(PlanInput.model_validate(planning).memory) == memory
    [querying] = [given for given in given_to("query_writer", events) if task_of(given) == LIGHTS]
    assert set(QueriesInput.model_validate(querying).known) == found
    [waiting] = [given for given in given_to("reader", events) if task_of(given) == COST]
    assert "t4/1" in [finding.id for finding in ReadInput.model_validate(waiting).findings]


@pytest.mark.parametrize(("characters", "shown"), [(8_000, ["t1/1", "t2/1", "t3/1"]), (600, ["t1/1", "t2/1"])])
async def test_who_thinks_about_findings_is_shown_those_of_earlier_cycles_that_fit(
    tmp_path: Path, characters: int, shown: list[str]
) -> None:
    planner = [*PLANNED, {"reply": {"todos": [THINKS, {"task": LIGHTS}]}}]
    sitting = await told(tmp_path, {"planner": planner}, reading_characters=characters)
    report = (await ask(sitting, str(THINKS["task"]))).report
    [reading] = [
        given for given in given_to("reader", of_cycle(await sitting.events(), 2)) if task_of(given) == THINKS["task"]
    ]
    assert [finding.id for finding in ReadInput.model_validate(reading).findings] == shown
    assert "1831" in quoted(report)


async def test_a_follow_up_that_asks_what_was_found_before_is_answered(tmp_path: Path) -> None:
    sitting = await told(tmp_path, {"planner": PLANNED})
    assert "Henrike Vos" in quoted((await ask(sitting, "Who built the Aldmouth lighthouse?")).report)


async def test_what_is_done_again_though_its_own_source_stands_says_so_again(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    rewrite(sitting, "fog.md", "1844", "1845")
    report = (await refresh(sitting)).report
    assert [todo.id for todo in (await sitting.state()).plan.todos] == ["t1", "t4", "t5"]
    assert "The harbour guild of Aldmouth collected light dues" in quoted(report)


async def test_a_follow_up_is_clarified_and_reviewed_like_a_first_question(logs: Logs) -> None:
    asked = [event.payload for event in of_cycle(logs.of["asked on"], 2)]
    assert [fact.ref for fact in asked if isinstance(fact, QuestionAsked)] == ["ask/1", "plan"]
    [planning] = given_to("planner", of_cycle(logs.of["asked on"], 2))
    assert PlanInput.model_validate(planning).question == f"{FOLLOW_UP} (those of the new channel)"
    assert state_of(logs.of["asked on"]).report is not None


async def test_a_session_that_is_not_finished_is_not_asked_on(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    before = await sitting.events()
    async with open_home(sitting.folder) as q:
        with pytest.raises(UsageError, match=f"session {sitting.session_id}: the session is not finished"):
            await q.ask(sitting.session_id, FOLLOW_UP)
        with pytest.raises(UsageError, match="the session is not finished"):
            await q.refresh(sitting.session_id)
    assert await sitting.events() == before


@pytest.mark.parametrize("question", ["", " \n", "why " * 30_000, "caf\udce9"])
async def test_what_is_no_question_begins_no_cycle(tmp_path: Path, question: str) -> None:
    sitting = await told(tmp_path)
    before = await sitting.events()
    async with open_home(sitting.folder) as q:
        with pytest.raises(UsageError, match="question"):
            await q.ask(sitting.session_id, question)
    assert "the follow-up question is missing" in str(await sitting.tell(OpenCycle(why="question")))
    assert "no cycle of the kind decision" in str(await sitting.tell(OpenCycle(why="decision")))
    assert await sitting.events() == before


async def test_a_follow_up_that_finds_nothing_has_no_report_and_the_first_one_stays(tmp_path: Path) -> None:
    sitting = await told(tmp_path, {"planner": PLANNED})
    result = await ask(sitting, "What is the boiling point of tungsten?")
    assert (result.status, result.outcome, result.report) == ("finished", "no_result", None)
    async with open_home(sitting.folder) as q:
        assert [report.version for report in await q.reports(sitting.session_id)] == [1]


async def test_what_was_cancelled_can_be_asked_on(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    await sitting.tell(Cancel())
    assert (await sitting.run()).outcome == "cancelled"
    assert (await ask(sitting)).status == "waiting"
    await sitting.tell(Answer(text="/confirm_plan"))
    result = await sitting.run()
    assert result.outcome == "done"
    assert result.report is not None
    assert result.report.version == 1


async def test_whoever_has_seen_enough_of_a_follow_up_gets_the_report_of_what_there_is(tmp_path: Path) -> None:
    sitting = await told(tmp_path, {"query_writer": [{"todo": "t5", "latency": 30}]})
    async with open_home(sitting.folder) as q:
        await q.ask(sitting.session_id, FOLLOW_UP)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.payload == TodoStarted() and event.todo_id == "t5")
    assert await sitting.tell(RetryTodo(todo_id="t1")) == "there is no t1 in the plan"
    assert await sitting.tell(FinishNow()) is None
    result = await asyncio.wait_for(running, 300)
    assert result.outcome == "partial"
    assert result.report is not None
    assert (result.report.version, result.report.partial is not None) == (2, True)


async def test_when_nothing_changed_no_version_is_written_and_it_is_said(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    asked = len(await sitting.of(ModelRequested))
    for cycle in (2, 3):
        result = await refresh(sitting)
        assert (result.status, result.outcome, result.report) == ("finished", "done", None)
        assert result.statement == "No cited source has changed, so version 1 of the report stands."
        tools = [
            event.payload.tool
            for event in of_cycle(await sitting.events(), cycle)
            if isinstance(event.payload, ToolRequested)
        ]
        assert tools == ["recheck"]
    assert len(await sitting.of(ModelRequested)) == asked
    async with open_home(sitting.folder) as q:
        assert [report.version for report in await q.reports(sitting.session_id)] == [1]


async def test_only_what_is_cited_is_looked_at(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    rewrite(sitting, "leading-lights.txt", "1866", "1867")
    assert "No cited source has changed" in (await refresh(sitting)).statement
    [looked] = [asked.given for asked in await sitting.of(ToolRequested) if asked.tool == "recheck"]
    uris = [Path(source.uri).name for source in RecheckInput.model_validate(looked).sources]
    assert uris == ["lighthouse.md", "fog.md", "guild.rst"]


@pytest.mark.parametrize(
    ("paper", "year", "plan", "stays"),
    [
        ("lighthouse.md", ("1831", "1832"), ["t4", "t2", "t3"], ["t2", "t3"]),
        ("fog.md", ("1844", "1845"), ["t1", "t4", "t5"], ["t1"]),
        ("guild.rst", ("1829", "1830"), ["t1", "t2", "t4"], ["t1", "t2"]),
    ],
)
async def test_only_what_rests_on_a_changed_document_is_done_again(
    tmp_path: Path, paper: str, year: tuple[str, str], plan: list[str], stays: list[str]
) -> None:
    sitting = await told(tmp_path)
    before, (old, new) = await sitting.state(), year
    rewrite(sitting, paper, old, new)
    result = await refresh(sitting)
    assert result.outcome == "done"
    state = await sitting.state()
    assert [todo.id for todo in state.plan.todos] == plan
    assert {todo.status for todo in state.plan.todos} == {TodoStatus.DONE}
    assert [todo for todo in state.plan.todos if todo.id in stays] == [
        todo for todo in before.plan.todos if todo.id in stays
    ]
    anew = [todo_id for todo_id in plan if todo_id not in stays]
    events = of_cycle(await sitting.events(), 2)
    assert [event.todo_id for event in events if isinstance(event.payload, TodoStarted)] == anew
    asked = [event.payload for event in events if isinstance(event.payload, ModelRequested)]
    assert {event.todo_id for event in events if isinstance(event.payload, ModelRequested)} == {*anew, None}
    unowned = [event.payload for event in events if event.todo_id is None]
    assert {one.role for one in unowned if isinstance(one, ModelRequested)} == {"writer"}
    assert not any(old in json.dumps(one.given) for one in asked)
    written = "+".join(todo_id for todo_id in anew if state.entries[todo_id].findings)
    assert [one.key for one in asked if one.key.startswith("write/section")] == [f"write/section/{written}"]
    assert result.report is not None
    assert (result.report.version, [section.todo_id for section in result.report.sections]) == (2, plan)
    assert (old in quoted(result.report), new in quoted(result.report)) == (False, True)
    assert [section for section in result.report.sections if section.todo_id in stays] != []


async def test_a_refreshed_report_quotes_nothing_that_is_not_there_any_more(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    rewrite(sitting, "fog.md", "1844", "1845")
    rewrite(sitting, "guild.rst", "1829", "1830")
    report = (await refresh(sitting)).report
    assert report is not None
    now = {path.name: path.read_text(encoding="utf-8") for path in papers(sitting).iterdir()}
    for claim in report.claims():
        for citation in claim.citations:
            source = next(one for one in report.sources if one.sha256 == citation.source)
            assert now[Path(source.uri).name][citation.start : citation.end] == citation.text
    assert not any("1844" in line.text or "1829" in line.text for line in (await sitting.state()).memory)
    assert "No cited source has changed, so version 2" in (await refresh(sitting)).statement


async def test_a_document_that_was_moved_is_unchanged(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    (papers(sitting) / "old").mkdir()
    (papers(sitting) / "fog.md").rename(papers(sitting) / "old" / "bell.md")
    assert "No cited source has changed" in (await refresh(sitting)).statement


async def test_what_was_found_in_a_document_that_is_gone_is_gone(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    (papers(sitting) / "lighthouse.md").unlink()
    result = await refresh(sitting)
    assert [todo.id for todo in (await sitting.state()).plan.todos] == ["t4", "t2", "t3"]
    assert "1831" not in quoted(result.report)
    assert result.report is not None
    assert "lighthouse.md" not in [Path(source.uri).name for source in result.report.sources]


async def test_a_folder_that_is_gone_is_said_and_begins_no_cycle(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    before = await sitting.events()
    papers(sitting).rename(tmp_path / "elsewhere")
    async with open_home(sitting.folder) as q:
        with pytest.raises(UsageError, match="papers"):
            await q.refresh(sitting.session_id)
    assert await sitting.events() == before


async def test_where_nothing_was_found_there_is_nothing_to_look_at_again(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    await sitting.tell(FinishNow())
    assert (await sitting.run()).outcome == "no_result"
    async with open_home(sitting.folder) as q:
        with pytest.raises(UsageError, match="no evidence to look at again"):
            await q.refresh(sitting.session_id)


async def test_the_report_of_a_follow_up_is_refreshed_by_itself(tmp_path: Path) -> None:
    first = reads("t4", "The two leading lights of Aldmouth were lit for the first time in 1866.")
    then = reads("t5", "The leading lights cost 1,150 crowns, most of it for the iron towers.")
    sitting = await told(tmp_path, {"reader": [*ONE_SOURCE_EACH[:3], first, then, *ONE_SOURCE_EACH[3:]]})
    await ask(sitting)
    rewrite(sitting, "lighthouse.md", "1831", "1832")
    assert "version 2 of the report stands" in (await refresh(sitting)).statement
    rewrite(sitting, "leading-lights.txt", "1866", "1867")
    result = await refresh(sitting)
    assert result.report is not None
    assert (result.report.version, result.report.question) == (3, FOLLOW_UP)
    assert "1867" in quoted(result.report)
    state = await sitting.state()
    assert [todo.id for todo in state.plan.todos] == ["t6", "t7"]
    assert [todo.id for todo in state.earlier_plan.todos] == ["t1", "t2", "t3", "t4", "t5"]


async def test_a_limit_that_is_reached_while_looking_again_ends_it_and_more_of_it_helps(tmp_path: Path) -> None:
    sitting = await told(tmp_path, max_tool_calls=4)
    rewrite(sitting, "lighthouse.md", "1831", "1832")
    result = await asyncio.wait_for(refresh(sitting), 300)
    assert (result.status, result.outcome, result.report) == ("finished", "partial", None)
    assert result.statement.startswith("The sources were not looked at again: the budget is reached (tool_calls: 4)")
    assert [event.refused_key for event in await sitting.of(BudgetReached)] == ["recheck/1"]
    await sitting.tell(OpenCycle(why="refresh"))
    assert await sitting.tell(AddBudget(tool_calls=20)) is None
    async with open_home(sitting.folder) as q:
        assert (await q.result(sitting.session_id)).status == "waiting"


async def test_who_asks_for_the_end_before_the_sources_are_looked_at_gets_it(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    async with open_home(sitting.folder) as q:
        await q.refresh(sitting.session_id)
    assert await sitting.tell(FinishNow()) is None
    result = await asyncio.wait_for(sitting.run(), 300)
    assert (result.outcome, result.report) == ("partial", None)
    assert result.statement == "The sources were not looked at again: a person asked for the report"
    assert "No cited source has changed" in (await refresh(sitting)).statement


HTML = (
    "<html><body><article><h1>{title}</h1><p>{words} It is told by the society of keepers.</p></article></body></html>"
)
PAGES = {
    "/lighthouse": ("The lighthouse", "The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos."),
    "/gong": ("The gong", "The gong of Seaton was cast in 1844 after the wreck of a brig."),
}
GONG = "When was the gong of Seaton cast?"


def served(target: str, old: str = "", new: str = "") -> str:
    title, words = PAGES[target]
    return HTML.format(title=title, words=words.replace(old, new))


async def browsed(folder: Path, site: Site, allow: pytest.MonkeyPatch) -> Sitting:
    """Return a session with a report on two pages of the web: t1 quotes the one and t2 the other."""
    allow.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
    planner = [{"reply": {"todos": [{"task": LIGHTHOUSE}, {"task": GONG}]}}]
    script = folder / "script.yaml"
    script.write_text(json.dumps({"planner": planner}), encoding="utf-8")
    said: dict[str, JsonValue] = {"model": f"script:{script}", "effort": "low", "pause_seconds": 0}
    async with open_home(folder, **said) as q:
        session_id = await q.start(f"{LIGHTHOUSE} {GONG}", None, urls=[f"{site.url}{target}" for target in PAGES])
        result = await q.run(session_id)
    assert result.report is not None
    assert {source.uri for source in result.report.sources} == {f"{site.url}{one}" for one in PAGES}
    return Sitting(folder, session_id)


async def looked_again(sitting: Sitting) -> tuple[str, ResearchDocument | None]:
    async with open_home(sitting.folder, pause_seconds=0) as q:
        await q.refresh(sitting.session_id)
        result = await q.run(sitting.session_id)
        return result.statement, result.report


async def test_a_page_of_the_web_that_changed_is_read_again_and_one_that_is_down_stands_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Site({target: page(served(target)) for target in PAGES}) as site:
        sitting = await browsed(tmp_path, site, monkeypatch)
        assert await looked_again(sitting) == ("No cited source has changed, so version 1 of the report stands.", None)
        del site.serves["/lighthouse"]
        said, report = await looked_again(sitting)
        assert report is None
        assert said.startswith("No cited source has changed, so version 1 of the report stands. Not looked at: ")
        assert f"{site.url}/lighthouse" in said
        assert "404" in said
        site.serves["/gong"] = page(served("/gong", "1844", "1845"))
        _, report = await looked_again(sitting)
        assert ("1844" in quoted(report), "1845" in quoted(report), "1831" in quoted(report)) == (False, True, True)
        assert [todo.id for todo in (await sitting.state()).plan.todos] == ["t1", "t3"]


async def test_who_asks_for_the_end_while_a_page_is_slow_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Site({target: page(served(target)) for target in PAGES}) as site:
        sitting = await browsed(tmp_path, site, monkeypatch)
        site.serves["/gong"] = raw(b"HTTP/1.1 200 OK\r\n", seconds=60)
        async with open_home(sitting.folder) as q:
            await q.refresh(sitting.session_id)
        looking = asyncio.create_task(sitting.run())
        await sitting.until(lambda event: event.type == "tool_requested" and event.cycle == 2)
        assert await sitting.tell(FinishNow()) is None
        result = await asyncio.wait_for(looking, 300)
    assert result.statement == "The sources were not looked at again: a person asked for the report"


@given(name=st.sampled_from(RUNS), count=st.integers(0, 1000))
def test_a_log_of_several_cycles_folds_alike_wherever_it_is_cut_and_next_only_looks(
    logs: Logs, name: str, count: int
) -> None:
    events = logs.of[name]
    cut = count % (len(events) + 1)
    state, again = state_of(events[:cut]), state_of(events[:cut])
    assert reduce(Research().apply, events[cut:], state) == state_of(events)
    assert Research().next(state) == Research().next(state)
    assert state == again


def test_a_cycle_can_be_opened_behind_an_end_and_nowhere_else(logs: Logs) -> None:
    orders = (OpenCycle(why="question", question=FOLLOW_UP), OpenCycle(why="refresh"))
    for events in logs.of.values():
        state, workflow = Research().begin(), Research()
        for event in events:
            state = workflow.apply(state, event)
            opened = [workflow.handle(state, order).refused is None for order in orders]
            assert opened == [isinstance(event.payload, SessionFinished)] * 2


def test_what_a_client_is_told_of_several_cycles_is_as_the_published_schema_says(logs: Logs) -> None:
    valid = Draft202012Validator(SCHEMA)
    for events in logs.of.values():
        for event in stream_session(events, view=PLUGIN.stream):
            assert list(valid.iter_errors(json.loads(event.model_dump_json()))) == []
    said = "".join(event.model_dump_json() for event in stream_session(logs.of["asked on"], view=PLUGIN.stream))
    assert f"begins again, with a follow-up question: {FOLLOW_UP}" in said
    assert "begins again, with a new look at the sources" in "".join(
        event.model_dump_json() for event in stream_session(logs.of["refreshed"], view=PLUGIN.stream)
    )


def test_what_was_looked_at_again_is_in_the_log(logs: Logs) -> None:
    [given_sources] = [
        event.payload.given
        for event in logs.of["refreshed"]
        if isinstance(event.payload, ToolRequested) and event.payload.tool == "recheck"
    ]
    assert len(RecheckInput.model_validate(given_sources).sources) == 3
    [rechecked] = [
        event.payload.result
        for event in logs.of["refreshed"]
        if isinstance(event.payload, ToolResponded) and event.payload.tool == "recheck"
    ]
    assert RecheckResult.model_validate(rechecked) == RecheckResult(changed=(fog_of(logs),))
    recorded = [event.payload for event in logs.of["refreshed"] if isinstance(event.payload, TodoRecorded)]
    assert [fact.entry.description for fact in recorded] == [LIGHTHOUSE, BELL, GUILD, BELL, GUILD]


def fog_of(logs: Logs) -> str:
    [entry] = [
        event.payload.entry
        for event in of_cycle(logs.of["refreshed"], 1)
        if isinstance(event.payload, TodoRecorded) and event.payload.entry.todo_id == "t2"
    ]
    return entry.findings[0].quotes[0].source


@pytest.mark.parametrize("order", [Pause(), AddBudget(model_calls=1)], ids=["pause", "budget"])
async def test_what_is_told_before_the_sources_are_looked_at_does_not_keep_them_from_it(
    tmp_path: Path, order: Pause | AddBudget
) -> None:
    sitting = await told(tmp_path, max_model_calls=500)
    await sitting.tell(OpenCycle(why="refresh"))
    assert await sitting.tell(order) is None
    assert "No cited source has changed" in (await sitting.run()).statement


async def test_a_fork_from_the_beginning_of_a_cycle_goes_on(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    await refresh(sitting)
    begun = next(event.seq for event in await sitting.events() if event.type == "cycle_started")
    async with open_home(sitting.folder) as q:
        forked = await q.fork(sitting.session_id, begun)
        assert "No cited source has changed" in (await q.run(forked)).statement


async def test_what_documents_said_before_is_not_asked_outside_in_a_later_cycle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with coast() as site:
        monkeypatch.setenv("SEARXNG_URL", site.url)
        monkeypatch.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
        async with open_home(tmp_path / "home", web=["searxng"], effort="low", pause_seconds=0, discreet=True) as q:
            session_id = await q.start(LIGHTHOUSE, await q.index([write_papers(tmp_path)]))
            await q.run(session_id)
            assert (await q.state(session_id)).options.isolates_private_text
            await q.ask(session_id, "What did it cost to build?")
            await q.run(session_id)
            second = of_cycle(await q.events(session_id), 2)
    shown = [e for e in second if isinstance(e.payload, ModelRequested) and "1831" in json.dumps(e.payload.given)]
    facts = [event.payload for event in second]
    asked = [fact for fact in facts if isinstance(fact, ToolRequested) and fact.tool in {"search_web", "fetch"}]
    assert shown, "a query writer was shown what the documents say"
    assert asked == []


async def test_where_todos_found_nothing_there_is_no_report_to_look_at_again(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, "Who invented the zip fastener?")
    assert (await sitting.run()).outcome == "no_result"
    async with open_home(sitting.folder) as q:
        with pytest.raises(UsageError, match="no evidence"):
            await q.refresh(sitting.session_id)


async def test_a_todo_that_is_added_while_the_sources_are_looked_at_is_done_or_refused(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    await sitting.tell(OpenCycle(why="refresh"))
    refused = await sitting.tell(EditPlan(edits=(AddTodo(task=LIGHTS),)))
    await sitting.run()
    done = {todo.task: todo.status for todo in (await sitting.state()).plan.todos}
    assert refused or done[LIGHTS] == "done"
