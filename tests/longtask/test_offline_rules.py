from quaestor.longtask.contracts import RoundInput, TaskPlanInput
from quaestor.longtask.offline_rules import next_round, plan_task

TASK = "Count the words of the chronicle."


def given(**more: object) -> RoundInput:
    known = {"task": TASK, "goal": TASK, "current_phase": "Phase 1", "round": 1, "rounds_left": 9}
    return RoundInput.model_validate({**known, "checklist": ("open: Look", "done: Write"), **more})


def test_it_plans_to_look_up_what_the_task_says() -> None:
    draft = plan_task(TaskPlanInput(task=TASK, tools=("shell", "search_web")))
    assert draft.goal == TASK
    assert len(draft.phases[0].checklist) == 2
    assert len(plan_task(TaskPlanInput(task=TASK, tools=("shell",))).phases[0].checklist) == 1


def test_it_searches_once_and_then_ends_with_what_was_found() -> None:
    first = next_round(given(tools=("search_web", "search_database")))
    assert first.tool_call
    assert (first.tool_call.tool, first.tool_call.query, first.done) == ("search_database", TASK, False)
    last = next_round(given(tools=("search_web",), last_result="It has 42 words."))
    assert last.done
    assert last.tool_call is None
    assert last.writeback
    assert last.writeback.findings_append == ("It has 42 words.",)
    assert [item.item_text for item in last.writeback.task_plan_updates.checklist_set] == ["Look"]


def test_without_anything_to_search_it_says_that_it_cannot_carry_out_a_task() -> None:
    for round_given in (given(tools=("shell",)), given(tools=("search_web",), hints=("search_web: not run",))):
        reply = next_round(round_given)
        assert reply.done
        assert "it cannot carry one out" in reply.assistant_answer
