"""What a person does with a report that a model wrote, and with a todo that failed: both are written again."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import httpx2
import pytest_asyncio
import yaml

from faces.server.served import Serve, Served, until
from faces.server.web.browsing import csrf_of, signed_in
from fakes.openai_server import OpenAIServer
from fakes.researcher import Researcher
from fakes.sittings import BELL_IS_LOST, LIGHTHOUSE, ONE_SOURCE_EACH, PLANNED
from quaestor.app.network.person_commands import PersonCommand
from quaestor.faces.server.web.texts import english_texts


@pytest_asyncio.fixture(loop_scope="session")
async def online(serve: Serve) -> AsyncIterator[Served]:
    """Return a server whose model writes reports."""
    async with OpenAIServer(Researcher((LIGHTHOUSE,))) as model:
        yield await serve({"model": "fake:large", "providers": {"fake": {"base_url": model.url}}}).begin()


async def give(client: httpx2.AsyncClient, served: Served, session_id: str, **fields: str) -> httpx2.Response:
    data = {"csrf": await csrf_of(client), **fields}
    answer = await client.post(f"/sessions/{session_id}/commands", data=data, headers={"Origin": served.url})
    assert answer.status_code == 303, answer.text
    return await client.get(answer.headers["location"])


async def test_a_section_is_written_again_and_every_version_can_be_read(online: Served) -> None:
    session_id = await online.finished()
    client, program = await signed_in(online), await online.client()
    page = (await client.get(f"/sessions/{session_id}/report")).text
    outline = re.findall(r'href="#([^"]+)"', page.partition('<nav class="outline"')[2].partition("</nav>")[0])
    assert {"summary", "references"} <= {*outline}
    assert all(f'id="{key}"' in page for key in outline)
    [section] = re.findall(r'name="section" value="([^"]+)"', page)
    shown = await give(client, online, session_id, kind="revise", section=section, wish="Shorter.")
    assert "The section is written again." in shown.text
    await online.events(session_id)
    path = f"/api/v1/sessions/{session_id}/report.json"
    versions = [(await program.get(path, params={"version": number})).json()["version"] for number in (1, 2)]
    assert versions == [1, 2]
    assert (await program.get(path)).json()["version"] == 2
    assert (await program.get(path, params={"version": 3})).status_code == 400
    old = (await client.get(f"/sessions/{session_id}/report", params={"version": 1})).text
    assert 'name="section"' not in old  # only the newest is written again


async def test_a_todo_that_failed_is_tried_again_after_the_end(serve: Serve, tmp_path: Path) -> None:
    reader = [*ONE_SOURCE_EACH[:1], *BELL_IS_LOST, *ONE_SOURCE_EACH[2:]]
    (tmp_path / "lost.yaml").write_text(yaml.safe_dump({"planner": [*PLANNED], "reader": reader}), encoding="utf-8")
    served = await serve({"model": f"script:{tmp_path / 'lost.yaml'}", "effort": "medium"}).begin()
    session_id = await served.finished()
    client = await signed_in(served)
    page = (await client.get(f"/sessions/{session_id}")).text
    assert "Ended early" in page
    assert re.findall(r'name="todo_id" value="([^"]+)"', page) == ["t2.1.1"]  # of the others there is a later attempt
    shown = await give(client, served, session_id, kind="retry", todo_id="t2.1.1")
    assert "The todo is tried again." in shown.text
    await served.events(session_id)
    assert (await served.quaestor.session(session_id)).outcome == "done"
    assert 'name="todo_id"' not in (await client.get(f"/sessions/{session_id}")).text


async def test_what_a_cancelled_session_left_is_not_shown_as_going_on(serve: Serve, tmp_path: Path) -> None:
    slow = {"planner": [*PLANNED], "reader": [{"latency": 600, "times": 9}]}
    (tmp_path / "slow.yaml").write_text(yaml.safe_dump(slow), encoding="utf-8")
    served = await serve({"model": f"script:{tmp_path / 'slow.yaml'}"}).begin()
    await served.upload()
    session_id = await served.start(questions=False)
    client = await signed_in(served)

    async def is_reading() -> bool:
        return ">reading</span>" in (await client.get(f"/sessions/{session_id}")).text

    await until(is_reading)
    await give(client, served, session_id, kind="cancel")
    await served.events(session_id)
    page = (await client.get(f"/sessions/{session_id}")).text
    assert 'class="badge">not finished</span>' in page
    assert ">reading</span>" not in page


def test_the_page_says_what_every_command_did() -> None:
    union, _ = get_args(PersonCommand)
    kinds = {get_args(command.model_fields["kind"].annotation)[0] for command in get_args(union)}
    assert {*vars(english_texts().done)} == kinds
