import sys
from pathlib import Path
from signal import SIGKILL
from subprocess import run

import pytest

from quaestor.contracts.command import Pause, Settlement, UnreadableCommand
from quaestor.storage.sql.coordination import PENDING_SQL
from quaestor.storage.sqlite import open_store
from storage.samples import NOON, begun

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from quaestor.contracts.command import Pause, Settlement
from quaestor.storage.sqlite import open_store
from storage.samples import NOON, begun, todo

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    store = open_store(Path(sys.argv[1]))
    lease = await begun(store)
    connection = store._database._connection
    hook = connection.set_commit_hook if sys.argv[3] == "before" else connection.set_wal_hook
    if sys.argv[2] == "send":
        hook(die)
    await store.send("s1", Pause(), NOON)
    hook(die)
    await store.append(lease, [todo(2)], [Settlement(number=1)])

asyncio.run(main())
"""


def killed(path: Path, call: str, moment: str) -> None:
    """Send and settle in a process that dies before or after the commit of one of the two calls."""
    process = run(
        [sys.executable, "-c", KILLED, str(path), call, moment], env={"PYTHONPATH": ":".join(sys.path)}, check=False
    )
    assert process.returncode == -SIGKILL


@pytest.mark.parametrize(("moment", "events"), [("before", 1), ("after", 2)])
async def test_killed_in_the_commit_a_command_is_settled_with_its_events_or_waits(
    tmp_path: Path, moment: str, events: int
) -> None:
    killed(tmp_path / "q.db", "append", moment)
    store = open_store(tmp_path / "q.db")
    assert len(await store.events("s1")) == events
    assert len(await store.commands("s1")) == 2 - events
    assert await store.settled("s1", 1) == (Settlement(number=1) if events == 2 else None)
    await store.close()


@pytest.mark.parametrize(("moment", "count"), [("before", 0), ("after", 1)])
async def test_killed_in_the_commit_a_command_is_whole_or_absent(tmp_path: Path, moment: str, count: int) -> None:
    killed(tmp_path / "q.db", "send", moment)
    store = open_store(tmp_path / "q.db")
    assert [command.order for command in await store.commands("s1")] == [Pause()] * count
    await store.close()


async def test_what_waits_is_found_without_a_look_at_what_was_settled() -> None:
    store = open_store(":memory:")
    [_, [*_, plan]] = store._database.rows(f"EXPLAIN QUERY PLAN {PENDING_SQL}", ("s1",))
    assert plan == "SEARCH commands USING INDEX commands_waiting (session_id=?) LEFT-JOIN"
    [[index]] = store._database.rows("SELECT sql FROM sqlite_schema WHERE name = 'commands_waiting'")
    assert index.endswith("WHERE settled IS NULL")
    await store.close()


async def test_an_inbox_is_read_in_one_statement() -> None:
    store = open_store(":memory:")
    await begun(store)
    statements: list[str] = []

    def trace(_: object, sql: str, __: object) -> bool:
        statements.append(sql)
        return True

    store._database._own.exec_trace = trace
    assert await store.commands("s1") == []
    assert statements == [PENDING_SQL]
    await store.close()


async def test_one_store_sees_what_another_was_sent(tmp_path: Path) -> None:
    holder, sender = open_store(tmp_path / "q.db"), open_store(tmp_path / "q.db")
    lease = await begun(holder)
    assert await holder.commands("s1") == []
    command = await sender.send("s1", Pause(), NOON)
    assert await holder.commands("s1") == [command]
    await holder.append(lease, [], [Settlement(number=1, refused="no")])
    assert await sender.settled("s1", 1) == Settlement(number=1, refused="no")
    await holder.close()
    await sender.close()


@pytest.mark.parametrize(
    "body", ["", "{}", "[]", "null", '{"kind":"pause","for":"ever"}', '{"kind":"answer"', '{"kind":7}', "[" * 100_000]
)
async def test_a_command_beyond_reading_is_unreadable_and_left_as_it_is(body: str) -> None:
    store = open_store(":memory:")
    await begun(store)
    await store.send("s1", Pause(), NOON)
    store._database.run("UPDATE commands SET body = ?", (body,))
    [entry] = await store.commands("s1")
    assert isinstance(entry.order, UnreadableCommand)
    assert entry.order.reason
    assert store._database.rows("SELECT body FROM commands") == [(body,)]
    await store.close()
