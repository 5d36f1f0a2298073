"""The steps of a todo that another workflow carries out.

    the states of that workflow -> DEPOSITING -> READING -> QUOTING -> REFLECTING -> RECORDING -> UPDATING_PLAN

What its run produced becomes sources: a reader quotes them, or they are quoted where the run says which words prove
what.
"""

from collections.abc import Iterable, Mapping, Sequence

from quaestor.contracts.action import Action, ToolRun
from quaestor.contracts.event import Event, QuestionAsked, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.contracts.report_settings import SourceBounds
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.source import Hit
from quaestor.contracts.todo import TODO_END, TodoOptions, TodoOutcome, TodoRequest
from quaestor.contracts.tools import SearchResults
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.roles import DraftFinding, DraftQuote
from quaestor.research.contracts.tools import MAX_DEPOSIT_HITS, DepositInput, output_uri
from quaestor.research.options import ResearchOptions
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Quoting, Reading, Recording, Working

_UNTRUSTED_TOOLS = frozenset({"search", "search_web", "web_search", "fetch", "pick", "survey", "consult", "operate"})
"""Tools of other todos that bring text of documents, pages and servers; `web_search` in logs of earlier releases."""
_DEPOSIT = "deposit"


def start_run(
    state: TodoState,
    todo: Todo,
    session_id: str,
    options: ResearchOptions,
    workflows: Mapping[str, TodoWorkflow],
) -> TodoState:
    """Return a todo whose workflow begins; it fails where that workflow is not installed any more."""
    workflow = workflows.get(todo.kind)
    if workflow is None:
        return replace(state, step=Recording(f"no workflow is installed that carries out todos of kind {todo.kind}"))
    request = TodoRequest(
        session_id=session_id,
        todo_id=todo.id,
        task=todo.task,
        known=tuple(finding.claim for finding in state.recalled),
        options=todo_options(options, todo.kind),
    )
    return replace(state, step=Working(workflow.start(request)))


def todo_options(options: ResearchOptions, kind: str) -> TodoOptions:
    """Return what the todos of a kind may use in a session."""
    return TodoOptions(
        run=RunOptions.model_validate({name: getattr(options, name) for name in RunOptions.model_fields}),
        tools=options.allow,
        approve=options.approve,
        approved=options.approved,
        approve_after_untrusted=options.approve_after_untrusted,
        workspace=options.workspace,
        engines=options.engines,
        sources=SourceBounds.model_validate({name: getattr(options, name) for name in SourceBounds.model_fields}),
        corpus=options.corpus,
        own=options.todos.get(kind),
    )


def untrusted_source(event: Event) -> str | None:
    """Return which tool of research brought text of others, and for which todo; None if the event did not."""
    match event.payload:
        case ToolResponded(tool=tool, key=key, error=None) if tool in _UNTRUSTED_TOOLS:
            if key.startswith("todo/"):  # a call of a run, which knows itself what it read
                return None
            return f"{tool} for {event.todo_id}" if event.todo_id else tool
        case _:
            return None


def source_read_by_runs(todos: Iterable[TodoState]) -> str | None:
    """Return which run read text of others, and where from; None if none did."""
    for state in todos:
        if isinstance(state.step, Working) and state.step.run.untrusted_source:
            return f"{state.todo_id}: {state.step.run.untrusted_source}"
    return None


def mark_untrusted(state: TodoState, source: str) -> TodoState:
    """Mark the run of a todo as one in whose session text of others was read."""
    if not isinstance(state.step, Working):
        return state
    return replace(state, step=replace(state.step, run=state.step.run.mark_untrusted(source)))


def next_actions(step: Working, todo: Todo, options: ResearchOptions) -> Sequence[Action]:
    """Return what the run wants; once it has ended, the deposit that makes sources of its outputs."""
    outcome = step.run.outcome
    if outcome is None:
        return step.run.next()
    query, limit = todo.task, options.hits
    if outcome.claims:  # so that every output with a quote is found
        query, limit = "\n".join(claim.quote for claim in outcome.claims), MAX_DEPOSIT_HITS
    given = DepositInput(query=query, limit=limit, outputs=outcome.outputs)
    return [ToolRun(key=f"todo/{todo.id}/deposit", state=TODO_END, todo_id=todo.id, tool=_DEPOSIT, given=given)]


def fold(state: TodoState, event: Event) -> TodoState:
    """Return the state after one more event of the session; the run decides whether it concerns it."""
    if not isinstance(state.step, Working):
        return state
    return replace(state, step=replace(state.step, run=state.step.run.apply(event)))


def refuse_answer(state: TodoState, text: str) -> str | None:
    """Return why a text does not answer the question of this todo's run; None when it does."""
    return state.step.run.refuse_answer(text) if isinstance(state.step, Working) else None


def is_asked_by(state: TodoState, asked: QuestionAsked) -> bool:
    """Return whether a question comes from the run of this todo."""
    question = state.step.run.open_question if isinstance(state.step, Working) else None
    return question is not None and question.ref == asked.ref


def apply_deposit(state: TodoState, step: Working, responded: ToolResponded, options: ResearchOptions) -> TodoState:
    """Go on with what the run claims, or with the passages of its outputs; without any, end with its statement."""
    outcome = step.run.outcome
    if outcome is None:
        return state
    failed = (f"What it produced could not be kept: {responded.error}",) if responded.error else ()
    state = replace(
        state,
        summary=outcome.statement,
        gaps=(*state.gaps, *outcome.gaps, *failed),
        tools=tuple(dict.fromkeys((*outcome.tools_used, *(() if responded.error else (_DEPOSIT,))))),
    )
    hits = responded.result.hits if isinstance(responded.result, SearchResults) else ()
    if drafts := _claimed_findings(outcome, hits):
        return replace(state, step=Quoting(drafts, may_search=False))
    unread = take_within(hits, options.reading_characters, json_size)
    if unread and not step.is_stopped:
        seen = frozenset(hit.place for hit in unread)
        return replace(state, step=Reading(), unread=unread, seen=seen)
    return replace(state, step=Recording(None if outcome.outcome == "done" else outcome.statement))


def uncited_summary(state: TodoState) -> str:
    """Return how a todo ended that another workflow carried out and has nothing to cite; empty for any other todo."""
    return f"Nothing to cite; it ended with: {state.summary}" if _DEPOSIT in state.tools and state.summary else ""


def _claimed_findings(outcome: TodoOutcome, hits: Iterable[Hit]) -> tuple[DraftFinding, ...]:
    """Return the claims of a run with the sources that its outputs became; they are still to be proven."""
    sources = {hit.uri: hit.passage.source for hit in hits}
    return tuple(
        DraftFinding(claim=claim.claim, quotes=(DraftQuote(source=source, text=claim.quote),))
        for claim in outcome.claims
        if (source := sources.get(output_uri(claim.output)))
    )
