"""How long a sandbox takes to start a command, and to be chosen: `python bench/sandbox.py [RUNS]`.

A run is `true`, from the call to the answer: namespaces, launcher, command, and the wait until nothing lives. In the
tier of snippets it is the snippet `1`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from quaestor.contracts.sandbox import ResourceLimits
from quaestor.tools.sandbox import SnippetRunner, launcher_process, select_sandbox
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox, probe_sandbox

BOUND_MS = 100
ALLOWED = ResourceLimits()


async def timed(start: Callable[[], Awaitable[object]], runs: int) -> tuple[float, float]:
    """Return the median and the 95th percentile of some runs, in milliseconds; a first one is not counted."""
    took = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        await start()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took[1:]), statistics.quantiles(took[1:], n=20)[-1]


async def main(runs: int) -> bool:
    python = launcher_process.host_interpreter()
    within = True
    with tempfile.TemporaryDirectory() as folder:
        for sandbox in (BubblewrapSandbox(python), LauncherSandbox(python)):
            if flaw := await probe_sandbox(sandbox, python):
                print(f"{sandbox.name:12} off: {flaw}")
                continue
            start = partial(sandbox.run, ("true",), Path(folder), b"", ALLOWED)
            median, late = await timed(start, runs)
            within = within and late < BOUND_MS
            print(f"{sandbox.name:12} p50 {median:6.1f} ms   p95 {late:6.1f} ms")
    median, late = await timed(partial(SnippetRunner().run, "1", ALLOWED), runs)
    within = within and late < BOUND_MS
    print(f"{'glue':12} p50 {median:6.1f} ms   p95 {late:6.1f} ms")
    began = time.perf_counter()
    choice = await select_sandbox()
    print(f"self-test    {(time.perf_counter() - began) * 1000:6.0f} ms, chosen: {choice.standing.tier}")
    return within


if __name__ == "__main__":
    sys.exit(not asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)))
