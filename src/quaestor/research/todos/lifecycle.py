"""How a research or analysis todo starts, what it wants next, and how it advances on what all todos share.

    QUERYING -> SEARCHING -> (FETCHING) -> READING -> QUOTING -> REVIEWING -> (again) -> RECORDING -> UPDATING_PLAN

A todo knows nothing of any other todo but the findings it builds on. An analysis searches nothing: it begins by reading
those findings. `delegated_todo` has the steps of a todo that an agent carries out, `workflow_todo` those of one that
another workflow carries out, until there are findings or passages to go on with here.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from quaestor.contracts.action import Action, OutputPass, Record, ToolRun
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.ledger import Finding
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.contracts.roles import AgentCard
from quaestor.evidence.ranking import fuse_rankings, json_size, select_relevant, take_within
from quaestor.research.contracts.plan import Todo, TodoKind
from quaestor.research.contracts.roles import PlanOutlineItem, QueriesInput, ReadInput, ReviewInput, new_queries
from quaestor.research.contracts.tools import ProveInput
from quaestor.research.options import ResearchOptions, writes_brief
from quaestor.research.todos import delegated_todo, page_choice, searching, steps, workflow_todo
from quaestor.research.todos.outcome import NO_DEPENDENCY_FINDINGS, outcome_event
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import SearchRequests
from quaestor.research.todos.tool_outcomes import ToolOutcomes, survey_key


def start(
    todo: Todo,
    known: Sequence[Finding],
    options: ResearchOptions,
    earlier: Sequence[Finding] = (),
    *,
    session_id: str = "",
    workflows: Mapping[str, TodoWorkflow] = MappingProxyType({}),
) -> TodoState:
    """Return the first state of a todo; `known` are the findings of the todos it depends on.

    One that only thinks about findings ends at once when there are none; it thinks about those of `earlier` cycles
    too. One that searches is led on by them and finds for itself, as a reader leaves out what it is shown as known.
    `workflows` carry out the todos of the kinds that the options name.
    """
    card = next((card for card in options.agents if card.name == todo.agent), None)
    thinks = todo.kind == TodoKind.ANALYSIS or todo.agent is not None
    recalled = _select_known_findings(todo, (*earlier, *known) if thinks else known, options)
    leads = () if thinks else select_relevant(earlier, todo.task, options.prompt_characters // 4)
    state = TodoState(
        todo_id=todo.id,
        step=steps.Querying(),
        task=todo.task,
        recalled=recalled,
        earlier_claims=tuple(finding.claim for finding in leads),
        has_outside_access=searching.may_search_outside(todo, options),
    )
    if card is None and todo.kind in options.todo_kinds:
        return workflow_todo.start_run(state, todo, session_id, options, workflows)
    if card and card.tools:
        return replace(state, step=delegated_todo.first_step(card, options))
    if card is None and todo.kind != TodoKind.ANALYSIS:
        return _begin_with_planned_queries(state, todo, options)
    if not recalled:
        return replace(state, step=steps.Recording(), gaps=(NO_DEPENDENCY_FINDINGS,))
    return replace(state, step=steps.Delegating(card) if card else steps.Reading())


class ReviewScope(Immutable):
    """What a reviewer knows beside the todo: the other todos, how many may be added, and to whom delegated."""

    outline: tuple[PlanOutlineItem, ...] = ()
    room: int = 0
    agents: tuple[AgentCard, ...] = ()


def next_actions(  # noqa: C901 -- one arm a step
    state: TodoState,
    todo: Todo,
    *,
    question: str,
    outcomes: ToolOutcomes,
    options: ResearchOptions,
    scope: ReviewScope = ReviewScope(),  # noqa: B008 -- frozen
) -> Sequence[Action]:
    """Return the actions that this todo wants now."""
    key = f"todo/{todo.id}"
    match state.step:
        case steps.Scouting() as step:
            fetches = "fetch" in step.delegate.card.tools
            pages = page_choice.selectable_pages(state, outcomes, options) if fetches else ()
            return [delegated_todo.choose_tools(state, step, todo, question, pages)]
        case steps.Delegating(card=card):
            return [delegated_todo.request_contract(state, card, todo, question)]
        case steps.Working() as step:
            return workflow_todo.next_actions(step, todo, options)
        case steps.Querying():
            queries_given = _queries_input(state, todo, question, options)
            return [_output_pass(f"{key}/query/{state.loop}", "QUERYING", todo, "query_writer", queries_given)]
        case steps.Surveying() | steps.Searching() | steps.Fetching() | steps.Picking():
            return list(searching.pending_runs(state, outcomes, options))
        case steps.Reading():
            read_given = ReadInput(
                question=question,
                task=todo.task,
                hits=state.unread,
                findings=(*state.recalled, *state.findings) if options.is_extractive else state.recalled,
                similar=outcomes.similar_words(state.executed) if options.is_extractive else (),
                meaning=options.reads_meaning,
            )
            return [_output_pass(f"{key}/read/{state.loop}", "READING", todo, "reader", read_given)]
        case steps.Quoting(drafts=drafts, shown=shown):
            given = ProveInput(todo_id=todo.id, first=len(state.findings) + 1, drafts=drafts, shown=shown)
            quote_key = f"{key}/quote/{state.loop}"
            return [ToolRun(key=quote_key, state="QUOTING", todo_id=todo.id, tool="prove", given=given)]
        case steps.Reviewing() | steps.Recording() if _awaits_review(state, todo, options, scope):
            return [_request_review(state, todo, question, options, scope)]
        case steps.Reviewing() | steps.Recording():
            facts = (outcome_event(state, _ending(state), todo, states_claims=not writes_brief(options)),)
            return [Record(key=f"{key}/record", state="RECORDING", todo_id=todo.id, facts=facts)]
        case steps.Recorded():
            return ()
        case never:
            assert_never(never)


def advance(state: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> TodoState:
    """Go on once everything that this step waits for has an outcome; one that failed does not hurt the others."""
    while True:
        further = _advance_once(state, outcomes, options)
        if further is state:
            return state
        state = further


def _advance_once(state: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> TodoState:
    if any(searching.pending_runs(state, outcomes, options)):
        return state
    match state.step:
        case steps.Surveying(delegate=delegate):
            survey = outcomes.surveys[survey_key(options.servers)]
            return delegated_todo.apply_survey(state, delegate, survey, options)
        case steps.Searching() if searching.find_outage(state, outcomes, options):
            return state
        case steps.Searching(requests=requests):
            pages = page_choice.pages_to_fetch(state, requests, outcomes, options)
            if not pages:
                return _collect_passages(state, requests, outcomes, options)
            return replace(state, step=steps.Fetching(replace(requests, pages=pages)))
        case steps.Fetching(requests=requests, links_followed=False):
            pages = (*requests.pages, *page_choice.relevant_links(state, requests, outcomes, options))
            return replace(state, step=steps.Fetching(replace(requests, pages=pages), links_followed=True))
        case steps.Fetching(requests=requests) if page_choice.readable_sources(requests, outcomes, options):
            return replace(state, step=steps.Picking(requests))
        case steps.Fetching(requests=requests) | steps.Picking(requests=requests):
            return _collect_passages(state, requests, outcomes, options)
        case _:
            return state


def _collect_passages(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> TodoState:
    """Go on with the best passages that all queries of the loop brought."""
    errors, all_failed = searching.search_errors(state, requests, outcomes, options)
    page_errors = page_choice.page_errors(requests, outcomes)
    rankings = searching.rankings(state, requests, outcomes, options)
    ranked = fuse_rankings([[hit for hit in hits if hit.place not in state.seen] for hits in rankings])
    fresh = take_within(ranked, options.reading_characters - sum(map(json_size, state.unread)), json_size)
    calls = (given.call for given in (*requests.read_calls, *requests.write_calls))
    failed_searches = (f"A search failed: {error}" for error in errors)
    failed_pages = (f"A page could not be read: {error}" for error in page_errors)
    state = replace(
        state,
        executed=(*state.executed, *requests.queries, *calls),
        has_outside_access=state.has_outside_access and not options.isolates_private_text,
        visited_pages=(*state.visited_pages, *requests.pages),
        tools=tuple(dict.fromkeys((*state.tools, *searching.tools_used(state, requests, options)))),
        unread=(*state.unread, *fresh),
        seen=state.seen | {hit.place for hit in fresh},
        gaps=tuple(dict.fromkeys((*state.gaps, *failed_searches, *failed_pages))),
    )
    if requests.delegate:
        refused = (*requests.refused, *errors, *page_errors, *page_choice.disallowed_pages(requests))
        if requests.delegate.passes < delegated_todo.MAX_TOOL_PASSES:
            return replace(state, step=steps.Scouting(requests.delegate, refused))
        if state.unread or state.recalled or not all_failed:
            return delegated_todo.finish_tool_passes(state, requests.delegate.card, refused)
    if state.unread:
        return replace(state, step=steps.Reading())
    if state.findings:
        return replace(state, step=steps.Reviewing())
    failure = f"every search failed: {errors[0]}" if all_failed else None
    return replace(state, step=steps.Recording(failure))


def _queries_input(state: TodoState, todo: Todo, question: str, options: ResearchOptions) -> QueriesInput:
    claims = (*state.earlier_claims, *(finding.claim for finding in (*state.recalled, *state.findings)))
    return QueriesInput(
        question=question,
        task=todo.task,
        wanted=options.queries,
        executed=state.executed,
        gap=state.gap,
        follow_ups=state.follow_ups,
        known=take_within(claims, options.prompt_characters // 2, len),
        source_hint=todo.source_hint,
    )


def _request_review(
    state: TodoState, todo: Todo, question: str, options: ResearchOptions, scope: ReviewScope
) -> OutputPass:
    """Ask whether the findings suffice, and what follows."""
    ending = _ending(state)
    given = ReviewInput(
        question=question,
        todo_id=todo.id,
        task=todo.task,
        findings=select_relevant(state.findings, todo.task, options.prompt_characters),
        result=ending.statement,
        failure=ending.failure or "",
        gaps=state.gaps,
        executed=state.executed,
        loops_left=_loops_left(state, todo, options),
        plan=scope.outline,
        room=scope.room,
        agents=scope.agents,
    )
    return _output_pass(f"todo/{todo.id}/review/{state.loop}", "REVIEWING", todo, "reviewer", given)


def _begin_with_planned_queries(state: TodoState, todo: Todo, options: ResearchOptions) -> TodoState:
    """Search what the planner proposed; a todo that findings of others lead on has its queries written."""
    queries = new_queries(todo.queries, (), options.queries)
    if not queries or todo.dependencies or state.earlier_claims:
        return state
    return replace(state, step=steps.Searching(SearchRequests(queries=queries)))


def _awaits_review(state: TodoState, todo: Todo, options: ResearchOptions, scope: ReviewScope) -> bool:
    """Return whether a review is asked for; without a search left and without room nothing could follow from it."""
    could_follow = scope.room or _loops_left(state, todo, options)
    return state.review is None and (state.is_review_requested or bool(could_follow))


def _loops_left(state: TodoState, todo: Todo, options: ResearchOptions) -> int:
    """Return how many searches may follow; none after an outcome that is known."""
    may_search = isinstance(state.step, steps.Reviewing) and todo.kind == TodoKind.RESEARCH
    return max(options.loops - state.loop, 0) if may_search else 0


def _ending(state: TodoState) -> steps.Recording:
    return state.step if isinstance(state.step, steps.Recording) else steps.Recording()


def _output_pass(
    key: str, table_state: str, todo: Todo, role: str, given: QueriesInput | ReadInput | ReviewInput
) -> OutputPass:
    return OutputPass(key=key, state=table_state, todo_id=todo.id, role=role, given=given)


def _select_known_findings(todo: Todo, known: Sequence[Finding], options: ResearchOptions) -> tuple[Finding, ...]:
    """Return the relevant findings of the todos before this one; more of them where the todo only thinks."""
    thinks = todo.kind == TodoKind.ANALYSIS or todo.agent is not None
    ceiling = options.reading_characters if thinks else options.prompt_characters // 2
    return select_relevant(known, todo.task, ceiling)
