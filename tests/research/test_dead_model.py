from pathlib import Path

import pytest

from fakes.sittings import LIGHTHOUSE, sit
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import ModelRequested, Paused


async def test_a_run_whose_model_answers_nothing_pauses_with_the_cause_and_goes_on_once_it_does(tmp_path: Path) -> None:
    dead = {"planner": [{"fault": "error", "times": 3}], "query_writer": [{"fault": "error", "times": 3}]}
    sitting = await sit(tmp_path, dead, LIGHTHOUSE, questions=False)
    with pytest.raises(SetupError, match="no model call was answered"):
        await sitting.run()
    [paused] = await sitting.of(Paused)
    assert paused.kind == "setup"
    assert not paused.reason.startswith("no model call")
    (sitting.folder / "script.yaml").write_text("{}", encoding="utf-8")
    assert (await sitting.run()).outcome == "done"


async def test_a_run_whose_model_never_gives_a_usable_reply_pauses_with_the_cause_before_it_pays_for_more(
    tmp_path: Path,
) -> None:
    misfit = [{"reply": {"sorry": "I cannot help with that."}, "times": 99}]
    roles = ("planner", "query_writer", "reader", "reviewer")
    sitting = await sit(tmp_path, dict.fromkeys(roles, misfit), LIGHTHOUSE, questions=False)
    with pytest.raises(
        SetupError, match=r"^the planner gave no usable answer: .* or fork the session with another one"
    ):
        await sitting.run()
    assert [asked.role for asked in await sitting.of(ModelRequested)] == ["planner"] * 3 + ["query_writer"] * 3
    assert [paused.kind for paused in await sitting.of(Paused)] == ["setup"]
    (sitting.folder / "script.yaml").write_text("{}", encoding="utf-8")
    assert (await sitting.run()).outcome == "done"


async def test_a_run_whose_planner_and_query_writer_alone_are_unusable_goes_on_when_it_is_resumed(
    tmp_path: Path,
) -> None:
    misfit = [{"reply": {"sorry": "I cannot help with that."}, "times": 99}]
    sitting = await sit(tmp_path, {"planner": misfit, "query_writer": misfit}, LIGHTHOUSE, questions=False)
    with pytest.raises(SetupError):
        await sitting.run()
    assert (await sitting.run()).outcome == "done"
