from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.roles import PlanOutlineItem, ReviewInput
from quaestor.research.offline.planner import review


def given(question: str, status: TodoStatus = TodoStatus.DONE, room: int = 3) -> ReviewInput:
    plan = (PlanOutlineItem(id="t1", task="jars of Ann Lee"),)
    return ReviewInput(
        question=question, todo_id="t1", task="jars of Ann Lee", status=status, result="x", plan=plan, room=room
    )


def test_a_done_todo_is_closed_and_nothing_is_added() -> None:
    asked = given("Which jars did Ann Lee make?")
    update = review(asked)

    assert asked.objections(update) == ()
    assert (update.status, update.outcome, update.new_todos) == ("done", "x", ())


def test_a_failed_todo_stays_failed() -> None:
    assert review(given("Which jars did Bo Ek make?", TodoStatus.FAILED)).model_dump()["status"] == "failed"
