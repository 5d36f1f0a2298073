"""The explorer of a log: what is chosen in its form is shown, all of it and nothing else."""

import json
import re

import httpx2

from faces.server.served import Serve
from faces.server.web.browsing import signed_in


async def _rows(client: httpx2.AsyncClient, address: str, **chosen: str) -> list[tuple[int, str]]:
    """Return number and state of every row of a page of the log."""
    answer = await client.get(address, params=chosen)
    assert answer.status_code == 200, answer.text
    numbers = re.findall(r'/inside/events/(\d+)"', answer.text)
    states = re.findall(r'<td class="state">([^<]*)</td>', answer.text)
    return list(zip(map(int, numbers), states, strict=True))


async def test_the_rows_of_a_state_that_is_chosen_are_shown_all_and_alone(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    client, address = await signed_in(served), f"/sessions/{session_id}/inside"
    log = (await (await served.client()).get(f"/api/v1/sessions/{session_id}/log")).text
    whole = [(event["seq"], event["state"]) for event in map(json.loads, log.splitlines())]
    assert await _rows(client, address) == whole
    state = whole[-1][1]
    of_state = [each for each in whole if each[1] == state]
    assert len(of_state) < len(whole)
    assert await _rows(client, address, state=state) == of_state
    seen = of_state[0][0]
    assert await _rows(client, address, state=state, after=str(seen)) == of_state[1:]
