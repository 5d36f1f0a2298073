"""What every follower does, whatever its target."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from quaestor.contracts.follower import Follower, Replica, ReplicaRow, event_to_row, row_to_event
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


async def holds(follower: Follower, expected: Sequence[ReplicaRow], name: str = "s1") -> None:
    """Check that a target has exactly these rows of a session."""
    last = expected[-1] if expected else None
    assert await follower.position(name) == (len(expected), last and last.hash)
    if isinstance(follower, Replica):
        assert await follower.rows(name) == expected


async def test_an_empty_target_has_nothing(follower: Follower) -> None:
    await holds(follower, [])


async def test_a_position_has_the_hash_of_its_event(opened: Open) -> None:
    await opened().copy([event_to_row(event(seq), f"{seq:064x}") for seq in range(1, 4)])
    assert await opened().position("s1") == (3, f"{3:064x}")


async def test_hard_rows_are_copied(opened: Open) -> None:
    await opened().copy(rows(LOG))
    await holds(opened(), rows(LOG))


async def test_rows_come_back_as_they_were(replica: Replica) -> None:
    await replica.copy(rows(LOG))
    found = await replica.rows("s1")
    assert [row.model_dump_json() for row in found] == [row.model_dump_json() for row in rows(LOG)]


async def test_the_events_of_the_log_are_had_from_the_copy_alone(reopened: Callable[[], Replica]) -> None:
    await reopened().copy(rows(LOG))
    found = [row_to_event(row) for row in await reopened().rows("s1")]
    assert found == LOG
    assert [each.model_dump_json() for each in found] == [each.model_dump_json() for each in LOG]


async def test_the_target_itself_knows_how_far_it_is(opened: Open) -> None:
    await opened().copy(plain(1, 3))
    again = opened()
    assert (await again.position("s1")).seq == 3
    await again.copy(plain(4, 5))
    assert (await opened().position("s1")).seq == 5


async def test_what_is_there_is_not_there_twice(opened: Open) -> None:
    first, second = opened(), opened()
    await first.copy(plain(1, 4))
    await second.copy(plain(3, 6))
    await first.copy(plain(1, 7))
    await first.copy([])
    await holds(opened(), plain(1, 7))


async def test_two_followers_at_once_make_one_copy(opened: Open) -> None:
    async def copy(follower: Follower, step: int) -> None:
        for first in range(1, 40, step):
            await follower.copy(plain(first, min(first + step - 1, 40)))

    await asyncio.gather(copy(opened(), 7), copy(opened(), 10))
    await holds(opened(), plain(1, 40))


async def test_sessions_are_kept_apart(follower: Follower) -> None:
    for length, name in enumerate(NAMES, 1):
        await follower.copy(plain(1, length, name))
    for length, name in enumerate(NAMES, 1):
        await holds(follower, plain(1, length, name), name)


async def test_rows_of_several_sessions_are_copied_together(follower: Follower) -> None:
    await follower.copy([*plain(1, 2, "s1"), *plain(1, 3, "s2")])
    assert ((await follower.position("s1")).seq, (await follower.position("s2")).seq) == (2, 3)


async def test_a_position_has_nothing_missing_before_it(opened: Open) -> None:
    await opened().copy(plain(1, 3))
    await opened().copy(plain(6, 8))
    assert (await opened().position("s1")).seq == 3
    await opened().copy(plain(4, 9))
    await holds(opened(), plain(1, 9))


async def test_a_copy_that_lacks_its_beginning_is_at_its_beginning(opened: Open) -> None:
    await opened().copy(plain(2, 3))
    assert (await opened().position("s1")).seq == 0


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [(0, None, [1, 2, 3, 4]), (2, None, [3, 4]), (1, 2, [2, 3]), (3, 1, [4]), (4, None, []), (9, 5, [])],
)
async def test_rows_are_had_from_anywhere_on(
    replica: Replica, after: int, limit: int | None, expected: Sequence[int]
) -> None:
    await replica.copy(plain(1, 4))
    assert [row.seq for row in await replica.rows("s1", after, limit)] == expected


async def test_many_rows_are_copied_at_once(follower: Follower) -> None:
    await follower.copy(plain(1, 130))
    await follower.copy(plain(1, 130))
    assert (await follower.position("s1")).seq == 130


async def test_a_payload_may_be_longer_than_any_document(opened: Open) -> None:
    long = rows([event(1), event(2, "日本語" * 2_000_000), event(3, {"just": "x" * MAX_DOCUMENT_CHARACTERS}), event(4)])
    assert len(str(long[1].payload).encode()) > 16 * 2**20
    await opened().copy(long)
    await opened().copy(long)
    await holds(opened(), long)
