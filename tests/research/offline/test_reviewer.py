import pytest

from quaestor.research.contracts.roles import PlanOutlineItem, ReviewInput
from quaestor.research.offline.reflector import review


def given(question: str, failure: str = "", room: int = 3) -> ReviewInput:
    plan = (PlanOutlineItem(id="t1", task="jars of Ann Lee"),)
    return ReviewInput(question=question, todo_id="t1", task="jars of Ann Lee", failure=failure, plan=plan, room=room)


def test_a_done_todo_is_closed_and_nothing_is_added() -> None:
    asked = given("Which jars did Ann Lee make?")
    reply = review(asked)

    assert asked.objections(reply) == ()
    assert (reply.status, reply.new_todos) == ("done", ())


def test_a_failed_todo_stays_failed() -> None:
    assert review(given("Which jars did Bo Ek make?", "every search failed")).status == "failed"


@pytest.mark.parametrize(("room", "added"), [(1, 1), (0, 0)])
def test_a_name_that_the_plan_forgot_is_added_while_there_is_room(room: int, added: int) -> None:
    new = review(given("Did Ann Lee know Bo Ek?", room=room)).new_todos

    assert len(new) == added
    assert all("Bo Ek" in str(task) for task in new)
