"""The laws of a task's life, under any prefix, over lives that hypothesis makes."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from fakes.tasks import PLAN, TASK, noted, reply, shell
from quaestor.contracts.action import OutputPass, Record, ToolRun
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    Answered,
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    Event,
    KnownPayload,
    Resumed,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.workspace import DumpInput, DumpResult, FilePart, FileState, ProgramResult, WriteFileResult
from quaestor.longtask.contracts import TaskOptions, TaskPlan
from quaestor.longtask.plugin import CODEC
from quaestor.longtask.routing import next_actions, state_rows
from quaestor.longtask.state import (
    PlannedTask,
    TaskSetup,
    TaskState,
    UnplannedTask,
    is_ending,
    open_question,
    rejected_objections,
)
from quaestor.longtask.steps import Ended, ReviewingEdit, Syncing
from quaestor.longtask.task_fold import fold
from quaestor.longtask.workspace_files import render_findings, render_plan, render_progress
from quaestor.longtask.workspace_sync import dump_key

START = datetime(2026, 1, 1, tzinfo=UTC)
PREFIX = "todo/t3/"
HASH = "a" * 64

choices = st.lists(st.integers(0, 11), max_size=60)
REPLIES: Sequence[JsonValue] = (
    reply(call=shell("ls")),
    reply(call=shell("make"), writeback=noted("Issues: it is slow.", progress=["Ran it."])),
    reply(call={"tool": "read_file", "path": "theirs"}),
    reply(call={"tool": "write_file", "path": "a", "content": "b"}),
    reply(writeback=noted(phase_status=[{"phase_id": "Phase 1", "status": "complete"}])),
    reply(call={"tool": "browser"}),
    {"assistant_answer": "No writeback."},
    reply("Done.", done=True),
)


def begun(options: TaskOptions) -> TaskState:
    return UnplannedTask(TaskSetup(TASK, "k", options, PREFIX, "t3"))


def live(drawn: Sequence[int], **options: object) -> list[Event]:
    """Run a task with random outcomes, up to some number of them; return its events."""
    said = TaskOptions.model_validate({"rounds": 12, **options})
    life, events, left = begun(said), list[Event](), list(drawn)

    def note(fact: KnownPayload, state: str = "WORKING") -> None:
        nonlocal life
        number = len(events) + 1
        at = START + timedelta(seconds=number)
        events.append(Event(session_id="s", seq=number, cycle=1, at=at, state=state, todo_id="t3", payload=fact))
        life = fold(life, events[-1])

    while left:
        choice = left.pop(0)
        actions = next_actions(life)
        assert len({action.key for action in actions}) == len(actions)
        assert all(action.key.startswith(PREFIX) and action.todo_id == "t3" for action in actions)
        assert next_actions(life) == actions
        match actions[0] if actions else None:
            case Record() as record:
                note(record.facts[0], record.state)
            case OutputPass() as asked:
                note(_answer(asked, choice))
            case ToolRun() as run:
                note(_outcome(run, choice))
            case _ if question := open_question(life):
                note(Answered(ref=question.ref, text="yes" if choice % 2 else "no"))
            case _ if rejected_objections(life):
                note(Resumed(after="pause"))
            case _:
                break
        if choice == 11:
            note(Resumed(after="crash"))
    return events


def _answer(asked: OutputPass, choice: int) -> KnownPayload:
    common = {"key": asked.key, "role": asked.role, "contract": asked.given.gives.__name__}
    if choice == 10:
        return ContractRejected.model_validate({**common, "attempt": 3, "objections": ["bad"], "final": True})
    said = PLAN if asked.role == "task_planner" else REPLIES[choice % len(REPLIES)]
    output = asked.given.gives.model_validate(said)
    return ContractAccepted.model_validate({**common, "output": output, "repaired": choice == 9})


def _outcome(run: ToolRun, choice: int) -> KnownPayload:
    common = {"key": run.key, "tool": run.tool}
    if choice == 10 and run.tool != "dump":
        return ToolInterrupted.model_validate(common)
    fails = choice == 9
    result = None if fails else _result(run, choice)
    error = "it failed" if fails else None
    return ToolResponded.model_validate(
        {**common, "result": result, "error": error, "spend": Spend(), "milliseconds": 0}
    )


def _result(run: ToolRun, choice: int) -> DumpResult | ProgramResult | FilePart | WriteFileResult:
    match run.given:
        case DumpInput(plan=plan):
            edited = {7: plan.replace("The words", "All words"), 8: "nonsense"}.get(choice)
            damaged = ("findings.md",) if choice == 6 and run.given.findings.start else ()
            found = plan if edited is None else edited
            return DumpResult(plan_sha256=sha256(found.encode()).hexdigest(), edited=edited, damaged=damaged)
        case _ if run.tool == "shell":
            return ProgramResult(exit_code=choice % 2, stdout="x" * choice * 300, stderr="no" * (choice % 2))
        case _ if run.tool == "read_file":
            return FilePart(path="theirs", text="text", offset=0, characters=4, sha256=HASH)
        case _:
            return WriteFileResult(changed=(FileState(path="a", sha256=f"{choice:x}" * 64, size=1),))


def fold_all(events: Sequence[Event], life: TaskState) -> TaskState:
    for event in events:
        life = fold(life, event)
    return life


@given(choices, st.integers(0, 200), st.booleans())
def test_folded_in_any_two_parts_and_read_back_from_json_a_life_is_the_same(
    drawn: list[int], cut: int, questions: bool
) -> None:
    events = live(drawn, questions=questions)
    fresh = begun(TaskOptions(rounds=12, questions=questions))
    stored = [CODEC.decode(Event.model_validate_json(event.model_dump_json())) for event in events]
    assert fold_all(stored[cut:], fold_all(stored[:cut], fresh)) == fold_all(events, fresh)


@given(choices, st.booleans())
def test_the_plan_always_parses_and_a_log_only_grows_at_its_end(drawn: list[int], questions: bool) -> None:
    life, findings, progress = begun(TaskOptions(rounds=12, questions=questions)), "", ""
    for event in live(drawn, questions=questions):
        life = fold(life, event)
        if isinstance(life, UnplannedTask):
            continue
        assert TaskPlan.model_validate_json(render_plan(life.plan_with_errors)) == life.plan_with_errors
        assert render_findings(life.logs.findings).startswith(findings)
        assert render_progress(life.logs.progress).startswith(progress)
        findings, progress = render_findings(life.logs.findings), render_progress(life.logs.progress)
        assert life.actions <= 1 or isinstance(life.step, Syncing)
        assert life.round <= 12


@given(choices)
def test_events_of_other_todos_change_nothing(drawn: list[int]) -> None:
    events = [event for event in live(drawn) if not isinstance(event.payload, Resumed)]
    other = UnplannedTask(TaskSetup(TASK, "k", TaskOptions(), "todo/t4/", "t4"))
    assert fold_all(events, other) == other


@given(choices)
def test_a_life_follows_its_table(drawn: list[int]) -> None:
    rows = state_rows("RECORDING", per_todo=True)
    life, here = begun(TaskOptions(rounds=12)), "OUTLINING"
    for event in live(drawn):
        for action in next_actions(life):
            assert action.state == here or action.state in rows[here].leads_to
            here = action.state
            if isinstance(action, ToolRun):
                assert action.tool in rows[here].tools
        life = fold(life, event)


def test_a_wall_is_met_anywhere_and_the_files_are_still_written() -> None:
    events = live([0] * 60)
    for cut in range(1, len(events)):
        life = fold_all(events[:cut], begun(TaskOptions(rounds=12)))
        stop = BudgetReached(limit="dollars: 1", spent=Spend(), refused_key="k")
        stopped = fold(life, events[cut].model_copy(update={"payload": stop}))
        keys = [action.key for action in next_actions(stopped)]
        assert is_ending(stopped)
        match stopped:
            case PlannedTask(step=Syncing()):
                assert keys == [dump_key(stopped)]
            case _:
                assert isinstance(stopped.step, Ended | ReviewingEdit)
