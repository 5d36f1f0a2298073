"""What a research session runs with."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field, JsonValue
from typing_extensions import override

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.report_settings import ReportSettings
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.settings import RunOptions
from quaestor.research.contracts.plan import TodoKind


class ResearchOptions(RunOptions, ReportSettings):
    """What one research session runs with."""

    identity: ClassVar[frozenset[str]] = RunOptions.identity | {
        "corpus",
        "urls",
        "engines",
        *ReportSettings.model_fields,
        "orchestrate",
        "check",
        "servers",
        "embeddings",
        "discreet",
        "review_plan",
        "allow",
        "todos",
    }

    agents: tuple[AgentCard, ...] = Field(default=(), description="To whom todos may be delegated.")
    orchestrate: bool = Field(default=False, description="The orchestrator plans, and delegates todos to agents.")
    review_plan: bool = Field(default=False, description="No tool runs before a person has confirmed the plan.")
    check: bool = Field(default=False, description="The checker compares every sentence with its quotes.")
    corpus: str = Field(default="", description="The id of the corpus that is searched.")
    roots: tuple[str, ...] = ()
    documents: int = Field(default=0, ge=0)
    embeddings: str | None = Field(default=None, description="The embedding model by which passages are also found.")
    engines: tuple[str, ...] = Field(default=(), description="Search engines of the web that are asked.")
    urls: tuple[str, ...] = Field(default=(), description="Pages the user named.")
    servers: tuple[str, ...] = Field(default=(), description="Servers whose tools agents may use.")
    discreet: bool = Field(default=False, description="Whoever was shown private text asks nobody outside.")
    allow: tuple[str, ...] = Field(
        default=(), description="Tools that todos of kind tool may call; none: no such todo."
    )
    approve: tuple[str, ...] = Field(default=(), description="Calls of these need a person's yes, always.")
    approved: tuple[StandingApproval, ...] = Field(default=(), description="Calls that need no yes any more.")
    approve_after_untrusted: bool = Field(
        default=True, description="Their calls with side effects need a yes once words of others were read."
    )
    todos: Mapping[str, JsonValue] = Field(
        default={}, description="The options of the workflows that may carry out todos, by the kind of these."
    )
    workspace: str = Field(default="", description="The folder in which such todos work, each in one of its own.")
    pages: int = Field(default=4, ge=1, le=50, description="Pages of the web a todo reads in one loop.")
    queries: int = Field(default=3, ge=1, le=20, description="Queries a loop.")
    loops: int = Field(default=3, ge=1, le=50, description="Loops a todo.")
    parallel: int = Field(default=4, ge=1, le=200, description="Todos in progress at the same time.")
    max_todos: int = Field(default=20, ge=1, le=1000, description="Todos a session, follow-ups and retries included.")
    max_depth: int = Field(default=3, ge=0, description="How deep follow-ups of follow-ups may go.")
    max_retries: int = Field(default=2, ge=0)
    max_steps: int = Field(default=5000, ge=1, description="Model and tool calls a session.")
    hits: int = Field(default=6, ge=1, le=50, description="Passages a query.")
    reading_characters: int = Field(default=15_000, ge=500, description="The most a reader is shown at once.")
    prompt_characters: int = Field(default=8_000, ge=500, description="The most of ledger or memory a prompt shows.")
    memory_characters: int = Field(default=6_000, ge=500, description="Memory above this is compressed.")
    unsupported: Literal["mark", "drop"] = "mark"

    @property
    def length_asked(self) -> Literal["short", "long"] | None:
        """The length that was asked for, where it is not the usual one."""
        return None if self.length == "normal" else self.length

    @property
    def is_extractive(self) -> bool:
        """Whether no role is played by a language model."""
        models = (self.model, *self.models.values(), *self.fallback)
        return all(name.partition(":")[0] in {"offline", "script"} for name in models)

    @property
    def reads_meaning(self) -> bool:
        """Whether rules read by static vectors too: passages are found by them, and no model reads."""
        return self.is_extractive and (self.embeddings or "").startswith("static:")

    @property
    @override
    def todo_kinds(self) -> tuple[str, ...]:
        """The kinds of todos that other workflows carry out in the session."""
        return (*((TodoKind.TOOL,) if self.allow else ()), *self.todos)

    @property
    @override
    def folder(self) -> str:
        return next(iter(self.roots), self.workspace)

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of todos of the session."""
        return (TodoKind.RESEARCH, TodoKind.ANALYSIS, *self.todo_kinds)

    @property
    def isolates_private_text(self) -> bool:
        """Whether private text, of documents or of servers, is kept from what is asked outside."""
        return self.discreet and bool(self.corpus or self.servers)


def writes_brief(options: ResearchOptions) -> bool:
    """Return whether a session ends in a brief: no model writes, so there is nothing but passages."""
    return all(name == "offline" for name in (options.model, *options.models.values(), *options.fallback))
