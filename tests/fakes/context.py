"""The services of a home without a home: for tests of what a plugin builds from them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from fakes.time import ManualClock
from quaestor.contracts.context import OptionsT
from quaestor.contracts.library import Library
from quaestor.contracts.ports import Clock
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.todo import TodoOptions
from quaestor.runtime.context import Connections, HomeContext


def run_context(clock: Clock | None = None, environment: Mapping[str, str] | None = None) -> HomeContext:
    """Return services over no library: what reads one fails."""
    return HomeContext(cast("Library", None), Settings(), environment or {}, clock or ManualClock(), Connections())


@dataclass(frozen=True, slots=True)
class PlainSetup:
    """Resolves nothing: every model, engine and folder is taken as it is named; a `SetupContext`."""

    settings: Settings
    window: int | None = None

    def engine_names(self) -> tuple[str, ...]:
        return self.settings.web or ()

    def embedding_model(self) -> str | None:
        return self.settings.embeddings

    def server_names(self) -> tuple[str, ...]:
        return tuple(self.settings.mcp)

    def resolve_models(self, options: OptionsT) -> OptionsT:
        return options

    def smallest_window(self, options: RunOptions) -> int | None:
        del options
        return self.window

    def agent_cards(self, options: RunOptions, tools: Collection[str]) -> tuple[AgentCard, ...]:
        del options
        return (AgentCard(name="researcher", description="Searches.", tools=tuple(sorted(tools))),)

    def todo_options(self, kind: str, options: TodoOptions) -> JsonValue:
        del kind
        return options.own

    def workspace(self, text: str, options: RunOptions, named: str) -> str:
        del options
        return named or f"/home/workspaces/{text}"
