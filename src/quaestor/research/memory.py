"""Memory: one line a recorded todo, kept within a budget by compressing the oldest lines first.

Lines are in plan order, not in order of arrival, and a group is compressed only when every todo before it has
ended; so what is compressed together does not depend on which todo was faster.
"""

from collections.abc import Sequence

from quaestor.contracts.event import Event
from quaestor.contracts.ledger import MemoryLine
from quaestor.research.contracts.plan import Plan
from quaestor.research.events import MemoryCompressed, TodoRecorded
from quaestor.research.planning.todo_graph import OPEN_STATUSES

Memory = tuple[MemoryLine, ...]


def fold(memory: Memory, event: Event) -> Memory:
    """Return the memory after one more event."""
    match event.payload:
        case TodoRecorded(memory=line):
            return (*memory, line)
        case MemoryCompressed(line=line):
            gone = set(line.todo_ids)
            return (line, *(old for old in memory if gone.isdisjoint(old.todo_ids)))
        case _:
            return memory


def sort_by_plan(memory: Memory, plan: Plan) -> Memory:
    """Return the lines in plan order."""
    place = {todo.id: number for number, todo in enumerate(plan.todos)}
    return tuple(sorted(memory, key=lambda line: min(place.get(todo_id, len(place)) for todo_id in line.todo_ids)))


def lines_to_compress(memory: Memory, plan: Plan, ceiling: int) -> Memory:
    """Return the oldest lines that together exceed half of a ceiling that the whole memory exceeds, or nothing."""
    if sum(len(line.text) for line in memory) <= ceiling:
        return ()
    lines = sort_by_plan(memory, plan)
    settled = _ended_prefix(plan)
    group: list[MemoryLine] = []
    for line in lines:
        if not settled.issuperset(line.todo_ids):
            return ()
        group.append(line)
        if len(group) > 1 and sum(len(one.text) for one in group) > ceiling // 2:
            return tuple(group)
    return ()


def merge_lines(lines: Sequence[MemoryLine], text: str) -> MemoryLine:
    """Return one line in place of several."""
    return MemoryLine(todo_ids=tuple(todo_id for line in lines for todo_id in line.todo_ids), text=text)


_COMPLETED = "Completed: "
"""How a line begins that only lists tasks, because no summary of them could be had."""


def list_completed(lines: Sequence[MemoryLine]) -> str:
    """Return the tasks of some lines, in place of a summary; a line that lists tasks already stays as it is."""
    return "; ".join(
        line.text if line.text.startswith(_COMPLETED) else f"{_COMPLETED}{line.text.partition(':')[0]}"
        for line in lines
    )


def _ended_prefix(plan: Plan) -> set[str]:
    """Return the ids of the todos that ended, up to the first one in plan order that has not."""
    settled: set[str] = set()
    for todo in plan.todos:
        if todo.status in OPEN_STATUSES:
            break
        settled.add(todo.id)
    return settled
