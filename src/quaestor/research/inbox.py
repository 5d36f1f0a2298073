"""What a person's commands lead to in a research session: pure rules over its state."""

from collections.abc import Collection
from typing import assert_never

from quaestor.contracts.approvals import standing_approval
from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    Command,
    FinishNow,
    Label,
    OpenCycle,
    Pause,
    RevokeApproval,
    WorkflowCommand,
)
from quaestor.contracts.event import Answered, Cancelled, CycleStarted, FinishRequested, QuestionAsked
from quaestor.contracts.workflow import CommandOutcome, refuse
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.research import cycle_fold
from quaestor.research.contracts.commands import EditPlan, PlanReview, RetryTodo, ReviewPlan, ReviseSection
from quaestor.research.contracts.plan import AddTodo, ChangeTodo, PlanEdit, TodoStatus
from quaestor.research.events import PlanEdited, PlanReviewed, RevisionRequested, TodoRetried
from quaestor.research.options import writes_brief
from quaestor.research.phases import Executing, Refreshing, ReviewingPlan
from quaestor.research.planning.edits import apply_edits
from quaestor.research.planning.replanning import retry_on_request
from quaestor.research.reports.revision import find_section
from quaestor.research.state import ResearchState
from quaestor.research.todos import workflow_todo
from quaestor.research.todos.state import TodoState

_CONFIRM_WORDS = frozenset({"/confirm_plan", "confirm", "yes"})
_PLAN_WORD = "/plan"
_END_REVIEW_WORDS = frozenset({"/end_plan"})
_RETRY_WORDS = frozenset({"retry", "again", "yes"})


def handle(state: ResearchState, order: Command) -> CommandOutcome:  # noqa: C901 -- one arm a command
    """Return the facts that a command leads to, or the reason why it is refused."""
    if isinstance(order, OpenCycle):
        return _open_cycle(state, order)
    if isinstance(order, RetryTodo) and state.is_finished:
        return _retry_in_cycle(state, order.todo_id)
    if isinstance(order, ReviseSection):
        return _revise(state, order)
    if state.is_finished:
        return refuse("the session is finished; ask on with a follow-up question, or fork it")
    match order:
        case Answer(text=text):
            return _handle_answer(state, text)
        case EditPlan():
            return _edit_plan(state, order)
        case ReviewPlan(review=review):
            return _review_plan(state, review)
        case FinishNow():
            busy = state.is_writing or state.stopped
            return refuse("the report is being written already") if busy else CommandOutcome(facts=(FinishRequested(),))
        case Cancel():
            return CommandOutcome(facts=(Cancelled(),))
        case RetryTodo(todo_id=todo_id):
            return _retry_todo(state, todo_id)
        case Pause() | AddBudget() | Label() | RevokeApproval():
            return CommandOutcome()
        case WorkflowCommand(kind=kind):
            return refuse(f"a research session has no command {kind}")
        case never:
            assert_never(never)


def _review_plan(state: ResearchState, review: PlanReview) -> CommandOutcome:
    if isinstance(state.phase, ReviewingPlan):
        return CommandOutcome(facts=(PlanReviewed(review=review),))
    if review == "auto_approved" and state.options.review_plan and not state.is_review_over:
        return CommandOutcome(facts=(PlanReviewed(review=review),))  # of the plans that are still to be made
    return refuse("the plan is not under review" if state.plan.todos else "there is no plan yet; wait for it")


def _open_cycle(state: ResearchState, order: OpenCycle) -> CommandOutcome:
    if not state.is_finished:
        return refuse("the session is not finished; wait for its report, or finish it now")
    match order.why:
        case "question" if order.question is None:
            return refuse("the follow-up question is missing; ask something")
        case "question":
            return CommandOutcome(facts=(CycleStarted(why="question", question=order.question),))
        case "refresh" if not state.all_findings():
            return refuse("nothing was found, so there is no evidence to look at again")
        case "refresh":
            return CommandOutcome(facts=(CycleStarted(why="refresh"),))
        case why:
            return refuse(f"the session researches a question; it has no cycle of the kind {why}")


def _handle_answer(state: ResearchState, text: str) -> CommandOutcome:
    asked = state.dialogue.waiting
    if asked is None:
        return refuse("no question is open")
    said = fold_case_and_blanks(text)
    if said == _PLAN_WORD:
        return refuse("/plan shows the plan and answers nothing; the question is still open")
    if asked.kind == "plan_confirmation":
        if said in _CONFIRM_WORDS:
            return CommandOutcome(facts=(PlanReviewed(review="confirmed"),))
        if said in _END_REVIEW_WORDS:
            return CommandOutcome(facts=(PlanReviewed(review="auto_approved"),))
        return refuse("the plan waits for confirmation; confirm it or edit it")
    asking = _asking_todo(state, asked)
    if asking and (unclear := workflow_todo.refuse_answer(asking, text)):
        return refuse(unclear)
    answered = Answered(ref=asked.ref, text=text, standing=standing_approval(asked.call, text))
    if asked.ref.startswith("escalation/") and said in _RETRY_WORDS:
        retried = _retry_todo(state, asked.ref.removeprefix("escalation/"))
        return retried if retried.refused else CommandOutcome(facts=(answered, *retried.facts))
    return CommandOutcome(facts=(answered,), todo_id=asking.todo_id if asking else None)


