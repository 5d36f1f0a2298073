from quaestor.research.contracts.roles import PlanOutlineItem, ReviewInput
from quaestor.research.offline.reflector import review


def given(question: str, failure: str = "") -> ReviewInput:
    plan = (PlanOutlineItem(id="t1", task="jars of Ann Lee"),)
    return ReviewInput(question=question, todo_id="t1", task="jars of Ann Lee", failure=failure, plan=plan, room=3)


def test_a_done_todo_is_closed_and_nothing_is_added() -> None:
    asked = given("Which jars did Ann Lee make?")
    reply = review(asked)

    assert asked.objections(reply) == ()
    assert (reply.status, reply.new_todos) == ("done", ())


def test_a_failed_todo_stays_failed() -> None:
    assert review(given("Which jars did Bo Ek make?", "every search failed")).status == "failed"
