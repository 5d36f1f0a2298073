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
from quaestor.contracts.command import Command
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
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.evidence.contradictions import find_contradictions
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research import dialogue, inbox, memory, todo_lifecycle, writing
from quaestor.research.contracts.plan import Todo, TodoKind, TodoStatus
from quaestor.research.contracts.roles import ClarifyInput, PlanInput, PlanOutlineItem, ReviewInput, SummarizeInput
from quaestor.research.contracts.tools import RecheckInput
from quaestor.research.fold import fold, initial_state
from quaestor.research.planning import todo_graph
from quaestor.research.planning.replanning import GrowthLimits, cited_sources, grow, replace_stale_todos, stale_todos
from quaestor.research.report import finish_cycle, no_evidence_statement, publish_report, request_checks, verify_quotes
from quaestor.research.state import ResearchState
from quaestor.research.table import TABLE


class Research:
    """The state table and the routing of research; a `Workflow`."""

    name: ClassVar[str] = "research"
    table: ClassVar[Mapping[str, StateSpec]] = TABLE

    def begin(self) -> ResearchState:
        """Give the state before any event."""
        return initial_state()

    def apply(self, state: ResearchState, event: Event) -> ResearchState:
        """Give the state after one more event."""
        return fold(state, event)

    def next(self, state: ResearchState) -> Sequence[Action]:
        """Say what is wanted now."""
        if not state.question or state.finished:
            return ()
        if ended := _early_finish(state):
            return [ended]
        if state.is_refreshing:
            return _refresh(state)
        if not state.plan.todos or state.dialogue.is_reviewing_plan:
            return _plan_session(state)
        return _gather_and_write(state)

    def handle(self, state: ResearchState, order: Command) -> CommandOutcome:
        """Say what a person's order leads to."""
        return inbox.handle(state, order)


def _early_finish(state: ResearchState) -> Finish | None:
    if state.cancelled:
        return Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")
    if state.stopped and not state.plan.todos:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=no_evidence_statement(state))
    return None


def _refresh(state: ResearchState) -> Sequence[Action]:
    """Compare the cited sources with what they are now, and plan again what rests on those that changed."""
    if state.stopped:
        said = f"The sources were not looked at again: {state.stopped}"
        return [Finish(key="finish", state="DONE", outcome="partial", statement=said)]
    if state.recheck_result is None:
        used = cited_sources(state.entries.values())
        sources = {source.sha256: source for entry in state.entries.values() for source in entry.sources}
        given = RecheckInput(
            sources=tuple(source for own, source in sources.items() if own in used), corpus=state.options.corpus
        )
        return [ToolRun(key=f"recheck/{state.report_versions}", state="REFRESHING", tool="recheck", given=given)]
    gone = stale_todos(state.plan, state.ledger, state.recheck_result.changed)
    if not gone:
        unread = "".join(f" Not looked at: {reason}." for reason in state.recheck_result.unread)
        said = f"No cited source has changed, so version {state.report_versions} of the report stands.{unread}"
        return [Finish(key="finish", state="DONE", outcome="done", statement=said)]
    created = PlanCreated(plan=replace_stale_todos(state.plan, gone, state.last_todo_number))
    return [Record(key="plan/record", state="REFRESHING", facts=(created,))]


def _plan_session(state: ResearchState) -> Sequence[Action]:
    """Come to a plan; what a person is asked on the way is waited for."""
    if state.stopped:
        return _gather_and_write(state)
    if state.dialogue.waiting:
        return ()
    if state.clarity is None:
        return [_clarify(state)]
    if not state.plan.todos:
        return _ask_clarification(state) or [_create_plan(state)]
    return _review_plan(state)


def _gather_and_write(state: ResearchState) -> Sequence[Action]:
    """Gather, write, verify."""
    if not state.writing:
        return list(_execute(state))
    if state.draft.frame is None:
        return _write_draft(state)
    if state.verdicts is None and not state.verification_error:
        return [verify_quotes(state)]
    if unchecked := request_checks(state):
        return unchecked
    return [finish_cycle(state)] if state.is_report_recorded or state.verification_error else [publish_report(state)]


def _clarify(state: ResearchState) -> Action:
    key = f"clarify/{state.dialogue.rounds}" if state.dialogue.rounds else "clarify"
    given = ClarifyInput(question=state.question, context=tuple(dialogue.clarification_lines(state.dialogue)))
    return OutputPass(key=key, state="CLARIFYING", role="clarifier", given=given)


