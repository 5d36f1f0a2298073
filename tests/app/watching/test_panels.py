"""The pages that workflows have of their own."""

from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.app.watching.panels import SessionPanels, has_panels
from quaestor.contracts.errors import UnknownSession


async def test_a_session_whose_workflow_shows_nothing_has_no_such_page(tmp_path: Path) -> None:
    assert (has_panels("research"), has_panels("nothing")) == (False, False)
    async with open_home(tmp_path / "home") as q:
        with pytest.raises(UnknownSession):
            await SessionPanels().read(q, "nope")
