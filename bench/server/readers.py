"""What readers of long logs wait for, and what they cost."""

import asyncio
import contextlib
import re
import time

from bench.server.homes import LISTED, Home
from bench.server.target import Target, first_byte, healthy, opened

_FOLLOWERS = 500


async def idle(target: Target) -> None:
    await healthy(target)
    before, seconds = target.cpu_seconds(), 10
    await asyncio.sleep(seconds)
    share = (target.cpu_seconds() - before) / seconds
    print(f"idle                 {target.megabytes():6.0f} MB, {share:.2%} of a core")


async def listed(target: Target) -> None:
    async with target.client() as client:
        await client.get("/api/v1/sessions")
        began = time.perf_counter()
        answer = await client.get("/api/v1/sessions", params={"limit": LISTED})
        seconds = time.perf_counter() - began
        assert len(answer.json()["sessions"]) == LISTED
        print(f"{LISTED} sessions a page  {len(answer.content) / 1000:6.0f} kB in {1000 * seconds:.0f} ms")


async def first_page(target: Target) -> int:
    """Print the bytes that a browser transfers for the first page; return them."""
    async with target.client() as client:
        page = await client.get("/", headers={"Accept": "text/html"})
        paths = sorted(set(re.findall(r"/assets/[^\"']+", page.text)))
        sizes = {path: len((await client.get(path)).content) for path in paths}
    size = len(page.content) + sum(sizes.values())
    print(
        f"the first page       {size / 1000:6.0f} kB, {len(paths)} files and {len(page.content) / 1000:.0f} kB of HTML"
    )
    return size


async def pages_of(target: Target, home: Home, events: int) -> float:
    """Print the seconds until the first byte of each page of the long sessions, cold; return the longest."""
    longest = 0.0
    paths = (
        *("", "/live", "/plan", "/report", "/work", "/inside", f"/inside?after={events - 50}", "/inside?type=paused"),
        "/inside/spend",
    )
    for path in (
        *(f"/sessions/{home.research}{each}" for each in paths),
        *(f"/api/v1/sessions/{home.research}", f"/v1/responses/resp_{home.research}_0"),
        *(f"/sessions/{home.decisions}{each}" for each in ("/work", "")),
    ):
        cpu = target.cpu_seconds()
        seconds = await first_byte(target, path)
        longest = max(longest, seconds)
        spent = 1000 * (target.cpu_seconds() - cpu)
        named = path.replace(home.research, "ID").replace(home.decisions, "DECISIONS")
        print(f"first byte           {1000 * seconds:6.0f} ms, {spent:3.0f} ms of CPU {named}")
    return longest


async def first_events(target: Target, session_id: str, events: int) -> float:
    """Print the seconds until the first event behind some places of a log, where nobody was before."""
    path, longest = f"/api/v1/sessions/{session_id}/events", 0.0
    for name, after in (("begin", 0), ("middle", events // 2 - 10), ("end", events - 10)):
        cpu = target.cpu_seconds()
        async with opened(target, f"{path}?after={after}") as (_, seconds):
            longest = max(longest, seconds)
            spent = 1000 * (target.cpu_seconds() - cpu)
            print(f"first event, {name:<7} {1000 * seconds:6.0f} ms, {spent:3.0f} ms of CPU in a log of {events:,}")
    return longest


async def followers(target: Target, session_id: str) -> float:
    """Let many readers follow one session, who read only the first of it; return the megabytes of each."""
    before, path = target.megabytes(), f"/api/v1/sessions/{session_id}/events"
    async with contextlib.AsyncExitStack() as stack:
        took = [(await stack.enter_async_context(opened(target, path)))[1] for _ in range(_FOLLOWERS)]
        await asyncio.sleep(5)
        after, alive = target.megabytes(), await healthy(target)
    late = sorted(took)[int(0.99 * len(took))]
    print(
        f"{_FOLLOWERS} slow followers   {after:6.0f} MB, before {before:.0f}; first event p99 {1000 * late:.0f} ms; "
        f"/healthz in {1000 * alive:.0f} ms"
    )
    return (after - before) / _FOLLOWERS
