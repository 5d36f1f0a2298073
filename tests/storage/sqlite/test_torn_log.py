"""Power loss and bad disks: a log that is cut or changed at any byte is read as it was, or named as damaged."""

import random
from pathlib import Path
from shutil import copyfile

import apsw
import pytest

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.event import Event
from quaestor.storage.sqlite import open_store
from storage.samples import begun, finished, reply, started, todo

LOG = [started(), *(reply(seq, f"{seq} " * 300) if seq % 3 else todo(seq) for seq in range(2, 40)), finished(40)]
ENDS = ("", "-wal")


@pytest.fixture
async def written(tmp_path: Path) -> Path:
    """Return a database as a kill leaves it: half of the log in the main file, the rest in the write-ahead log."""
    path = tmp_path / "q.db"
    store = open_store(path)
    lease = await begun(store)
    await store.append(lease, LOG[1:20])
    store._database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    for event in LOG[20:]:
        await store.append(lease, [event])
    kept = copied(path, tmp_path / "kept.db")
    await store.close()
    return kept


def copied(path: Path, to: Path) -> Path:
    """Copy a database with its write-ahead log, in place of what is there."""
    Path(f"{to}-shm").unlink(missing_ok=True)
    for end in ENDS:
        copyfile(f"{path}{end}", f"{to}{end}")
    return to


async def read(path: Path) -> tuple[list[Event], list[str]]:
    """Return the events that can be read and every fault that is named."""
    try:
        store = open_store(path)
    except QuaestorError as error:
        return [], [str(error)]
    try:
        return list(await store.events("s1")), list(await store.verify_chain("s1"))
    except QuaestorError as error:
        return [], [str(error)]
    finally:
        await store.close()


def damage(path: Path, chance: random.Random, way: str) -> None:
    """Cut the write-ahead log at a random byte, or change a random byte of either file."""
    torn = Path(f"{path}{'-wal' if way == 'cut' else chance.choice(ENDS)}")
    content = bytearray(torn.read_bytes())
    place = chance.randrange(len(content))
    if way == "cut":
        del content[place:]
    else:
        content[place] ^= 1 << chance.randrange(8)
    torn.write_bytes(content)


@pytest.mark.parametrize(("was", "is_now"), [("sha256", "sha356"), ("events", "evants")], ids=["column", "table"])
async def test_a_name_of_the_schema_that_was_changed_is_damage(written: Path, was: str, is_now: str) -> None:
    database = apsw.Connection(str(written))
    database.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    database.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, ?1, ?2), name = replace(name, ?1, ?2), "
        "tbl_name = replace(tbl_name, ?1, ?2)",
        (was, is_now),
    )
    database.close()
    _, [fault] = await read(written)
    assert "is not a readable Quaestor store: its tables are not those of a store (no such" in fault


@pytest.mark.parametrize("times", [60, pytest.param(5_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("way", ["cut", "changed"])
async def test_a_log_torn_at_a_random_byte_is_a_log_up_to_there_or_named(
    written: Path, tmp_path: Path, way: str, times: int
) -> None:
    torn = tmp_path / "torn.db"
    assert await read(copied(written, torn)) == (LOG, [])
    for seed in range(times):
        damage(copied(written, torn), random.Random(seed), way)
        events, faults = await read(torn)
        assert faults or (events == LOG[: len(events)] and len(events) >= 20), f"seed {seed}: damage was not seen"
        assert way == "changed" or not faults, f"seed {seed}: what was acknowledged before the cut is lost"
