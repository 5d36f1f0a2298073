"""The research workflow: a question in, a cited report out.

    CLARIFYING -> PLANNING -> REVIEWING_PLAN -> EXECUTING -> WRITING -> VERIFYING -> DONE
                                                  |
    each todo: QUERYING -> SEARCHING (-> FETCHING) -> READING -> QUOTING -> REVIEWING (-> again)
    or, delegated: SCOUTING -> SEARCHING (-> FETCHING) -> DELEGATING -> QUOTING -> REVIEWING
    then: RECORDING -> UPDATING_PLAN -> DRAFTING

`Research.next` reads top to bottom like the picture. It changes nothing: `fold` applies what happened, `execution`
routes the todos, and `todos.lifecycle` has the steps of one todo.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Literal, assert_never

from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolRun
from quaestor.contracts.command import Command
from quaestor.contracts.event import Event, QuestionAsked
from quaestor.contracts.lazy import FallbackMapping, deferred
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.evidence.ranking import take_within
from quaestor.research import dialogue, inbox, memory
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import ClarifyInput, Clarity, PlanInput
from quaestor.research.contracts.tools import RecheckInput
from quaestor.research.events import PlanCreated
from quaestor.research.execution import available_agents, execute_plan
from quaestor.research.fold import fold
from quaestor.research.options import writes_brief
from quaestor.research.phases import (
    Briefing,
    Cancelling,
    Checking,
    Clarifying,
    Closing,
    Done,
    Executing,
    PlannerFailure,
    Planning,
    Refreshing,
    ReviewingPlan,
    Verifying,
    Writing,
    known_clarity,
)
from quaestor.research.planning import todo_graph
from quaestor.research.planning.refusals import describe_full_plan, refuse_todo
from quaestor.research.planning.stale_todos import cited_sources, replace_stale_todos, stale_todos
from quaestor.research.reports import writing
from quaestor.research.reports.checking import request_checks
from quaestor.research.reports.publishing import finish_cycle, finish_without_evidence, publish_report, verify_quotes
from quaestor.research.reports.revision import request_revision
from quaestor.research.state import ResearchState
from quaestor.research.table import TABLE
from quaestor.views.text import count_noun

_BRIEF = "quaestor.research.brief.publishing"
_request_contexts: Callable[[ResearchState], ToolRun] = deferred(f"{_BRIEF}:request_contexts")
_publish_brief: Callable[[ResearchState, Briefing], Record] = deferred(f"{_BRIEF}:publish_brief")


class Research:
    """The state table and the routing of research; a `Workflow`, whose todos other workflows may carry out."""

    name: ClassVar[str] = "research"

    def __init__(self, todo_workflows: Mapping[str, TodoWorkflow] = MappingProxyType({})) -> None:
        self._todo_workflows = todo_workflows
        self._table = FallbackMapping(TABLE, lambda: (one.states for one in todo_workflows.values()))

    @property
    def table(self) -> Mapping[str, StateSpec]:
        """The states of research, and those of the workflows that carry out todos."""
        return self._table

    def begin(self) -> ResearchState:
        """Return the state before any event."""
        return ResearchState(todo_workflows=self._todo_workflows)

    def apply(self, state: ResearchState, event: Event) -> ResearchState:
        """Return the state after one more event."""
        return fold(state, event)

    def next(self, state: ResearchState) -> Sequence[Action]:  # noqa: C901 -- one arm a phase
        """Return the actions that are wanted now."""
        match state.phase:
            case _ if state.is_paused:
                return ()
            case Clarifying() if not state.question:
                return ()
            case Cancelling():
                return [Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")]
            case Refreshing() as phase:
                return [_refresh(state, phase)]
            case Clarifying() | Planning() if state.stopped:
                return [finish_without_evidence(state)]
            case Clarifying() | Planning() | ReviewingPlan() if state.dialogue.waiting:
                return ()
            case Clarifying() if state.options.questions:
                return [_clarify(state)]
            case Clarifying():
                return [_create_plan(state, Planning(known_clarity(state.phase)))]
            case Planning() as phase:
                return [_ask_clarification(state, phase.clarity) or _create_plan(state, phase)]
            case ReviewingPlan():
                return [_ask_confirmation(state)]
            case Executing() as phase:
                return list(execute_plan(state, phase))
            case Writing() as phase:
                return [_request_contexts(state)] if writes_brief(state.options) else _write_draft(state, phase)
            case Briefing() as phase:
                return [_publish_brief(state, phase)]
            case Verifying() as phase:
                return [verify_quotes(state, phase)]
            case Checking() as phase:
                return request_checks(state, phase) or [publish_report(state, phase)]
            case Closing() as phase:
                return [finish_cycle(state, phase)]
            case Done():
                return ()
            case never:
                assert_never(never)

    def handle(self, state: ResearchState, order: Command) -> CommandOutcome:
        """Return what a person's command leads to."""
        return inbox.handle(state, order)


