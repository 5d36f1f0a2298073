"""The rounds of a task: what its life wants now. A long task is this life, and so is a todo done with tools.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ...

Its keys begin with the prefix it was born with, and what happens to it is folded in `rounds_fold`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from quaestor.contracts.action import Action, OutputPass, Record, ToolRun
from quaestor.contracts.event import FactRecorded, QuestionAsked
from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import Given
from quaestor.contracts.task import TOOLS, Call, Round, TaskPlanDraft, TaskPlanGiven
from quaestor.contracts.workflow import StateRow
from quaestor.workflows.parts import calls, keeping
from quaestor.workflows.parts.judging import judged
from quaestor.workflows.parts.rounds_state import Rounds
from quaestor.workflows.parts.snapshot import snapshot
from quaestor.workflows.parts.weighing import acted

PLANNER = "task_planner"
WORKER = "worker"


def table(after: str, *, per_todo: bool = False) -> Mapping[str, StateRow]:
    """Give the rows of a task's states; `after` is where its life leads when it has ended."""
    return {
        "OUTLINING": StateRow(
            takes="task, tools",
            gives=TaskPlanDraft,
            role=PLANNER,
            per_todo=per_todo,
            leads_to=frozenset({"KEEPING", after}),
        ),
        "KEEPING": StateRow(
            takes="what happened -> the files of the workspace, and what a person changed in the plan",
            tools=frozenset({"dump"}),
            per_todo=per_todo,
            leads_to=frozenset({"WORKING", after}),
        ),
        "WORKING": StateRow(
            takes="where the task stands",
            gives=Round,
            role=WORKER,
            per_todo=per_todo,
            leads_to=frozenset({"APPROVING", "ACTING", "KEEPING"}),
        ),
        "APPROVING": StateRow(
            takes="a call, which a person approves or declines",
            per_todo=per_todo,
            leads_to=frozenset({"ACTING", "KEEPING"}),
        ),
        "ACTING": StateRow(
            takes="one call -> what it gave",
            tools=frozenset(TOOLS),
            per_todo=per_todo,
            leads_to=frozenset({"ESCALATING", "KEEPING"}),
        ),
        "ESCALATING": StateRow(
            takes="an error that came three times, about which a person is asked",
            per_todo=per_todo,
            leads_to=frozenset({"KEEPING"}),
        ),
    }


def wanted(rounds: Rounds) -> Sequence[Action]:
    """Say what this task wants now.

    Nothing while a person is asked, after three replies that cannot be used, and when it has ended.
    """
    action = None if rounds.asked or rounds.broken else _wanted(rounds)
    return [action] if action else ()


def _wanted(rounds: Rounds) -> Action | None:  # noqa: C901 -- one arm a step
    match rounds.step:
        case "planning":
            return _output(
                rounds,
                f"{rounds.prefix}plan",
                "OUTLINING",
                PLANNER,
                TaskPlanGiven(task=rounds.task, tools=rounds.options.available),
            )
        case "working":
            return _output(rounds, rounds.key, "WORKING", WORKER, snapshot(rounds)) if rounds.plan else None
        case "judging":
            return _fact(rounds, "WORKING", "judged", judged(rounds, rounds.reply)) if rounds.reply else None
        case "asking":
            return _approve(rounds, rounds.call) if rounds.call else None
        case "acting":
            return _run(rounds, rounds.call) if rounds.call else None
        case "weighing":
            state = "ACTING" if rounds.declined is None else "APPROVING"
            return _fact(rounds, state, "acted", acted(rounds, rounds.call)) if rounds.call else None
        case "escalating":
            return _ask(rounds, "ESCALATING", "escalation", f"{rounds.struck}. What should be done?")
        case "dumping":
            given = keeping.dump(rounds)
            return _tool(rounds, f"{rounds.prefix}dump/{rounds.dumps + 1}", "KEEPING", "dump", given) if given else None
        case "comparing":
            fact = keeping.compared(rounds)
            return _fact(rounds, "KEEPING", f"edit/{rounds.dumps}", fact) if fact else None
        case "ended":
            return None
        case never:
            assert_never(never)


def _output(rounds: Rounds, key: str, state: str, role: str, given: Given) -> Action:
    return OutputPass(key=key, state=state, todo_id=rounds.todo_id, role=role, given=given)


def _run(rounds: Rounds, call: Call) -> Action | None:
    given = calls.given(call, rounds.options.seconds, rounds.todo_id or "")
    return None if isinstance(given, str) else _tool(rounds, f"{rounds.key}/tool", "ACTING", call.tool, given)


def _tool(rounds: Rounds, key: str, state: str, tool: str, given: Noun) -> Action:
    return ToolRun(key=key, state=state, todo_id=rounds.todo_id, tool=tool, given=given)


def _fact(rounds: Rounds, state: str, name: str, value: Noun) -> Action:
    key = f"{rounds.key}/{name}"
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value.model_dump(mode="json"))
    return Record(key=key, state=state, todo_id=rounds.todo_id, facts=(fact,))


def _approve(rounds: Rounds, call: Call) -> Action:
    exact = f"round {rounds.round} wants to call {call.tool} with exactly this: {calls.exactly(call)}"
    return _ask(rounds, "APPROVING", "approval", f"{exact} ({rounds.approval}). Yes or no?")


def _ask(rounds: Rounds, state: str, kind: Literal["approval", "escalation"], question: str) -> Action:
    ref = f"{rounds.key}/{kind}"
    who = f"{rounds.todo_id}: " if rounds.todo_id else ""
    asked = QuestionAsked(ref=ref, kind=kind, questions=(f"{who}{question}",), agent=WORKER)
    return Record(key=ref, state=state, todo_id=rounds.todo_id, facts=(asked,))
