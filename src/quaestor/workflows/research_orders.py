"""What a person's orders lead to in a research session: pure rules over its state."""

from typing import assert_never

from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    EditPlan,
    FinishNow,
    OpenCycle,
    Order,
    Pause,
    RetryTodo,
    ReviewPlan,
)
from quaestor.contracts.edit import AddTodo, ChangeTodo, Edit
from quaestor.contracts.event import (
    Answered,
    Cancelled,
    CycleStarted,
    FinishRequested,
    PlanEdited,
    PlanReviewed,
    TodoRetried,
)
from quaestor.contracts.plan import TodoKind, TodoStatus
from quaestor.contracts.workflow import Obeyed
from quaestor.plan.edits import edited
from quaestor.plan.growth import again
from quaestor.workflows.parts.rounds_fold import UNCLEAR, approved
from quaestor.workflows.research_state import ResearchState

_CONFIRM = frozenset({"/confirm_plan", "confirm", "yes"})
_END_REVIEW = frozenset({"/end_plan"})
_RETRY = frozenset({"retry", "again", "yes"})


def obey(state: ResearchState, order: Order) -> Obeyed:  # noqa: C901 -- one arm an order
    """Give the facts that an order leads to, or the reason why it is refused."""
    if isinstance(order, OpenCycle):
        return _another(state, order)
    if state.finished:
        return _no("the session is finished; ask on with a follow-up question, or fork it")
    match order:
        case Answer(text=text):
            return _answered(state, text)
        case EditPlan():
            return _edited(state, order)
        case ReviewPlan(review=review):
            if state.talk.reviewing:
                return Obeyed(facts=(PlanReviewed(review=review),))
            return _no("the plan is not under review" if state.plan.todos else "there is no plan yet; wait for it")
        case FinishNow():
            busy = state.writing or state.stopped
            return _no("the report is being written already") if busy else Obeyed(facts=(FinishRequested(),))
        case Cancel():
            return Obeyed(facts=(Cancelled(),))
        case RetryTodo(todo_id=todo_id):
            return _retried(state, todo_id)
        case Pause() | AddBudget():
            return Obeyed()
        case never:
            assert_never(never)


def _another(state: ResearchState, order: OpenCycle) -> Obeyed:
    if not state.finished:
        return _no("the session is not finished; wait for its report, or finish it now")
    match order.why:
        case "question" if order.question is None:
            return _no("the follow-up question is missing; ask something")
        case "question":
            return Obeyed(facts=(CycleStarted(why="question", question=order.question),))
        case "refresh" if not state.all_findings():
            return _no("nothing was found, so there is no evidence to look at again")
        case "refresh":
            return Obeyed(facts=(CycleStarted(why="refresh"),))
        case "decision":
            return _no("the session researches a question, and decides nothing")
        case never:
            assert_never(never)


def _answered(state: ResearchState, text: str) -> Obeyed:
    asked = state.talk.waiting
    if asked is None:
        return _no("no question stands open")
    said = " ".join(text.casefold().split())
    if asked.kind == "plan_confirmation":
        if said in _CONFIRM:
            return Obeyed(facts=(PlanReviewed(review="confirmed"),))
        if said in _END_REVIEW:
            return Obeyed(facts=(PlanReviewed(review="auto_approved"),))
        return _no("the plan waits for confirmation; answer /confirm_plan, or edit it with `quaestor plan`")
    if asked.kind == "approval" and approved(text) is None:
        return _no(UNCLEAR)
    answered = Answered(ref=asked.ref, text=text)
    if asked.ref.startswith("escalation/") and said in _RETRY:
        retried = _retried(state, asked.ref.removeprefix("escalation/"))
        return retried if retried.refused else Obeyed(facts=(answered, *retried.facts))
    return Obeyed(facts=(answered,))


def _edited(state: ResearchState, order: EditPlan) -> Obeyed:
    if not state.plan.todos:
        return _no("there is no plan yet; wait until it is made")
    if state.refreshing:
        return _no("the sources are being looked at again; wait for what comes of it")
    if state.writing or state.stopped:
        return _no("the plan has been carried out; the report is being written")
    if order.seen is not None and state.plan_edited > order.seen:
        return _no(
            f"the plan was edited by somebody else after you looked at it (event {state.plan_edited}); "
            "look at it as it is now, and edit again"
        )
    worked = [name for edit in order.edits if (name := _worked_with_tools(edit))]
    if worked and not state.options.allow:
        told = "this session has no tools for todos of kind tool; begin another one with --allow"
        return _no(f"{', '.join(worked)}: {told}")
    agents = [card.name for card in state.options.agents]
    changed = edited(state.plan, order.edits, state.options.max_todos, agents, state.todos_used)
    if changed.refused:
        return _no("; ".join(changed.refused))
    if not changed.plan.todos:
        return _no("no todo would be left; keep one, or cancel the session")
    return Obeyed(facts=(PlanEdited(edits=order.edits, plan=changed.plan, used=changed.used),))


def _worked_with_tools(edit: Edit) -> str | None:
    """Name the todo that an edit makes one of kind tool, if it does."""
    match edit:
        case AddTodo(does=TodoKind.TOOL, task=task):
            return repr(task.strip())
        case ChangeTodo(does=TodoKind.TOOL, todo_id=todo_id):
            return todo_id
        case _:
            return None


def _retried(state: ResearchState, todo_id: str) -> Obeyed:
    todo = state.plan.todo(todo_id)
    if todo is None:
        return _no(f"there is no {todo_id} in the plan")
    if state.writing or state.stopped:
        return _no("the report is being written; nothing is tried again")
    if todo.status is TodoStatus.BLOCKED:
        return _no(f"{todo_id} is blocked by {', '.join(todo.dependencies)}; retry what failed there")
    if todo.status is not TodoStatus.FAILED:
        return _no(f"{todo_id} is {todo.status}; only a failed todo is tried again")
    if any(other.retries == todo_id for other in state.plan.todos):
        return _no(f"{todo_id} is being tried again already")
    return Obeyed(facts=(TodoRetried(todo=again(state.plan, todo)),))


def _no(reason: str) -> Obeyed:
    return Obeyed(refused=reason)
