"""No barrier: a run takes as long as its critical path, whatever else is slow.

    A 0.2 s -> D 2.0 s      B 2.0 s      C 0.2 s -> E 0.2 s

The longest chain of readers takes 2.2 s; a workflow that waits for rounds would take 4 s. What the rest of the run
costs (planning, searching, writing: everything but the readers' latency) is measured with latencies of zero.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from quaestor.app import open_home

CRITICAL_SECONDS, BOUND, RUNS = 2.2, 1.05, 3
TODOS = {"A": (0.2, ()), "B": (2.0, ()), "C": (0.2, ()), "D": (2.0, ("t1",)), "E": (0.2, ("t3",))}


def script(scale: float) -> str:
    todos = ", ".join(
        f'{{task: "What is an island of kind {name}?", dependencies: [{", ".join(needs)}]}}'
        for name, (_, needs) in TODOS.items()
    )
    readers = "".join(
        f"  - {{todo: t{place}, latency: {seconds * scale}, times: 9}}\n"
        for place, (seconds, _) in enumerate(TODOS.values(), 1)
    )
    return f"planner:\n  - reply: {{todos: [{todos}]}}\nreader:\n{readers}"


async def run(scale: float) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").mkdir()
        for kind in TODOS:
            (folder / "docs" / f"{kind}.txt").write_text(f"An island of kind {kind} is an island with {kind} on it.\n")
        (folder / "script.yaml").write_text(script(scale))
        async with open_home(folder, model=f"script:{folder / 'script.yaml'}", effort="low", parallel=8) as q:
            session_id = await q.start("What kinds of islands are there?", await q.index([folder / "docs"]))
            began = time.perf_counter()
            result = await q.run(session_id)
            seconds = time.perf_counter() - began
            assert result.report is not None
            assert result.report.making.todos_done == len(TODOS)
            return seconds


def main() -> int:
    rest = statistics.median(asyncio.run(run(0)) for _ in range(RUNS))
    whole = statistics.median(asyncio.run(run(1)) for _ in range(RUNS))
    ratio = whole / CRITICAL_SECONDS
    print(
        f"five todos with a critical path of {CRITICAL_SECONDS} s took {whole:.3f} s, ratio {ratio:.3f}, bound {BOUND}"
    )
    print(f"the same run with latencies of zero took {rest:.3f} s")
    print("the bound holds" if ratio <= BOUND else "THE BOUND DOES NOT HOLD")
    return 0 if ratio <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
