"""A session of another store comes in under its own hashes, and nobody sees it before it is whole."""

from collections.abc import Iterator

import pytest

from quaestor.contracts.errors import LogCorrupt, UnknownSession, UsageError
from quaestor.contracts.event import Forked
from quaestor.contracts.library import Document
from quaestor.contracts.ports import Store
from quaestor.contracts.signature import LogRecord
from quaestor.storage.chain import rechain
from quaestor.storage.event_rows import record_row
from storage.samples import NOON, OWNER, begun, event, finished, later, reply, session, todo

LOG = [todo(2), reply(3, "Ærø 日本 \n\0 " * 400), finished(4)]
IMPORT = session("s2", "another key", later(9))
HERE = event(5, Forked(origin="s2", at=4, options={"effort": "high"}), "s2")
KEPT = (Document(uri="https://example.org/a", title="A", text="The words of A."), NOON)


async def records(store: Store) -> list[LogRecord]:
    """Return the log of a session as another store has it under another id."""
    await store.append(await begun(store), LOG)
    own = await store.records("s1", 0, 10)
    chained = rechain(map(record_row, own), "s2")
    return [
        record.revised(session_id="s2", previous=row.previous, hash=row.hash)
        for record, row in zip(own, chained, strict=True)
    ]


async def test_an_import_keeps_its_hashes_and_goes_on_with_one_event(store: Store) -> None:
    log = await records(store)
    await store.import_session(IMPORT, log, [KEPT], HERE, OWNER)
    assert await store.records("s2", 0, 4) == log
    assert (await store.events("s2"))[-1] == HERE
    assert await store.verify_chain("s2") == []
    assert await store.lease("s2") is None
    imported = await store.session("s2")
    assert (imported.events, imported.outcome, imported.task_key) == (5, "done", "another key")
    with pytest.raises(UsageError, match="s2"):
        await store.import_session(IMPORT, log, [], HERE, OWNER)


async def test_a_record_that_was_changed_is_not_stored(store: Store) -> None:
    log = await records(store)
    with pytest.raises(LogCorrupt, match=r"event 2 .* is not what was hashed"):
        await store.import_session(IMPORT, [log[0], log[1].revised(body="[]"), *log[2:]], [], HERE, OWNER)
    assert [each.id for each in await store.sessions()] == ["s1"]


async def test_an_import_that_was_broken_off_is_unseen_and_made_again_once_it_is_shredded(store: Store) -> None:
    log = await records(store)

    def broken_off() -> Iterator[LogRecord]:
        yield log[0]
        raise EOFError

    with pytest.raises(EOFError):
        await store.import_session(IMPORT, broken_off(), [KEPT], HERE, OWNER)
    with pytest.raises(UnknownSession):
        await store.session("s2")
    [left] = await store.incomplete_copies()
    await store.erase_copy(left, NOON)
    with pytest.raises(UsageError, match="s2"):
        await store.import_session(IMPORT, log, [KEPT], HERE, OWNER)
    await store.shred(NOON)
    await store.import_session(IMPORT, log, [KEPT], HERE, OWNER)
    assert await store.records("s2", 0, 4) == log


async def test_a_session_that_was_erased_is_not_imported(store: Store) -> None:
    log = await records(store)
    await store.import_session(IMPORT, log, [], HERE, OWNER)
    lease = await store.take_lease("s2", OWNER, 0, later(60))
    assert lease
    await store.erase(lease, NOON)
    await store.shred(NOON)
    with pytest.raises(UnknownSession, match="was erased"):
        await store.import_session(IMPORT, log, [], HERE, OWNER)
