from quaestor.contracts.ledger import MemoryLine
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.memory import lines_to_compress, list_completed, merge_lines, sort_by_plan


def plan(*status: TodoStatus) -> Plan:
    return Plan(todos=tuple(Todo(id=f"t{place}", task="x", status=one) for place, one in enumerate(status, 1)))


def line(place: int, size: int = 30) -> MemoryLine:
    return MemoryLine(todo_ids=(f"t{place}",), text=f"{place}" * size)


DONE, BUSY = TodoStatus.DONE, TodoStatus.IN_PROGRESS


def test_lines_are_looked_at_in_plan_order_whenever_they_came() -> None:
    assert sort_by_plan((line(3), line(1), line(2)), plan(DONE, DONE, DONE)) == (line(1), line(2), line(3))


def test_the_oldest_lines_are_compressed_when_memory_is_over_its_ceiling() -> None:
    memory = (line(2), line(1), line(3))
    assert lines_to_compress(memory, plan(DONE, DONE, DONE), 90) == ()
    assert lines_to_compress(memory, plan(DONE, DONE, DONE), 80) == (line(1), line(2))


def test_nothing_behind_a_todo_that_is_still_open_is_compressed() -> None:
    memory = (line(1), line(3), line(4))
    assert lines_to_compress(memory, plan(DONE, BUSY, DONE, DONE), 80) == ()
    assert lines_to_compress(memory, plan(DONE, DONE, DONE, DONE), 80) == (line(1), line(3))


def test_a_merged_line_stands_for_all_its_todos() -> None:
    assert merge_lines([line(1), line(2)], "both") == MemoryLine(todo_ids=("t1", "t2"), text="both")


def test_a_list_of_tasks_is_not_listed_again() -> None:
    first = MemoryLine(todo_ids=("t1",), text="Find the bell: it was cast in 1844.")
    second = MemoryLine(todo_ids=("t2",), text="Find the light: it was lit in 1831.")
    third = MemoryLine(todo_ids=("t3",), text="Find the guild: it is unknown.")
    listed = merge_lines((first, second), list_completed((first, second)))
    assert list_completed((listed, third)) == (
        "Completed: Find the bell; Completed: Find the light; Completed: Find the guild"
    )
