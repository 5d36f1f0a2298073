"""Todos whose findings rest on sources that have changed, and the plan that carries them out again."""

from collections.abc import Collection, Iterable, Mapping
from itertools import count

from quaestor.contracts.ledger import LedgerEntry
from quaestor.contracts.source import Sha256
from quaestor.research.contracts.plan import Plan, Todo


def stale_todos(plan: Plan, ledger: Mapping[str, LedgerEntry], changed: Collection[Sha256]) -> frozenset[str]:
    """Return the todos whose entry quotes a changed source, and all that depend on one of these, directly or not."""
    found = {todo.id for todo in plan.todos if todo.id in ledger and _cites_any(ledger[todo.id], changed)}
    while more := {todo.id for todo in plan.todos if not found.isdisjoint(todo.dependencies)} - found:
        found |= more
    return frozenset(found)


def replace_stale_todos(plan: Plan, gone: Collection[str], used: int) -> Plan:
    """Return the plan with a new pending todo in the place of each that is gone; their ids go on after `used`.

    What was tried again is done once more in the place of the last try alone; the tries before it are left out.
    """
    instead = {todo.retries: todo.id for todo in plan.todos if todo.retries in gone}
    fresh = (f"t{number}" for number in count(used + 1))
    ids = {todo.id: next(fresh) for todo in plan.todos if todo.id in gone and todo.id not in instead}

    def now(todo_id: str) -> str:
        return now(instead[todo_id]) if todo_id in instead else ids.get(todo_id, todo_id)

    return Plan(
        todos=tuple(
            _copy_as_pending(todo, ids[todo.id], tuple(dict.fromkeys(map(now, todo.dependencies))))
            if todo.id in ids
            else todo
            for todo in plan.todos
            if todo.id not in instead
        )
    )


def _copy_as_pending(todo: Todo, fresh_id: str, dependencies: tuple[str, ...]) -> Todo:
    """Return a todo as it was before it started; its depth and the todo it retries are kept."""
    return Todo(
        id=fresh_id,
        task=todo.task,
        kind=todo.kind,
        agent=todo.agent,
        dependencies=dependencies,
        depth=todo.depth,
        retries=todo.retries,
        source_hint=todo.source_hint,
    )


def _cites_any(entry: LedgerEntry, sources: Collection[Sha256]) -> bool:
    return any(quote.source in sources for finding in entry.findings for quote in finding.quotes)


def cited_sources(entries: Iterable[LedgerEntry]) -> frozenset[Sha256]:
    """Return the sources that entries quote."""
    return frozenset(quote.source for entry in entries for finding in entry.findings for quote in finding.quotes)
