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
from quaestor.contracts.command import Order
from quaestor.contracts.event import (
    BudgetReached,
    ContradictionsFound,
    Event,
    MemoryCompressed,
    PlanCreated,
    PlanUpdated,
    QuestionAsked,
    TodoBlocked,
    TodoStarted,
)
from quaestor.contracts.plan import Todo, TodoKind, TodoStatus
from quaestor.contracts.roles import (
    ClarifyGiven,
    PlanDigestLine,
    PlanGiven,
    ReviewGiven,
    SummarizeGiven,
)
from quaestor.contracts.tools import RecheckGiven
from quaestor.contracts.workflow import Obeyed, StateRow
from quaestor.evidence.contradictions import find
from quaestor.evidence.recall import size, within
from quaestor.plan import dag
from quaestor.plan.growth import Caps, grow
from quaestor.plan.renewal import cited, renewed, stale
from quaestor.workflows import research_orders
from quaestor.workflows.parts import gathering, memory, talk, writing
from quaestor.workflows.research_fold import begin, fold
from quaestor.workflows.research_report import checks_wanted, finished, no_evidence_statement, published, verification
from quaestor.workflows.research_state import ResearchState
from quaestor.workflows.research_table import TABLE


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
        if state.refreshing:
            return _look_again(state)
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
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=no_evidence_statement(state))
    return None


def _look_again(state: ResearchState) -> Sequence[Action]:
    """Compare the cited sources with what they are now, and plan again what rests on those that changed."""
    if state.stopped:
        said = f"The sources were not looked at again: {state.stopped}"
        return [Finish(key="finish", state="DONE", outcome="partial", statement=said)]
    if state.rechecked is None:
        used = cited(state.entries.values())
        sources = {source.sha256: source for entry in state.entries.values() for source in entry.sources}
        given = RecheckGiven(
            sources=tuple(source for own, source in sources.items() if own in used), corpus=state.options.corpus
        )
        return [ToolRun(key=f"recheck/{state.versions}", state="REFRESHING", tool="recheck", given=given)]
    gone = stale(state.plan, state.ledger, state.rechecked.changed)
    if not gone:
        unread = "".join(f" Not looked at: {reason}." for reason in state.rechecked.unread)
        said = f"No cited source has changed, so version {state.versions} of the report stands.{unread}"
        return [Finish(key="finish", state="DONE", outcome="done", statement=said)]
    created = PlanCreated(plan=renewed(state.plan, gone, state.todos_used))
    return [Record(key="plan/record", state="REFRESHING", facts=(created,))]


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
        return [verification(state)]
    if unchecked := checks_wanted(state):
        return unchecked
    return [finished(state)] if state.report_settled or state.unverifiable else [published(state)]


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
            plan=dag.fallback(state.topic, state.todos_used),
            review=_review_wanted(state),
            fallback=state.planner_failed,
        )
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    if state.plan_draft:
        created = PlanCreated(plan=dag.from_draft(state.plan_draft, state.todos_used), review=_review_wanted(state))
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    given = PlanGiven(
        question=state.topic,
        assumptions=state.assumptions,
        memory=within(_remembered(state), state.options.prompt_characters // 4, len),
        kinds=_kinds(state),
        max_todos=min(7, state.options.max_todos),
        agents=_delegates(state),
    )
    role = "orchestrator" if state.options.orchestrate else "planner"
    return OutputPass(key="plan", state="PLANNING", role=role, given=given)


def _review_wanted(state: ResearchState) -> Literal["auto_approved", "awaiting_confirmation"]:
    return "awaiting_confirmation" if state.options.review_plan else "auto_approved"


def _kinds(state: ResearchState) -> tuple[TodoKind, ...]:
    tools = (TodoKind.TOOL,) if state.options.allow else ()
    return (TodoKind.RESEARCH, TodoKind.ANALYSIS, *tools)


def _delegates(state: ResearchState) -> tuple[AgentCard, ...]:
    return state.options.agents if state.options.orchestrate else ()


def _remembered(state: ResearchState) -> Iterator[str]:
    return (line.text for line in memory.in_order(state.memory, state.whole))


def _remembered_of_this(state: ResearchState) -> Iterator[str]:
    """Give what is remembered of this cycle's todos alone."""
    own = {todo.id for todo in state.plan.todos}
    return (line.text for line in memory.in_order(state.memory, state.whole) if not own.isdisjoint(line.todo_ids))


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
    lines = memory.to_compress(state.memory, state.whole, ceiling)
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
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=no_evidence_statement(state))
    found = ContradictionsFound(contradictions=find(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))


def _write(state: ResearchState) -> Sequence[Action]:
    sections = writing.sections_wanted(state.material, state.draft)
    return sections or [writing.frame_wanted(state.material, state.draft, _remembered_of_this(state))]
