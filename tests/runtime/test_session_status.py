from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import quaestor
from fakes.papers import write_papers
from fakes.statements import count_statements
from quaestor.app import Quaestor
from quaestor.contracts.command import Pause
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.session import SessionQuery, SessionStatus
from quaestor.runtime import session_reader
from quaestor.storage.sqlite import SqliteStore


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        yield q


def opened(q: Quaestor) -> SqliteStore:
    assert isinstance(q.store, SqliteStore)
    return q.store


async def listed(q: Quaestor) -> list[tuple[str, SessionStatus | None, str]]:
    return [(each.session.id, each.status, each.progress) async for each in q.listing()]


async def begin(q: Quaestor, text: str) -> None:
    """Start a session that nobody runs."""
    await q.start_session("longtask", SessionRequest(text=text), q.settings.revised(model="ollama:small"))


async def various(q: Quaestor, folder: Path) -> None:
    """Leave a session that is finished, one that waits, one that is paused, and one that never ran."""
    corpus = await q.index([write_papers(folder)])
    await q.run(await q.start("When was the Aldmouth lighthouse built?", corpus))
    reviewed = q.settings.revised(review_plan=True)
    await q.run(await q.start("Who kept the light?", corpus, reviewed))
    paused = await q.start("What is fog?", corpus)
    await q.tell(paused, Pause())
    await q.start("What is a bell?", corpus)


async def test_the_list_shows_each_session_as_its_log_leaves_it(q: Quaestor, tmp_path: Path) -> None:
    await various(q, tmp_path)
    found = [(status and status.state, progress) for _, status, progress in await listed(q)]
    assert [state for state, _ in found] == ["queued", "paused", "waiting", "finished"]
    done, planned = found[-1][1].split("/")
    assert done == planned != "0"
    assert found[2][1].startswith("0/")


async def test_what_the_rows_keep_is_what_the_logs_fold_to(q: Quaestor, tmp_path: Path) -> None:
    await various(q, tmp_path)
    kept = await listed(q)
    opened(q)._database.run("UPDATE sessions SET status = NULL, progress = NULL")
    assert await listed(q) == kept
    with count_statements(opened(q)) as again:
        assert await listed(q) == kept
    assert again.run == 2, "they were folded once"


async def test_a_list_reads_no_further_than_it_is_looked_at(q: Quaestor, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        await begin(q, f"Greet person {number}")
    whole = await listed(q)
    monkeypatch.setattr(session_reader, "_SESSIONS_A_PAGE", 2)
    assert await listed(q) == whole
    with count_statements(opened(q)) as counted:
        sessions = q.listing()
        assert [(await anext(sessions)).session.id for _ in range(2)] == [name for name, _, _ in whole[:2]]
    assert (counted.run, counted.rows) == (2, 2)


async def test_a_list_takes_two_queries_for_ten_sessions_or_a_hundred(q: Quaestor) -> None:
    counts = []
    for most in (10, 100):
        for number in range(most):
            await begin(q, f"Greet person {number} of {most}")
        with count_statements(opened(q)) as counted:
            found = await listed(q)
        counts.append((counted.run, counted.rows - len(found)))
    assert counts == [(2, 0), (2, 0)]


async def test_starting_looks_at_no_other_session(q: Quaestor) -> None:
    counts = []
    for most in (10, 100):
        for number in range(most):
            await begin(q, f"Greet person {number} of {most}")
        with count_statements(opened(q)) as counted:
            await begin(q, f"Greet everybody of {most}")
            await q.select_sessions(SessionQuery(finished=False, limit=1))
        counts.append((counted.run, counted.rows))
    assert counts[0] == counts[1]
