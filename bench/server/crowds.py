"""Many and hostile clients at once."""

import asyncio
import contextlib
import time
from collections import Counter

import httpx2
from bench.server.target import Target, healthy

_CONNECTIONS, _SLOW = 10_000, 1_000
_SERVED = 500
"""Streams that there must be room for."""


async def crowd(target: Target, session_id: str) -> bool:
    """Open more streams than there may be; return whether some are served, the others politely refused.

    A client so busy that it connects and sends nothing for 20 seconds gets 408 instead of 503.
    """
    answers: Counter[str] = Counter()
    release, everybody = asyncio.Event(), asyncio.Event()

    async def one() -> None:
        writer: asyncio.StreamWriter | None = None
        try:
            reader, opened = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", target.port), 120)
            writer = opened
            opened.write(target.request(f"/api/v1/sessions/{session_id}/events?after=0"))
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)).decode().casefold()
            status = head.split(" ")[1]
            if status != "200" and "retry-after: " not in head:
                status = f"{status} without a time to come back"
        except (OSError, TimeoutError, IndexError, asyncio.IncompleteReadError) as error:
            status = type(error).__name__
        answers[status] += 1
        if answers.total() == _CONNECTIONS:
            everybody.set()
        if status == "200":
            await release.wait()
        if writer:
            writer.close()

    tasks = [asyncio.create_task(one()) for _ in range(_CONNECTIONS)]
    await everybody.wait()
    alive, memory = await healthy(target), target.megabytes()
    release.set()
    await asyncio.gather(*tasks)
    told = ", ".join(f"{count} {status}" for status, count in answers.most_common())
    print(f"{_CONNECTIONS:,} streams       {told}; {memory:.0f} MB; /healthz in {1000 * alive:.0f} ms")
    return answers["200"] >= _SERVED and answers.keys() <= {"200", "408", "503"}


async def slow_heads(target: Target) -> None:
    """Hoard connections, each of which sends a byte a second of a head that never ends."""
    began, alive, closed = time.perf_counter(), 0.0, 0

    async def one(number: int) -> None:
        nonlocal closed
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" if number % 2 else b""
            writer.write(whole + b"GET / HTTP/1.1\r\nHost: ")
            while time.perf_counter() - began < 35:
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(1)
                if reader.at_eof():
                    break
            else:
                return
        closed += 1

    tasks = [asyncio.create_task(one(number)) for number in range(_SLOW)]
    while time.perf_counter() - began < 30:
        await asyncio.sleep(3)
        try:
            alive = max(alive, await healthy(target))
        except (AssertionError, httpx2.HTTPError):
            alive = float("inf")
    await asyncio.gather(*tasks)
    print(f"{_SLOW:,} slow heads     {closed} closed within 30 s; /healthz in {1000 * alive:.0f} ms at the worst")
