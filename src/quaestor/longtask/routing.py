"""The rounds of a task: what its life wants now. A long task is this life, and so is a todo done with tools.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ...

Its keys begin with the prefix it was born with, and what happens to it is folded in `rounds_fold`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, assert_never

from quaestor.contracts.action import Action, OutputPass, Record, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.event import FactRecorded, QuestionAsked
from quaestor.contracts.roles import RoleInput
from quaestor.contracts.workflow import StateSpec
from quaestor.longtask import tool_calls, workspace_sync
from quaestor.longtask.contracts import (
    TOOLS,
    ChecklistItem,
    Phase,
    Round,
    RoundInput,
    TaskPlan,
    TaskPlanDraft,
    TaskPlanInput,
    TaskToolCall,
)
from quaestor.longtask.outcome_summary import summarize_tool_outcome
from quaestor.longtask.reply_evaluation import evaluate_reply
from quaestor.longtask.state import TaskState
from quaestor.longtask.workspace_files import TAIL_LINES, log_tail, render_findings, render_progress

PLANNER = "task_planner"
WORKER = "worker"


def state_rows(after: str, *, per_todo: bool = False) -> Mapping[str, StateSpec]:
    """Give the rows of a task's states; `after` is where its life leads when it has ended."""
    return {
        "OUTLINING": StateSpec(
            takes="task, tools",
            gives=TaskPlanDraft,
            role=PLANNER,
            per_todo=per_todo,
            leads_to=frozenset({"KEEPING", after}),
        ),
        "KEEPING": StateSpec(
            takes="what happened -> the files of the workspace, and what a person changed in the plan",
            tools=frozenset({"dump"}),
            per_todo=per_todo,
            leads_to=frozenset({"WORKING", after}),
        ),
        "WORKING": StateSpec(
            takes="where the task stands",
            gives=Round,
            role=WORKER,
            per_todo=per_todo,
            leads_to=frozenset({"APPROVING", "ACTING", "KEEPING"}),
        ),
        "APPROVING": StateSpec(
            takes="a call, which a person approves or declines",
            per_todo=per_todo,
            leads_to=frozenset({"ACTING", "KEEPING"}),
        ),
        "ACTING": StateSpec(
            takes="one call -> what it gave",
            tools=frozenset(TOOLS),
            per_todo=per_todo,
            leads_to=frozenset({"ESCALATING", "KEEPING"}),
        ),
        "ESCALATING": StateSpec(
            takes="an error that came three times, about which a person is asked",
            per_todo=per_todo,
            leads_to=frozenset({"KEEPING"}),
        ),
    }


def next_actions(rounds: TaskState) -> Sequence[Action]:
    """Say what this task wants now.

    Nothing while a person is asked, after three replies that cannot be used, and when it has ended.
    """
    action = None if rounds.asked or rounds.broken else _next_action(rounds)
    return [action] if action else ()


def _next_action(rounds: TaskState) -> Action | None:  # noqa: C901 -- one arm a step
    match rounds.step:
        case "planning":
            return _output_pass(
                rounds,
                f"{rounds.prefix}plan",
                "OUTLINING",
                PLANNER,
                TaskPlanInput(task=rounds.task, tools=rounds.options.available_tools),
            )
        case "working":
            return (
                _output_pass(rounds, rounds.key, "WORKING", WORKER, build_round_input(rounds)) if rounds.plan else None
            )
        case "judging":
            return (
                _record_fact(rounds, "WORKING", "judged", evaluate_reply(rounds, rounds.reply))
                if rounds.reply
                else None
            )
        case "asking":
            return _ask_approval(rounds, rounds.call) if rounds.call else None
        case "acting":
            return _run_call(rounds, rounds.call) if rounds.call else None
        case "weighing":
            state = "ACTING" if rounds.decline_reason is None else "APPROVING"
            return (
                _record_fact(rounds, state, "acted", summarize_tool_outcome(rounds, rounds.call))
                if rounds.call
                else None
            )
        case "escalating":
            return _ask_person(rounds, "ESCALATING", "escalation", f"{rounds.repeated_error}. What should be done?")
        case "dumping":
            given = workspace_sync.build_dump_input(rounds)
            return (
                _tool_run(rounds, f"{rounds.prefix}dump/{rounds.dumps + 1}", "KEEPING", "dump", given)
                if given
                else None
            )
        case "comparing":
            fact = workspace_sync.evaluate_plan_edit(rounds)
            return _record_fact(rounds, "KEEPING", f"edit/{rounds.dumps}", fact) if fact else None
        case "ended":
            return None
        case never:
            assert_never(never)


