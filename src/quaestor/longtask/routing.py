"""The routing of a task: its state table, and what it needs next. Pure.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ...

A long task and a todo of kind `tool` in another workflow both use it; all keys begin with its prefix.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from quaestor.contracts.action import Action, OutputPass, Record, ToolRun
from quaestor.contracts.approvals import ApprovableCall
from quaestor.contracts.base import Contract
from quaestor.contracts.event import FactRecorded, QuestionAsked
from quaestor.contracts.workflow import StateSpec
from quaestor.longtask import reply_evaluation, workspace_sync
from quaestor.longtask.contracts import Round, TaskPlanDraft, TaskPlanInput, TaskToolCall
from quaestor.longtask.outcome_summary import summarize_tool_outcome
from quaestor.longtask.reply_evaluation import evaluate_reply
from quaestor.longtask.round_input import build_round_input
from quaestor.longtask.state import PlannedTask, TaskSetup, TaskState, UnplannedTask, open_question, rejected_objections
from quaestor.longtask.steps import (
    Acting,
    Approving,
    Declined,
    Ended,
    Escalating,
    Evaluating,
    Planning,
    ReviewingEdit,
    Summarizing,
    Syncing,
    Working,
)
from quaestor.longtask.tools.names import TOOLS
from quaestor.longtask.tools.registry import describe_tools
from quaestor.longtask.workspace_sync import build_dump_input, evaluate_plan_edit

PLANNER = "task_planner"
WORKER = "worker"


def state_rows(end_state: str, *, per_todo: bool = False) -> Mapping[str, StateSpec]:
    """Return the rows of a task's states; when it has ended, `end_state` follows."""
    return {
        "OUTLINING": StateSpec(
            takes="task, tools",
            gives=TaskPlanDraft,
            role=PLANNER,
            per_todo=per_todo,
            leads_to=frozenset({"KEEPING", end_state}),
        ),
        "KEEPING": StateSpec(
            takes="what happened -> the files of the workspace, and what a person changed in the plan",
            tools=frozenset({"dump"}),
            per_todo=per_todo,
            leads_to=frozenset({"WORKING", end_state}),
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


def next_actions(task: TaskState) -> Sequence[Action]:
    """Return what this task needs now.

    Nothing while a person is asked, after three replies that cannot be used, and when it has ended.
    """
    if open_question(task) or rejected_objections(task):
        return ()
    match task:
        case UnplannedTask(step=Planning()):
            return [_ask_planner(task.setup)]
        case UnplannedTask():
            return ()
        case PlannedTask():
            action = _next_action(task)
            return [action] if action else ()


def _ask_planner(setup: TaskSetup) -> Action:
    given = TaskPlanInput(task=setup.task, tools=describe_tools(setup.options))
    return OutputPass(key=f"{setup.prefix}plan", state="OUTLINING", todo_id=setup.todo_id, role=PLANNER, given=given)


def _next_action(task: PlannedTask) -> Action | None:
    match task.step:
        case Syncing():
            return _tool_run(task, workspace_sync.dump_key(task), "KEEPING", "dump", build_dump_input(task))
        case ReviewingEdit(text=text):
            return _record_fact(task, "KEEPING", f"edit/{task.sync.count}", evaluate_plan_edit(task.plan, text))
        case Working():
            given = build_round_input(task)
            todo_id = task.setup.todo_id
            return OutputPass(key=task.round_key, state="WORKING", todo_id=todo_id, role=WORKER, given=given)
        case Evaluating() as step:
            return _record_fact(task, "WORKING", "judged", evaluate_reply(task, step))
        case Approving() as step:
            return _ask_approval(task, step)
        case Acting(call=call):
            return _run_call(task, call)
        case Summarizing() as step:
            state = "APPROVING" if isinstance(step.outcome, Declined) else "ACTING"
            return _record_fact(task, state, "acted", summarize_tool_outcome(task, step))
        case Escalating(error=error):
            return _ask_person(task, "ESCALATING", "escalation", f"{error}. What should be done?")
        case Ended():
            return None
        case never:
            assert_never(never)


def _run_call(task: PlannedTask, call: TaskToolCall) -> Action | None:
    """Return None for a call that its tool would refuse; the evaluation of the reply lets none of these pass."""
    given = reply_evaluation.build_tool_input(call, task.setup.options.seconds, task.setup.todo_id or "")
    return None if isinstance(given, str) else _tool_run(task, f"{task.round_key}/tool", "ACTING", call.tool, given)


def _tool_run(task: PlannedTask, key: str, state: str, tool: str, given: Contract) -> Action:
    return ToolRun(key=key, state=state, todo_id=task.setup.todo_id, tool=tool, given=given)


def _record_fact(task: PlannedTask, state: str, name: str, value: Contract) -> Action:
    key = f"{task.round_key}/{name}"
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value)
    return Record(key=key, state=state, todo_id=task.setup.todo_id, facts=(fact,))


def _ask_approval(task: PlannedTask, step: Approving) -> Action:
    signature = reply_evaluation.call_signature(step.call)
    question = f"round {task.round} wants to call {step.call.tool} with exactly this: {signature} ({step.reason})"
    call = ApprovableCall(tool=step.call.tool, call=signature)
    return _ask_person(task, "APPROVING", "approval", f"{question}. Yes or no?", call)


def _ask_person(
    task: PlannedTask,
    state: str,
    kind: Literal["approval", "escalation"],
    question: str,
    call: ApprovableCall | None = None,
) -> Action:
    ref, todo_id = f"{task.round_key}/{kind}", task.setup.todo_id
    subject = f"{todo_id}: " if todo_id else ""
    fact = QuestionAsked(ref=ref, kind=kind, questions=(f"{subject}{question}",), agent=WORKER, call=call)
    return Record(key=ref, state=state, todo_id=todo_id, facts=(fact,))
