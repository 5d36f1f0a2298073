"""How a plan is carried out: every todo runs by itself, and nothing waits for a sibling.

A todo starts once its dependencies are done, is reviewed once it has ended, and blocks the todos that depend on it if
it failed for good. When all have ended, or the cycle was stopped and those in progress are recorded, writing begins.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from quaestor.contracts.action import Action, Finish, OutputPass, Record
from quaestor.contracts.event import BudgetReached, Paused, QuestionAsked
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.roles import AgentCard
from quaestor.evidence.ranking import json_size
from quaestor.research import memory
from quaestor.research.contracts.plan import Plan, PlanUpdate, Todo, TodoStatus
from quaestor.research.contracts.roles import PlanOutlineItem, Review
from quaestor.research.contracts.writing import Section, SummarizeInput
from quaestor.research.events import ContradictionsFound, MemoryCompressed, PlanUpdated, TodoBlocked, TodoStarted
from quaestor.research.options import ResearchOptions, writes_brief
from quaestor.research.phases import Executing
from quaestor.research.planning.frontier import Frontier, frontier, remembered
from quaestor.research.planning.replanning import GrowthLimits, grow
from quaestor.research.reports import writing
from quaestor.research.reports.material import ReportMaterial
from quaestor.research.reports.publishing import finish_without_evidence
from quaestor.research.state import ResearchState
from quaestor.research.todos import lifecycle, searching
from quaestor.research.todos.lifecycle import ReviewScope
from quaestor.research.todos.outcome import without_reply
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import Recorded, Recording, Reviewing
from quaestor.research.todos.todo_fold import NO_REVIEW
from quaestor.research.todos.tool_outcomes import EngineSearchOutcome
from quaestor.views.text import count_noun

_MAX_OUTLINE_ITEMS = 1_024
"""Todos that are kept as a reviewer reads them: every one is written out once, as its words stay."""
_NO_REASON = "no reason was given"
_find_contradictions: Callable[[Sequence[Finding]], tuple[Contradiction, ...]] = deferred(
    "quaestor.evidence.contradictions:find_contradictions"
)


def available_agents(state: ResearchState) -> tuple[AgentCard, ...]:
    """Return the agents that todos may be delegated to."""
    return state.options.agents if state.options.orchestrate else ()


def execute_plan(state: ResearchState, phase: Executing) -> Iterator[Action]:
    """Return the actions of the todos, those around them, and the end of gathering once nothing else is wanted."""
    if state.steps >= state.options.max_steps and not state.stopped:
        spent = BudgetReached(limit=f"steps: {state.options.max_steps}", spent=state.spend, refused_key="")
        yield Record(key="stop", state="EXECUTING", facts=(spent,))
        return
    ahead = frontier(state.plan, state.reviewed)
    if state.stopped is None:
        yield from _start_todos(state, ahead)
        yield from _block_todos(state, ahead)
    wanted = _todo_actions(state, phase)
    if state.stopped is None:
        wanted += [*_compress_memory(state, phase), *_escalate_failures(state, ahead)]
        yield from _draft_sections(
            state.plan,
            state.reviewed,
            state.ledger,
            sections=state.sections,
            options=state.options,
            question=state.question,
        )
    yield from wanted
    is_waiting = state.dialogue.waiting and not state.stopped
    if not wanted and state.stopped is None and (outage := _find_outage(state, phase)):
        reason = f"no search engine answers: {outage.error}; nothing is concluded from that"
        paused = Paused(kind="setup", reason=reason, until=outage.retry_at)
        yield Record(key="outage", state="EXECUTING", facts=(paused,))
        return
    if not wanted and not is_waiting and _is_gathering_done(state, phase, ahead):
        yield _finish_gathering(state)


def _find_outage(state: ResearchState, phase: Executing) -> EngineSearchOutcome | None:
    """Return an outage of engines for which todos wait, or None."""
    outages = (searching.find_outage(one, state.outcomes, state.options) for one in phase.todos.values())
    return next(filter(None, outages), None)


def _start_todos(state: ResearchState, ahead: Frontier) -> Iterator[Record]:
    for todo in ahead.ready[: max(state.options.parallel - ahead.busy, 0)]:
        yield Record(key=f"todo/{todo.id}/start", state="EXECUTING", todo_id=todo.id, facts=(TodoStarted(),))


def _block_todos(state: ResearchState, ahead: Frontier) -> Iterator[Record]:
    if state.options.questions and (state.dialogue.waits_for("escalation") or any(_final_failures(state, ahead))):
        return
    for todo, waits_for in ahead.blocked:
        blocked = TodoBlocked(waits_for=waits_for)
        yield Record(key=f"todo/{todo.id}/block", state="EXECUTING", todo_id=todo.id, facts=(blocked,))


def _todo_actions(state: ResearchState, phase: Executing) -> list[Action]:
    """Return the actions of all todos; one that several todos want, as the same search, once."""
    actions: dict[str, Action] = {}
    topic = state.topic
    places = state.plan.places
    for place in sorted(places[todo_id] for todo_id in phase.todos if todo_id in places):
        todo = state.plan.todos[place]
        todo_state = phase.todos[todo.id]
        ends = isinstance(todo_state.step, Reviewing | Recording)
        own = lifecycle.next_actions(
            todo_state,
            todo,
            question=topic,
            outcomes=state.outcomes,
            options=state.options,
            scope=_review_scope(state.plan, todo, state.options) if ends else ReviewScope(),
        )
        if isinstance(todo_state.step, Recorded) and todo.id not in state.reviewed and not state.stopped:
            own = [_record_review(state, todo_state, todo)]
        for action in own:
            actions.setdefault(action.key, action)
    return list(actions.values())


def _escalate_failures(state: ResearchState, ahead: Frontier) -> Iterator[Record]:
    """Ask a person about a todo that failed as often as it may, instead of giving it up."""
    if not state.options.questions or state.dialogue.waiting:
        return
    for todo in _final_failures(state, ahead):
        ref = f"escalation/{todo.id}"
        tries = count_noun(todo.retry_count + 1, "time")
        failed = f"{todo.id} failed {tries}: {todo.task}: {without_reply(todo.result or '')}"
        asked = QuestionAsked(
            ref=ref, kind="escalation", questions=(f"{failed}. Retry it, or go on without it?",), agent="reviewer"
        )
        yield Record(key=ref, state="EXECUTING", facts=(asked,))
        return


def _final_failures(state: ResearchState, ahead: Frontier) -> Iterator[Todo]:
    """Return the todos that failed for good and that no person was asked about yet."""
    for todo in ahead.failed:
        if todo.retry_count >= state.options.max_retries and todo.id not in state.dialogue.escalated_todos:
            yield todo


def _record_review(state: ResearchState, todo_state: TodoState, todo: Todo) -> Record:
    """Record how a todo that ended was reviewed, with the todos that are added."""
    review = todo_state.review or NO_REVIEW
    update = PlanUpdate(
        completed_todo_id=todo.id,
        outcome=_outcome(todo, review),
        status="failed" if todo.status is TodoStatus.FAILED else review.status,
        new_todos=review.new_todos,
    )
    limits = GrowthLimits(state.options.max_todos, state.options.max_depth, state.options.max_retries)
    is_final = isinstance(todo_state.step, Recorded) and todo_state.step.is_final
    growth = grow(state.plan, todo, update, limits, is_final=is_final)
    updated = PlanUpdated(update=update, added=growth.added, refused=growth.refused)
    return Record(key=f"todo/{todo.id}/review/record", state="UPDATING_PLAN", todo_id=todo.id, facts=(updated,))


def _outcome(todo: Todo, review: Review) -> str:
    """Return in words how a todo ended. What a reviewer rejected is not told as what was found."""
    if review.status == "failed" and todo.status is not TodoStatus.FAILED:
        return review.knowledge_gap or _NO_REASON
    return (review.knowledge_gap if review.status == "failed" else review.summary) or todo.result or todo.task


@remembered
def _review_scope(plan: Plan, todo: Todo, options: ResearchOptions) -> ReviewScope:
    """Return what the reviewer of a todo knows of the plan."""
    deepest = todo.depth >= options.max_depth
    return ReviewScope(
        outline=tuple(_outline(plan, todo, options.prompt_characters // 4)),
        room=0 if deepest else max(options.max_todos - len(plan.todos), 0),
        agents=options.agents if options.orchestrate else (),
    )


def _outline(plan: Plan, todo: Todo, ceiling: int) -> Iterator[PlanOutlineItem]:
    """Yield the other todos from the first on, as many as fit; those behind them are not even looked at."""
    room = ceiling
    for other in plan.todos:
        if other.id != todo.id:
            item, size = _outline_item(other.id, other.task)
            if size > room:
                return
            room -= size
            yield item


@lru_cache(maxsize=_MAX_OUTLINE_ITEMS)
def _outline_item(todo_id: str, task: str) -> tuple[PlanOutlineItem, int]:
    """Return a todo as a reviewer reads it, and its size in a prompt."""
    item = PlanOutlineItem(id=todo_id, task=task)
    return item, json_size(item)


@remembered
def _draft_sections(
    plan: Plan,
    reviewed: frozenset[str],
    ledger: Mapping[str, LedgerEntry],
    *,
    sections: Mapping[str, Section],
    options: ResearchOptions,
    question: str,
) -> Sequence[OutputPass]:
    """Return the sections of the todos that are reviewed, as all before them are: what these claim is not repeated."""
    if writes_brief(options) or options.sections:
        return ()
    settled = frontier(plan, reviewed).settled
    entries = {
        todo.id: ledger[todo.id] for todo in settled if todo.id in ledger and todo.status is not TodoStatus.FAILED
    }
    if not writing.may_have_sections(entries.values(), sections):
        return ()
    material = ReportMaterial(question, plan, entries, options)
    return writing.request_sections(material, sections, is_complete=False)


def _compress_memory(state: ResearchState, phase: Executing) -> Sequence[OutputPass | Record]:
    """Ask for fewer words in place of the oldest memory lines, or record them; without a summary tasks are listed."""
    ceiling = state.options.memory_characters
    lines = _lines_to_compress(state.memory, state.earlier_plan, state.plan, ceiling)
    if not lines:
        return ()
    key = f"memory/{lines[0].todo_ids[0]}-{lines[-1].todo_ids[-1]}"
    if key in phase.failed_summaries:
        line = memory.merge_lines(lines, memory.list_completed(lines)[: ceiling // 4])
        return [Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line, fallback=True),))]
    if summary := phase.summaries.get(key):
        line = memory.merge_lines(lines, summary)
        return [Record(key=key, state="EXECUTING", facts=(MemoryCompressed(line=line),))]
    given = SummarizeInput(lines=tuple(line.text for line in lines), characters=ceiling // 4)
    return [OutputPass(key=key, state="EXECUTING", role="summarizer", given=given)]


@remembered
def _lines_to_compress(kept: memory.Memory, earlier: Plan, plan: Plan, ceiling: int) -> memory.Memory:
    return memory.lines_to_compress(kept, Plan(todos=(*earlier.todos, *plan.todos)), ceiling)


def _is_gathering_done(state: ResearchState, phase: Executing, ahead: Frontier) -> bool:
    """Return whether nothing more can be gathered: all ended and reviewed, or the cycle was stopped."""
    if state.stopped:
        return all(isinstance(todo_state.step, Recorded) for todo_state in phase.todos.values())
    return ahead.is_finished and state.reviewed.issuperset(phase.todos)


def _finish_gathering(state: ResearchState) -> Finish | Record:
    findings = state.all_findings()
    if not findings:
        return finish_without_evidence(state)
    found = ContradictionsFound(contradictions=_find_contradictions(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))
