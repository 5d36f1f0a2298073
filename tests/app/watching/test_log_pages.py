"""The log for a person who looks something up: rows page by page, and one event whole."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.papers import write_papers
from fakes.sittings import LIGHTHOUSE
from quaestor.app import Quaestor, open_home
from quaestor.app.watching.log_pages import LogFilter, event_row, read_event_json, read_log_page
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.event import ErrorRecorded, Event, StateEntered
from quaestor.contracts.progress import EventDescription
from quaestor.runtime.system import current_process
from quaestor.views.event_description import describe_event
from storage.samples import event as sample_event

ANY = LogFilter()


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with open_home(tmp_path / "home", effort="low") as q:
        yield q


@pytest.fixture
async def finished(q: Quaestor, tmp_path: Path) -> str:
    session_id = await q.start(LIGHTHOUSE, await q.index([write_papers(tmp_path)]))
    await q.run(session_id)
    return session_id


async def all_rows(q: Quaestor, session_id: str, chosen: LogFilter, limit: int) -> list[int]:
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = await read_log_page(q, session_id, chosen, after, limit)
        assert len(page.rows) <= limit
        found += [row.seq for row in page.rows]
        after = page.next
    return found


@pytest.mark.parametrize("limit", [1, 7, 1000])
async def test_the_pages_of_a_log_have_every_event_once(q: Quaestor, finished: str, limit: int) -> None:
    count = (await q.session(finished)).events
    assert await all_rows(q, finished, ANY, limit) == list(range(1, count + 1))


@pytest.mark.parametrize(
    "chosen", [LogFilter(type="tool_responded"), LogFilter(state="READING", todo_id="t1"), LogFilter(todo_id="session")]
)
async def test_a_filter_finds_the_same_on_pages_of_any_size(q: Quaestor, finished: str, chosen: LogFilter) -> None:
    events = await q.events(finished)
    expected = [
        event.seq
        for event in events
        if chosen.type in {None, event.type}
        and chosen.state in {None, event.state}
        and chosen.todo_id in {None, event.todo_id or "session"}
    ]
    assert 0 < len(expected) < len(events)
    for limit in (1, 3, 1000):
        assert await all_rows(q, finished, chosen, limit) == expected


async def test_a_page_of_a_long_log_reads_a_bounded_part_of_it(q: Quaestor, finished: str) -> None:
    held = await q.store.lease(finished)
    first = (await q.events(finished))[-1]
    lease = await q.store.take_lease(
        finished, current_process(), held.epoch if held else 0, first.at + timedelta(days=1)
    )
    assert lease is not None
    fault = ErrorRecorded(message="again")
    more = [
        Event(session_id=finished, seq=seq, cycle=first.cycle, at=first.at, state="DONE", payload=fault)
        for seq in range(first.seq + 1, first.seq + 4_001)
    ]
    await q.store.append(lease, more)
    page = await read_log_page(q, finished, LogFilter(todo_id="none"))
    assert (page.rows, page.next) == ((), 3_000)
    last = await read_log_page(q, finished, LogFilter(todo_id="none"), 3_000)
    assert (last.rows, last.next, last.seen) == ((), None, first.seq + 4_000)
    whole = await read_log_page(q, finished, LogFilter(type="report_written"))
    assert (len(whole.rows), whole.next) == (1, None), "events of other types are not read"


async def test_an_event_is_shown_whole_and_nothing_in_it_is_hidden(q: Quaestor) -> None:
    with pytest.raises(UnknownSession):
        await read_log_page(q, "nope", ANY)
    session_id = await q.start_task("Say \u202e nothing.", settings=q.settings.revised(model="ollama:small"))
    text = await read_event_json(q, session_id, 1)
    assert '"session_started"' in text
    assert ("\u202e" in text, "\\u202e" in text) == (False, True)
    with pytest.raises(UsageError, match="no event 99"):
        await read_event_json(q, session_id, 99)


def test_a_row_has_where_and_what_and_how_much_it_matters() -> None:
    row = event_row(sample_event(3, ErrorRecorded(message="the disk\nis \u202efull")), describe_event)
    assert (row.seq, row.state, row.type, row.todo_id, row.importance) == (3, "EXECUTING", "error", None, "problem")
    assert row.text == "error: the disk is \ufffdfull"


def test_a_long_description_is_cut() -> None:
    payload = StateEntered(scope="session", previous=None)
    row = event_row(sample_event(1, payload), lambda _: EventDescription(text="word " * 100_000))
    assert (len(row.text) <= 240, row.text.endswith("…")) == (True, True)
