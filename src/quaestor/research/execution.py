"""How a plan is carried out: every todo runs by itself, and nothing waits for a sibling.

A todo starts once its dependencies are done, is reviewed once it has ended, and blocks the todos that depend on it if
it failed for good. When all have ended, or the cycle was stopped and those in progress are recorded, writing begins.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from quaestor.contracts.action import Action, Finish, OutputPass, Record
from quaestor.contracts.event import BudgetReached, Paused, QuestionAsked
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Contradiction, Finding
from quaestor.contracts.roles import AgentCard
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research import memory, todo_lifecycle, todo_search, writing
from quaestor.research.contracts.plan import PlanUpdate, Todo, TodoStatus
from quaestor.research.contracts.roles import PlanOutlineItem
from quaestor.research.contracts.writing import SummarizeInput
from quaestor.research.events import ContradictionsFound, MemoryCompressed, PlanUpdated, TodoBlocked, TodoStarted
from quaestor.research.options import writes_brief
from quaestor.research.phases import Executing
from quaestor.research.planning import todo_graph
from quaestor.research.planning.replanning import GrowthLimits, grow
from quaestor.research.report import finish_without_evidence
from quaestor.research.state import ResearchState
from quaestor.research.todo_fold import NO_REVIEW
from quaestor.research.todo_lifecycle import ReviewScope
from quaestor.research.todo_outcome import without_reply
from quaestor.research.todo_state import TodoState
from quaestor.research.todo_steps import Recorded, Recording, Reviewing

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
    if state.stopped is None:
        yield from _start_todos(state)
        yield from _block_todos(state)
    wanted = _todo_actions(state, phase)
    if state.stopped is None:
        wanted += [*_compress_memory(state, phase), *_escalate_failures(state)]
        yield from _draft_sections(state)
    yield from wanted
    is_waiting = state.dialogue.waiting and not state.stopped
    if not wanted and state.stopped is None and (outage := _find_outage(state, phase)):
        reason = f"no search engine answers: {outage}; nothing is concluded from that"
        yield Record(key="outage", state="EXECUTING", facts=(Paused(kind="setup", reason=reason),))
        return
    if not wanted and not is_waiting and _is_gathering_done(state, phase):
        yield _finish_gathering(state)


def _find_outage(state: ResearchState, phase: Executing) -> str | None:
    """Return why todos wait for engines that are out of order, or None."""
    outages = (todo_search.find_outage(one, state.outcomes, state.options) for one in phase.todos.values())
    return next(filter(None, outages), None)


def _start_todos(state: ResearchState) -> Iterator[Record]:
    busy = sum(todo.status is TodoStatus.IN_PROGRESS for todo in state.plan.todos)
    for todo in todo_graph.ready_todos(state.plan, state.reviewed)[: max(state.options.parallel - busy, 0)]:
        yield Record(key=f"todo/{todo.id}/start", state="EXECUTING", todo_id=todo.id, facts=(TodoStarted(),))


def _block_todos(state: ResearchState) -> Iterator[Record]:
    if state.options.questions and (state.dialogue.waits_for("escalation") or any(_final_failures(state))):
        return
    for todo, waits_for in todo_graph.find_blocked(state.plan, state.reviewed):
        blocked = TodoBlocked(waits_for=waits_for)
        yield Record(key=f"todo/{todo.id}/block", state="EXECUTING", todo_id=todo.id, facts=(blocked,))


def _todo_actions(state: ResearchState, phase: Executing) -> list[Action]:
    """Return the actions of all todos; one that several todos want, as the same search, once."""
    actions: dict[str, Action] = {}
    topic = state.topic
    for todo in state.plan.todos:
        todo_state = phase.todos.get(todo.id)
        if todo_state is None:
            continue
        ends = isinstance(todo_state.step, Reviewing | Recording)
        own = todo_lifecycle.next_actions(
            todo_state,
            todo,
            question=topic,
            outcomes=state.outcomes,
            options=state.options,
            scope=_review_scope(state, todo) if ends else ReviewScope(),
        )
        if isinstance(todo_state.step, Recorded) and todo.id not in state.reviewed and not state.stopped:
            own = [_record_review(state, todo_state, todo)]
        for action in own:
            actions.setdefault(action.key, action)
    return list(actions.values())


def _escalate_failures(state: ResearchState) -> Iterator[Record]:
    """Ask a person about a todo that failed as often as it may, instead of giving it up."""
    if not state.options.questions or state.dialogue.waiting:
        return
    for todo in _final_failures(state):
        ref = f"escalation/{todo.id}"
        failed = f"{todo.id} failed {todo.retry_count + 1} times: {todo.task}: {without_reply(todo.result or '')}"
        asked = QuestionAsked(
            ref=ref, kind="escalation", questions=(f"{failed}. Retry it, or go on without it?",), agent="reviewer"
        )
        yield Record(key=ref, state="EXECUTING", facts=(asked,))
        return


def _final_failures(state: ResearchState) -> Iterator[Todo]:
    """Return the todos that failed for good and that no person was asked about yet."""
    settled = state.dialogue.escalated_todos | {todo.retries for todo in state.plan.todos}
    for todo in state.plan.todos:
        final = todo.status is TodoStatus.FAILED and todo.id in state.reviewed
        if final and todo.retry_count >= state.options.max_retries and todo.id not in settled:
            yield todo


def _record_review(state: ResearchState, todo_state: TodoState, todo: Todo) -> Record:
    """Record how a todo that ended was reviewed, with the todos that are added."""
    review = todo_state.review or NO_REVIEW
    update = PlanUpdate(
        completed_todo_id=todo.id,
        outcome=(review.knowledge_gap if review.status == "failed" else review.summary) or todo.result or todo.task,
        status="failed" if todo.status is TodoStatus.FAILED else review.status,
        new_todos=review.new_todos,
    )
    limits = GrowthLimits(state.options.max_todos, state.options.max_depth, state.options.max_retries)
    growth = grow(state.plan, todo, update, limits)
    updated = PlanUpdated(update=update, added=growth.added, refused=growth.refused)
    return Record(key=f"todo/{todo.id}/review/record", state="UPDATING_PLAN", todo_id=todo.id, facts=(updated,))


def _review_scope(state: ResearchState, todo: Todo) -> ReviewScope:
    outline = (PlanOutlineItem(id=other.id, task=other.task) for other in state.plan.todos if other.id != todo.id)
    deepest = todo.depth >= state.options.max_depth
    return ReviewScope(
        outline=take_within(outline, state.options.prompt_characters // 4, json_size),
        room=0 if deepest else max(state.options.max_todos - len(state.plan.todos), 0),
        agents=available_agents(state),
    )


def _draft_sections(state: ResearchState) -> Sequence[OutputPass]:
    """Return the sections of the todos that are reviewed, as all before them are: what these claim is not repeated."""
    if writes_brief(state.options):
        return ()
    settled = list(takewhile(lambda todo: _is_settled(state, todo), state.plan.todos))
    entries = [state.entries[todo.id] for todo in settled if todo.id in state.entries]
    if not writing.may_have_sections(entries, state.sections):
        return ()
    material = replace(state.report_material, entries={entry.todo_id: entry for entry in entries})
    return writing.request_sections(material, state.sections, is_complete=False)


def _is_settled(state: ResearchState, todo: Todo) -> bool:
    return todo.status is TodoStatus.BLOCKED or (
        todo.status in todo_graph.TERMINAL_STATUSES and todo.id in state.reviewed
    )


def _compress_memory(state: ResearchState, phase: Executing) -> Sequence[OutputPass | Record]:
    """Ask for fewer words in place of the oldest memory lines, or record them; without a summary tasks are listed."""
    ceiling = state.options.memory_characters
    lines = memory.lines_to_compress(state.memory, state.whole_plan, ceiling)
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


def _is_gathering_done(state: ResearchState, phase: Executing) -> bool:
    """Return whether nothing more can be gathered: all ended and reviewed, or the cycle was stopped."""
    if state.stopped:
        return all(isinstance(todo_state.step, Recorded) for todo_state in phase.todos.values())
    return todo_graph.is_finished(state.plan) and state.reviewed.issuperset(phase.todos)


def _finish_gathering(state: ResearchState) -> Finish | Record:
    findings = state.all_findings()
    if not findings:
        return finish_without_evidence(state)
    found = ContradictionsFound(contradictions=_find_contradictions(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))
