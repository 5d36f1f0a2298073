"""Events that research sessions alone have: the plan, the lives of its todos, and the report."""

from typing import ClassVar, Literal

from pydantic import Field, JsonValue
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Contradiction, LedgerEntry, MemoryLine
from quaestor.contracts.payload import QuestionKind, WorkflowPayload
from quaestor.contracts.source import TablePlace
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.contracts.plan import Plan, PlanEdit, PlanUpdate, Todo


class PlanCreated(WorkflowPayload):
    """The first plan stands; `fallback` says why it is not the planner's own."""

    type: Literal["plan_created"] = "plan_created"
    plan: Plan
    review: Literal["auto_approved", "awaiting_confirmation", "confirmed"] = "auto_approved"
    fallback: str | None = None
    assumptions: tuple[str, ...] = ()
    refused: tuple[str, ...] = Field(default=(), description="Todos of the planner that have no room, and why.")


class PlanUpdated(WorkflowPayload):
    """A reviewed todo: what was added after it, what was refused, and why."""

    version: ClassVar[int] = 2
    type: Literal["plan_updated"] = "plan_updated"
    update: PlanUpdate
    added: tuple[Todo, ...] = ()
    refused: tuple[str, ...] = ()

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its update names, and the fields."""
        return _text_within(fields["update"], "completed_todo_id"), fields


class PlanEdited(WorkflowPayload):
    """A person edited the plan, which now stands as given."""

    from_person: ClassVar[bool] = True
    type: Literal["plan_edited"] = "plan_edited"
    edits: tuple[PlanEdit, ...]
    plan: Plan
    used: int = Field(description="The highest number of a todo of the plan so far; none is given twice.")


class PlanReviewed(WorkflowPayload):
    """A person confirmed the plan, or ended its review."""

    from_person: ClassVar[bool] = True
    type: Literal["plan_reviewed"] = "plan_reviewed"
    review: Literal["confirmed", "auto_approved"]

    @override
    def settles(self, kind: QuestionKind, ref: str) -> bool:
        """Return whether the question asks for the plan's confirmation."""
        del ref
        return kind == "plan_confirmation"


class TodoRetried(WorkflowPayload):
    """A person wants a failed todo tried again, as this new one."""

    from_person: ClassVar[bool] = True
    type: Literal["todo_retried"] = "todo_retried"
    todo: Todo

    @override
    def settles(self, kind: QuestionKind, ref: str) -> bool:
        """Return whether the question is about the todo that is tried again."""
        del kind
        return ref == f"escalation/{self.todo.retries}"


class TodoStarted(WorkflowPayload):
    """A todo's dependencies are done and it begins."""

    version: ClassVar[int] = 2
    type: Literal["todo_started"] = "todo_started"


class TodoRecorded(WorkflowPayload):
    """A todo is done: its ledger entry, memory line, status and counters, in one fact."""

    version: ClassVar[int] = 2
    type: Literal["todo_recorded"] = "todo_recorded"
    entry: LedgerEntry
    memory: MemoryLine
    loop_count: int
    tools_used: tuple[str, ...] = ()

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its ledger entry names, and the fields."""
        return _text_within(fields["entry"], "todo_id"), fields


class TodoFailed(WorkflowPayload):
    """A todo ended without a result that can be used."""

    version: ClassVar[int] = 2
    type: Literal["todo_failed"] = "todo_failed"
    reason: str
    loop_count: int = 0
    is_final: bool = Field(default=False, description="Another try would end the same way.")


class TodoBlocked(WorkflowPayload):
    """A todo cannot start, because what it depends on finally failed."""

    version: ClassVar[int] = 2
    type: Literal["todo_blocked"] = "todo_blocked"
    waits_for: tuple[str, ...]


class RevisionRequested(WorkflowPayload):
    """A person wants one section of the report written again, as the wish says."""

    from_person: ClassVar[bool] = True
    type: Literal["revision_requested"] = "revision_requested"
    section: str = Field(description="Its id: that of its todo, or of a given heading its place, as s1.")
    wish: str = ""


class MemoryCompressed(WorkflowPayload):
    """Several memory lines became one."""

    type: Literal["memory_compressed"] = "memory_compressed"
    line: MemoryLine
    fallback: bool = False


class ContradictionsFound(WorkflowPayload):
    """Findings of different sources give one subject different values."""

    type: Literal["contradictions_found"] = "contradictions_found"
    contradictions: tuple[Contradiction, ...]


class QuoteVerdict(Contract):
    """Whether the quotes under one finding stand where they are said to stand."""

    finding: str
    verified: bool
    reason: str = ""
    in_tables: tuple[TablePlace | None, ...] = Field(
        default=(), description="Of each quote its place in a table; empty where none is in a table."
    )


class ReportVerified(WorkflowPayload):
    """The report's claims, counted: how many are quoted, and how many got which verdict."""

    version: ClassVar[int] = 2
    type: Literal["report_verified"] = "report_verified"
    verdicts: tuple[QuoteVerdict, ...] = Field(
        description="One a cited finding: whether its quotes are in the sources."
    )
    quoted: int
    unquoted: int
    supported: int = 0
    refuted: int = 0
    unverifiable: int = 0

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the counts under their names of today; what was called supported was quoted."""
        names = {"supported": "quoted", "unsupported": "unquoted"}
        return None, {names.get(name, name): value for name, value in fields.items()}

    def summary(self) -> str:
        """Return the counts in words."""
        counts = (("supported", self.supported), ("refuted", self.refuted), ("unverifiable", self.unverifiable))
        checked = ", ".join(f"{count} {verdict}" for verdict, count in counts if count) or "not checked"
        return f"{self.quoted} claims quoted, {self.unquoted} not; {checked}"


class ReportWritten(WorkflowPayload):
    """A version of the report, or of the brief where no model wrote."""

    version: ClassVar[int] = 2
    has_document: ClassVar[bool] = True
    type: Literal["report_written"] = "report_written"
    report: ResearchDocument

    @property
    @override
    def document(self) -> ResearchDocument:
        """The report or the brief."""
        return self.report

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the report with its claims as they are named today; what was called supported was quoted."""
        return None, {"report": _rename_supported(fields["report"])}


def _rename_supported(part: JsonValue) -> JsonValue:
    match part:
        case dict():
            return {
                ("quoted" if name == "supported" else name): _rename_supported(value) for name, value in part.items()
            }
        case list():
            return [_rename_supported(each) for each in part]
        case _:
            return part


def _text_within(part: JsonValue, name: str) -> str | None:
    text = part.get(name) if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


PAYLOADS: tuple[type[WorkflowPayload], ...] = (
    PlanCreated,
    PlanUpdated,
    PlanEdited,
    PlanReviewed,
    TodoRetried,
    TodoStarted,
    TodoRecorded,
    TodoFailed,
    TodoBlocked,
    MemoryCompressed,
    ContradictionsFound,
    ReportVerified,
    ReportWritten,
    RevisionRequested,
)
"""Every payload of a research session that is not the core's."""