def _refresh(state: ResearchState, phase: Refreshing) -> Action:
    """Compare the cited sources with what they are now, and plan again what rests on those that changed."""
    if state.stopped:
        statement = f"The sources were not looked at again: {state.stopped.reason}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    if phase.recheck is None:
        used = cited_sources(state.entries.values())
        sources = {source.sha256: source for entry in state.entries.values() for source in entry.sources}
        cited = tuple(source for sha256, source in sources.items() if sha256 in used)
        given = RecheckInput(sources=cited, corpus=state.options.corpus)
        return ToolRun(key=f"recheck/{state.report_versions}", state="REFRESHING", tool="recheck", given=given)
    stale = stale_todos(state.plan, state.ledger, phase.recheck.changed)
    if not stale:
        unread = "".join(f" Not looked at: {reason}." for reason in phase.recheck.unread)
        statement = f"No cited source has changed, so version {state.report_versions} of the report stands.{unread}"
        return Finish(key="finish", state="DONE", outcome="done", statement=statement)
    plan = replace_stale_todos(state.plan, stale, state.last_todo_number)
    created = PlanCreated(plan=plan, assumptions=state.assumptions)
    return Record(key="plan/record", state="REFRESHING", facts=(created,))


def _clarify(state: ResearchState) -> OutputPass:
    key = f"clarify/{state.dialogue.rounds}" if state.dialogue.rounds else "clarify"
    given = ClarifyInput(question=state.question, context=tuple(dialogue.clarification_lines(state.dialogue)))
    return OutputPass(key=key, state="CLARIFYING", role="clarifier", given=given)


def _ask_clarification(state: ResearchState, clarity: Clarity) -> Record | None:
    """Ask what is unclear, if a person may be asked; after some rounds it is assumed."""
    unclear = () if clarity.is_clear else clarity.questions
    if not unclear or not state.options.questions or state.dialogue.rounds >= dialogue.MAX_CLARIFICATION_ROUNDS:
        return None
    key = f"ask/{state.dialogue.rounds + 1}"
    asked = QuestionAsked(ref=key, kind="clarification", questions=unclear, agent="clarifier")
    return Record(key=key, state="CLARIFYING", facts=(asked,))


def _ask_confirmation(state: ResearchState) -> Record:
    question = (
        f"Is this plan of {count_noun(len(state.plan.todos), 'todo')} to be carried out? Confirm it, or edit it first."
    )
    asked = QuestionAsked(ref="plan", kind="plan_confirmation", questions=(question,), agent="planner")
    return Record(key="plan/ask", state="REVIEWING_PLAN", facts=(asked,))


def _create_plan(state: ResearchState, phase: Planning) -> OutputPass | Record:
    """Ask the planner for a draft, or record the plan made of it; a planner that failed leaves a plan of one todo."""
    review: Literal["awaiting_confirmation", "auto_approved"]
    reviewed = state.options.review_plan and not state.is_review_over
    review = "awaiting_confirmation" if reviewed else "auto_approved"
    match phase.draft:
        case None:
            role = "orchestrator" if state.options.orchestrate else "planner"
            return OutputPass(key="plan", state="PLANNING", role=role, given=_plan_input(state, phase.clarity))
        case PlannerFailure(reason=reason):
            plan = todo_graph.fallback_plan(state.topic, state.last_todo_number)
            assumed = _assumptions(state, phase.clarity)
            created = PlanCreated(plan=plan, review=review, fallback=reason, assumptions=assumed)
        case PlanDraft() as draft:
            room = state.options.max_todos
            distinct = todo_graph.without_repeats(draft)
            plan = todo_graph.plan_from_draft(distinct, room, state.last_todo_number)
            refused = tuple(refuse_todo(left.task, describe_full_plan(room)) for left in distinct.todos[room:])
            assumed = tuple(dict.fromkeys((*_assumptions(state, phase.clarity), *draft.assumptions)))
            created = PlanCreated(plan=plan, review=review, assumptions=assumed, refused=refused)
        case never:
            assert_never(never)
    return Record(key="plan/record", state="REVIEWING_PLAN", facts=(created,))


def _assumptions(state: ResearchState, clarity: Clarity) -> tuple[str, ...]:
    """Return the readings that the clarifier took, and what stayed unclear after the last round."""
    why = "Not asked" if not state.options.questions else f"Still open after {state.dialogue.rounds} rounds"
    unclear = () if clarity.is_clear else clarity.questions
    return (*clarity.assumptions, *(f"{why}, so taken in its usual meaning: {question}" for question in unclear))


def _plan_input(state: ResearchState, clarity: Clarity) -> PlanInput:
    lines = (line.text for line in memory.sort_by_plan(state.memory, state.whole_plan))
    return PlanInput(
        question=state.topic,
        assumptions=_assumptions(state, clarity),
        memory=take_within(lines, state.options.prompt_characters // 4, len),
        kinds=state.options.kinds,
        other_kinds=tuple(
            f"{kind} {workflow.description}"
            for kind in state.options.todos
            if (workflow := state.todo_workflows.get(kind))
        ),
        max_todos=min(7, state.options.max_todos),
        queries=state.options.queries,
        agents=available_agents(state),
        sections=state.options.sections or (),
    )


def _write_draft(state: ResearchState, phase: Writing) -> Sequence[OutputPass]:
    """Return the passes of the sections that are missing, and of the frame; of a revision that of its section."""
    if state.revision:
        key = writing.section_key([state.revision.section_id])
        return [request_revision(state.report_material, state.revision, key)]
    sections = writing.request_sections(state.report_material, state.sections)
    if phase.frame:
        return sections
    own = state.entries.keys()
    remembered = memory.sort_by_plan(state.memory, state.whole_plan)
    lines = (line.text for line in remembered if not own.isdisjoint(line.todo_ids))
    return [*sections, writing.request_frame(state.report_material, lines)]
