"""What a server costs, and what many or hostile clients do to it, seen from another process.

    python bench/server [EVENTS]

EVENTS is the length of the log that is followed, a million unless named. Memory is resident memory of the server's
process, the processor that of this machine; both are given as counts and ratios where the machine decides.
"""

import asyncio
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from bench.server.crowds import crowd, slow_heads
from bench.server.homes import Home, add_admin, prepare
from bench.server.installation import describe_extra
from bench.server.readers import first_events, first_page, followers, idle, listed, pages_of
from bench.server.target import Target, serving
from bench.server.work import at_once, first_answers

from fakes.papers import write_papers

FIRST_BYTE_BOUND, ANSWER_BOUND, FOLLOWER_BOUND = 0.2, 1.0, 0.3
PAGE_BOUND = 120_000
"""Seconds, seconds, megabytes, bytes."""


async def measure(target: Target, home: Home, events: int) -> Sequence[str]:
    """Print the figures; return the bounds that were missed."""
    missed = []
    await idle(target)
    if await first_page(target) > PAGE_BOUND:
        missed.append("size of the first page")
    await listed(target)
    before = target.megabytes()
    if await pages_of(target, home, events) > FIRST_BYTE_BOUND:
        missed.append("first byte of a page")
    print(f"memory by these      {before:6.0f} MB before, {target.megabytes():.0f} MB after")
    if await first_events(target, home.research, events) > FIRST_BYTE_BOUND:
        missed.append("first event")
    if await followers(target, home.research) > FOLLOWER_BOUND:
        missed.append("memory of followers")
    if not await crowd(target, home.research):
        missed.append("polite refusals")
    await slow_heads(target)
    return missed


async def work(target: Target) -> Sequence[str]:
    """Print how soon a server that runs sessions answers, and what they cost; return the bounds that were missed."""
    missed = ["first answer of an assistant"] if await first_answers(target) > ANSWER_BOUND else []
    await at_once(target)
    return missed


def main() -> int:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    print(f"the extra `server`   {describe_extra('server')}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "home"
        home = asyncio.run(prepare(place, write_papers(Path(folder)), events))
        with serving(place, home.token, "--no-worker") as target:
            missed = asyncio.run(measure(target, home, events))
    with tempfile.TemporaryDirectory() as folder:
        place, _ = Path(folder) / "home", write_papers(Path(folder))
        with serving(place, asyncio.run(add_admin(place)), "--docs-root", folder) as target:
            missed = [*missed, *asyncio.run(work(target))]
    print(f"missed: {', '.join(missed)}" if missed else "every bound holds")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
