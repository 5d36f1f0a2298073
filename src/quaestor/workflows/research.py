"""The research workflow: a question in, a cited report out.

    CLARIFYING -> PLANNING -> REVIEWING_PLAN -> EXECUTING -> WRITING -> VERIFYING -> DONE
                                                  |
    each todo: QUERYING -> SEARCHING (-> FETCHING) -> READING -> QUOTING -> REFLECTING -> RECORDING -> UPDATING_PLAN
    or, delegated: SCOUTING -> SEARCHING (-> FETCHING) -> DELEGATING -> QUOTING -> RECORDING -> UPDATING_PLAN

`Research.next` reads top to bottom like the picture. It only looks; what has happened is folded in
`research_state`, and the life of one todo is in `parts/gathering`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolRun
from quaestor.contracts.agent import AgentCard
from quaestor.contracts.checking import CheckGiven, CheckLine
from quaestor.contracts.command import Order
from quaestor.contracts.event import (
    BudgetReached,
    ContradictionsFound,
    Event,
    MemoryCompressed,
    PlanCreated,
    PlanUpdated,
    QuestionAsked,
    ReportVerified,
    ReportWritten,
    TodoBlocked,
    TodoStarted,
)
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import PlanDraft, PlanUpdate, Todo, TodoStatus
from quaestor.contracts.report import Making
from quaestor.contracts.roles import (
    ClarifyGiven,
    Clarity,
    Frame,
    PlanDigestLine,
    PlanGiven,
    Queries,
    Reading,
    Reflection,
    ReviewGiven,
    SummarizeGiven,
)
from quaestor.contracts.tools import Proof, SearchResults, Verdicts, VerifyGiven
from quaestor.contracts.workflow import Obeyed, StateRow
from quaestor.evidence.contradictions import find
from quaestor.evidence.recall import size, within
from quaestor.plan import dag
from quaestor.plan.growth import Caps, grow
from quaestor.views.statement import no_evidence
from quaestor.workflows import research_orders
from quaestor.workflows.parts import gathering, memory, talk, writing
from quaestor.workflows.research_state import ResearchState, begin, fold

TABLE: Mapping[str, StateRow] = {
    "CLARIFYING": StateRow(
        takes="question, context", gives=Clarity, role="clarifier", leads_to=frozenset({"PLANNING", "DONE"})
    ),
    "PLANNING": StateRow(
        takes="question, answers, memory",
        gives=PlanDraft,
        role="planner",
        leads_to=frozenset({"REVIEWING_PLAN", "DONE"}),
    ),
    "REVIEWING_PLAN": StateRow(
        takes="the plan, which a person confirms, edits or declines", leads_to=frozenset({"EXECUTING", "DONE"})
    ),
    "EXECUTING": StateRow(
        takes="the plan, every ready todo lives its own life", leads_to=frozenset({"WRITING", "DONE"})
    ),
    "SCOUTING": StateRow(
        takes="task, what was seen, for the agent of a delegated todo",
        tools=frozenset({"search", "fetch", "survey", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "DELEGATING", "RECORDING"}),
    ),
    "DELEGATING": StateRow(
        takes="what the agent has seen -> the agent's own contract",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "RECORDING"}),
    ),
    "QUERYING": StateRow(
        takes="task, gap, what is known",
        gives=Queries,
        role="query_writer",
        per_todo=True,
        leads_to=frozenset({"SEARCHING", "FETCHING", "READING", "REFLECTING", "RECORDING"}),
    ),
    "SEARCHING": StateRow(
        takes="queries, and calls that an agent chose",
        gives=SearchResults,
        tools=frozenset({"search", "web_search", "consult", "operate"}),
        per_todo=True,
        leads_to=frozenset({"FETCHING", "READING", "REFLECTING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "FETCHING": StateRow(
        takes="pages that were named, found or linked -> their passages for the queries",
        gives=SearchResults,
        tools=frozenset({"fetch", "pick"}),
        per_todo=True,
        leads_to=frozenset({"READING", "REFLECTING", "RECORDING", "SCOUTING", "DELEGATING"}),
    ),
    "READING": StateRow(
        takes="passages, or findings for an analysis",
        gives=Reading,
        role="reader",
        per_todo=True,
        leads_to=frozenset({"QUOTING", "REFLECTING", "RECORDING"}),
    ),
    "QUOTING": StateRow(
        takes="what the reader says stands there",
        gives=Proof,
        tools=frozenset({"prove"}),
        per_todo=True,
        leads_to=frozenset({"REFLECTING", "RECORDING"}),
    ),
    "REFLECTING": StateRow(
        takes="task, findings",
        gives=Reflection,
        role="reflector",
        per_todo=True,
        leads_to=frozenset({"QUERYING", "RECORDING"}),
    ),
    "RECORDING": StateRow(takes="everything the todo gathered", per_todo=True, leads_to=frozenset({"UPDATING_PLAN"})),
    "UPDATING_PLAN": StateRow(takes="todo outcome, plan digest", gives=PlanUpdate, role="reviewer", per_todo=True),
    "WRITING": StateRow(takes="ledger, memory", gives=Frame, role="writer", leads_to=frozenset({"VERIFYING", "DONE"})),
    "VERIFYING": StateRow(
        takes="the findings the draft cites, and its sentences where a checker is wanted",
        gives=Verdicts,
        role="checker",
        tools=frozenset({"verify"}),
        leads_to=frozenset({"DONE"}),
    ),
    "DONE": StateRow(takes="the report, or the plain statement that there is none"),
}


class Research:
    """The state table and the routing of research; a `Workflow`."""

    name: ClassVar[str] = "research"
    table: ClassVar[Mapping[str, StateRow]] = TABLE

    def begin(self) -> ResearchState:
        """Give the state before any event."""
        return begin()

    def apply(self, state: ResearchState, event: Event) -> ResearchState:
        """Give the state after one more event."""
        return fold(state, event)

    def next(self, state: ResearchState) -> Sequence[Action]:
        """Say what is wanted now."""
        if not state.question or state.finished:
            return ()
        if ended := _ended(state):
            return [ended]
        if not state.plan.todos or state.talk.reviewing:
            return _prepare(state)
        return _carry_out(state)

    def obey(self, state: ResearchState, order: Order) -> Obeyed:
        """Say what a person's order leads to."""
        return research_orders.obey(state, order)


