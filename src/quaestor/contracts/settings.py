"""Settings, and the options that every session records when it starts."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, JsonValue

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.base import Contract, Texts
from quaestor.contracts.cost import Budget, Price
from quaestor.contracts.database import Database
from quaestor.contracts.mcp import McpServer, ServerName
from quaestor.contracts.model import Provider
from quaestor.contracts.report_settings import ReportSettings

Effort = Literal["low", "medium", "high"]


class RunOptions(Contract):
    """What any session runs with; recorded when it starts, so that a restart runs with the same."""

    model: str = "offline"
    models: Mapping[str, str] = Field(default={}, description="By role, where it is another than `model`.")
    fallback: tuple[str, ...] = Field(default=(), description="Models that answer, in order, when one does not.")
    prices: Mapping[str, Price] = Field(default={}, description="By model, as they were when the session started.")
    replays: str | None = Field(default=None, description="The session whose log answers every call.")
    agents_dir: str | None = Field(default=None, description="The folder of the user's own agents.")
    questions: bool = Field(default=False, description="A person may be asked; else what is unclear is assumed.")
    output_tokens: int | None = Field(default=None, ge=1, description="The most a reply may take; else by agent.")
    cache: bool = Field(default=False, description="Calls may be answered from earlier sessions.")
    budget: Budget = Budget()
    priority: int = Field(default=0, description="In the queue of workers: each step counts as ten minutes of waiting.")

    identity: ClassVar[frozenset[str]] = frozenset({"model", "models", "fallback", "replays", "agents_dir"})
    """The options that distinguish sessions; a run of the same text that differs only in others continues."""

    @property
    def todo_kinds(self) -> tuple[str, ...]:
        """The kinds of todos that other workflows carry out in the session."""
        return ()

    @property
    def folder(self) -> str:
        """The folder or file that the session reads or works in, the first of several; empty without one."""
        return ""

    def has_same_identity(self, other: "RunOptions") -> bool:
        """Return whether a session with other options would be continued with these."""
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in self.identity)


class _CommonOptions(RunOptions):
    model_config = ConfigDict(extra="ignore")


def parse_common_options(options: JsonValue) -> RunOptions:
    """Return the common options among the stored ones of any workflow."""
    return _CommonOptions.model_validate(options)


REPLAY_PREFIX = "replay:"
"""How the name of a model begins that answers from the log of a session."""
MAX_ROUNDS = 200
"""Rounds of a task, restarts included."""


def _require_absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError("it is no absolute path, so each process would have a folder of its own")
    return path


class Settings(ReportSettings):
    """What can be set."""

    model: str = Field(
        default="offline", description="offline, PROVIDER:NAME, playbook:FILE, script:FILE or replay:SESSION."
    )
    models: Mapping[str, str] = Field(default={}, description="Another model for some roles, by role.")
    fallback: tuple[str, ...] = Field(default=(), description="Models to ask, in order, when one gives no reply.")
    providers: Mapping[str, Provider] = Field(
        default={}, description="Providers of your own, or other limits, by name."
    )
    prices: Mapping[str, Price] = Field(default={}, description="Dollars per million tokens, by model.")
    window: int | None = Field(
        default=None, ge=1000, description="Tokens the model takes; else as its price list says."
    )
    output_tokens: int | None = Field(
        default=None, ge=1, description="Tokens a reply may take; else as its agent says."
    )
    agents: Path | None = Field(default=None, description="A folder of agents of your own.")
    orchestrate: bool = Field(default=False, description="Plan by the orchestrator, which delegates todos to agents.")
    questions: bool = Field(default=True, description="Ask a person what is unclear, instead of assuming it.")
    review_plan: bool = Field(default=False, description="Carry out no plan that a person has not confirmed.")
    check: bool | None = Field(
        default=None, description="Let the checker compare every sentence with its quotes; None: from effort medium."
    )
    cache: bool = Field(default=False, description="Answer equal model calls from earlier sessions.")
    embeddings: str | None = Field(
        default=None,
        description="PROVIDER:NAME of an embedding model, or static:wordllama, by which passages are also found.",
    )
    web: tuple[str, ...] | None = Field(
        default=None, description="Search engines to ask; an empty list is those that are set up. Else none is asked."
    )
    mcp: Mapping[ServerName, McpServer] = Field(
        default={}, description="Servers whose tools agents may consult, by name."
    )
    discreet: bool = Field(
        default=False, description="Ask the web and servers nothing that documents and servers could have led to."
    )
    pages: int = Field(default=4, ge=1, le=50, description="Pages of the web a todo reads in one loop.")
    allow: tuple[str, ...] | None = Field(
        default=None,
        description="What tasks may call, and todos of kind tool; unset: all for tasks, and no such todos.",
    )
    approve: tuple[str, ...] = Field(default=(), description="Calls of these need a person's yes, always.")
    approved: tuple[StandingApproval, ...] = Field(
        default=(), description="Calls of tasks that need no yes any more; `quaestor approvals` lists them."
    )
    approve_after_untrusted: bool = Field(
        default=True, description="Calls that change something need a yes once words of others were read."
    )
    todos: Mapping[str, JsonValue] = Field(
        default={},
        description="Options of workflows that may carry out todos of research, by the kind of the todos.",
    )
    workspace: Path | None = Field(default=None, description="The folder of a task; else one in the home.")
    rounds: int = Field(default=MAX_ROUNDS, ge=1, le=MAX_ROUNDS, description="Rounds of a task, restarts included.")
    databases: Mapping[str, Database] = Field(default={}, description="Databases that tasks may read, by name.")
    follow: Texts = Field(
        default=(),
        description="Where the log is copied to beside each run, as mongodb://HOST/DATABASE, otlp+http://HOST:4318 or "
        "jsonl:FILE.",
    )
    metrics: str | None = Field(
        default=None,
        pattern=r"^otlp\+https?://",
        description="otlp+http://HOST:4318, where workers and servers send their metrics.",
    )
    store: str | None = Field(
        default=None,
        pattern="^postgres(ql)?://",
        description="postgresql://USER@HOST/DATABASE, where many machines keep their sessions; else in the home.",
    )
    shared_folder: Annotated[Path, AfterValidator(_require_absolute)] | None = Field(
        default=None,
        description="The folder of workspaces, uploads and fetched files that the machines of a store share; else the "
        "home of each.",
    )
    anchors: str | None = Field(
        default=None, description="A file outside the home to which every signed head of a log is appended."
    )
    notify_bell: bool = Field(
        default=False, description="Ring the terminal when a session is done, has failed or waits for a person."
    )
    notify_desktop: bool = Field(default=False, description="Show that on the desktop.")
    notify_webhook: str | None = Field(default=None, description="Post that as JSON to this URL.")
    notify_command: str | None = Field(default=None, description="Run this command then, with that as JSON on stdin.")
    notify_address: str = Field(
        default="http://127.0.0.1:8765",
        pattern="^https?://",
        description="Where your server is reached, for the links of notifications.",
    )
    pause_seconds: float = Field(default=1, ge=0, description="Between two pages of one host.")
    contact: str | None = Field(default=None, description="Your address or URL, sent to sites with requests.")
    robots: bool = Field(default=True, description="Keep to what a site's robots.txt asks of crawlers.")
    effort: Effort = Field(default="medium", description="low, medium or high: queries a loop and loops a todo.")
    queries: int | None = Field(default=None, ge=1, le=20, description="Queries a loop; by effort 1, 3 or 5.")
    loops: int | None = Field(default=None, ge=1, le=50, description="Loops a todo; by effort 1, 3 or 10.")
    parallel: int = Field(default=8, ge=1, le=200, description="Todos in progress at the same time.")
    max_todos: int = Field(default=20, ge=1, le=1000, description="Todos a session.")
    max_depth: int = Field(default=3, ge=0, description="Depth of follow-ups.")
    max_steps: int = Field(default=5000, ge=1, description="Model and tool calls a session.")
    unsupported: Literal["mark", "drop"] = Field(default="mark", description="What becomes of unproven claims.")
    max_model_calls: int | None = Field(default=None, ge=0, description="Budget: model calls a session.")
    max_tool_calls: int | None = Field(default=None, ge=0, description="Budget: searches and other tool calls.")
    max_tokens: int | None = Field(default=None, ge=0, description="Budget: tokens a session.")
    max_dollars: Decimal | None = Field(default=None, ge=0, le=10**9, description="Budget: dollars a session.")
    max_seconds: float | None = Field(default=None, ge=0, description="Budget: seconds a session runs.")
    confirm_dollars: Decimal = Field(
        default=Decimal(1), ge=0, description="Research that may cost more needs a yes at a terminal."
    )
    reserve_share: float = Field(
        default=0.2, ge=0, lt=1, description="Share of each limit kept in reserve, as for writing a report."
    )
    reading_characters: int = Field(default=15_000, ge=500, description="The most passages a reader is shown at once.")
    prompt_characters: int = Field(default=8_000, ge=500, description="The most of ledger or memory a prompt shows.")
    calls_in_flight: int = Field(default=32, ge=1, description="Model calls, and tool calls, at the same time.")
    call_seconds: float = Field(default=120, gt=0, description="Time limit of one model or tool call.")
    patience_seconds: float = Field(default=600, gt=0, description="Time limit of a model call with all its waiting.")
    grace_seconds: float = Field(default=5, ge=0, description="How long Ctrl-C waits for calls in flight.")
    lease_seconds: float = Field(
        default=15, gt=0, le=86_400, description="How long a silent process keeps its session."
    )
    priority: int = Field(
        default=0, ge=-10, le=10, description="Of a session among those that wait for a worker; more is earlier."
    )
    tenant_sessions: int | None = Field(
        default=None, ge=1, description="Sessions of one tenant that workers run at the same time; else any number."
    )

    def data_folder(self, home: Path) -> Path:
        """Return the folder of workspaces, uploads and fetched files: the shared one, else the home."""
        return self.shared_folder or home

    @property
    def replayed_session(self) -> str | None:
        """The session whose log answers every call, if the model is a replay."""
        return self.model.removeprefix(REPLAY_PREFIX) if self.model.startswith(REPLAY_PREFIX) else None

    def run_options(self) -> RunOptions:
        """Return the options of a session of any workflow under these settings."""
        return RunOptions(
            model=self.model,
            models=self.models,
            fallback=self.fallback,
            questions=self.questions,
            output_tokens=self.output_tokens,
            cache=self.cache,
            priority=self.priority,
            agents_dir=str(self.agents.resolve()) if self.agents else None,
            budget=Budget(
                model_calls=self.max_model_calls,
                tool_calls=self.max_tool_calls,
                tokens=self.max_tokens,
                dollars=self.max_dollars,
                seconds=self.max_seconds,
                reserve_share=self.reserve_share,
            ),
        )
