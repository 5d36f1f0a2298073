"""Processes that share the limits of a provider, each with a throttle of its own over one store."""

import asyncio

import httpx2
import pytest
from typing_extensions import override

from fakes.time import in_no_time
from quaestor.contracts.errors import StoreUnavailable
from quaestor.contracts.limits import ProviderSlot
from quaestor.contracts.model import Provider
from quaestor.http.client import HttpClient
from quaestor.http.errors import SlotTimeout
from quaestor.http.limits import RateLimit
from quaestor.http.shared_throttle import SharedThrottle


class Limits:
    """The limits of one provider in memory; every call is counted."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.paused_until = self.request_at = self.token_at = 0.0
        self.slots: set[int] = set()

    async def admit(self, provider: str, spacing: float, longest: float) -> float:
        assert provider == "a"
        self.asked.append("admit")
        start = max(self.paused_until, self.request_at, self.token_at, self._now())
        if start - self._now() <= longest:
            self.request_at = start + spacing
        return start - self._now()

    async def charge(self, provider: str, seconds: float) -> None:
        assert provider == "a"
        self.token_at = max(self.token_at, self._now()) + seconds

    async def pause(self, provider: str, seconds: float) -> None:
        assert provider == "a"
        self.paused_until = self._now() + seconds

    async def paused_for(self, provider: str) -> float:
        assert provider == "a"
        self.asked.append("paused_for")
        return max(self.paused_until - self._now(), 0.0)

    async def take_slot(self, provider: str, most: int, seconds: float) -> ProviderSlot | None:
        free = next((number for number in range(most) if number not in self.slots), None)
        if free is None:
            return None
        self.slots.add(free)
        return ProviderSlot(provider=provider, number=free, until=self._now() + seconds)

    async def release_slot(self, slot: ProviderSlot) -> None:
        self.slots.remove(slot.number)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


class Down(Limits):
    """A store that does not answer."""

    @override
    async def paused_for(self, provider: str) -> float:
        assert provider == "a"
        raise StoreUnavailable("it does not answer")


async def start_times(throttles: list[SharedThrottle], requests: int, seconds: float = 0) -> list[float]:
    began = asyncio.get_running_loop().time()
    times: list[float] = []

    async def request(throttle: SharedThrottle) -> None:
        async with throttle.slot(1_000, 60):
            times.append(asyncio.get_running_loop().time() - began)
            await asyncio.sleep(seconds)

    await asyncio.gather(*(request(throttle) for throttle in throttles for _ in range(requests)))
    return sorted(times)


def processes(limits: Limits, provider: Provider, count: int = 2) -> list[SharedThrottle]:
    return [SharedThrottle(limits, "a", provider) for _ in range(count)]


@in_no_time
async def test_processes_together_start_requests_at_the_rate_of_one() -> None:
    times = await start_times(processes(Limits(), Provider(per_minute=6)), requests=2)
    assert [round(time / 10) for time in times] == [0, 1, 2, 3]


@in_no_time
async def test_processes_together_have_no_more_in_flight_than_one() -> None:
    limits = Limits()
    times = await start_times(processes(limits, Provider(shared_in_flight=2)), requests=2, seconds=10)
    assert [round(time / 10) for time in times] == [0, 0, 1, 1]
    assert limits.slots == set()


@in_no_time
async def test_a_pause_that_one_process_is_asked_for_is_kept_by_the_other() -> None:
    first, second = processes(Limits(), Provider())
    first.pause_for(30)
    await first.close()
    assert [round(time) for time in await start_times([second], requests=1)] == [30]
    first.pause_for(5_000)
    await first.close()
    await asyncio.sleep(2)
    with pytest.raises(SlotTimeout, match="4998 s are left"):
        await start_times([second], requests=1)


@in_no_time
async def test_tokens_of_one_process_hold_the_other_back() -> None:
    first, second = processes(Limits(), Provider(tokens_per_minute=1_000))
    await start_times([first], requests=1)
    first.charge(500)
    await first.close()
    assert [round(time) for time in await start_times([second], requests=1)] == [30]


@in_no_time
async def test_a_provider_without_limits_costs_a_query_a_second_not_one_a_request() -> None:
    limits = Limits()
    throttle = SharedThrottle(limits, "a", Provider())
    await start_times([throttle], requests=50)
    assert limits.asked == ["paused_for"]
    await asyncio.sleep(1)
    await start_times([throttle], requests=50)
    assert limits.asked == ["paused_for"] * 2


async def test_a_store_that_does_not_answer_stops_no_request() -> None:
    throttle = SharedThrottle(Down(), "a", Provider())
    throttle.charge(9)
    assert len(await start_times([throttle], requests=2)) == 2


async def test_the_client_sends_nothing_while_another_process_was_asked_for_a_pause() -> None:
    limits, sent = Limits(), []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200)

    clients = [
        HttpClient(RateLimit(), httpx2.MockTransport(respond), shared=each) for each in processes(limits, Provider())
    ]
    clients[0].pause_for(500)
    await clients[0].close()
    with pytest.raises(SlotTimeout):
        async with clients[1].send("GET", httpx2.URL("http://a.example/"), {}):
            pass
    assert sent == []
