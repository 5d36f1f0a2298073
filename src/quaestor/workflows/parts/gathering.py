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
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Todo, TodoKind
from quaestor.contracts.roles import Queries, QueriesGiven, ReadGiven, Reading, ReflectGiven, Reflection
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import Proof, ProveGiven
from quaestor.evidence.recall import fused, relevant, size, within
from quaestor.workflows.parts import browsing, delegation, tasking
from quaestor.workflows.parts.life import Life, drafted
from quaestor.workflows.parts.outcomes import Outcomes, survey_key

WAITING = frozenset({"surveying", "searching", "fetching", "picking"})
"""The steps of a life that wait for what all todos share."""
NOTHING_FOUND = "No results: no source that was searched holds passages on this."
NOTHING_SAID = "Passages were found, but none of them answers this."
NOTHING_SEARCHED = "Nothing was searched."
NOTHING_FOLLOWS = "What earlier todos found does not answer this."
NOTHING_TO_BUILD_ON = "The todos this one builds on found nothing."


def born(todo: Todo, known: Sequence[Finding], options: ResearchOptions, earlier: Sequence[Finding] = ()) -> Life:
    """Give the life of a todo that starts now; `known` are the findings of the todos it depends on.

    One that only thinks about findings ends at once when there are none; it thinks about those of `earlier` cycles
    too. One that searches is led on by them and finds for itself, as a reader leaves out what it is shown as known.
    """
    card = next((card for card in options.agents if card.name == todo.agent), None)
    thinks = todo.kind is TodoKind.ANALYSIS or todo.agent is not None
    recalled = _recalled(todo, (*earlier, *known) if thinks else known, options)
    leads = () if thinks else relevant(earlier, todo.task, options.prompt_characters // 4)
    life = Life(
        todo_id=todo.id,
        step="querying",
        task=todo.task,
        recalled=recalled,
        leads=tuple(finding.claim for finding in leads),
        card=card,
        outward=browsing.outward(todo, options),
        urls=options.urls,
    )
    if card is None and todo.kind is TodoKind.TOOL and options.allow:
        return life.after(step="tasking", rounds=tasking.begun(todo, options, recalled))
    if card and card.tools:
        return life.after(step=delegation.first(card, options))
    if card is None and todo.kind is not TodoKind.ANALYSIS:
        return life
    if not recalled:
        return life.after(step="recording", gaps=(NOTHING_TO_BUILD_ON,))
    return life.after(step="delegating" if card else "reading")


def wanted(  # noqa: C901 -- one arm a step
    life: Life, todo: Todo, *, question: str, outcomes: Outcomes, options: ResearchOptions
) -> Sequence[Action]:
    """Say what this todo wants now."""
    key = f"todo/{todo.id}"
    match life.step:
        case "scouting" | "delegating":
            if life.card is None:
                return ()
            pages = browsing.choosable(life, outcomes, options) if "fetch" in life.card.tools else ()
            return [delegation.wanted(life, life.card, todo, question, pages)]
        case "tasking":
            return tasking.wanted(life, todo, options)
        case "querying":
            claims = (*life.leads, *(finding.claim for finding in (*life.recalled, *life.findings)))
            queries_given = QueriesGiven(
                question=question,
                task=todo.task,
                wanted=options.queries,
                executed=life.executed,
                gap=life.gap,
                follow_ups=life.follow_ups,
                known=within(claims, options.prompt_characters // 2, len),
                source_hint=todo.source_hint,
            )
            return [_ask(f"{key}/query/{life.loop}", "QUERYING", todo, "query_writer", queries_given)]
        case "surveying" | "searching" | "fetching" | "picking":
            return list(browsing.missing(life, outcomes, options))
        case "reading":
            read_given = ReadGiven(question=question, task=todo.task, hits=life.unread, findings=life.recalled)
            return [_ask(f"{key}/read/{life.loop}", "READING", todo, "reader", read_given)]
        case "quoting":
            prove_given = ProveGiven(todo_id=todo.id, first=len(life.findings) + 1, drafts=life.drafts)
            return [
                ToolRun(
                    key=f"{key}/quote/{life.loop}", state="QUOTING", todo_id=todo.id, tool="prove", given=prove_given
                )
            ]
        case "reflecting":
            reflect_given = ReflectGiven(
                question=question,
                task=todo.task,
                findings=relevant(life.findings, todo.task, options.prompt_characters),
                executed=life.executed,
                loops_left=max(options.loops - life.loop, 0) if todo.kind is TodoKind.RESEARCH else 0,
            )
            return [_ask(f"{key}/reflect/{life.loop}", "REFLECTING", todo, "reflector", reflect_given)]
        case "recording":
            return [Record(key=f"{key}/record", state="RECORDING", todo_id=todo.id, facts=(_end(life, todo),))]
        case "recorded":
            return ()
        case never:
            assert_never(never)


def went_on(life: Life, outcomes: Outcomes, options: ResearchOptions) -> Life:
    """Go on once everything this step waits for has an outcome; one that failed does not hurt the others."""
    while True:
        further = _further(life, outcomes, options)
        if further is life:
            return life
        life = further


def _further(life: Life, outcomes: Outcomes, options: ResearchOptions) -> Life:
    if any(browsing.missing(life, outcomes, options)):
        return life
    match life.step:
        case "surveying":
            return delegation.surveyed(life, outcomes.surveys[survey_key(options.servers)], options)
        case "searching":
            urls = browsing.wanted(life, outcomes, options)
            return life.after(step="fetching", urls=urls) if urls else _gathered(life, outcomes, options)
        case "fetching":
            if not life.followed:
                return life.after(urls=(*life.urls, *browsing.linked(life, outcomes, options)), followed=True)
            if browsing.readable(life, outcomes, options):
                return life.after(step="picking")
            return _gathered(life, outcomes, options)
        case "picking":
            return _gathered(life, outcomes, options)
        case _:
            return life


def _gathered(life: Life, outcomes: Outcomes, options: ResearchOptions) -> Life:
    """Go on with the passages that all queries of the loop brought, the best of them first."""
    errors, hopeless = browsing.failures(life, outcomes, options)
    unread = browsing.unread(life, outcomes)
    missed = (f"A page could not be read: {error}" for error in unread)
    rankings = browsing.rankings(life, outcomes, options)
    ranked = fused([[hit for hit in hits if _place(hit) not in life.read] for hits in rankings])
    taken = sum(map(size, life.unread))
    fresh = within(ranked, options.reading_characters - taken, size)
    life = life.after(
        executed=(*life.executed, *life.queries, *(given.call for given in (*life.consults, *life.operations))),
        outward=life.outward and not options.keeps_apart,
        visited=(*life.visited, *life.urls),
        refused=(*life.refused, *errors, *unread, *browsing.barred(life)),
        urls=(),
        chosen=(),
        consults=(),
        operations=(),
        followed=False,
        tools=tuple(dict.fromkeys((*life.tools, *browsing.tools(life, options)))),
        unread=(*life.unread, *fresh),
        read=life.read | {_place(hit) for hit in fresh},
        gaps=tuple(dict.fromkeys((*life.gaps, *(f"A search failed: {error}" for error in errors), *missed))),
    )
    if life.card and life.passes < delegation.MOST_PASSES:
        return life.after(step="scouting")
    if life.card and (life.unread or life.recalled or not hopeless):
        return delegation.enough(life)
    if life.unread:
        return life.after(step="reading")
    if life.findings:
        return life.after(step="reflecting")
    failure = f"every search failed: {errors[0]}" if hopeless else None
    return life.after(step="recording", failure=failure)


def apply(life: Life, event: Event, options: ResearchOptions) -> Life:  # noqa: C901 -- one arm an event
    """Give the life after one more event of its todo; what all todos share comes through `went_on`."""
    if life.step == "recorded":
        return life
    match event.payload:
        case ToolResponded(tool="deposit") as outcome:
            return tasking.deposited(life, outcome, options)
        case ModelResponded(spend=spend):
            return life.after(spend=life.spend + spend)
        case _ if life.step == "tasking":
            return life
        case ToolsChosen() as choice:
            return delegation.chosen(life, choice)
        case ContractAccepted() as accepted if life.step == "delegating":
            return delegation.answered(life, accepted)
        case ContractAccepted(output=output, contract="Queries"):
            return life.after(step="searching", queries=Queries.model_validate(output).queries)
        case ContractAccepted(output=output, contract="Reading"):
            drafts = drafted(life, Reading.model_validate(output))
            return life.after(step="quoting" if drafts else "reflecting", drafts=drafts, unread=())
        case ContractAccepted(output=output, contract="Reflection"):
            return _reflected(life, Reflection.model_validate(output), options)
        case ContractRejected(final=True) as rejected:
            return _gave_up(life, rejected)
        case ToolResponded(tool="prove") as proved:
            return _proved(life, proved)
        case TodoRecorded() | TodoFailed():
            return life.after(step="recorded", recalled=(), leads=(), unread=(), drafts=(), read=frozenset())
        case _:
            return life


def cut_short(life: Life, reason: str) -> Life:
    """End a life early with what it has."""
    if life.step in {"recording", "recorded"}:
        return life
    if life.step == "tasking":  # its rounds end by themselves, and write their files
        return life.after(halted=True)
    gap = f"Not finished: {reason}."
    failure = None if life.findings else gap
    return life.after(step="recording", gaps=(*life.gaps, gap), failure=failure)


def _reflected(life: Life, reflection: Reflection, options: ResearchOptions) -> Life:
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


def _gave_up(life: Life, rejected: ContractRejected) -> Life:
    reason = f"The {rejected.role} gave no usable answer: {'; '.join(rejected.objections)}"
    failure = None if life.findings else reason
    return life.after(step="recording", gaps=(*life.gaps, reason), failure=failure)


def _with(tools: tuple[str, ...], tool: str) -> tuple[str, ...]:
    return tools if tool in tools else (*tools, tool)


def _proved(life: Life, proved: ToolResponded) -> Life:
    life = life.after(step="recording" if life.card else "reflecting", tools=_with(life.tools, proved.tool), drafts=())
    if proved.error:
        return life.after(gaps=(*life.gaps, f"Quoting failed: {proved.error}"))
    proof = Proof.model_validate(proved.result)
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


def _end(life: Life, todo: Todo) -> TodoRecorded | TodoFailed:
    if life.failure:
        return TodoFailed(todo_id=todo.id, reason=life.failure, loop_count=life.reflections)
    if life.findings:
        summary = life.summary or life.findings[0].claim
    else:
        summary = (life.summary if life.card else tasking.uncited(life)) or _nothing(life)
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


def _nothing(life: Life) -> str:
    """Say why a life ends without findings."""
    if life.read:
        return NOTHING_SAID
    if life.executed:
        return NOTHING_FOUND
    return NOTHING_FOLLOWS if life.recalled else NOTHING_SEARCHED


def _ask(key: str, state: str, todo: Todo, role: str, given: QueriesGiven | ReadGiven | ReflectGiven) -> OutputPass:
    return OutputPass(key=key, state=state, todo_id=todo.id, role=role, given=given)


def _recalled(todo: Todo, known: Sequence[Finding], options: ResearchOptions) -> tuple[Finding, ...]:
    """Give what the todos before this one found: all that some todos have to think about, what leads others on."""
    thinks = todo.kind is TodoKind.ANALYSIS or todo.agent is not None
    ceiling = options.reading_characters if thinks else options.prompt_characters // 2
    return relevant(known, todo.task, ceiling)


def _place(hit: Hit) -> tuple[str, int]:
    return hit.passage.source, hit.passage.start