def _ask_clarification(state: ResearchState) -> Sequence[Action]:
    """Ask what is unclear, if a person may be asked; after some rounds it is assumed."""
    unclear = state.clarity.questions if state.clarity and not state.clarity.is_clear else ()
    if not unclear or not state.options.questions or state.dialogue.rounds >= dialogue.MAX_CLARIFICATION_ROUNDS:
        return ()
    key = f"ask/{state.dialogue.rounds + 1}"
    asked = QuestionAsked(ref=key, kind="clarification", questions=unclear, agent="clarifier")
    return [Record(key=key, state="CLARIFYING", facts=(asked,))]


def _review_plan(state: ResearchState) -> Sequence[Action]:
    question = f"Is this plan of {len(state.plan.todos)} todos to be carried out? Confirm it, or edit it first."
    asked = QuestionAsked(ref="plan", kind="plan_confirmation", questions=(question,), agent="planner")
    return [Record(key="plan/ask", state="REVIEWING_PLAN", facts=(asked,))]


def _create_plan(state: ResearchState) -> Action:
    if state.planner_error:
        created = PlanCreated(
            plan=todo_graph.fallback_plan(state.topic, state.last_todo_number),
            review=_plan_review_mode(state),
            fallback=state.planner_error,
        )
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    if state.plan_draft:
        created = PlanCreated(
            plan=todo_graph.plan_from_draft(state.plan_draft, state.last_todo_number), review=_plan_review_mode(state)
        )
        return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))
    given = PlanInput(
        question=state.topic,
        assumptions=state.assumptions,
        memory=take_within(_memory_lines(state), state.options.prompt_characters // 4, len),
        kinds=_todo_kinds(state),
        max_todos=min(7, state.options.max_todos),
        agents=_available_agents(state),
    )
    role = "orchestrator" if state.options.orchestrate else "planner"
    return OutputPass(key="plan", state="PLANNING", role=role, given=given)


def _plan_review_mode(state: ResearchState) -> Literal["auto_approved", "awaiting_confirmation"]:
    return "awaiting_confirmation" if state.options.review_plan else "auto_approved"


def _todo_kinds(state: ResearchState) -> tuple[TodoKind, ...]:
    tools = (TodoKind.TOOL,) if state.options.allow else ()
    return (TodoKind.RESEARCH, TodoKind.ANALYSIS, *tools)


def _available_agents(state: ResearchState) -> tuple[AgentCard, ...]:
    return state.options.agents if state.options.orchestrate else ()


def _memory_lines(state: ResearchState) -> Iterator[str]:
    return (line.text for line in memory.sort_by_plan(state.memory, state.whole))


def _cycle_memory_lines(state: ResearchState) -> Iterator[str]:
    """Give what is remembered of this cycle's todos alone."""
    own = {todo.id for todo in state.plan.todos}
    return (line.text for line in memory.sort_by_plan(state.memory, state.whole) if not own.isdisjoint(line.todo_ids))


def _execute(state: ResearchState) -> Iterator[Action]:
    """Every todo lives its own life; nothing waits for a sibling."""
    if state.steps >= state.options.max_steps and not state.stopped:
        spent = BudgetReached(limit=f"steps: {state.options.max_steps}", spent=state.spend, refused_key="")
        yield Record(key="stop", state="EXECUTING", facts=(spent,))
        return
    if state.stopped is None:
        yield from _start_todos(state)
        yield from _block_todos(state)
    asked: set[str] = set()
    for todo in state.plan.todos:
        for action in _todo_actions(state, todo):
            if action.key not in asked:
                asked.add(action.key)
                yield action
    compressing = list(_compress_memory(state)) if state.stopped is None else []
    yield from compressing
    escalated = list(_escalate_failures(state)) if state.stopped is None else []
    yield from escalated
    waiting = state.dialogue.waiting and not state.stopped
    if not asked and not compressing and not escalated and not waiting and _is_gathering_done(state):
        yield _finish_gathering(state)


def _start_todos(state: ResearchState) -> Iterator[Action]:
    busy = sum(todo.status is TodoStatus.IN_PROGRESS for todo in state.plan.todos)
    for todo in todo_graph.ready_todos(state.plan)[: max(state.options.parallel - busy, 0)]:
        yield Record(key=f"todo/{todo.id}/start", state="EXECUTING", todo_id=todo.id, facts=(TodoStarted(),))


def _escalate_failures(state: ResearchState) -> Iterator[Action]:
    """Ask about a todo that failed as often as it may, instead of giving it up."""
    if not state.options.questions or state.dialogue.waiting:
        return
    for todo in _final_failures(state):
        ref = f"escalation/{todo.id}"
        failed = f"{todo.id} failed {todo.retry_count + 1} times: {todo.task}: {todo.result}"
        asked = QuestionAsked(
            ref=ref, kind="escalation", questions=(f"{failed}. Retry it, or go on without it?",), agent="reviewer"
        )
        yield Record(key=ref, state="EXECUTING", facts=(asked,))
        return


def _final_failures(state: ResearchState) -> Iterator[Todo]:
    """Give the todos that failed for good and that nobody was asked about yet."""
    settled = state.dialogue.escalated_todos | {todo.retries for todo in state.plan.todos}
    for todo in state.plan.todos:
        final = todo.status is TodoStatus.FAILED and todo.id in state.reviewed
        if final and todo.retry_count >= state.options.max_retries and todo.id not in settled:
            yield todo


def _block_todos(state: ResearchState) -> Iterator[Action]:
    if state.options.questions and (state.dialogue.waits_for("escalation") or any(_final_failures(state))):
        return
    for todo, waits_for in todo_graph.find_blocked(state.plan, state.reviewed):
        stuck = TodoBlocked(waits_for=waits_for)
        yield Record(key=f"todo/{todo.id}/block", state="EXECUTING", todo_id=todo.id, facts=(stuck,))


def _todo_actions(state: ResearchState, todo: Todo) -> Sequence[Action]:
    life = state.lives.get(todo.id)
    if life is None:
        return ()
    if life.step != "recorded":
        return todo_lifecycle.next_actions(
            life, todo, question=state.topic, outcomes=state.outcomes, options=state.options
        )
    return [_review_todo(state, todo)] if todo.id not in state.reviewed and not state.stopped else ()


def _review_todo(state: ResearchState, todo: Todo) -> Action:
    update = state.pending_reviews.get(todo.id)
    key = f"todo/{todo.id}/review"
    if update:
        caps = GrowthLimits(state.options.max_todos, state.options.max_depth, state.options.max_retries)
        growth = grow(state.plan, todo, update, caps)
        updated = PlanUpdated(update=update, added=growth.added, refused=growth.refused)
        return Record(key=f"{key}/record", state="UPDATING_PLAN", todo_id=todo.id, facts=(updated,))
    given = ReviewInput(
        question=state.topic,
        todo_id=todo.id,
        task=todo.task,
        status=todo.status,
        result=todo.result or "",
        gaps=todo.gaps,
        plan=_plan_digest(state),
        room=max(state.options.max_todos - len(state.plan.todos), 0),
        agents=_available_agents(state),
    )
    return OutputPass(key=key, state="UPDATING_PLAN", todo_id=todo.id, role="reviewer", given=given)


def _plan_digest(state: ResearchState) -> tuple[PlanOutlineItem, ...]:
    others = (PlanOutlineItem(id=other.id, task=other.task) for other in state.plan.todos)
    return take_within(others, state.options.prompt_characters // 4, json_size)


def _compress_memory(state: ResearchState) -> Iterator[Action]:
    ceiling = state.options.memory_characters
    lines = memory.lines_to_compress(state.memory, state.whole, ceiling)
    if not lines:
        return
    key = f"memory/{lines[0].todo_ids[0]}-{lines[-1].todo_ids[-1]}"
    if key in state.failed_summaries:
        told = "; ".join(f"Completed: {line.text.partition(':')[0]}" for line in lines)
        line = memory.merge_lines(lines, told[: ceiling // 4])
        yield Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line, fallback=True),))
    elif summary := state.summaries.get(key):
        line = memory.merge_lines(lines, summary)
        yield Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line),))
    else:
        given = SummarizeInput(lines=tuple(line.text for line in lines), characters=ceiling // 4)
        yield OutputPass(key=key, state="EXECUTING", role="summarizer", given=given)


def _is_gathering_done(state: ResearchState) -> bool:
    """Say whether nothing more can be gathered: all ended and reviewed, or the run was stopped."""
    if state.stopped is not None:
        return all(life.step == "recorded" for life in state.lives.values())
    return todo_graph.is_finished(state.plan) and state.reviewed.issuperset(state.lives)


def _finish_gathering(state: ResearchState) -> Action:
    findings = state.all_findings()
    if not findings:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=no_evidence_statement(state))
    found = ContradictionsFound(contradictions=find_contradictions(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))


def _write_draft(state: ResearchState) -> Sequence[Action]:
    sections = writing.request_sections(state.report_material, state.draft)
    return sections or [writing.request_frame(state.report_material, state.draft, _cycle_memory_lines(state))]
