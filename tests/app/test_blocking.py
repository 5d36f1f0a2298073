"""The operations without an event loop, as scripts and notebooks use them."""

import asyncio
from pathlib import Path

import pytest

import quaestor
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


def test_a_script_asks_and_reads(tmp_path: Path, docs: Path) -> None:
    with quaestor.open_blocking(tmp_path / "home", effort="low") as q:
        found = q.research(QUESTION, [docs])
        [session] = q.sessions()
        assert (q.status(session.id).state, q.report(session.id)) == ("finished", found)
        events = list(q.follow(session.id))
        assert [event.seq for event in events] == list(range(1, session.events + 1))
        streamed = list(q.stream(session.id))
        assert streamed
        assert list(q.stream_live(session.id)) == streamed
        asked = q.ask(session.id, "What did the fog bell cost?")
        assert asked.version == found.version + 1
        assert q.call(q.quaestor.plan(session.id)).todos


def test_a_session_is_begun_at_once_and_waited_for(tmp_path: Path, docs: Path) -> None:
    with quaestor.open_blocking(tmp_path / "home") as q:
        session_id = q.start(QUESTION, [docs])
        assert q.wait(session_id, 120).status == "finished"
        assert q.resume(session_id) == q.report(session_id)
        with pytest.raises(quaestor.UsageError, match="no session"):
            q.status("20200101-000000-abcdef")


def test_closing_the_home_pauses_what_was_begun(tmp_path: Path, docs: Path) -> None:
    script = tmp_path / "slow.yaml"
    script.write_text("query_writer:\n  - {latency: 600, times: 20}\n", encoding="utf-8")
    with quaestor.open_blocking(tmp_path / "home", model=f"script:{script}", grace_seconds=0) as q:
        session_id = q.start(QUESTION, [docs])
    with quaestor.open_blocking(tmp_path / "home") as q:
        assert q.status(session_id).state in {"paused", "interrupted"}


async def test_it_runs_beside_the_loop_of_a_notebook(tmp_path: Path, docs: Path) -> None:
    def cell() -> str:
        with quaestor.open_blocking(tmp_path / "home") as q:
            return q.research(QUESTION, [docs])._repr_html_()

    assert asyncio.get_running_loop().is_running()
    shown = cell()  # blocks this loop, as a cell does
    assert shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert "<script" not in shown


async def test_an_interrupted_session_that_nobody_takes_up_is_not_followed_for_ever(tmp_path: Path, docs: Path) -> None:
    async with open_home(tmp_path / "home") as q:
        session_id = await q.start(QUESTION, await q.index([docs]))
        async with asyncio.timeout(300):
            seen = [event.type async for event in q.follow(session_id)]
        assert seen == ["session_started"]
        assert (await q.status(session_id)).state == "queued"
