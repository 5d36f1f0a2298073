"""A server keeps nothing in memory of a session that was erased, whoever erases it."""

import pytest
from typing_extensions import override

from faces.server.served import Served, until
from quaestor.app.watching.live_page import LiveSessions


class SeenLive(LiveSessions):
    """The sessions that pages show, and what was forgotten of them."""

    forgotten: str = ""

    @override
    def forget(self, session_id: str) -> None:
        super().forget(session_id)
        self.forgotten = session_id


@pytest.mark.parametrize("path", ["/api/v1/sessions/{}", "/v1/responses/resp_{}_0", "/v1/conversations/conv_{}"])
async def test_a_session_that_a_program_erases_is_forgotten(served: Served, path: str) -> None:
    session_id = await served.finished()
    served.state.live = live = SeenLive()
    client = await served.client()
    assert (await client.get(f"/sessions/{session_id}", headers={"Accept": "text/html"})).status_code == 200

    async def is_erased() -> bool:  # once its process has let go of it
        return (await client.delete(path.format(session_id))).status_code in {200, 204}

    await until(is_erased)
    assert live.forgotten == session_id