def _ended(state: ResearchState) -> Finish | None:
    if state.cancelled:
        return Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")
    if state.stopped and not state.plan.todos:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=_no_evidence(state))
    return None


def _prepare(state: ResearchState) -> Sequence[Action]:
    """Come to a plan; what a person is asked on the way is waited for."""
    if state.stopped:
        return _carry_out(state)
    if state.talk.waiting:
        return ()
    if state.clarity is None:
        return [_clarify(state)]
    if not state.plan.todos:
        return _ask(state) or [_plan(state)]
    return _review_plan(state)


def _carry_out(state: ResearchState) -> Sequence[Action]:
    """Gather, write, verify."""
    if not state.writing:
        return list(_execute(state))
    if state.draft.frame is None:
        return _write(state)
    if state.verdicts is None and not state.unverifiable:
        return [_verify(state)]
    if unchecked := _check(state):
        return unchecked
    return [_finish(state)] if state.report_settled or state.unverifiable else [_publish(state)]


def _clarify(state: ResearchState) -> Action:
    key = f"clarify/{state.talk.rounds}" if state.talk.rounds else "clarify"
    given = ClarifyGiven(question=state.question, context=tuple(talk.context(state.talk)))
    return OutputPass(key=key, state="CLARIFYING", role="clarifier", given=given)


def _ask(state: ResearchState) -> Sequence[Action]:
    """Ask what is unclear, if a person may be asked; after some rounds it is assumed."""
    unclear = state.clarity.questions if state.clarity and not state.clarity.is_clear else ()
    if not unclear or not state.options.questions or state.talk.rounds >= talk.MOST_ROUNDS:
        return ()
    key = f"ask/{state.talk.rounds + 1}"
    asked = QuestionAsked(ref=key, kind="clarification", questions=unclear, agent="clarifier")
    return [Record(key=key, state="CLARIFYING", facts=(asked,))]


def _review_plan(state: ResearchState) -> Sequence[Action]:
    question = f"Is this plan of {len(state.plan.todos)} todos to be carried out? Confirm it, or edit it first."
    asked = QuestionAsked(ref="plan", kind="plan_confirmation", questions=(question,), agent="planner")
    return [Record(key="plan/ask", state="REVIEWING_PLAN", facts=(asked,))]


