import asyncio
from itertools import accumulate

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.politeness import HostThrottle


async def visit(turns: HostThrottle, host: str, log: list[str], seconds: float = 0) -> None:
    async with turns.slot(host):
        log.append(f"{host} in")
        await asyncio.sleep(seconds)
        log.append(f"{host} out")


async def test_a_host_has_one_visitor_at_a_time() -> None:
    log: list[str] = []
    turns = HostThrottle(pause=0, max_wait=5)
    await asyncio.gather(*(visit(turns, "a", log, 0.001) for _ in range(3)))
    assert log == ["a in", "a out"] * 3


async def test_a_host_that_allows_pairs_has_two_visitors_at_a_time_and_no_third() -> None:
    log: list[str] = []
    turns = HostThrottle(pause=0, max_wait=5)
    for _ in range(2):
        async with turns.slot("a") as turn:
            turn.allow_pairs()
    await asyncio.gather(*(visit(turns, "a", log, 0.001) for _ in range(4)))
    inside = list(accumulate(1 if line == "a in" else -1 for line in log))
    assert (max(inside), len(log)) == (2, 8)


async def test_hosts_do_not_wait_for_each_other() -> None:
    log: list[str] = []
    turns = HostThrottle(pause=5, max_wait=9)
    await asyncio.gather(*(visit(turns, host, log, 0.01) for host in "ab"))
    assert log == ["a in", "b in", "a out", "b out"]


async def test_between_two_visits_is_a_pause_that_a_visitor_may_lengthen() -> None:
    turns, clock = HostThrottle(pause=0.01, max_wait=5), asyncio.get_running_loop()
    async with turns.slot("a") as turn:
        turn.pause = 0.03
    left = clock.time()
    async with turns.slot("a"):
        assert clock.time() - left >= 0.029


async def test_who_waits_too_long_for_another_is_told() -> None:
    turns = HostThrottle(pause=0, max_wait=0.01)
    async with turns.slot("a"):
        with pytest.raises(ToolFailed, match=r"other pages of a took 0\.01 s; fetch it later"):
            await visit(turns, "a", [])


async def test_who_would_wait_too_long_for_a_pause_is_told_at_once() -> None:
    turns = HostThrottle(pause=0, max_wait=5)
    async with turns.slot("a") as turn:
        turn.delay(100)
    with pytest.raises(ToolFailed, match="a asks for a pause of 100 s; fetch it later"):
        await visit(turns, "a", [])


async def test_a_visit_that_fails_or_is_given_up_frees_the_host() -> None:
    turns = HostThrottle(pause=0, max_wait=5)
    with pytest.raises(ToolFailed, match="no"):
        async with turns.slot("a"):
            raise ToolFailed("no")
    waiting = asyncio.create_task(visit(turns, "a", [], 10))
    await asyncio.sleep(0)
    waiting.cancel()
    log: list[str] = []
    await visit(turns, "a", log)
    assert log == ["a in", "a out"]
