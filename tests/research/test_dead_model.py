from pathlib import Path

import pytest

from fakes.sittings import LIGHTHOUSE, sit
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Paused


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
