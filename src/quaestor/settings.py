"""Every knob, once: its default, its name in the environment (QUAESTOR_ and the name in capitals), its meaning.

What a run asks for beats the environment, the environment beats `quaestor.toml`, and that beats the default.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from quaestor.contracts.budget import Budget
from quaestor.contracts.errors import UsageError
from quaestor.contracts.noun import Noun
from quaestor.contracts.options import Effort, ResearchOptions

PREFIX = "QUAESTOR_"
FILE = "quaestor.toml"
NO_SETTINGS = frozenset({"QUAESTOR_HOME", "QUAESTOR_DEBUG"})
"""Variables that faces read before there are settings."""

QUERIES: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 5})
LOOPS: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 10})


class Settings(Noun):
    """What can be set."""

    model: str = Field(default="offline", description="offline, or script:FILE.")
    effort: Effort = Field(default="medium", description="low, medium or high: queries a loop and loops a todo.")
    queries: int | None = Field(default=None, ge=1, le=20, description="Queries a loop; by effort 1, 3 or 5.")
    loops: int | None = Field(default=None, ge=1, le=50, description="Loops a todo; by effort 1, 3 or 10.")
    parallel: int = Field(default=4, ge=1, le=200, description="Todos in progress at the same time.")
    max_todos: int = Field(default=20, ge=1, le=1000, description="Todos a session.")
    max_depth: int = Field(default=3, ge=0, description="Depth of follow-ups.")
    max_steps: int = Field(default=5000, ge=1, description="Model and tool calls a session.")
    unsupported: Literal["mark", "drop"] = Field(default="mark", description="What becomes of unproven claims.")
    max_model_calls: int | None = Field(default=None, ge=0, description="Budget: model calls a session.")
    max_tool_calls: int | None = Field(default=None, ge=0, description="Budget: searches and other tool calls.")
    max_tokens: int | None = Field(default=None, ge=0, description="Budget: tokens a session.")
    writing_share: float = Field(default=0.2, ge=0, lt=1, description="Share of each limit kept for writing.")
    calls_in_flight: int = Field(default=8, ge=1, description="Model calls, and tool calls, at the same time.")
    call_seconds: float = Field(default=120, gt=0, description="Time limit of one model or tool call.")
    grace_seconds: float = Field(default=5, ge=0, description="How long Ctrl-C waits for calls in flight.")
    lease_seconds: float = Field(default=15, gt=0, description="How long a silent process keeps its session.")

    def research_options(self, model: str, corpus: str, roots: tuple[str, ...], documents: int) -> ResearchOptions:
        """Give what one research session is started with."""
        return ResearchOptions(
            model=model,
            corpus=corpus,
            roots=roots,
            documents=documents,
            queries=self.queries or QUERIES[self.effort],
            loops=self.loops or LOOPS[self.effort],
            parallel=self.parallel,
            max_todos=self.max_todos,
            max_depth=self.max_depth,
            max_steps=self.max_steps,
            unsupported=self.unsupported,
            budget=Budget(
                model_calls=self.max_model_calls,
                tool_calls=self.max_tool_calls,
                tokens=self.max_tokens,
                writing_share=self.writing_share,
            ),
        )


def resolve(run: Mapping[str, JsonValue], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """Give the settings of one run from its options, the environment and a file, in this order of weight.

    Options that are None were not given. Raises UsageError that names each faulty setting and where it came from.
    """
    layers: dict[str, Mapping[str, JsonValue]] = {
        str(file): _from_file(file) if file else {},
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
        faults = [(str(fault["loc"][0]), fault["msg"], fault["input"]) for fault in error.errors()]
        said = "; ".join(f"{name} = {value!r} from {origin[name]}: {message}" for name, message, value in faults)
        raise UsageError(f"a setting cannot be used: {said}") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, JsonValue]:
    names = {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields}
    for variable in environment:
        if variable.startswith(PREFIX) and variable not in names.keys() | NO_SETTINGS:
            raise UsageError(f"the environment has {variable}, but no setting has that name; see docs/settings.md")
    return {names[variable]: value for variable, value in environment.items() if variable in names}


def _from_file(file: Path) -> dict[str, JsonValue]:
    if not file.exists():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read as TOML: {error}") from error
