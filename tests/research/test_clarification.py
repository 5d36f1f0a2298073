"""A question that is not clear: the session asks, rests, and goes on with the answer."""

import asyncio
from pathlib import Path

import pytest

from fakes.children import ended, fork
from fakes.sittings import Sitting, sit
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Answered, ContractAccepted, ModelRequested, QuestionAsked, Resumed
from quaestor.research.contracts.roles import Clarity
from quaestor.research.dialogue import MAX_CLARIFICATION_ROUNDS
from quaestor.research.events import PlanCreated

VAGUE = "When was it built?"
UNCLEAR = {"reply": {"is_clear": False, "questions": ["Which one?"], "assumptions": []}}


async def given(sitting: Sitting, role: str) -> list[object]:
    return [asked.given for asked in await sitting.of(ModelRequested) if asked.role == role]


async def test_a_vague_question_is_asked_back_and_the_run_ends(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, VAGUE)
    result = await sitting.run()
    assert (result.status, result.outcome) == ("waiting", None)
    [asked] = await sitting.of(QuestionAsked)
    assert (asked.kind, asked.agent) == ("clarification", "clarifier")
    assert result.statement == asked.questions[0]
    assert await sitting.roles() == ["clarifier"]
    again = await sitting.run()
    assert again == result
    assert await sitting.of(QuestionAsked) == [asked]


async def test_what_another_process_answers_is_context_and_no_other_role_was_asked_before(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, VAGUE)
    await sitting.run()
    assert ended(fork(lambda: sitting.tell(Answer(text="the Aldmouth lighthouse")))) == 0
    assert [answered.text for answered in await sitting.of(Answered)] == ["the Aldmouth lighthouse"]
    assert await sitting.roles() == ["clarifier"]
    result = await sitting.run()
    assert result.outcome == "done"
    assert result.report is not None
    assert "1831" in result.report.model_dump_json()
    roles = await sitting.roles()
    assert roles[:3] == ["clarifier", "clarifier", "planner"]
    assert roles.count("clarifier") == 2
    [asked] = await sitting.of(QuestionAsked)
    second = (await given(sitting, "clarifier"))[1]
    assert second == {"question": VAGUE, "context": [f"{asked.questions[0]} the Aldmouth lighthouse"]}
    [planning] = [asked.given for asked in await sitting.of(ModelRequested) if asked.role == "planner"]
    assert isinstance(planning, dict)
    assert planning["question"] == f"{VAGUE} (the Aldmouth lighthouse)"


async def test_a_clear_question_is_not_asked_back(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, "When was the Aldmouth lighthouse built?")
    assert (await sitting.run()).status == "finished"
    assert await sitting.of(QuestionAsked) == []


async def test_after_three_rounds_what_is_unclear_is_assumed_and_said(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"clarifier": [{**UNCLEAR, "times": 9}]}, "When was the lighthouse built?")
    for number in range(MAX_CLARIFICATION_ROUNDS):
        assert (await sitting.run()).status == "waiting"
        assert await sitting.tell(Answer(text=f"answer {number}")) is None
    assert (await sitting.run()).status == "finished"
    assert [asked.ref for asked in await sitting.of(QuestionAsked)] == ["ask/1", "ask/2", "ask/3"]
    assert [len(Clarity.model_validate(said.output).questions) for said in await clarities(sitting)] == [1] * 4
    [planning] = [asked.given for asked in await sitting.of(ModelRequested) if asked.role == "planner"]
    assert isinstance(planning, dict)
    assert planning["assumptions"] == ["Still open after 3 rounds, so taken in its usual meaning: Which one?"]


async def clarities(sitting: Sitting) -> list[ContractAccepted]:
    return [said for said in await sitting.of(ContractAccepted) if said.contract == "Clarity"]


async def test_where_nobody_is_to_be_asked_the_planner_states_what_it_assumes(tmp_path: Path) -> None:
    planner = [{"reply": {"todos": [{"task": VAGUE}], "assumptions": ["It is the lighthouse."]}}]
    sitting = await sit(tmp_path, {"planner": planner}, VAGUE, questions=False)
    assert (await sitting.run()).status == "finished"
    assert await sitting.of(QuestionAsked) == []
    assert "clarifier" not in await sitting.roles()
    [created] = await sitting.of(PlanCreated)
    assert created.assumptions == ("It is the lighthouse.",)


async def test_waiting_for_an_answer_spends_no_time_and_is_no_interruption(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, VAGUE, max_seconds=60)
    await sitting.run()
    await sitting.tell(Answer(text="the Aldmouth lighthouse"))
    await sitting.run()
    assert await sitting.of(Resumed) == []


@pytest.mark.parametrize("text", ["  ", "\n", "/confirm_plan", "x" * 20_000])
async def test_any_text_is_an_answer(tmp_path: Path, text: str) -> None:
    sitting = await sit(tmp_path, {"clarifier": [UNCLEAR]}, "When was the Aldmouth lighthouse built?")
    await sitting.run()
    assert await sitting.tell(Answer(text=text)) is None
    assert (await sitting.run()).status == "finished"


async def test_an_answer_to_no_question_is_refused(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {}, VAGUE)
    assert await sitting.tell(Answer(text="the lighthouse")) == "no question is open"
    await sitting.run()
    told = await asyncio.gather(*(sitting.tell(Answer(text=text)) for text in ("the lighthouse", "the bell")))
    assert sorted(told, key=str) == [None, "no question is open"]
    assert len(await sitting.of(Answered)) == 1
