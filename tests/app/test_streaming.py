"""Operations read a log in pages, so that what they need does not grow with it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from typing_extensions import override

import quaestor
from fakes.papers import QUESTION, write_papers
from quaestor.app import Quaestor
from quaestor.app.inspection import read_spend
from quaestor.app.reports.explanations import explain_claim
from quaestor.app.verification import verify_session
from quaestor.app.watching.progress import encode_behind, follow_until_rest, require_setup, track_behind
from quaestor.contracts.event import Event
from quaestor.storage.sqlite import SqliteStore

MOST = 1_000


class PagedStore(SqliteStore):
    """A store that refuses to return a whole log at once."""

    @override
    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        assert limit is not None, "a whole log was read"
        assert limit <= MOST, f"{limit} events were read at once"
        return await super().events(session_id, after, limit)


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        q.store = PagedStore(q.store._database)  # type: ignore[attr-defined] # the store that the home has opened
        yield q


async def _follow(q: Quaestor, session: str) -> None:
    assert [event.seq async for event in q.follow(session)][-1] == (await q.session(session)).events


async def _attach(q: Quaestor, session: str) -> None:
    assert [event.seq async for event in follow_until_rest(q, session, 0)][-1] == (await q.session(session)).events
    await encode_behind(q, session, 7)
    await track_behind(q, session, 7)
    await require_setup(q, session)


@pytest.mark.parametrize(
    "operation",
    [
        Quaestor.run,
        Quaestor.result,
        Quaestor.summarize,
        Quaestor.reports,
        Quaestor.plan,
        read_spend,
        verify_session,
        lambda q, session: explain_claim(q, session, 1),
        _follow,
        _attach,
    ],
)
async def test_no_operation_reads_a_whole_log_at_once(
    q: Quaestor, tmp_path: Path, operation: Callable[[Quaestor, str], Awaitable[object]]
) -> None:
    session = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
    assert (await q.run(session)).outcome == "done"
    await operation(q, session)
