"""What the stream must know of the events before one to tell that one: a fold of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    ContractAccepted,
    ContractRejected,
    Event,
    ModelRequested,
    ModelResponded,
    PlanCreated,
    PlanEdited,
    PlanUpdated,
    Resumed,
    TodoRecorded,
    TodoRetried,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.stream import PROGRAM_AGENT, PlannedTodo
from quaestor.research.contracts.plan import Todo

K = TypeVar("K")
V = TypeVar("V")
_NO_SPEND = Spend()


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call without an outcome yet; `tool` is None where a model is called."""

    agent: str
    tool: str | None
    reserved: Spend


@dataclass(frozen=True, slots=True)
class StreamState:
    """What was told so far, as far as it matters later; a key of None stands for the session as a whole.

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
        """Give the task of a todo; its id, if no plan named it."""
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


def planned_todos(todos: Iterable[Todo]) -> tuple[PlannedTodo, ...]:
    """Give todos as the plan names them."""
    return tuple(
        PlannedTodo(todo_id=todo.id, task=todo.task, kind=todo.kind, agent=todo.agent, dependencies=todo.dependencies)
        for todo in todos
    )


def fold_stream(known: StreamState, event: Event) -> StreamState:  # noqa: C901 -- one arm an event
    """Give what is known after one more event."""
    match event.payload:
        case PlanCreated(plan=plan):
            return replace(known, todos=_by_id(planned_todos(plan.todos)))
        case PlanEdited(plan=plan):
            return replace(known, todos=_by_id(planned_todos(plan.todos)))
        case TodoRetried(todo=todo):
            return replace(known, todos={**known.todos, **_by_id(planned_todos([todo]))})
        case PlanUpdated(update=update, added=added):
            failed = {update.completed_todo_id} if update.status == "failed" else set()
            return replace(known, todos={**known.todos, **_by_id(planned_todos(added))}, done=known.done - failed)
        case TodoRecorded(entry=entry):
            return replace(known, done=known.done | {entry.todo_id})
        case ModelRequested() as asked:
            call = OpenCall(asked.role, None, asked.reserved)
            return replace(
                known, asked={**known.asked, event.todo_id: asked.role}, open={**known.open, asked.key: call}
            )
        case ToolRequested() as asked:
            call = OpenCall(known.actor(event.todo_id), asked.tool, asked.reserved)
            return replace(known, open={**known.open, asked.key: call})
        case ModelResponded(key=key, spend=spend) | ToolResponded(key=key, spend=spend):
            return replace(known, open=_without(known.open, key), spent=known.spent + spend)
        case ToolInterrupted(key=key):
            return replace(known, open=_without(known.open, key))
        case ActionCancelled(key=key):
            lost = known.open[key].reserved if key in known.open else _NO_SPEND
            return replace(known, open=_without(known.open, key), spent=known.spent + lost)
        case Resumed():
            spent = sum((call.reserved for call in known.open.values()), known.spent)
            unpaid = {key: replace(call, reserved=_NO_SPEND) for key, call in known.open.items()}
            return replace(known, open=unpaid, spent=spent)
        case ContractAccepted() as accepted:
            authors = {**known.authors, (accepted.contract, event.todo_id): accepted.role}
            return replace(known, authors=authors, silent=_without(known.silent, event.todo_id))
        case ContractRejected(final=True) | ToolsChosen(calls=(), refused=(_, *_)) as refused:
            return replace(known, silent={**known.silent, event.todo_id: refused.role})
        case ToolsChosen():
            return replace(known, silent=_without(known.silent, event.todo_id))
        case _:
            return known


def _by_id(todos: Iterable[PlannedTodo]) -> dict[str, PlannedTodo]:
    return {todo.todo_id: todo for todo in todos}


def _without(items: Mapping[K, V], key: K) -> Mapping[K, V]:
    return {other: value for other, value in items.items() if other != key} if key in items else items
