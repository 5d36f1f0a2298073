from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, TypeVar

from pydantic import Field

from quaestor.contracts.action import Action
from quaestor.contracts.command import Order
from quaestor.contracts.event import Event, Recognised
from quaestor.contracts.noun import Noun

S = TypeVar("S")

SESSION_SCOPE = "session"
"""The scope of the states of a session as a whole; a todo's states have the todo's id as their scope."""


class StateRow(Noun):
    """One row of a state table: what the state takes and gives, who acts in it, and where it may lead."""

    takes: str = Field(description="In words, or the name of a contract.")
    gives: type[Noun] | None = None
    role: str | None = None
    tools: frozenset[str] = frozenset()
    leads_to: frozenset[str] = frozenset()
    per_todo: bool = Field(default=False, description="True for the states of a todo's own life.")


class Obeyed(Noun):
    """What an order leads to: facts, or why it is refused."""

    facts: tuple[Recognised, ...] = ()
    refused: str | None = None


class Workflow(Protocol[S]):
    """A table of states, a fold step and one pure function that says what is wanted next."""

    name: ClassVar[str]
    table: ClassVar[Mapping[str, StateRow]]

    def begin(self) -> S:
        """Give the state before any event."""
        ...

    def apply(self, state: S, event: Event) -> S:
        """Give the state after one more event; events it does not know leave the state as it is."""
        ...

    def next(self, state: S) -> Sequence[Action]:
        """Say every action that is wanted now, in order of preference. Pure; keys are unique."""
        ...

    def obey(self, state: S, order: Order) -> Obeyed:
        """Say what a person's order leads to. Pure; pausing is the kernel's own."""
        ...
