"""Files that are torn, shared, replaced, not ours or not writable."""

import asyncio
import fcntl
import json
import os
import random
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from fakes.children import ended, fork
from fakes.unsafe_files import NO_FILES
from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import FollowerUnavailable
from quaestor.storage.followers import open_replica
from storage.followers.samples import LOG, event, plain, rows


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def content(path: Path) -> bytes:
    return path.read_bytes()


def put(path: Path, content: bytes, mode: str = "wb") -> None:
    with path.open(mode) as file:
        file.write(content)


def file_is_whole(path: Path) -> bool:
    return not path.exists() or content(path)[-1:] in {b"", b"\n"}


def moved(path: Path, target: str | Path) -> None:
    path.replace(target)


def opened(path: Path) -> BinaryIO:
    return path.open("rb")


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Limit the size of every file of this process."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


async def test_a_line_is_an_event_with_its_session_cycle_state_and_time(file: Path) -> None:
    await open_replica(str(file)).copy(rows([event(1, {"of": "日本"}, cycle=2)]))
    assert lines(file) == [
        {
            "session_id": "s1",
            "seq": 1,
            "cycle": 2,
            "at": "2026-03-01T12:00:00.001008Z",
            "state": "EXECUTING",
            "type": "session_started",
            "version": 1,
            "todo_id": None,
            "hash": None,
            "payload": {"question": "Who?", "workflow": "research", "task_key": "key", "options": {"of": "日本"}},
        }
    ]


async def test_a_folder_has_a_file_for_every_session_and_none_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    for name in ("s1", "../s2", "/etc/s3", "..", "s1.jsonl/x"):
        await open_replica(f"{folder}/").copy(plain(1, 2, name))
    assert [parent for parent, _, files in os.walk(tmp_path) for _ in files] == [str(folder)] * 5
    assert lines(folder / "s1.jsonl")[0]["seq"] == 1


async def test_a_last_line_torn_at_any_byte_is_written_anew(file: Path) -> None:
    await open_replica(str(file)).copy(plain(1, 3))
    whole = content(file)
    start = whole[:-1].rindex(b"\n") + 1
    for length in range(start, len(whole)):
        for tail in (b"", b"\0" * 3):
            put(file, whole[:length] + tail)
            follower = open_replica(str(file))
            assert [row.seq for row in await follower.rows("s1")] == [1, 2]
            assert (await follower.position("s1")).seq == 2
            assert content(file) == whole[:start]
            await follower.copy(plain(3, 3))
            assert content(file) == whole


async def test_a_first_line_torn_is_written_anew(file: Path) -> None:
    await open_replica(str(file)).copy(plain(1, 1))
    whole = content(file)
    for length in range(len(whole)):
        put(file, whole[:length])
        await open_replica(str(file)).copy(plain(1, 1))
        assert content(file) == whole


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 6))])
async def test_a_follower_killed_at_any_moment_loses_and_doubles_nothing(file: Path, seed: int) -> None:
    all_rows = [*plain(1, 400), *plain(1, 400, "s2")]

    async def copy() -> None:
        follower = open_replica(str(file))
        for name in ("s1", "s2"):
            upto = (await follower.position(name)).seq
            missing = [row for row in all_rows if row.session_id == name and row.seq > upto]
            for first in range(0, len(missing), 10):
                await follower.copy(missing[first : first + 10])

    chance = random.Random(seed)
    for _ in range(4):
        pid = fork(copy)
        await asyncio.sleep(chance.uniform(0.01, 0.06))
        os.kill(pid, signal.SIGKILL)
        ended(pid)
        if file_is_whole(file):
            put(file, rows(LOG)[0].model_dump_json().encode()[: chance.randrange(90)], "ab")
    await copy()
    found = [row for name in ("s1", "s2") for row in await open_replica(str(file)).rows(name)]
    assert found == all_rows
    assert len(lines(file)) == len(all_rows)