def _output_pass(rounds: TaskState, key: str, state: str, role: str, given: RoleInput) -> Action:
    return OutputPass(key=key, state=state, todo_id=rounds.todo_id, role=role, given=given)


def _run_call(rounds: TaskState, call: TaskToolCall) -> Action | None:
    given = tool_calls.build_tool_input(call, rounds.options.seconds, rounds.todo_id or "")
    return None if isinstance(given, str) else _tool_run(rounds, f"{rounds.key}/tool", "ACTING", call.tool, given)


def _tool_run(rounds: TaskState, key: str, state: str, tool: str, given: Contract) -> Action:
    return ToolRun(key=key, state=state, todo_id=rounds.todo_id, tool=tool, given=given)


def _record_fact(rounds: TaskState, state: str, name: str, value: Contract) -> Action:
    key = f"{rounds.key}/{name}"
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value.model_dump(mode="json"))
    return Record(key=key, state=state, todo_id=rounds.todo_id, facts=(fact,))


def _ask_approval(rounds: TaskState, call: TaskToolCall) -> Action:
    exact = f"round {rounds.round} wants to call {call.tool} with exactly this: {tool_calls.call_signature(call)}"
    return _ask_person(rounds, "APPROVING", "approval", f"{exact} ({rounds.approval}). Yes or no?")


def _ask_person(rounds: TaskState, state: str, kind: Literal["approval", "escalation"], question: str) -> Action:
    ref = f"{rounds.key}/{kind}"
    who = f"{rounds.todo_id}: " if rounds.todo_id else ""
    asked = QuestionAsked(ref=ref, kind=kind, questions=(f"{who}{question}",), agent=WORKER)
    return Record(key=ref, state=state, todo_id=rounds.todo_id, facts=(asked,))


_MAX_ERRORS = 3
_MAX_HINTS = 5
_MAX_TASK_CHARACTERS = 6_000
_MAX_HINT_CHARACTERS = 500
_MAX_ERROR_CHARACTERS = 300


def build_round_input(rounds: TaskState) -> RoundInput:
    """Give what the worker is shown in this round."""
    plan = rounds.plan
    return RoundInput(
        task=_truncate(rounds.task, _MAX_TASK_CHARACTERS),
        goal=_truncate(plan.goal, _MAX_TASK_CHARACTERS) if plan else "",
        phases=tuple(map(_format_phase, plan.phases)) if plan else (),
        current_phase=plan.current_phase if plan else "",
        checklist=tuple(_format_checklist(plan)) if plan else (),
        tools=rounds.options.available_tools,
        errors=tuple(_truncate(one.error, _MAX_ERROR_CHARACTERS) for one in rounds.errors if not one.resolution)[
            -_MAX_ERRORS:
        ],
        findings_tail=log_tail(render_findings(rounds.findings[-TAIL_LINES:])),
        progress_tail=log_tail(render_progress(rounds.progress[-TAIL_LINES:])),
        last_result=rounds.last_result,
        failed=rounds.failed,
        hints=tuple(_truncate(hint, _MAX_HINT_CHARACTERS) for hint in rounds.hints[-_MAX_HINTS:]),
        actions=rounds.actions,
        round=rounds.round,
        rounds_left=rounds.options.rounds - rounds.round,
    )


def _format_phase(phase: Phase) -> str:
    return f"{phase.id} ({phase.status}): {phase.title}"


def _format_checklist(plan: TaskPlan) -> Iterator[str]:
    current = plan.phase(plan.current_phase)
    for item in current.checklist if current else ():
        yield _format_item(item)


def _format_item(item: ChecklistItem) -> str:
    return f"{'done' if item.done else 'open'}: {item.text}"


def _truncate(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}[...]"
