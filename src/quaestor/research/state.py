"""What a research session knows in every phase."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import NOT_STORED, Immutable, field
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.kernel.lost_calls import LostCalls
from quaestor.research import dialogue
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.contracts.plan import Plan, TodoStatus
from quaestor.research.contracts.verdicts import ClaimCheck
from quaestor.research.contracts.writing import Section
from quaestor.research.dialogue import Dialogue
from quaestor.research.memory import Memory
from quaestor.research.options import ResearchOptions
from quaestor.research.phases import Briefing, Checking, Clarifying, Closing, Done, Phase, Verifying, Writing
from quaestor.research.planning.refusals import list_refusals
from quaestor.research.reports.material import ReportMaterial
from quaestor.research.reports.revision import Revision, WrittenReport
from quaestor.research.todos.tool_outcomes import ToolOutcomes


class EarlyStop(Immutable):
    """Why a cycle ended before its work was done, and what was left undone."""

    reason: str
    unfinished: str

    @property
    def note(self) -> str:
        """The line of a partial report."""
        return f"{self.unfinished}: {self.reason}."


class ResearchState(Immutable):
    """Everything that `Research.next` reads: the phase, and what outlives it."""

    question: str = ""
    options: ResearchOptions = field(default_factory=ResearchOptions)
    todo_workflows: Annotated[Mapping[str, TodoWorkflow], NOT_STORED] = field(default_factory=dict)
    """Other workflows that carry out todos, by kind; of those that the options name the session has todos."""
    phase: Phase = field(default_factory=Clarifying)
    stopped: EarlyStop | None = None
    is_review_over: bool = False
    """A person ended the review of plans, also of those that are made later."""
    is_paused: bool = False
    """It waits until it is resumed; its engines are then asked again."""
    dialogue: Dialogue = field(default_factory=Dialogue)
    fallbacks: frozenset[str] = frozenset()
    """What a model gave no usable answer for, as a report names it; see `reports.fallbacks`."""
    assumptions: tuple[str, ...] = ()
    """What is taken as meant in this cycle because nobody was asked, or nobody answered."""
    earlier_plan: Plan = field(default_factory=Plan)
    """The todos of earlier cycles that are not in the plan any more."""
    plan: Plan = field(default_factory=Plan)
    """The plan of this cycle."""
    last_plan_edit_seq: int = 0
    """Number of the last event that edited the plan."""
    last_todo_number: int = 0
    """Highest number that a todo of the plan ever had."""
    outcomes: ToolOutcomes = field(default_factory=ToolOutcomes)
    untrusted_source: str | None = None
    """Which tool first brought text of others, where programs may run."""
    reviewed: frozenset[str] = frozenset()
    refusals: tuple[str, ...] = ()
    """Todos that were proposed and are not in the plan, or not tried again, each with the reason."""
    ledger: Mapping[str, LedgerEntry] = field(default_factory=dict)
    """Entries by todo, in order of arrival; see `entries`."""
    memory: Memory = ()
    sections: Mapping[str, Section] = field(default_factory=dict)
    """Sections of the report by todo; a refreshed report keeps those whose sources have not changed."""
    contradictions: tuple[Contradiction, ...] = ()
    report: ResearchDocument | None = None
    """The report or the brief of this cycle."""
    written: WrittenReport | None = None
    """The last report on the question that a model wrote, also of an earlier cycle."""
    revision: Revision | None = None
    """The section that is written again in this cycle."""
    cycle: int = 1
    earlier_searches: int = 0
    """Searches of earlier cycles whose outcomes are not kept."""
    earlier_read: frozenset[str] = frozenset()
    """Keys of the pages and the answers of servers that were read in earlier cycles."""
    delegate_checks: Mapping[str, ClaimCheck] = field(default_factory=dict)
    """Verdicts of agents: on findings, by their ids, and on statements, by their todo and their words."""
    report_versions: int = 0
    """Reports of all cycles."""
    steps: int = 0
    answered: Spend = field(default_factory=Spend)
    """Calls that ended, each once, one without an answer with the most it can have cost; in a replay those recorded."""
    lost_calls: LostCalls = field(default_factory=LostCalls)
    spend: Spend = field(default_factory=Spend)

    @property
    def topic(self) -> str:
        """The question with what a person answered about it."""
        return dialogue.clarified_question(self.question, self.dialogue)

    @property
    def is_finished(self) -> bool:
        """Whether the last cycle has ended."""
        return isinstance(self.phase, Done)

    @property
    def is_writing(self) -> bool:
        """Whether the report is being written or verified."""
        return isinstance(self.phase, Writing | Briefing | Verifying | Checking | Closing)

    @property
    def whole_plan(self) -> Plan:
        """The todos of all cycles, those of earlier ones first."""
        return Plan(todos=(*self.earlier_plan.todos, *self.plan.todos))

    @property
    def entries(self) -> Mapping[str, LedgerEntry]:
        """The ledger in plan order, without the todos that their reviewer failed."""
        return {
            todo.id: self.ledger[todo.id]
            for todo in self.plan.todos
            if todo.id in self.ledger and todo.status is not TodoStatus.FAILED
        }

    @property
    def searches(self) -> int:
        """The searches of all cycles."""
        return self.earlier_searches + self.outcomes.asked

    @property
    def sources_searched(self) -> int:
        """The documents, and the pages and answers of servers that were read in any cycle."""
        return self.options.documents + len(self.earlier_read | self.outcomes.read)

    @property
    def growth_refused(self) -> tuple[str, ...]:
        """The refusals as a report lists them."""
        return list_refusals(self.refusals)

    @property
    def report_material(self) -> ReportMaterial:
        """What the report is written from."""
        return ReportMaterial(self.question, self.plan, self.entries, self.options)

    def findings_of(self, todo_ids: Iterable[str]) -> tuple[Finding, ...]:
        """Return the findings of some todos; a todo that failed has none."""
        failed = {todo.id for plan in (self.earlier_plan, self.plan) for todo in plan.by_status[TodoStatus.FAILED]}
        entries = (self.ledger[todo_id] for todo_id in todo_ids if todo_id in self.ledger and todo_id not in failed)
        return tuple(finding for entry in entries for finding in entry.findings)

    def all_findings(self) -> tuple[Finding, ...]:
        """Return all findings in plan order."""
        return self.findings_of(todo.id for todo in self.plan.todos)
