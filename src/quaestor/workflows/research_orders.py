"""What a person's orders lead to in a research session: pure rules over its state."""

from typing import assert_never

from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    EditPlan,
    FinishNow,
    Order,
    Pause,
    RetryTodo,
    ReviewPlan,
)
from quaestor.contracts.event import Answered, Cancelled, FinishRequested, PlanEdited, PlanReviewed, TodoRetried
from quaestor.contracts.plan import TodoStatus
from quaestor.contracts.workflow import Obeyed
from quaestor.plan.edits import edited
from quaestor.plan.growth import again
from quaestor.workflows.research_state import ResearchState

_CONFIRM = frozenset({"/confirm_plan", "confirm", "yes"})
_END_REVIEW = frozenset({"/end_plan"})
_RETRY = frozenset({"retry", "again", "yes"})


def obey(state: ResearchState, order: Order) -> Obeyed:
    """Give the facts that an order leads to, or the reason why it is refused."""
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
    answered = Answered(ref=asked.ref, text=text)
    if asked.kind == "escalation" and said in _RETRY:
        retried = _retried(state, asked.ref.removeprefix("escalation/"))
        return retried if retried.refused else Obeyed(facts=(answered, *retried.facts))
    return Obeyed(facts=(answered,))


def _edited(state: ResearchState, order: EditPlan) -> Obeyed:
    if not state.plan.todos:
        return _no("there is no plan yet; wait until it is made")
    if state.writing or state.stopped:
        return _no("the plan has been carried out; the report is being written")
    if order.seen is not None and state.plan_edited > order.seen:
        return _no(
            f"the plan was edited by somebody else after you looked at it (event {state.plan_edited}); "
            "look at it as it is now, and edit again"
        )
    agents = [card.name for card in state.options.agents]
    changed = edited(state.plan, order.edits, state.options.max_todos, agents, state.todos_used)
    if changed.refused:
        return _no("; ".join(changed.refused))
    if not changed.plan.todos:
        return _no("no todo would be left; keep one, or cancel the session")
    return Obeyed(facts=(PlanEdited(edits=order.edits, plan=changed.plan, used=changed.used),))


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
