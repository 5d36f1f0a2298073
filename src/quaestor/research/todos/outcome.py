"""How a todo ends: the entry and the memory line of one that was carried out, the reason of one that failed."""

from quaestor.contracts.ledger import LedgerEntry, MemoryLine
from quaestor.research.contracts.plan import Todo
from quaestor.research.events import TodoFailed, TodoRecorded
from quaestor.research.todos import workflow_todo
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Recording
from quaestor.views.text import count_noun

NO_PASSAGES_FOUND = "No results: no source that was searched holds passages on this."
NO_ANSWER_IN_PASSAGES = "Passages were found, but none of them answers this."
NOT_PROVEN = "What was stated is left out, as no quoted words prove it."
NOT_SEARCHED = "Nothing was searched."
NO_ANSWER_IN_FINDINGS = "What earlier todos found does not answer this."
NO_USABLE_ANSWER = "gave no usable answer"
NO_DEPENDENCY_FINDINGS = "The todos this one builds on found nothing."


def without_reply(reason: str) -> str:
    """Return why a todo failed, without the words of a reply that could not be used: anybody may have written them."""
    before, unusable, _ = reason.partition(NO_USABLE_ANSWER)
    return f"{before[:1].lower()}{before[1:]}{unusable}" if unusable else reason


def outcome_event(state: TodoState, step: Recording, todo: Todo, *, states_claims: bool) -> TodoRecorded | TodoFailed:
    """Return the event that ends a todo; where nobody `states_claims`, nothing that was stated is left out."""
    left_out = state.left_out if states_claims else 0
    if step.failure:
        return TodoFailed(reason=step.failure, loop_count=state.reviews, is_final=step.is_final)
    if state.findings:
        summary = state.summary or state.findings[0].claim
    else:
        summary = step.statement or workflow_todo.uncited_summary(state) or _no_findings_reason(state, left_out)
    entry = LedgerEntry(
        todo_id=todo.id,
        attempt=todo.retry_count,
        description=todo.task,
        findings_summary=summary,
        findings=state.findings,
        sources=state.sources,
        gaps=(*_left_out(left_out), *state.gaps),
        spend=state.spend,
    )
    return TodoRecorded(
        entry=entry,
        memory=MemoryLine(todo_ids=(todo.id,), text=f"{todo.task}: {summary}"),
        loop_count=state.reviews,
        tools_used=state.tools,
    )


def _left_out(statements: int) -> tuple[str, ...]:
    """Return what was left out of the findings, which may be all that was stated; never the words of a reply."""
    if not statements:
        return ()
    count = count_noun(statements, "statement")
    return (f"{count} left out: the words quoted stand in none of the passages that were shown, or prove nothing.",)


def _no_findings_reason(state: TodoState, left_out: int) -> str:
    if left_out:
        return NOT_PROVEN
    if state.seen:
        return NO_ANSWER_IN_PASSAGES
    if state.executed:
        return NO_PASSAGES_FOUND
    return NO_ANSWER_IN_FINDINGS if state.recalled else NOT_SEARCHED
