from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget, Price

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

    identity: ClassVar[frozenset[str]] = frozenset({"model", "models", "fallback", "replays", "agents_dir"})
    """The options that make a session another one; with the others another run of the same text goes on with it."""

    @property
    def todo_kinds(self) -> tuple[str, ...]:
        """The kinds of todos that other workflows carry out in the session."""
        return ()

    def has_same_identity(self, other: "RunOptions") -> bool:
        """Say whether a session with other options would be carried on by these."""
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in self.identity)


class _CommonOptions(RunOptions):
    model_config = ConfigDict(extra="ignore")


def parse_common_options(options: JsonValue) -> RunOptions:
    """Give what options as they are stored, of whatever workflow, have in common with all others."""
    return _CommonOptions.model_validate(options)
