"""What a research session knows."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.research import dialogue
from quaestor.research.contracts.optional_roles import Doubt
from quaestor.research.contracts.plan import Plan, PlanDraft, PlanUpdate
from quaestor.research.contracts.report import Report
from quaestor.research.contracts.roles import Clarity
from quaestor.research.contracts.tools import RecheckResult
from quaestor.research.dialogue import Dialogue
from quaestor.research.events import QuoteVerdict
from quaestor.research.memory import Memory
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState
from quaestor.research.tool_outcomes import ToolOutcomes
from quaestor.research.writing import ReportDraft, ReportMaterial


class ResearchState(Contract):
    """Everything `Research.next` looks at."""

    question: str = ""
    options: ResearchOptions = ResearchOptions()
    dialogue: Dialogue = Dialogue()
    cancelled: bool = False
    clarity: Clarity | None = None
    plan_draft: PlanDraft | None = None
    planner_error: str | None = None
    earlier_plan: Plan = Field(
        default=Plan(), description="The todos of earlier cycles that are not in the plan any more."
    )
    is_refreshing: bool = Field(default=False, description="The sources are looked at again before there is a plan.")
    recheck_result: RecheckResult | None = None
    plan: Plan = Field(default=Plan(), description="Of this cycle.")
    last_plan_edit_seq: int = Field(default=0, description="The number of the last event that edited the plan.")
    last_todo_number: int = Field(default=0, description="The highest number that a todo of the plan ever had.")
    lives: Mapping[str, TodoState] = {}
    outcomes: ToolOutcomes = ToolOutcomes()
    untrusted: str | None = Field(default=None, description="Whose words were read first, where programs may run.")
    pending_reviews: Mapping[str, PlanUpdate] = Field(default={}, description="Reviews that are not on the plan yet.")
    reviewed: frozenset[str] = frozenset()
    growth_refused: tuple[str, ...] = ()
    ledger: Mapping[str, LedgerEntry] = Field(default={}, description="In order of arrival; see `entries`.")
    memory: Memory = ()
    summaries: Mapping[str, str] = {}
    failed_summaries: frozenset[str] = frozenset()
    writing: bool = False
    contradictions: tuple[Contradiction, ...] = ()
    draft: ReportDraft = ReportDraft()
    verdicts: tuple[QuoteVerdict, ...] | None = None
    checks: Mapping[str, tuple[Doubt, ...]] = Field(default={}, description="The checker's doubts by call.")
    verification_error: str | None = Field(default=None, description="Why the quotes could not be verified.")
    is_report_recorded: bool = False
    report: Report | None = Field(default=None, description="Of this cycle.")
    report_versions: int = Field(default=0, description="Reports that were written in all cycles.")
    stopped: str | None = Field(default=None, description="Why the run asks no more than it must.")
    partial_reason: str | None = Field(default=None, description="What was going on when it was stopped, and why.")
    finished: bool = False
    steps: int = 0
    answered: Spend = Field(default=Spend(), description="Calls that were answered, each once, whatever they cost.")
    spend: Spend = Spend()

    @property
    def topic(self) -> str:
        """The question with what a person answered about it."""
        return dialogue.clarified_question(self.question, self.dialogue)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed because nobody was asked."""
        if self.clarity is None:
            return ()
        unasked = (f"Not asked, so taken in its usual meaning: {question}" for question in self.clarity.questions)
        return (*self.clarity.assumptions, *unasked)

    @property
    def whole(self) -> Plan:
        """The todos of all cycles, those of earlier ones first."""
        return Plan(todos=(*self.earlier_plan.todos, *self.plan.todos))

    @property
    def entries(self) -> Mapping[str, LedgerEntry]:
        """The ledger in plan order."""
        return {todo.id: self.ledger[todo.id] for todo in self.plan.todos if todo.id in self.ledger}

    @property
    def report_material(self) -> ReportMaterial:
        """What writing works from."""
        return ReportMaterial(self.question, self.plan, self.entries, self.options)

    def findings_of(self, todo_ids: Iterable[str]) -> tuple[Finding, ...]:
        """Give the findings of some todos."""
        return tuple(
            finding for todo_id in todo_ids if todo_id in self.ledger for finding in self.ledger[todo_id].findings
        )

    def all_findings(self) -> tuple[Finding, ...]:
        """Give all findings in plan order."""
        return self.findings_of(todo.id for todo in self.plan.todos)
