"""What each event of a todo changes in its state; `lifecycle.advance` handles what all todos share."""

from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    ModelRequested,
    ModelResponded,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.contracts.ledger import Finding
from quaestor.research.contracts.roles import Queries, Reading, Review, new_queries
from quaestor.research.contracts.tools import Proof
from quaestor.research.events import TodoFailed, TodoRecorded
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import delegated_todo, steps, workflow_todo
from quaestor.research.todos.outcome import NO_USABLE_ANSWER
from quaestor.research.todos.state import TodoState, resolve_labels, shown_passages

NO_REVIEW = Review(is_sufficient=False)
"""In place of a review that nobody gave."""


def fold(  # noqa: C901 -- one arm a step and event
    state: TodoState, event: Event, options: ResearchOptions
) -> TodoState:
    """Return the state after one more event of its todo; an event that its step does not wait for changes nothing."""
    match state.step, event.payload:
        case steps.Recorded(), _:
            return state
        case _, TodoRecorded():
            return TodoState(todo_id=state.todo_id, step=steps.Recorded(), review=state.review)
        case _, TodoFailed(is_final=is_final):
            return TodoState(todo_id=state.todo_id, step=steps.Recorded(is_final), review=state.review)
        case _, ModelResponded(spend=spend):
            return replace(state, spend=state.spend + spend)
        case steps.Working() as step, ToolResponded(tool="deposit") as outcome:
            return workflow_todo.apply_deposit(state, step, outcome, options)
        case steps.Working(), _:
            return state
        case steps.Scouting() as step, ToolsChosen() as choice:
            return delegated_todo.apply_tool_choice(state, step, choice)
        case steps.Delegating(), ContractAccepted() as accepted:
            return delegated_todo.apply_output(state, accepted)
        case steps.Querying(), ContractAccepted(output=Queries(queries=queries)):
            fresh = new_queries(queries, state.executed, options.queries)
            return replace(state, step=steps.Searching(steps.SearchRequests(queries=fresh)))
        case steps.Querying(), ContractRejected(final=True) if fresh := _queries_without_writer(state, options):
            return replace(state, step=steps.Searching(steps.SearchRequests(queries=fresh)))
        case steps.Reading(), ContractAccepted(output=Reading() as reading):
            drafts = resolve_labels(state, reading)
            quoting = steps.Quoting(drafts, shown_passages(state)) if drafts else steps.Reviewing()
            return replace(state, step=quoting, unread=())
        case steps.Quoting() as step, ToolResponded(tool="prove") as proved:
            return _apply_proof(state, step, proved)
        case steps.Reviewing() | steps.Recording(), ModelRequested():
            return replace(state, is_review_requested=True)
        case steps.Reviewing(), ContractAccepted(output=Review() as review):
            return _apply_review(state, review, options)
        case steps.Recording(), ContractAccepted(output=Review() as review):
            return replace(state, review=review)
        case steps.Recording(), ContractRejected(final=True):
            return replace(state, review=NO_REVIEW)
        case _, ContractRejected(final=True) as rejected:
            reason = f"The {rejected.role} {NO_USABLE_ANSWER}: {'; '.join(rejected.objections)}"
            # A reply that was refused, and corrected twice, would be refused again; nobody's silence says so.
            ended = _end_with_gap(state, reason, is_final=not rejected.unanswered)
            return replace(ended, review=NO_REVIEW) if isinstance(state.step, steps.Reviewing) else ended
        case _:
            return state


def stop_early(state: TodoState, reason: str) -> TodoState:
    """End a todo early with what it has."""
    match state.step:
        case steps.Recording():
            return replace(state, review=state.review or NO_REVIEW)
        case steps.Recorded():
            return state
        case steps.Working() as step:  # its run folds the same event, and ends by itself
            return replace(state, step=replace(step, is_stopped=True))
        case _:
            return replace(_end_with_gap(state, f"Not finished: {reason}."), review=NO_REVIEW)


def _queries_without_writer(state: TodoState, options: ResearchOptions) -> tuple[str, ...]:
    """Return what can be searched where nobody wrote queries: those the reviewer asked for, or the task itself."""
    return new_queries(state.follow_ups or (state.task,), state.executed, options.queries)


def _end_with_gap(state: TodoState, gap: str, *, is_final: bool = False) -> TodoState:
    """Record what was found; without findings the todo has failed."""
    failure = None if state.findings else gap
    return replace(state, step=steps.Recording(failure, is_final=is_final), gaps=(*state.gaps, gap))


def _apply_review(state: TodoState, review: Review, options: ResearchOptions) -> TodoState:
    may_search_again = bool(state.executed) and state.loop < options.loops
    again = may_search_again and not review.is_sufficient and bool(review.follow_up_queries)
    open_gap = () if review.is_sufficient or again or not review.knowledge_gap else (review.knowledge_gap,)
    return replace(
        state,
        step=steps.Querying() if again else steps.Recording(),
        loop=state.loop + 1 if again else state.loop,
        reviews=state.reviews + 1,
        review=None if again else review,
        is_review_requested=not again,
        summary=review.summary or state.summary,
        gap=review.knowledge_gap or None,
        gaps=(*state.gaps, *open_gap),
        follow_ups=review.follow_up_queries,
    )


def _apply_proof(state: TodoState, step: steps.Quoting, proved: ToolResponded) -> TodoState:
    state = replace(
        state,
        step=steps.Reviewing() if step.may_search else steps.Recording(),
        tools=state.tools if proved.tool in state.tools else (*state.tools, proved.tool),
    )
    if not isinstance(proved.result, Proof):
        return replace(state, gaps=(*state.gaps, f"Quoting failed: {proved.error}"))
    known = {(quote.source, quote.start, quote.end) for finding in state.findings for quote in finding.quotes}
    fresh = [
        finding
        for finding in proved.result.findings
        if not known.issuperset((quote.source, quote.start, quote.end) for quote in finding.quotes)
    ]
    numbered = (
        Finding(id=f"{state.todo_id}/{number}", claim=finding.claim, quotes=finding.quotes)
        for number, finding in enumerate(fresh, len(state.findings) + 1)
    )
    sources = {source.sha256: source for source in (*state.sources, *proved.result.sources)}
    return replace(
        state,
        findings=(*state.findings, *numbered),
        sources=tuple(sources.values()),
        left_out=state.left_out + len(proved.result.refused),
    )
