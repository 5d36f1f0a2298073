"""How a plan is carried out: every todo runs by itself, and nothing waits for a sibling.

A todo starts once its dependencies are done, is reviewed once it has ended, and blocks the todos that depend on it if
it failed for good. When all have ended, or the cycle was stopped and those in progress are recorded, writing begins.
"""

from collections.abc import Iterator, Sequence

from quaestor.contracts.action import Action, Finish, OutputPass, Record
from quaestor.contracts.event import BudgetReached, QuestionAsked
from quaestor.contracts.roles import AgentCard
from quaestor.evidence.contradictions import find_contradictions
from quaestor.evidence.ranking import json_size, take_within
from quaestor.research import memory, todo_lifecycle
from quaestor.research.contracts.plan import Todo, TodoStatus
from quaestor.research.contracts.roles import PlanOutlineItem, ReviewInput
from quaestor.research.contracts.writing import SummarizeInput
from quaestor.research.events import ContradictionsFound, MemoryCompressed, PlanUpdated, TodoBlocked, TodoStarted
from quaestor.research.phases import Executing
from quaestor.research.planning import todo_graph
from quaestor.research.planning.replanning import GrowthLimits, grow
from quaestor.research.report import finish_without_evidence
from quaestor.research.state import ResearchState
from quaestor.research.todo_steps import Recorded


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
    yield from wanted
    is_waiting = state.dialogue.waiting and not state.stopped
    if not wanted and not is_waiting and _is_gathering_done(state, phase):
        yield _finish_gathering(state)


def _start_todos(state: ResearchState) -> Iterator[Record]:
    busy = sum(todo.status is TodoStatus.IN_PROGRESS for todo in state.plan.todos)
    for todo in todo_graph.ready_todos(state.plan)[: max(state.options.parallel - busy, 0)]:
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
    for todo in state.plan.todos:
        todo_state = phase.todos.get(todo.id)
        if todo_state is None:
            continue
        own = todo_lifecycle.next_actions(
            todo_state, todo, question=state.topic, outcomes=state.outcomes, options=state.options
        )
        if isinstance(todo_state.step, Recorded) and todo.id not in state.reviewed and not state.stopped:
            own = [_review_todo(state, phase, todo)]
        for action in own:
            actions.setdefault(action.key, action)
    return list(actions.values())


def _escalate_failures(state: ResearchState) -> Iterator[Record]:
    """Ask a person about a todo that failed as often as it may, instead of giving it up."""
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
    """Return the todos that failed for good and that no person was asked about yet."""
    settled = state.dialogue.escalated_todos | {todo.retries for todo in state.plan.todos}
    for todo in state.plan.todos:
        final = todo.status is TodoStatus.FAILED and todo.id in state.reviewed
        if final and todo.retry_count >= state.options.max_retries and todo.id not in settled:
            yield todo


def _review_todo(state: ResearchState, phase: Executing, todo: Todo) -> OutputPass | Record:
    """Ask the reviewer about a todo that ended, or record its answer with the todos that are added."""
    key = f"todo/{todo.id}/review"
    update = phase.pending_reviews.get(todo.id)
    if update:
        limits = GrowthLimits(state.options.max_todos, state.options.max_depth, state.options.max_retries)
        growth = grow(state.plan, todo, update, limits)
        updated = PlanUpdated(update=update, added=growth.added, refused=growth.refused)
        return Record(key=f"{key}/record", state="UPDATING_PLAN", todo_id=todo.id, facts=(updated,))
    outline = (PlanOutlineItem(id=other.id, task=other.task) for other in state.plan.todos)
    given = ReviewInput(
        question=state.topic,
        todo_id=todo.id,
        task=todo.task,
        status=todo.status,
        result=todo.result or "",
        gaps=todo.gaps,
        plan=take_within(outline, state.options.prompt_characters // 4, json_size),
        room=max(state.options.max_todos - len(state.plan.todos), 0),
        agents=available_agents(state),
    )
    return OutputPass(key=key, state="UPDATING_PLAN", todo_id=todo.id, role="reviewer", given=given)


def _compress_memory(state: ResearchState, phase: Executing) -> Sequence[OutputPass | Record]:
    """Ask for fewer words in place of the oldest memory lines, or record them; without a summary tasks are listed."""
    ceiling = state.options.memory_characters
    lines = memory.lines_to_compress(state.memory, state.whole_plan, ceiling)
    if not lines:
        return ()
    key = f"memory/{lines[0].todo_ids[0]}-{lines[-1].todo_ids[-1]}"
    if key in phase.failed_summaries:
        tasks = "; ".join(f"Completed: {line.text.partition(':')[0]}" for line in lines)
        line = memory.merge_lines(lines, tasks[: ceiling // 4])
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
    found = ContradictionsFound(contradictions=find_contradictions(findings))
    return Record(key="contradictions", state="WRITING", facts=(found,))
