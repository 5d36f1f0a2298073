"""Turns, distances and pauses, in a loop whose time is skipped and therefore exact."""

import asyncio

import pytest

from fakes.time import in_no_time
from quaestor.contracts.model import Provider
from quaestor.http.errors import SlotTimeout
from quaestor.http.limits import RateLimit, Throttle


async def start_times(throttle: Throttle, requests: int, seconds: float = 0) -> list[float]:
    began = asyncio.get_running_loop().time()
    times: list[float] = []

    async def request() -> None:
        async with throttle.slot():
            times.append(asyncio.get_running_loop().time() - began)
            await asyncio.sleep(seconds)

    await asyncio.gather(*(request() for _ in range(requests)))
    return times


@in_no_time
async def test_no_more_requests_are_in_flight_than_allowed() -> None:
    times = await start_times(Throttle(in_flight=2), requests=6, seconds=10)
    assert [round(time / 10) for time in times] == [0, 0, 1, 1, 2, 2]


@in_no_time
async def test_requests_start_at_their_interval() -> None:
    times = await start_times(Throttle(in_flight=9, min_interval=5), requests=4)
    assert [round(time / 5) for time in times] == [0, 1, 2, 3]


@in_no_time
async def test_a_pause_holds_back_the_requests_that_already_wait() -> None:
    throttle = Throttle(in_flight=9)
    throttle.pause_for(10)
    waiting = asyncio.create_task(start_times(throttle, requests=2))
    await asyncio.sleep(5)
    throttle.pause_for(20)
    assert [round(time) for time in await waiting] == [25, 25]


@in_no_time
async def test_a_shorter_pause_leaves_a_longer_one() -> None:
    throttle = Throttle(in_flight=1)
    throttle.pause_for(30)
    throttle.pause_for(10)
    assert [round(time) for time in await start_times(throttle, requests=1)] == [30]


@in_no_time
async def test_a_request_that_would_wait_too_long_for_a_pause_is_refused_at_once() -> None:
    throttle, clock = Throttle(in_flight=1), asyncio.get_running_loop()
    throttle.pause_for(100)
    began = clock.time()
    with pytest.raises(SlotTimeout) as caught:
        async with throttle.slot(max_wait=50):
            pass
    assert round(caught.value.pause or 0) == 100
    assert round(clock.time() - began) == 0


@in_no_time
async def test_a_request_that_waits_too_long_for_others_gives_up_and_takes_no_slot() -> None:
    throttle = Throttle(in_flight=1)
    async with throttle.slot():
        with pytest.raises(SlotTimeout) as caught:
            async with throttle.slot(max_wait=5):
                pass
    assert caught.value.pause is None
    async with throttle.slot(max_wait=0.1):
        pass


def test_the_limits_of_a_provider_are_its_own_where_it_has_some() -> None:
    assert RateLimit.of_provider(Provider(per_minute=120, in_flight=3, backoff_seconds=2, seconds=7), 60) == RateLimit(
        min_interval=0.5, in_flight=3, backoff_seconds=2, timeout_seconds=7
    )
    assert RateLimit.of_provider(Provider(), 60).timeout_seconds == 60


@in_no_time
async def test_a_pause_that_is_too_long_is_not_waited_for_by_those_that_queue() -> None:
    throttle = Throttle(in_flight=1)
    refused: list[float | None] = []

    async def request() -> None:
        try:
            async with throttle.slot(max_pause=120):
                throttle.pause_for(3600)
        except SlotTimeout as error:
            refused.append(error.pause)

    await asyncio.gather(request(), request(), request())
    assert refused == pytest.approx([3600, 3600], abs=1)
