"""Every knob, once: its default, its name in the environment (QUAESTOR_ and the name in capitals), its meaning.

What a run asks for beats the environment, the environment beats `quaestor.toml` in the current folder, that beats the
user's own `quaestor.toml`, and that beats the default. What is not a single value is JSON in the environment.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, JsonValue, ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget, Price
from quaestor.contracts.database import Database
from quaestor.contracts.errors import UsageError
from quaestor.contracts.mcp import McpServer, ServerName
from quaestor.contracts.model import Provider
from quaestor.contracts.options import Effort, RunOptions
from quaestor.longtask.contracts import MAX_ROUNDS, TaskOptions
from quaestor.longtask.tools.registry import TOOLS, ToolName
from quaestor.research.options import ResearchOptions

_USER_FILE_ONLY = frozenset({"mcp", "databases"})
"""What starts programs, or reads what may be private."""
_SECRET_SETTINGS = frozenset({"mcp", "databases", "follow", "providers"})
ENV_PREFIX = "QUAESTOR_"
SETTINGS_FILE = "quaestor.toml"
RESERVED_VARIABLES = frozenset({"QUAESTOR_HOME", "QUAESTOR_DEBUG", "QUAESTOR_FETCH_ALLOW"})
"""Variables that are no setting of a run: what faces read before there are any, and what only an operator may allow."""

QUERIES_BY_EFFORT: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 5})
LOOPS_BY_EFFORT: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 10})


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Settings(Contract):
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
    check: bool = Field(default=False, description="Let the checker doubt sentences that their quotes do not support.")
    cache: bool = Field(default=False, description="Answer equal model calls from earlier sessions.")
    embeddings: str | None = Field(
        default=None, description="PROVIDER:NAME of an embedding model, by which passages are also found."
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
    as_of: date | None = Field(default=None, description="Sources dated later are not used.")
    pages: int = Field(default=4, ge=1, le=50, description="Pages of the web a todo reads in one loop.")
    allow: tuple[ToolName, ...] | None = Field(
        default=None,
        description="What tasks may call, and todos of kind tool; unset: all for tasks, and no such todos.",
    )
    approve: tuple[ToolName, ...] = Field(default=(), description="Calls of these need a person's yes, always.")
    approve_after_untrusted: bool = Field(
        default=True, description="Calls that change something need a yes once words of others were read."
    )
    workspace: Path | None = Field(default=None, description="The folder of a task; else one in the home.")
    rounds: int = Field(default=MAX_ROUNDS, ge=1, le=MAX_ROUNDS, description="Rounds of a task, restarts included.")
    databases: Mapping[str, Database] = Field(default={}, description="Databases that tasks may read, by name.")
    follow: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = Field(
        default=(), description="Where the log is copied to beside each run, as mongodb://HOST/DATABASE or jsonl:FILE."
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
    max_dollars: Decimal | None = Field(default=None, ge=0, description="Budget: dollars a session.")
    max_seconds: float | None = Field(default=None, ge=0, description="Budget: seconds a session runs.")
    writing_share: float = Field(default=0.2, ge=0, lt=1, description="Share of each limit kept for writing.")
    reading_characters: int = Field(default=15_000, ge=500, description="The most passages a reader is shown at once.")
    prompt_characters: int = Field(default=8_000, ge=500, description="The most of ledger or memory a prompt shows.")
    calls_in_flight: int = Field(default=16, ge=1, description="Model calls, and tool calls, at the same time.")
    call_seconds: float = Field(default=120, gt=0, description="Time limit of one model or tool call.")
    patience_seconds: float = Field(default=600, gt=0, description="Time limit of a model call with all its waiting.")
    grace_seconds: float = Field(default=5, ge=0, description="How long Ctrl-C waits for calls in flight.")
    lease_seconds: float = Field(default=15, gt=0, description="How long a silent process keeps its session.")

    def run_options(self) -> RunOptions:
        """Give what these settings say of a session of any workflow."""
        return RunOptions(
            model=self.model,
            models=self.models,
            fallback=self.fallback,
            questions=self.questions,
            output_tokens=self.output_tokens,
            cache=self.cache,
            agents_dir=str(self.agents.resolve()) if self.agents else None,
            budget=Budget(
                model_calls=self.max_model_calls,
                tool_calls=self.max_tool_calls,
                tokens=self.max_tokens,
                dollars=self.max_dollars,
                seconds=self.max_seconds,
                writing_share=self.writing_share,
            ),
        )

    def task_options(self) -> TaskOptions:
        """Give what these settings say of a long task."""
        return TaskOptions(
            **dict(self.run_options()),
            workspace=str(self.workspace.resolve()) if self.workspace else "",
            tools=TOOLS if self.allow is None else self.allow,
            databases=tuple(self.databases),
            rounds=self.rounds,
            approve=self.approve,
            approve_after_untrusted=self.approve_after_untrusted,
        )

    def research_options(self) -> ResearchOptions:
        """Give what these settings say of a research session."""
        return ResearchOptions(
            **dict(self.run_options()),
            workspace=str(self.workspace.resolve()) if self.workspace else "",
            allow=self.allow or (),
            approve=self.approve,
            approve_after_untrusted=self.approve_after_untrusted,
            orchestrate=self.orchestrate,
            review_plan=self.review_plan,
            check=self.check,
            embeddings=self.embeddings,
            discreet=self.discreet,
            as_of=self.as_of,
            pages=self.pages,
            queries=self.queries or QUERIES_BY_EFFORT[self.effort],
            loops=self.loops or LOOPS_BY_EFFORT[self.effort],
            parallel=self.parallel,
            max_todos=self.max_todos,
            max_depth=self.max_depth,
            max_steps=self.max_steps,
            reading_characters=self.reading_characters,
            prompt_characters=self.prompt_characters,
            unsupported=self.unsupported,
        )


def resolve_settings(
    run: Mapping[str, JsonValue], environment: Mapping[str, str], files: Sequence[Path] = ()
) -> Settings:
    """Give the settings of one run from its options, the environment and files, in this order of weight.

    Of the files the first weighs most; the last is the user's own. Options that are None were not given. Raises
    UsageError that names each faulty setting and where it came from.
    """
    layers: dict[str, Mapping[str, JsonValue]] = {
        **{str(file): _from_file(file, files[-1]) for file in reversed(files)},
        "the environment": _from_environment(environment),
        "the options": {name: value for name, value in run.items() if value is not None},
    }
    merged: dict[str, JsonValue] = {}
    origin: dict[str, str] = {}
    for layer, values in layers.items():
        merged |= values
        origin |= dict.fromkeys(values, layer)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        faults = [(fault["loc"], fault["msg"], fault["input"]) for fault in error.errors()]
        said = "; ".join(
            f"{'.'.join(map(str, loc))}{_describe_value(loc, value)} from {origin[str(loc[0])]}: {message}"
            for loc, message, value in faults
        )
        raise UsageError(f"a setting cannot be used: {said}") from error


def _describe_value(place: Sequence[int | str], value: object) -> str:
    """Show the value of a setting, unless it may hold a password."""
    return "" if place[0] in _SECRET_SETTINGS else f" = {value!r}"


def user_settings_file(environment: Mapping[str, str]) -> Path:
    """Give where the user's own settings are, whether there are any or not."""
    folder = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA") or Path.home() / ".config"
    return Path(folder) / "quaestor" / SETTINGS_FILE


def _from_environment(environment: Mapping[str, str]) -> dict[str, JsonValue]:
    names = {f"{ENV_PREFIX}{name.upper()}": name for name in Settings.model_fields}
    for variable in environment:
        if variable.startswith(ENV_PREFIX) and variable not in names.keys() | RESERVED_VARIABLES:
            raise UsageError(f"the environment has {variable}, but no setting has that name; see docs/settings.md")
    return {
        names[variable]: _parse_variable(variable, value)
        for variable, value in environment.items()
        if variable in names
    }


def _parse_variable(variable: str, text: str) -> JsonValue:
    """Read a setting that has parts; any other is read by its own type."""
    if not text.startswith(("{", "[")):
        return text
    try:
        value: JsonValue = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{variable} is not JSON: {error}; it has parts, so write it as JSON") from error
    return value


def _from_file(file: Path, own: Path) -> dict[str, JsonValue]:
    """Read a file; only the user's own may name programs and databases, for any folder can hold another one."""
    if not file.exists():
        return {}
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read as TOML: {error}") from error
    for table in _USER_FILE_ONLY & values.keys():
        if file != own:
            raise UsageError(f"{file} has [{table}], which only your own settings may; write it in {own}")
    return values