def _asking_todo(state: ResearchState, asked: QuestionAsked) -> TodoState | None:
    """Return the todo that a question comes from, None for one of the session."""
    todos = state.phase.todos if isinstance(state.phase, Executing) else {}
    return next((one for one in todos.values() if workflow_todo.is_asked_by(one, asked)), None)


def _edit_plan(state: ResearchState, order: EditPlan) -> CommandOutcome:
    if not state.plan.todos:
        return refuse("there is no plan yet; wait until it is made")
    if isinstance(state.phase, Refreshing):
        return refuse("the sources are being looked at again; wait for what comes of it")
    if state.is_writing or state.stopped:
        return refuse("the plan has been carried out; the report is being written")
    if order.seen is not None and state.last_plan_edit_seq > order.seen:
        return refuse(
            f"the plan was edited by somebody else after you looked at it (event {state.last_plan_edit_seq}); "
            "look at it as it is now, and edit again"
        )
    absent = [absence for edit in order.edits if (absence := _absent_kind(edit, state.options.kinds))]
    if absent:
        return refuse(f"{', '.join(absent)}; kinds are {', '.join(state.options.kinds)}. Start another session for it")
    agents = [card.name for card in state.options.agents]
    changed = apply_edits(state.plan, order.edits, state.options.max_todos, agents, state.last_todo_number)
    if changed.refused:
        return refuse("; ".join(changed.refused))
    if not changed.plan.todos:
        return refuse("no todo would be left; keep one, or cancel the session")
    return CommandOutcome(facts=(PlanEdited(edits=order.edits, plan=changed.plan, used=changed.used),))


def _absent_kind(edit: PlanEdit, kinds: Collection[str]) -> str | None:
    """Return which todo an edit makes one of a kind that the session does not have, or None."""
    match edit:
        case AddTodo(does=kind, task=task) if kind not in kinds:
            return f"{task.strip()!r}: this session has no todos of kind {kind}"
        case ChangeTodo(does=str(kind), todo_id=todo_id) if kind not in kinds:
            return f"{todo_id}: this session has no todos of kind {kind}"
        case _:
            return None


def _retry_todo(state: ResearchState, todo_id: str) -> CommandOutcome:
    todo = state.plan.todo(todo_id)
    if todo is None:
        return refuse(f"there is no {todo_id} in the plan")
    if state.is_writing or state.stopped:
        return refuse("the report is being written; nothing is tried again")
    if todo.status is TodoStatus.BLOCKED:
        return refuse(f"{todo_id} is blocked by {', '.join(todo.dependencies)}; retry what failed there")
    if todo.status is not TodoStatus.FAILED:
        return refuse(f"{todo_id} is {todo.status}; only a failed todo is tried again")
    if again := next((other for other in state.plan.todos if other.retries == todo_id), None):
        return refuse(f"{todo_id} is being tried again already, as {again.id}")
    return CommandOutcome(facts=(TodoRetried(todo=retry_on_request(state.plan, todo)),))


def _retry_in_cycle(state: ResearchState, todo_id: str) -> CommandOutcome:
    """Begin another cycle of a finished session, in which a todo that failed is tried again."""
    begun = cycle_fold.start_cycle(state, CycleStarted(why=cycle_fold.RETRY))
    cut_off = [todo.id for todo in state.plan.todos if todo.status is TodoStatus.IN_PROGRESS]
    if cut_off:
        return refuse(f"the session was ended while {', '.join(cut_off)} ran; ask on with a follow-up question")
    retried = _retry_todo(begun, todo_id)
    return retried if retried.refused else CommandOutcome(facts=(CycleStarted(why=cycle_fold.RETRY), *retried.facts))


def _revise(state: ResearchState, order: ReviseSection) -> CommandOutcome:
    """Begin another cycle of a finished session, in which one section of its report is written again."""
    if not state.is_finished:
        return refuse("the session is not finished; wait for its report, or finish it now")
    if writes_brief(state.options):
        return refuse("no model writes in this session, so a section cannot be written again; use one with a model")
    if state.written is None:
        return refuse("there is no report whose section could be written again")
    section = find_section(state.written.report, order.section)
    if section is None:
        known = ", ".join(f"{one.todo_id} ({one.heading})" for one in state.written.report.sections)
        return refuse(f"the report has no section {order.section!r}; it has {known}")
    if not state.all_findings():
        return refuse("nothing was found from which a section could be written")
    requested = RevisionRequested(section=section.todo_id, wish=order.wish)
    return CommandOutcome(facts=(CycleStarted(why=cycle_fold.REVISE), requested))
