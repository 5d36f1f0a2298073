"""Long tasks, and todos of research that are done like them, through the application."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.papers import write_papers
from fakes.sandboxes import ObedientSandbox, said
from fakes.tasks import reply, shell
from fakes.workshops import Work, opened, playbook, script
from quaestor.contracts.command import Answer, FinishNow
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import (
    BudgetReached,
    FactRecorded,
    ModelRequested,
    QuestionAsked,
    ToolInterrupted,
    ToolRequested,
)
from quaestor.contracts.sandbox import CommandResult
from quaestor.contracts.workspace import FINDINGS_FILE, MANAGED_FILES, PLAN_FILE
from quaestor.longtask.contracts import RoundInput, TaskOptions, TaskPlan
from quaestor.longtask.playbook import load
from quaestor.research.events import ReportWritten
from quaestor.research.options import ResearchOptions

TEXT = "Count the words of the chronicle."
STEPS: Sequence[Mapping[str, object]] = (
    {"goal": "They are counted.", "plan": {"Count": ["Count them"]}},
    {"say": "I write.", "write_file": {"path": "a.txt", "content": "one two"}, "findings": "It is written."},
    {"say": "I count.", "shell": "wc -w a.txt"},
    {"say": "Two words.", "phases": {"Phase 1": "complete"}, "done": "They are counted."},
)


async def begun(folder: Path, text: str = TEXT, **options: JsonValue) -> Work:
    """Begin a task from the playbook above and do not carry it on."""
    async with opened(folder / "home", model=playbook(folder, *STEPS), **options) as q:
        return Work(folder / "home", await q.start_task(text), ObedientSandbox(lambda *_: said("2 a.txt\n")))


async def place(work: Work) -> Path:
    async with opened(work.folder) as q:
        options = await q.options(work.session_id)
    assert isinstance(options, TaskOptions | ResearchOptions)
    return Path(options.workspace)


async def test_a_task_is_carried_out_in_a_folder_of_its_own_in_the_home(tmp_path: Path) -> None:
    work = await begun(tmp_path)
    result = await work.run()
    assert (result.status, result.outcome, result.statement) == ("finished", "done", "Two words.")
    folder = await place(work)
    assert folder.parent == work.folder / "workspaces"
    assert sorted(file.name for file in folder.iterdir()) == sorted([*MANAGED_FILES, "a.txt"])
    plan = TaskPlan.model_validate_json((folder / PLAN_FILE).read_text(encoding="utf-8"))
    assert (plan.goal, plan.phases[0].status) == ("They are counted.", "complete")
    assert await work.run() == result


async def test_text_that_differs_in_white_space_alone_resumes_and_other_text_starts_anew(tmp_path: Path) -> None:
    work = await begun(tmp_path, workspace=str(tmp_path / "w"))
    same = await begun(tmp_path, "Count  the words\n of the chronicle. ", workspace=str(tmp_path / "w"))
    elsewhere = await begun(tmp_path, workspace=str(tmp_path / "v"))
    other = await begun(tmp_path, "Count the letters.", workspace=str(tmp_path / "w"))
    assert same.session_id == work.session_id
    assert len({work.session_id, elsewhere.session_id, other.session_id}) == 3
    await work.run()
    left = (tmp_path / "w" / FINDINGS_FILE).read_bytes()
    await other.run()
    assert (tmp_path / "w" / ".archive" / "1" / FINDINGS_FILE).read_bytes() == left
    assert "Count the letters." in (tmp_path / "w" / FINDINGS_FILE).read_text(encoding="utf-8")
    assert (await begun(tmp_path, workspace=str(tmp_path / "w"))).session_id != work.session_id


async def test_a_folder_in_which_nobody_can_work_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for workspace, reason in ((tmp_path / "file", "is a file"), (tmp_path, "holds the home")):
        with pytest.raises(UsageError, match=reason):
            await begun(tmp_path, workspace=str(workspace))
    with pytest.raises(UsageError, match="empty"):
        await begun(tmp_path, "  ")


async def test_a_replay_of_a_task_ends_in_the_same_and_does_nothing(tmp_path: Path) -> None:
    work = await begun(tmp_path)
    await work.run()
    shutil.rmtree(folder := await place(work))
    async with opened(work.folder, model=f"replay:{work.session_id}") as q:
        again = Work(work.folder, await q.start_task(TEXT), ObedientSandbox())
    assert (await again.run()).statement == "Two words."
    assert again.session_id != work.session_id
    assert again.sandbox.ran == []
    assert not folder.exists()
    assert [event.type for event in await again.events()] == [event.type for event in await work.events()]


async def test_so_does_one_of_a_task_that_was_asked_about_killed_and_edited(tmp_path: Path) -> None:
    work = await begun(tmp_path, approve=["shell"])
    assert (await work.run()).status == "waiting"
    assert await work.tell(Answer(text="yes")) is None
    work.sandbox = ObedientSandbox(hangs_at="wc -w a.txt")
    running = asyncio.create_task(work.run())
    await until(work, running)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    plan = await place(work) / PLAN_FILE
    plan.write_text(plan.read_text(encoding="utf-8").replace("They are counted.", "All are counted."), encoding="utf-8")
    assert (await work.run()).outcome == "done"
    assert [one.tool for one in await work.of(ToolInterrupted)] == ["shell"]
    async with opened(work.folder, model=f"replay:{work.session_id}") as q:
        again = Work(work.folder, await q.start_task(TEXT), ObedientSandbox())
    assert (await again.run()).statement == "Two words."
    facts = [[(fact.key, fact.contract) for fact in await one.of(FactRecorded)] for one in (work, again)]
    assert facts[0] == facts[1]
    assert "PlanAdopted" in dict(facts[0]).values()
    assert again.sandbox.ran == []


async def test_without_a_sandbox_programs_are_refused_and_the_task_says_why(tmp_path: Path) -> None:
    work = await begun(tmp_path)
    async with opened(work.folder, None) as q:
        assert (await q.run(work.session_id)).outcome == "done"
    progress = ((await place(work)) / "progress.md").read_text(encoding="utf-8")
    assert "programs are refused, because no sandbox works here: a test" in progress


async def test_documents_can_be_searched_by_a_task(tmp_path: Path) -> None:
    steps = [{"say": "I search.", "search_database": "fog bell"}, {"say": "Found.", "done": "Found."}]
    model = playbook(tmp_path, *steps)
    async with opened(tmp_path / "home", model=model) as q:
        work = Work(tmp_path / "home", await q.start_task(TEXT, await q.index([write_papers(tmp_path)])))
    assert (await work.run()).outcome == "done"
    [_, second] = [asked for asked in await work.of(ModelRequested) if asked.role == "worker"]
    shown = RoundInput.model_validate(second.given)
    assert shown.tools == ("shell", "python", "search_database", "read_file", "write_file")
    assert "310 crowns" in shown.last_result


SUM = "The lighthouse, the bell and the lights of Aldmouth cost 5,660 crowns together."
SHARE = "Half of what the harbour lights of Aldmouth cost is 2,830 crowns."
ASKED = "What did the harbour lights of Aldmouth cost together?"
PLANNED: Mapping[str, object] = {
    "goal": "It is added up.",
    "phases": [{"title": "Add up", "checklist": ["Add up the costs"]}],
}


def planner(*todos: Mapping[str, object]) -> list[Mapping[str, object]]:
    return [{"reply": {"todos": list(todos)}}]


def tool(task: str, *needs: str) -> Mapping[str, object]:
    return {"task": task, "kind": "tool", "dependencies": list(needs)}


def worker(todo: str, *rounds: Mapping[str, JsonValue]) -> list[Mapping[str, object]]:
    """Script the rounds of one todo; the last one ends it."""
    return [{"todo": todo, "reply": said} for said in (*rounds, reply(f"{todo} is done.", done=True))]


ADDS = tool("Add up what the harbour lights of Aldmouth cost together.")
HALVES = tool("What is half of what the harbour lights of Aldmouth cost?", "t1")
READS: Mapping[str, object] = {"task": "What did the fog bell of Aldmouth cost?"}


async def research(
    folder: Path,
    roles: Mapping[str, Sequence[Mapping[str, object]]],
    effect: Mapping[str, str],
    *,
    hangs_at: str | None = None,
    **options: JsonValue,
) -> Work:
    """Begin a session whose programs print what `effect` says, and do not carry it on."""
    planned = {"task_planner": [{"reply": PLANNED, "times": 9}]}
    settings: dict[str, JsonValue] = {
        "model": script(folder, {**planned, **roles}),
        "allow": ["shell", "python"],
        "effort": "low",
        "questions": False,
        **options,
    }

    def printed(_: Path, command: str) -> CommandResult:
        return said(f"{effect[command]}\n")

    async with opened(folder / "home", **settings) as q:
        session_id = await q.start(ASKED, await q.index([write_papers(folder)]))
    return Work(folder / "home", session_id, ObedientSandbox(printed, hangs_at))


def both(*more: Mapping[str, object]) -> Mapping[str, Sequence[Mapping[str, object]]]:
    """Script a todo that adds up and one that halves its result."""
    rounds = [*worker("t1", reply(call=shell("add"))), *worker("t2", reply(call=shell("halve")))]
    return {"planner": planner(ADDS, HALVES, *more), "worker": rounds}


async def shown(work: Work, todo_id: str) -> list[RoundInput]:
    asked = [event.payload for event in await work.events() if event.todo_id == todo_id]
    return [
        RoundInput.model_validate(one.given)
        for one in asked
        if isinstance(one, ModelRequested) and one.role == "worker"
    ]


async def test_what_a_todos_programs_printed_is_cited_and_known_to_those_that_depend_on_it(tmp_path: Path) -> None:
    work = await research(tmp_path, both(), {"add": SUM, "halve": SHARE})
    result = await work.run()
    assert result.outcome == "done"
    assert result.report
    cited = {source.uri for source in result.report.sources}
    assert cited == {"quaestor:todo/t1/round/1/tool", "quaestor:todo/t2/round/1/tool"}
    assert work.sandbox.ran == ["add", "halve"]
    assert SUM in (await shown(work, "t2"))[0].findings_tail
    assert SUM not in (await shown(work, "t1"))[0].findings_tail
    folder = await place(work)
    assert sorted(path.name for path in folder.iterdir()) == ["t1", "t2"]
    for todo in ("t1", "t2"):
        assert sorted(path.name for path in (folder / todo).iterdir()) == sorted(MANAGED_FILES)
    async with opened(work.folder) as q:
        assert await q.store.verify_chain(work.session_id) == []


async def test_a_todo_that_printed_nothing_is_reported_with_its_last_words_as_a_note(tmp_path: Path) -> None:
    roles = {
        "planner": planner(ADDS, HALVES),
        "worker": [*worker("t1", reply(call=shell("add"))), *worker("t2", reply(call=shell("quiet")))],
    }
    work = await research(tmp_path, roles, {"add": SUM, "quiet": ""})
    result = await work.run()
    assert result.report
    notes = {section.todo_id: section.note for section in result.report.sections}
    assert notes["t2"] == "Nothing to cite; it ended with: t2 is done."


async def test_two_todos_ask_at_the_same_time_and_each_gets_its_own_answer(tmp_path: Path) -> None:
    roles = {
        "planner": planner(ADDS, tool("Count the harbour lights of Aldmouth.")),
        "worker": [*worker("t1", reply(call=shell("add"))), *worker("t2", reply(call=shell("count")))],
    }
    work = await research(tmp_path, roles, {"add": SUM, "count": "3 lights"}, questions=True, approve=["shell"])
    result = await work.run()
    assert (result.status, work.sandbox.ran) == ("waiting", [])
    first, second = await work.of(QuestionAsked)
    assert result.asked == first
    assert {first.kind, second.kind} == {"approval"}
    exact = {asked.ref.split("/")[1]: asked.questions[0] for asked in (first, second)}
    assert '{"command": "add", "tool": "shell"}' in exact["t1"]
    assert '{"command": "count", "tool": "shell"}' in exact["t2"]
    assert "answer yes or no" in (await work.tell(Answer(text="perhaps")) or "")
    answers = {"t1": "no, I know it", "t2": "yes"}
    for asked in (first, second):
        assert (await work.run()).asked == asked
        assert await work.tell(Answer(text=answers[asked.ref.split("/")[1]])) is None
    assert (await work.run()).status == "finished"
    assert work.sandbox.ran == ["count"]
    assert "a person said: no, I know it" in (await shown(work, "t1"))[1].last_result
    assert "3 lights" in (await shown(work, "t2"))[1].last_result


async def test_after_sources_were_read_in_a_session_its_programs_need_a_yes(tmp_path: Path) -> None:
    roles = {"planner": planner(READS, tool(str(ADDS["task"]), "t1")), "worker": worker("t2", reply(call=shell("add")))}
    work = await research(tmp_path, roles, {"add": SUM}, questions=True)
    result = await work.run()
    assert (result.status, work.sandbox.ran) == ("waiting", [])
    assert result.asked
    assert "words of others were read before (search for t1)" in result.asked.questions[0]
    assert await work.tell(Answer(text="yes")) is None
    assert (await work.run()).outcome == "done"
    assert work.sandbox.ran == ["add"]


@pytest.mark.parametrize("asks", [True, False])
async def test_unless_the_person_has_set_it_otherwise(tmp_path: Path, asks: bool) -> None:
    roles = {"planner": planner(READS, tool(str(ADDS["task"]), "t1")), "worker": worker("t2", reply(call=shell("add")))}
    work = await research(tmp_path, roles, {"add": SUM}, approve_after_untrusted=asks)
    assert (await work.run()).status == "finished"
    assert work.sandbox.ran == ([] if asks else ["add"])
    if asks:
        assert "in this run nobody can be asked" in (await shown(work, "t2"))[1].hints[0]


async def test_at_the_wall_of_the_budget_a_todos_files_are_whole_and_what_it_printed_is_reported(
    tmp_path: Path,
) -> None:
    rounds = [reply(call=shell(f"add {number}")) for number in range(1, 9)]
    roles = {"planner": planner(ADDS, HALVES), "worker": worker("t1", *rounds)}
    effect = {f"add {number}": SUM if number == 1 else "nothing" for number in range(1, 9)}
    work = await research(tmp_path, roles, effect, max_tool_calls=4, reserve_share=0)
    result = await work.run()
    assert (await work.of(BudgetReached))[0].limit == "tool_calls: 4"
    assert len(work.sandbox.ran) == 4
    assert result.outcome in {"partial", "no_result"}
    folder = await place(work) / "t1"
    assert "round 4, action\n  shell: add 4: done" in (folder / "progress.md").read_text(encoding="utf-8")
    TaskPlan.model_validate_json((folder / PLAN_FILE).read_text(encoding="utf-8"))


async def until(work: Work, running: "asyncio.Task[object]") -> None:
    """Wait until a program hangs."""
    hanging = asyncio.create_task(work.sandbox.hanging.wait())
    await asyncio.wait((hanging, running), return_when=asyncio.FIRST_COMPLETED)
    assert hanging.done()


async def test_whoever_has_seen_enough_ends_a_program_that_runs(tmp_path: Path) -> None:
    effect = {"add": SUM, "halve": SHARE}
    work = await research(tmp_path, both(READS), effect, hangs_at="halve", approve_after_untrusted=False)
    running = asyncio.create_task(work.run())
    await until(work, running)
    assert await work.tell(FinishNow()) is None
    result = await asyncio.wait_for(running, 300)
    assert result.outcome == "partial"
    assert result.report
    assert "5,660" in result.report.model_dump_json()
    progress = (await place(work) / "t2" / "progress.md").read_text(encoding="utf-8")
    assert "halve" not in progress


async def test_a_program_of_a_todo_that_was_killed_is_shown_as_interrupted_and_not_run_again(tmp_path: Path) -> None:
    work = await research(tmp_path, both(), {"add": SUM, "halve": SHARE}, hangs_at="halve")
    running = asyncio.create_task(work.run())
    await until(work, running)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert work.sandbox.ran == ["add", "halve"]
    work.sandbox = ObedientSandbox()
    assert (await work.run()).status == "finished"
    assert work.sandbox.ran == []
    assert [one.key for one in await work.of(ToolInterrupted)] == ["todo/t2/round/1/tool"]
    assert "interrupted: the process ended while it ran" in (await shown(work, "t2"))[1].last_result
    calls = [asked.key for asked in await work.of(ToolRequested)]
    assert (calls.count("todo/t1/round/1/tool"), calls.count("todo/t2/round/1/tool")) == (1, 1)
    assert [asked.key for asked in await work.of(ModelRequested)].count("todo/t2/plan") == 1


async def test_a_replay_runs_no_program_and_ends_in_the_same_report(tmp_path: Path) -> None:
    work = await research(tmp_path, both(READS), {"add": SUM, "halve": SHARE}, approve_after_untrusted=False)
    await work.run()
    shutil.rmtree(await place(work))
    async with opened(work.folder, model=f"replay:{work.session_id}") as q:
        again = Work(work.folder, await q.start(ASKED, None), ObedientSandbox())
    await again.run()
    assert again.sandbox.ran == []
    assert not (await place(work)).exists()
    reports = [(await one.of(ReportWritten))[0].report.citations() for one in (work, again)]
    assert reports[0] == reports[1]


async def test_a_todo_whose_worker_gives_garbage_does_not_stop_the_session(tmp_path: Path) -> None:
    roles = {**both(READS), "worker": [{"fault": "garbage", "times": 9}]}
    work = await research(tmp_path, roles, {})
    result = await work.run()
    assert result.outcome == "partial"
    assert result.report
    assert "310 crowns" in result.report.model_dump_json()
    assert not [fact for fact in await work.of(FactRecorded) if fact.contract == "Acted"]


def test_the_playbook_of_tiles_has_sixty_steps_whose_files_are_what_the_last_ones_write_again() -> None:
    steps = load(Path(__file__).parents[1] / "playbooks" / "tiles.yaml").steps
    assert len(steps) == 60
    last: dict[str, str] = {}
    for step in steps:
        if step.write_file:
            last[step.write_file.path] = sha256(step.write_file.content.encode()).hexdigest()
    assert sorted(last) == sorted(
        ["README.md", "all.sh", "bench.py", "build.sh", "page.py", "test_tiles.py", "tiles.c", "tiles.h", "tiles.py"]
    )
