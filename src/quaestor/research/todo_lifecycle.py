"""The life of one research or analysis todo.

    QUERYING -> SEARCHING -> (FETCHING) -> READING -> QUOTING -> REFLECTING -> (again) -> RECORDING -> UPDATING_PLAN

Where the web is searched, the best pages that were found are fetched, and the best passages of those are chosen. A
life holds nothing of any other todo but the findings it builds on. An analysis has no search: it begins by reading
those. A todo that is delegated to an agent lives as `delegation` says, until its findings are proven, and one that
is done with tools as `tasking` says, until its programs have printed what there is to read.
"""

from collections.abc import Sequence
from typing import assert_never

from quaestor.contracts.action import Action, OutputPass, Record, ToolRun
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    ModelResponded,
    TodoFailed,
    TodoRecorded,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.ledger import Finding, LedgerEntry, MemoryLine
from quaestor.contracts.source import Hit
from quaestor.evidence.ranking import fuse_rankings, json_size, select_relevant, take_within
from quaestor.research import delegated_todo, todo_search, tool_todo
from quaestor.research.contracts.plan import Todo, TodoKind
from quaestor.research.contracts.roles import Queries, QueriesInput, Reading, ReadInput, ReflectInput, Reflection
from quaestor.research.contracts.tools import Proof, ProveInput
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState, resolve_labels
from quaestor.research.tool_outcomes import ToolOutcomes, survey_key

WAITING_STEPS = frozenset({"surveying", "searching", "fetching", "picking"})
"""The steps of a life that wait for what all todos share."""
NO_PASSAGES_FOUND = "No results: no source that was searched holds passages on this."
NO_ANSWER_IN_PASSAGES = "Passages were found, but none of them answers this."
NOT_SEARCHED = "Nothing was searched."
NO_ANSWER_IN_FINDINGS = "What earlier todos found does not answer this."
NO_DEPENDENCY_FINDINGS = "The todos this one builds on found nothing."


