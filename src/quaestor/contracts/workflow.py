"""The workflow port: a state table, a fold, a pure `next`, and the handling of commands."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, TypeVar

from pydantic import Field

from quaestor.contracts.action import Action
from quaestor.contracts.base import Contract
from quaestor.contracts.command import Command
from quaestor.contracts.event import Event, KnownPayload

S = TypeVar("S")


class StateSpec(Contract):
    """One row of a state table: what the state takes and gives, who acts in it, and where it may lead."""

    takes: str = Field(description="In words, or the name of a contract.")
    gives: type[Contract] | None = None
    role: str | None = None
    tools: frozenset[str] = frozenset()
    leads_to: frozenset[str] = frozenset()
    per_todo: bool = Field(default=False, description="True for the states of a todo's own life.")


class CommandOutcome(Contract):
    """The outcome of a command: facts, or why it is refused."""

    facts: tuple[KnownPayload, ...] = ()
    todo_id: str | None = Field(default=None, description="The todo that the facts are about; None: the session.")
    refused: str | None = None


def refuse(reason: str) -> CommandOutcome:
    """Return the outcome of a command that is refused for this reason."""
    return CommandOutcome(refused=reason)


class Workflow(Protocol[S]):
    """A table of states, a fold step and one pure function that returns the next actions."""

    name: ClassVar[str]

    @property
    def table(self) -> Mapping[str, StateSpec]:
        """The rows of its states by name; a session begins in the first."""

    def begin(self) -> S:
        """Return the state before any event."""

    def apply(self, state: S, event: Event) -> S:
        """Return the state after one more event; events it does not know leave the state as it is."""

    def next(self, state: S) -> Sequence[Action]:
        """Return every action that is needed now, in order of preference. Pure; keys are unique."""

    def handle(self, state: S, order: Command) -> CommandOutcome:
        """Return the outcome of a person's command. Pure; the kernel itself handles pausing."""