def _plan(state: ResearchState) -> Action:
    if state.planner_failed:
        created = PlanCreated(
            plan=dag.fallback(state.topic), review=_review_wanted(state), fallback=state.planner_failed
        )
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    if state.plan_draft:
        created = PlanCreated(plan=dag.from_draft(state.plan_draft), review=_review_wanted(state))
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    given = PlanGiven(
        question=state.topic,
        assumptions=state.assumptions,
        memory=within(_remembered(state), state.options.prompt_characters // 4, len),
        max_todos=min(7, state.options.max_todos),
        agents=_delegates(state),
    )
    role = "orchestrator" if state.options.orchestrate else "planner"
    return OutputPass(key="plan", state="PLANNING", role=role, given=given)


def _review_wanted(state: ResearchState) -> Literal["auto_approved", "awaiting_confirmation"]:
    return "awaiting_confirmation" if state.options.review_plan else "auto_approved"


def _delegates(state: ResearchState) -> tuple[AgentCard, ...]:
    return state.options.agents if state.options.orchestrate else ()


def _remembered(state: ResearchState) -> Iterator[str]:
    return (line.text for line in memory.in_order(state.memory, state.plan))


def _execute(state: ResearchState) -> Iterator[Action]:
    """Every todo lives its own life; nothing waits for a sibling."""
    if state.steps >= state.options.max_steps and not state.stopped:
        spent = BudgetReached(limit=f"steps: {state.options.max_steps}", spent=state.spend, refused_key="")
        yield Record(key="stop", state="EXECUTING", facts=(spent,))
        return
    if state.stopped is None:
        yield from _start(state)
        yield from _block(state)
    asked: set[str] = set()
    for todo in state.plan.todos:
        for action in _live(state, todo):
            if action.key not in asked:
                asked.add(action.key)
                yield action
    compressing = list(_compress(state)) if state.stopped is None else []
    yield from compressing
    escalated = list(_escalate(state)) if state.stopped is None else []
    yield from escalated
    waiting = state.talk.waiting and not state.stopped
    if not asked and not compressing and not escalated and not waiting and _gathered(state):
        yield _conclude(state)


def _start(state: ResearchState) -> Iterator[Action]:
    busy = sum(todo.status is TodoStatus.IN_PROGRESS for todo in state.plan.todos)
    for todo in dag.ready(state.plan)[: max(state.options.parallel - busy, 0)]:
        yield Record(key=f"todo/{todo.id}/start", state="EXECUTING", facts=(TodoStarted(todo_id=todo.id),))


def _escalate(state: ResearchState) -> Iterator[Action]:
    """Ask about a todo that failed as often as it may, instead of giving it up."""
    if not state.options.questions or state.talk.waiting:
        return
    for todo in _lost(state):
        ref = f"escalation/{todo.id}"
        failed = f"{todo.id} failed {todo.retry_count + 1} times: {todo.task}: {todo.result}"
        asked = QuestionAsked(
            ref=ref, kind="escalation", questions=(f"{failed}. Retry it, or go on without it?",), agent="reviewer"
        )
        yield Record(key=ref, state="EXECUTING", facts=(asked,))
        return


def _lost(state: ResearchState) -> Iterator[Todo]:
    """Give the todos that failed for good and that nobody was asked about yet."""
    settled = state.talk.escalated | {todo.retries for todo in state.plan.todos}
    for todo in state.plan.todos:
        final = todo.status is TodoStatus.FAILED and todo.id in state.reviewed
        if final and todo.retry_count >= state.options.max_retries and todo.id not in settled:
            yield todo


def _block(state: ResearchState) -> Iterator[Action]:
    if state.options.questions and (state.talk.waits_for("escalation") or any(_lost(state))):
        return
    for todo, waits_for in dag.blocked(state.plan, state.reviewed):
        stuck = TodoBlocked(todo_id=todo.id, waits_for=waits_for)
        yield Record(key=f"todo/{todo.id}/block", state="EXECUTING", facts=(stuck,))


def _live(state: ResearchState, todo: Todo) -> Sequence[Action]:
    life = state.lives.get(todo.id)
    if life is None:
        return ()
    if life.step != "recorded":
        return gathering.wanted(life, todo, question=state.topic, outcomes=state.outcomes, options=state.options)
    return [_review(state, todo)] if todo.id not in state.reviewed and not state.stopped else ()


def _review(state: ResearchState, todo: Todo) -> Action:
    update = state.updates.get(todo.id)
    key = f"todo/{todo.id}/review"
    if update:
        caps = Caps(state.options.max_todos, state.options.max_depth, state.options.max_retries)
        growth = grow(state.plan, todo, update, caps)
        updated = PlanUpdated(update=update, added=growth.added, refused=growth.refused)
        return Record(key=f"{key}/record", state="UPDATING_PLAN", todo_id=todo.id, facts=(updated,))
    given = ReviewGiven(
        question=state.topic,
        todo_id=todo.id,
        task=todo.task,
        status=todo.status,
        result=todo.result or "",
        gaps=todo.gaps,
        plan=_digest(state),
        room=max(state.options.max_todos - len(state.plan.todos), 0),
        agents=_delegates(state),
    )
    return OutputPass(key=key, state="UPDATING_PLAN", todo_id=todo.id, role="reviewer", given=given)


def _digest(state: ResearchState) -> tuple[PlanDigestLine, ...]:
    others = (PlanDigestLine(id=other.id, task=other.task) for other in state.plan.todos)
    return within(others, state.options.prompt_characters // 4, size)


def _compress(state: ResearchState) -> Iterator[Action]:
    ceiling = state.options.memory_characters
    lines = memory.to_compress(state.memory, state.plan, ceiling)
    if not lines:
        return
    key = f"memory/{lines[0].todo_ids[0]}-{lines[-1].todo_ids[-1]}"
    if key in state.unsummarized:
        told = "; ".join(f"Completed: {line.text.partition(':')[0]}" for line in lines)
        line = memory.merged(lines, told[: ceiling // 4])
        yield Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line, fallback=True),))
    elif summary := state.summaries.get(key):
        line = memory.merged(lines, summary)
        yield Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line),))
    else:
        given = SummarizeGiven(lines=tuple(line.text for line in lines), characters=ceiling // 4)
        yield OutputPass(key=key, state="EXECUTING", role="summarizer", given=given)


def _gathered(state: ResearchState) -> bool:
    """Say whether nothing more can be gathered: all ended and reviewed, or the run was stopped."""
    if state.stopped is not None:
        return all(life.step == "recorded" for life in state.lives.values())
    return dag.ended(state.plan) and state.reviewed.issuperset(state.lives)


def _conclude(state: ResearchState) -> Action:
    findings = state.all_findings()
    if not findings:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=_no_evidence(state))
    found = ContradictionsFound(contradictions=find(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))


