"""What the stream knows of the events before one, and how a workflow describes its own events in it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.stream import PROGRAM_AGENT, PlannedTodo, StreamEvent

_NO_SPEND = Spend()


class OpenCall(Immutable):
    """A call without an outcome yet; `tool` is None where a model is called."""

    agent: str
    tool: str | None
    reserved: Spend


class StreamState(Immutable):
    """The state of the stream that later events depend on; the key None is the session as a whole.

    `asked` is who was asked last for a todo, `authors` who last fulfilled a contract for it, and `silent` whose answer
    about it could not be used.
    """

    todos: Mapping[str, PlannedTodo] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    asked: Mapping[str | None, str] = field(default_factory=dict)
    authors: Mapping[tuple[str, str | None], str] = field(default_factory=dict)
    silent: Mapping[str | None, str] = field(default_factory=dict)
    open: Mapping[str, OpenCall] = field(default_factory=dict)
    spent: Spend = _NO_SPEND

    def task(self, todo_id: str) -> str:
        """Return the task of a todo; its id, if no plan named it."""
        todo = self.todos.get(todo_id)
        return todo.task if todo else todo_id

    def delegate(self, todo_id: str) -> str:
        """Name the agent that a todo is delegated to; the program, if it is to none."""
        todo = self.todos.get(todo_id)
        return (todo.agent if todo else None) or PROGRAM_AGENT

    def actor(self, todo_id: str | None) -> str:
        """Name who acts on a todo: who was asked last, else its agent. What is done for no todo the program does."""
        return PROGRAM_AGENT if todo_id is None else self.asked.get(todo_id) or self.delegate(todo_id)

    def caller(self, key: str | None) -> str | None:
        """Name whose call it is that has no outcome yet; None, if there is no such call."""
        call = self.open.get(key) if key else None
        return call.agent if call else None

    def author(self, contract: str, todo_id: str | None = None) -> str:
        """Name who last fulfilled a contract; the program, if nobody did."""
        return self.authors.get((contract, todo_id), PROGRAM_AGENT)


def _nothing(_known: StreamState, _event: Event) -> tuple[StreamEvent, ...]:
    return ()


def _unchanged(known: StreamState, _event: Event) -> StreamState:
    return known


class StreamView(Immutable):
    """How a workflow describes the events that it has for itself; the core describes all others."""

    describe: Callable[[StreamState, Event], tuple[StreamEvent, ...]] = _nothing
    fold: Callable[[StreamState, Event], StreamState] = _unchanged
    cycles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What a cycle is begun for, in words, by the kind of the cycle."""


CORE_STREAM = StreamView()
"""Of a workflow that has no events of its own."""