async def test_processes_at_once_make_one_copy(file: Path) -> None:
    def copying(step: int) -> int:
        async def copy() -> None:
            follower = open_replica(str(file))
            for first in range(1, 200, step):
                await follower.copy(plain(first, min(first + step - 1, 200)))

        return fork(copy)

    assert [ended(pid) for pid in [copying(step) for step in (3, 7, 11)]] == [0, 0, 0]
    assert await open_replica(str(file)).rows("s1") == plain(1, 200)
    assert len(lines(file)) == 200


async def test_a_file_that_somebody_holds_for_too_long_is_named_and_copied_to_later(file: Path) -> None:
    follower = open_replica(str(file))
    await follower.copy(plain(1, 1))
    with opened(file) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(FollowerUnavailable, match=r"log\.jsonl is being written by another process"):
            await follower.copy(plain(2, 2))
    await follower.copy(plain(2, 2))
    assert (await follower.position("s1")).seq == 2


@pytest.mark.parametrize("mine", [b"mine\n", b"mine", b'{"a": 1}\n', b"[]\n", b"\n", b"\xff\n", b"{}", b"\0\n"])
async def test_a_file_that_is_no_copy_is_left_as_it_is(file: Path, mine: bytes) -> None:
    put(file, mine)
    follower = open_replica(str(file))
    with pytest.raises(SetupError, match="no copied event"):
        await follower.position("s1")
    with pytest.raises(SetupError, match="no copied event"):
        await follower.copy(plain(1, 1))
    with pytest.raises(SetupError, match="no copied event"):
        await follower.rows("s1")
    assert content(file) == mine


async def test_a_copy_with_a_foreign_line_is_left_as_it_is(file: Path) -> None:
    await open_replica(str(file)).copy(plain(1, 2))
    spoilt = content(file) + b"a note of mine\n"
    put(file, spoilt)
    with pytest.raises(SetupError, match="a note of mine"):
        await open_replica(str(file)).copy(plain(3, 3))
    assert content(file) == spoilt


async def test_a_file_that_is_moved_away_is_begun_anew(file: Path) -> None:
    follower = open_replica(str(file))
    await follower.copy(plain(1, 3))
    moved(file, f"{file}.old")
    assert (await follower.position("s1")).seq == 0
    await follower.copy(plain(1, 4))
    assert (await follower.position("s1")).seq == 4
    assert len(lines(file)) == 4


async def test_a_file_that_another_one_replaces_is_read_anew(file: Path) -> None:
    follower = open_replica(str(file))
    await follower.copy(plain(1, 3))
    other = f"{file}.other"
    await open_replica(other).copy(plain(1, 5, "s2"))
    moved(Path(other), file)
    assert ((await follower.position("s1")).seq, (await follower.position("s2")).seq) == (0, 5)


async def test_what_has_no_room_is_told_and_written_later(file: Path) -> None:
    follower = open_replica(str(file))
    await follower.copy(plain(1, 2))
    with (
        limited(len(content(file)) + 500),
        pytest.raises(FollowerUnavailable, match=r"log\.jsonl did not take it: File too large"),
    ):
        await follower.copy(plain(3, 9))
    assert len(content(file)) > len(b"".join(content(file).splitlines(keepends=True)[:2]))
    await follower.copy(plain(1, 9))
    assert await follower.rows("s1") == plain(1, 9)
    assert len(lines(file)) == 9


@pytest.mark.parametrize("place", ["file/log.jsonl", "file/", "/proc/nowhere/log.jsonl"])
async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    follower = open_replica(f"{tmp_path}/{place}" if not place.startswith("/") else place)
    with pytest.raises(SetupError, match="cannot be written"):
        await follower.copy(plain(1, 1))


@pytest.mark.parametrize("make", [make for make in NO_FILES if make is not Path.mkdir])
async def test_what_is_no_file_is_not_waited_for_as_a_copy(make: Callable[[Path], None], file: Path) -> None:
    make(file)
    with pytest.raises(SetupError, match="cannot be"):
        await open_replica(str(file)).rows("s1")