def start(todo: Todo, known: Sequence[Finding], options: ResearchOptions, earlier: Sequence[Finding] = ()) -> TodoState:
    """Give the life of a todo that starts now; `known` are the findings of the todos it depends on.

    One that only thinks about findings ends at once when there are none; it thinks about those of `earlier` cycles
    too. One that searches is led on by them and finds for itself, as a reader leaves out what it is shown as known.
    """
    card = next((card for card in options.agents if card.name == todo.agent), None)
    thinks = todo.kind is TodoKind.ANALYSIS or todo.agent is not None
    recalled = _select_known_findings(todo, (*earlier, *known) if thinks else known, options)
    leads = () if thinks else select_relevant(earlier, todo.task, options.prompt_characters // 4)
    life = TodoState(
        todo_id=todo.id,
        step="querying",
        task=todo.task,
        recalled=recalled,
        earlier_claims=tuple(finding.claim for finding in leads),
        card=card,
        outward=todo_search.may_search_outside(todo, options),
        urls=options.urls,
    )
    if card is None and todo.kind is TodoKind.TOOL and options.allow:
        return life.after(step="tasking", rounds=tool_todo.start_task(todo, options, recalled))
    if card and card.tools:
        return life.after(step=delegated_todo.first_step(card, options))
    if card is None and todo.kind is not TodoKind.ANALYSIS:
        return life
    if not recalled:
        return life.after(step="recording", gaps=(NO_DEPENDENCY_FINDINGS,))
    return life.after(step="delegating" if card else "reading")


def next_actions(  # noqa: C901 -- one arm a step
    life: TodoState, todo: Todo, *, question: str, outcomes: ToolOutcomes, options: ResearchOptions
) -> Sequence[Action]:
    """Say what this todo wants now."""
    key = f"todo/{todo.id}"
    match life.step:
        case "scouting" | "delegating":
            if life.card is None:
                return ()
            pages = todo_search.selectable_pages(life, outcomes, options) if "fetch" in life.card.tools else ()
            return [delegated_todo.next_action(life, life.card, todo, question, pages)]
        case "tasking":
            return tool_todo.next_actions(life, todo, options)
        case "querying":
            claims = (*life.earlier_claims, *(finding.claim for finding in (*life.recalled, *life.findings)))
            queries_given = QueriesInput(
                question=question,
                task=todo.task,
                wanted=options.queries,
                executed=life.executed,
                gap=life.gap,
                follow_ups=life.follow_ups,
                known=take_within(claims, options.prompt_characters // 2, len),
                source_hint=todo.source_hint,
            )
            return [_output_pass(f"{key}/query/{life.loop}", "QUERYING", todo, "query_writer", queries_given)]
        case "surveying" | "searching" | "fetching" | "picking":
            return list(todo_search.pending_runs(life, outcomes, options))
        case "reading":
            read_given = ReadInput(question=question, task=todo.task, hits=life.unread, findings=life.recalled)
            return [_output_pass(f"{key}/read/{life.loop}", "READING", todo, "reader", read_given)]
        case "quoting":
            prove_given = ProveInput(todo_id=todo.id, first=len(life.findings) + 1, drafts=life.drafts)
            return [
                ToolRun(
                    key=f"{key}/quote/{life.loop}", state="QUOTING", todo_id=todo.id, tool="prove", given=prove_given
                )
            ]
        case "reflecting":
            reflect_given = ReflectInput(
                question=question,
                task=todo.task,
                findings=select_relevant(life.findings, todo.task, options.prompt_characters),
                executed=life.executed,
                loops_left=max(options.loops - life.loop, 0) if todo.kind is TodoKind.RESEARCH else 0,
            )
            return [_output_pass(f"{key}/reflect/{life.loop}", "REFLECTING", todo, "reflector", reflect_given)]
        case "recording":
            return [Record(key=f"{key}/record", state="RECORDING", todo_id=todo.id, facts=(_ending_event(life, todo),))]
        case "recorded":
            return ()
        case never:
            assert_never(never)


def advance(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> TodoState:
    """Go on once everything this step waits for has an outcome; one that failed does not hurt the others."""
    while True:
        further = _advance_once(life, outcomes, options)
        if further is life:
            return life
        life = further


def _advance_once(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> TodoState:
    if any(todo_search.pending_runs(life, outcomes, options)):
        return life
    match life.step:
        case "surveying":
            return delegated_todo.apply_survey(life, outcomes.surveys[survey_key(options.servers)], options)
        case "searching":
            urls = todo_search.pages_to_fetch(life, outcomes, options)
            return life.after(step="fetching", urls=urls) if urls else _collect_passages(life, outcomes, options)
        case "fetching":
            if not life.followed:
                return life.after(
                    urls=(*life.urls, *todo_search.relevant_links(life, outcomes, options)), followed=True
                )
            if todo_search.readable_sources(life, outcomes, options):
                return life.after(step="picking")
            return _collect_passages(life, outcomes, options)
        case "picking":
            return _collect_passages(life, outcomes, options)
        case _:
            return life


def _collect_passages(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> TodoState:
    """Go on with the passages that all queries of the loop brought, the best of them first."""
    errors, hopeless = todo_search.search_errors(life, outcomes, options)
    unread = todo_search.page_errors(life, outcomes)
    missed = (f"A page could not be read: {error}" for error in unread)
    rankings = todo_search.rankings(life, outcomes, options)
    ranked = fuse_rankings([[hit for hit in hits if _passage_key(hit) not in life.read] for hits in rankings])
    taken = sum(map(json_size, life.unread))
    fresh = take_within(ranked, options.reading_characters - taken, json_size)
    life = life.after(
        executed=(*life.executed, *life.queries, *(given.call for given in (*life.read_calls, *life.write_calls))),
        outward=life.outward and not options.isolates_private_text,
        visited_pages=(*life.visited_pages, *life.urls),
        refused=(*life.refused, *errors, *unread, *todo_search.disallowed_pages(life)),
        urls=(),
        chosen=(),
        read_calls=(),
        write_calls=(),
        followed=False,
        tools=tuple(dict.fromkeys((*life.tools, *todo_search.tools_used(life, options)))),
        unread=(*life.unread, *fresh),
        read=life.read | {_passage_key(hit) for hit in fresh},
        gaps=tuple(dict.fromkeys((*life.gaps, *(f"A search failed: {error}" for error in errors), *missed))),
    )
    if life.card and life.passes < delegated_todo.MAX_TOOL_PASSES:
        return life.after(step="scouting")
    if life.card and (life.unread or life.recalled or not hopeless):
        return delegated_todo.finish_tool_passes(life)
    if life.unread:
        return life.after(step="reading")
    if life.findings:
        return life.after(step="reflecting")
    failure = f"every search failed: {errors[0]}" if hopeless else None
    return life.after(step="recording", failure=failure)


def fold(life: TodoState, event: Event, options: ResearchOptions) -> TodoState:  # noqa: C901 -- one arm an event
    """Give the life after one more event of its todo; what all todos share comes through `went_on`."""
    if life.step == "recorded":
        return life
    match event.payload:
        case ToolResponded(tool="deposit") as outcome:
            return tool_todo.apply_deposit(life, outcome, options)
        case ModelResponded(spend=spend):
            return life.after(spend=life.spend + spend)
        case _ if life.step == "tasking":
            return life
        case ToolsChosen() as choice:
            return delegated_todo.apply_tool_choice(life, choice)
        case ContractAccepted() as accepted if life.step == "delegating":
            return delegated_todo.apply_output(life, accepted)
        case ContractAccepted(output=Queries(queries=queries)):
            return life.after(step="searching", queries=queries)
        case ContractAccepted(output=Reading() as reading):
            drafts = resolve_labels(life, reading)
            return life.after(step="quoting" if drafts else "reflecting", drafts=drafts, unread=())
        case ContractAccepted(output=Reflection() as reflection):
            return _apply_reflection(life, reflection, options)
        case ContractRejected(final=True) as rejected:
            return _apply_rejection(life, rejected)
        case ToolResponded(tool="prove") as proved:
            return _apply_proof(life, proved)
        case TodoRecorded() | TodoFailed():
            return life.after(step="recorded", recalled=(), earlier_claims=(), unread=(), drafts=(), read=frozenset())
        case _:
            return life


def stop_early(life: TodoState, reason: str) -> TodoState:
    """End a life early with what it has."""
    if life.step in {"recording", "recorded"}:
        return life
    if life.step == "tasking":  # its rounds end by themselves, and write their files
        return life.after(is_stopped=True)
    gap = f"Not finished: {reason}."
    failure = None if life.findings else gap
    return life.after(step="recording", gaps=(*life.gaps, gap), failure=failure)


def _apply_reflection(life: TodoState, reflection: Reflection, options: ResearchOptions) -> TodoState:
    more = bool(life.executed) and life.loop < options.loops
    again = more and not reflection.is_sufficient and bool(reflection.follow_up_queries)
    open_gap = () if reflection.is_sufficient or again or not reflection.knowledge_gap else (reflection.knowledge_gap,)
    return life.after(
        step="querying" if again else "recording",
        loop=life.loop + 1 if again else life.loop,
        reflections=life.reflections + 1,
        summary=reflection.summary or life.summary,
        gap=reflection.knowledge_gap or None,
        gaps=(*life.gaps, *open_gap),
        follow_ups=reflection.follow_up_queries,
    )


def _apply_rejection(life: TodoState, rejected: ContractRejected) -> TodoState:
    reason = f"The {rejected.role} gave no usable answer: {'; '.join(rejected.objections)}"
    failure = None if life.findings else reason
    return life.after(step="recording", gaps=(*life.gaps, reason), failure=failure)


def _append_unique(tools: tuple[str, ...], tool: str) -> tuple[str, ...]:
    return tools if tool in tools else (*tools, tool)


def _apply_proof(life: TodoState, proved: ToolResponded) -> TodoState:
    life = life.after(
        step="recording" if life.card else "reflecting", tools=_append_unique(life.tools, proved.tool), drafts=()
    )
    if not isinstance(proved.result, Proof):
        return life.after(gaps=(*life.gaps, f"Quoting failed: {proved.error}"))
    proof = proved.result
    known = {(quote.source, quote.start, quote.end) for finding in life.findings for quote in finding.quotes}
    fresh = [
        finding
        for finding in proof.findings
        if not known.issuperset((quote.source, quote.start, quote.end) for quote in finding.quotes)
    ]
    numbered = (
        finding.model_copy(update={"id": f"{life.todo_id}/{number}"})
        for number, finding in enumerate(fresh, len(life.findings) + 1)
    )
    sources = {source.sha256: source for source in (*life.sources, *proof.sources)}
    return life.after(findings=(*life.findings, *numbered), sources=tuple(sources.values()))


def _ending_event(life: TodoState, todo: Todo) -> TodoRecorded | TodoFailed:
    if life.failure:
        return TodoFailed(reason=life.failure, loop_count=life.reflections)
    if life.findings:
        summary = life.summary or life.findings[0].claim
    else:
        summary = (life.summary if life.card else tool_todo.uncited_summary(life)) or _no_findings_reason(life)
    entry = LedgerEntry(
        todo_id=todo.id,
        attempt=todo.retry_count,
        description=todo.task,
        findings_summary=summary,
        findings=life.findings,
        sources=life.sources,
        gaps=life.gaps,
        spend=life.spend,
    )
    return TodoRecorded(
        entry=entry,
        memory=MemoryLine(todo_ids=(todo.id,), text=f"{todo.task}: {summary}"),
        loop_count=life.reflections,
        tools_used=life.tools,
    )


def _no_findings_reason(life: TodoState) -> str:
    """Say why a life ends without findings."""
    if life.read:
        return NO_ANSWER_IN_PASSAGES
    if life.executed:
        return NO_PASSAGES_FOUND
    return NO_ANSWER_IN_FINDINGS if life.recalled else NOT_SEARCHED


def _output_pass(
    key: str, state: str, todo: Todo, role: str, given: QueriesInput | ReadInput | ReflectInput
) -> OutputPass:
    return OutputPass(key=key, state=state, todo_id=todo.id, role=role, given=given)


def _select_known_findings(todo: Todo, known: Sequence[Finding], options: ResearchOptions) -> tuple[Finding, ...]:
    """Give what the todos before this one found: all that some todos have to think about, what leads others on."""
    thinks = todo.kind is TodoKind.ANALYSIS or todo.agent is not None
    ceiling = options.reading_characters if thinks else options.prompt_characters // 2
    return select_relevant(known, todo.task, ceiling)


def _passage_key(hit: Hit) -> tuple[str, int]:
    return hit.passage.source, hit.passage.start
