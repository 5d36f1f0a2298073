"""What every follower does, whatever its target."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from quaestor.contracts.follower import Follower, row_to_event
from quaestor.storage.followers.mongo_documents import MAX_DOCUMENT_CHARACTERS
from storage.followers.samples import LOG, event, plain, rows

Open = Callable[[], Follower]

NAMES = [
    "s1",
    "S1",
    "../s1",
    "a/b",
    "s1:2",
    "s:1",
    "",
    " ",
    ".",
    "..",
    "%2e",
    "$s",
    "a.b",
    "Ærø 日本",
    "a\0b",
    "x" * 80,
]


async def seqs(follower: Follower, name: str = "s1") -> list[int]:
    return [row.seq for row in await follower.rows(name)]


async def test_an_empty_target_has_nothing(follower: Follower) -> None:
    assert await follower.position("s1") == 0
    assert await follower.rows("s1") == []


async def test_rows_come_back_as_they_were(follower: Follower) -> None:
    await follower.copy(rows(LOG))
    found = await follower.rows("s1")
    assert found == rows(LOG)
    assert [row.model_dump_json() for row in found] == [row.model_dump_json() for row in rows(LOG)]
    assert await follower.position("s1") == len(LOG)


async def test_the_events_of_the_log_are_had_from_the_copy_alone(opened: Open) -> None:
    await opened().copy(rows(LOG))
    found = [row_to_event(row) for row in await opened().rows("s1")]
    assert found == LOG
    assert [each.model_dump_json() for each in found] == [each.model_dump_json() for each in LOG]


async def test_the_target_itself_knows_how_far_it_is(opened: Open) -> None:
    await opened().copy(plain(1, 3))
    again = opened()
    assert await again.position("s1") == 3
    await again.copy(plain(4, 5))
    assert await opened().position("s1") == 5


async def test_what_is_there_is_not_there_twice(opened: Open) -> None:
    first, second = opened(), opened()
    await first.copy(plain(1, 4))
    await second.copy(plain(3, 6))
    await first.copy(plain(1, 7))
    await first.copy([])
    assert await seqs(opened()) == [1, 2, 3, 4, 5, 6, 7]


async def test_two_followers_at_once_make_one_copy(opened: Open) -> None:
    async def copy(follower: Follower, step: int) -> None:
        for first in range(1, 40, step):
            await follower.copy(plain(first, min(first + step - 1, 40)))

    await asyncio.gather(copy(opened(), 7), copy(opened(), 10))
    assert await opened().rows("s1") == plain(1, 40)
    assert await opened().position("s1") == 40


async def test_sessions_are_kept_apart(follower: Follower) -> None:
    for length, name in enumerate(NAMES, 1):
        await follower.copy(plain(1, length, name))
    for length, name in enumerate(NAMES, 1):
        assert await follower.position(name) == length
        assert await follower.rows(name) == plain(1, length, name)


async def test_rows_of_several_sessions_are_copied_together(follower: Follower) -> None:
    await follower.copy([*plain(1, 2, "s1"), *plain(1, 3, "s2")])
    assert (await follower.position("s1"), await follower.position("s2")) == (2, 3)


async def test_a_position_has_nothing_missing_before_it(opened: Open) -> None:
    await opened().copy(plain(1, 3))
    await opened().copy(plain(6, 8))
    assert await opened().position("s1") == 3
    await opened().copy(plain(4, 9))
    assert await opened().position("s1") == 9
    assert await opened().rows("s1") == plain(1, 9)


async def test_a_copy_that_lacks_its_beginning_is_at_its_beginning(opened: Open) -> None:
    await opened().copy(plain(2, 3))
    assert await opened().position("s1") == 0


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [(0, None, [1, 2, 3, 4]), (2, None, [3, 4]), (1, 2, [2, 3]), (3, 1, [4]), (4, None, []), (9, 5, [])],
)
async def test_rows_are_had_from_anywhere_on(
    follower: Follower, after: int, limit: int | None, expected: Sequence[int]
) -> None:
    await follower.copy(plain(1, 4))
    assert [row.seq for row in await follower.rows("s1", after, limit)] == expected


async def test_many_rows_are_copied_at_once(follower: Follower) -> None:
    await follower.copy(plain(1, 130))
    await follower.copy(plain(1, 130))
    assert await follower.position("s1") == 130


async def test_a_payload_may_be_longer_than_any_document(opened: Open) -> None:
    long = rows([event(1), event(2, "日本語" * 2_000_000), event(3, {"just": "x" * MAX_DOCUMENT_CHARACTERS}), event(4)])
    assert len(str(long[1].payload).encode()) > 16 * 2**20
    await opened().copy(long)
    await opened().copy(long)
    assert await opened().rows("s1") == long
    assert await opened().position("s1") == 4
