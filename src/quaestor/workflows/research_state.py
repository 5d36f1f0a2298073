"""What a research session knows."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from quaestor.contracts.budget import Spend
from quaestor.contracts.checking import Doubt
from quaestor.contracts.event import (
    Verdict,
)
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.noun import Noun
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan, PlanDraft, PlanUpdate
from quaestor.contracts.report import Report
from quaestor.contracts.roles import Clarity
from quaestor.contracts.tools import Rechecked
from quaestor.workflows.parts import talk
from quaestor.workflows.parts.life import Life
from quaestor.workflows.parts.memory import Memory
from quaestor.workflows.parts.outcomes import Outcomes
from quaestor.workflows.parts.talk import Talk
from quaestor.workflows.parts.writing import Draft, Material


class ResearchState(Noun):
    """Everything `Research.next` looks at."""

    question: str = ""
    options: ResearchOptions = ResearchOptions()
    talk: Talk = Talk()
    cancelled: bool = False
    clarity: Clarity | None = None
    plan_draft: PlanDraft | None = None
    planner_failed: str | None = None
    past: Plan = Field(default=Plan(), description="The todos of earlier cycles that are not in the plan any more.")
    refreshing: bool = Field(default=False, description="The sources are looked at again before there is a plan.")
    rechecked: Rechecked | None = None
    plan: Plan = Field(default=Plan(), description="Of this cycle.")
    plan_edited: int = Field(default=0, description="The number of the last event that edited the plan.")
    todos_used: int = Field(default=0, description="The highest number that a todo of the plan ever had.")
    lives: Mapping[str, Life] = {}
    outcomes: Outcomes = Outcomes()
    untrusted: str | None = Field(default=None, description="Whose words were read first, where programs may run.")
    updates: Mapping[str, PlanUpdate] = Field(default={}, description="Reviews that are not on the plan yet.")
    reviewed: frozenset[str] = frozenset()
    growth_refused: tuple[str, ...] = ()
    ledger: Mapping[str, LedgerEntry] = Field(default={}, description="In order of arrival; see `entries`.")
    memory: Memory = ()
    summaries: Mapping[str, str] = {}
    unsummarized: frozenset[str] = frozenset()
    writing: bool = False
    contradictions: tuple[Contradiction, ...] = ()
    draft: Draft = Draft()
    verdicts: tuple[Verdict, ...] | None = None
    checks: Mapping[str, tuple[Doubt, ...]] = Field(default={}, description="The checker's doubts by call.")
    unverifiable: str | None = Field(default=None, description="Why the quotes could not be verified.")
    report_settled: bool = False
    report: Report | None = Field(default=None, description="Of this cycle.")
    versions: int = Field(default=0, description="Reports that were written in all cycles.")
    stopped: str | None = Field(default=None, description="Why the run asks no more than it must.")
    unfinished: str | None = Field(default=None, description="What was going on when it was stopped, and why.")
    finished: bool = False
    steps: int = 0
    answered: Spend = Field(default=Spend(), description="Calls that were answered, each once, whatever they cost.")
    spend: Spend = Spend()

    @property
    def topic(self) -> str:
        """The question with what a person answered about it."""
        return talk.topic(self.question, self.talk)

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
        return Plan(todos=(*self.past.todos, *self.plan.todos))

    @property
    def entries(self) -> Mapping[str, LedgerEntry]:
        """The ledger in plan order."""
        return {todo.id: self.ledger[todo.id] for todo in self.plan.todos if todo.id in self.ledger}

    @property
    def material(self) -> Material:
        """What writing works from."""
        return Material(self.question, self.plan, self.entries, self.options)

    def findings_of(self, todo_ids: Iterable[str]) -> tuple[Finding, ...]:
        """Give the findings of some todos."""
        return tuple(
            finding for todo_id in todo_ids if todo_id in self.ledger for finding in self.ledger[todo_id].findings
        )

    def all_findings(self) -> tuple[Finding, ...]:
        """Give all findings in plan order."""
        return self.findings_of(todo.id for todo in self.plan.todos)