def _write(state: ResearchState) -> Sequence[Action]:
    sections = writing.sections_wanted(state.material, state.draft)
    return sections or [writing.frame_wanted(state.material, state.draft, _remembered(state))]


def _verify(state: ResearchState) -> Action:
    given = VerifyGiven(findings=writing.cited(state.material, state.draft, state.contradictions))
    return ToolRun(key="verify/1", state="VERIFYING", tool="verify", writing=True, given=given)


def _check(state: ResearchState) -> Sequence[Action]:
    """Ask the checker about every sentence of the draft that stands on verified quotes, if it is wanted."""
    if not state.options.check or state.stopped or state.report_settled:
        return ()
    return [
        OutputPass(
            key=f"check/{place}", state="VERIFYING", role="checker", writing=True, given=CheckGiven(sentences=lines)
        )
        for place, lines in enumerate(_checkable(state), 1)
        if f"check/{place}" not in state.checks
    ]


def _doubted(state: ResearchState) -> frozenset[str]:
    """Give the sentences that the checker doubts."""
    said = {line.number: line.text for lines in _checkable(state) for line in lines}
    return frozenset(said[doubt.number] for doubts in state.checks.values() for doubt in doubts)


def _checkable(state: ResearchState) -> Sequence[tuple[CheckLine, ...]]:
    verified = {verdict.finding for verdict in state.verdicts or () if verdict.verified}
    return writing.checkable(state.material, state.draft, verified)


def _publish(state: ResearchState) -> Action:
    """Record the verdicts, and with them the report, if anything in it is proven."""
    done = sum(todo.status is TodoStatus.DONE for todo in state.plan.todos)
    report = writing.assembled(
        state.material,
        state.draft,
        state.verdicts or (),
        doubted=_doubted(state) if state.checks else frozenset(),
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        partial=state.unfinished,
        making=Making(
            model=state.options.model,
            todos=len(state.plan.todos),
            todos_done=done,
            searches=state.outcomes.asked,
            sources_searched=state.options.documents + state.outcomes.read,
            spend=state.answered,
            extractive=_is_extractive(state.options),
        ),
    )
    claims = report.claims()
    supported = sum(claim.supported for claim in claims)
    verified = ReportVerified(verdicts=state.verdicts or (), supported=supported, unsupported=len(claims) - supported)
    facts = (verified, ReportWritten(report=report)) if supported else (verified,)
    return Record(key="report/1", state="VERIFYING", facts=facts)


def _is_extractive(options: ResearchOptions) -> bool:
    models = (options.model, *options.models.values(), *options.fallback)
    return all(name.partition(":")[0] in {"offline", "script"} for name in models)


def _finish(state: ResearchState) -> Action:
    if state.unverifiable:
        statement = f"No report was written, because its quotes could not be verified: {state.unverifiable}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if state.report is None:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=_no_evidence(state))
    if state.stopped:
        statement = f"A partial report was written: {state.stopped}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    return Finish(key="finish", state="DONE", outcome="done", statement="The report was written.")


def _no_evidence(state: ResearchState) -> str:
    gaps = tuple(dict.fromkeys(gap for todo in state.plan.todos for gap in todo.gaps))
    sources = state.options.documents + state.outcomes.read
    return no_evidence(state.question, gaps, state.outcomes.asked, sources, state.stopped)
