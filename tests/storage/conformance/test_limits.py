"""The limits that processes share, on every store; its own clock counts, so times are compared with room."""

import asyncio

import pytest

from quaestor.contracts.limits import SharedLimits
from storage.conformance.conftest import Backend


@pytest.fixture
def limits(backend: Backend) -> SharedLimits:
    return backend.limits


async def test_requests_are_admitted_at_their_distance_and_none_is_lost(limits: SharedLimits) -> None:
    waits = await asyncio.gather(*(limits.admit("a", 100, 1_000) for _ in range(4)))
    assert [round(wait / 100) for wait in sorted(waits)] == [0, 1, 2, 3]
    assert await limits.admit("b", 100, 1_000) == 0


async def test_what_would_wait_for_too_long_reserves_nothing(limits: SharedLimits) -> None:
    await limits.admit("a", 100, 50)
    assert [round((await limits.admit("a", 100, 50)) / 100) for _ in range(3)] == [1, 1, 1]


async def test_a_pause_is_that_of_all_and_a_shorter_one_changes_nothing(limits: SharedLimits) -> None:
    assert await limits.paused_for("a") == 0
    await limits.pause("a", 500)
    await limits.pause("a", 100)
    assert 400 < await limits.paused_for("a") <= 500
    assert await limits.admit("a", 0, 50) > 400
    assert await limits.paused_for("b") == 0


async def test_tokens_that_were_used_hold_the_next_request_back(limits: SharedLimits) -> None:
    assert await limits.admit("a", 0, 60) == 0
    await limits.charge("a", 30)
    await limits.charge("a", 30)
    assert 50 < await limits.admit("a", 0, 60) <= 60


async def test_no_more_slots_are_taken_than_there_are_and_those_of_the_dead_come_back(limits: SharedLimits) -> None:
    first, second = await limits.take_slot("a", 2, 600), await limits.take_slot("a", 2, -1)
    assert first
    assert second
    assert await limits.take_slot("a", 1, 600) is None
    third = await limits.take_slot("a", 2, 600)
    assert third
    await limits.release_slot(second)  # which had expired, so its number is another's
    assert await limits.take_slot("a", 2, 600) is None
    await limits.release_slot(first)
    assert await limits.take_slot("a", 2, 600)
