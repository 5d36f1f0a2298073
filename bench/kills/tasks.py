"""Tasks: one that keeps its files alone, and one whose programs leave something behind."""

import asyncio
import random
from collections import Counter
from pathlib import Path

from bench.kills.killing import Found, Witness, killed

from crash.test_tasks import STEPS, Bench, of, reading, timeless
from quaestor.contracts.event import SessionFinished, ToolInterrupted
from quaestor.tools.sandbox.tiers import select_sandbox

LONGEST = 0.3
MOST = 6
PROGRAMS = 5


class Tasks:
    """A task in a home and a workspace of its own, trial by trial."""

    def __init__(self, folder: Path) -> None:
        self._sandbox = asyncio.run(select_sandbox()).sandbox
        bench = reading(folder)
        bench.finished()
        self._files = timeless(bench.files())

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        if self._sandbox is None or chance.random() < 0.5:
            return self._keeps_files(folder / "task", chance)
        return self._runs_programs(folder / "task", chance)

    def _keeps_files(self, folder: Path, chance: random.Random) -> Found:
        """Every file is at the end as it would have been without a kill."""
        bench = reading(folder)
        witness = _kill(bench, chance)
        return witness.count(bench.events(), is_same=timeless(bench.files()) == self._files)

    def _runs_programs(self, folder: Path, chance: random.Random) -> Found:
        """Every program leaves its line at most once, and none but one that was cut off leaves it out."""
        programs = [
            {"say": f"Line {number}.", "shell": f"echo {number} >> lines; sleep 0.0{number}"}
            for number in range(PROGRAMS)
        ]
        bench = Bench(folder, *STEPS[:1], *programs, *STEPS[-1:], sandbox=self._sandbox)
        (bench.workspace / "lines").touch()
        witness = _kill(bench, chance)
        events, lines = bench.events(), Counter((bench.workspace / "lines").read_text(encoding="utf-8").split())
        missing = {f"round/{number + 1}/tool" for number in range(PROGRAMS) if not lines[str(number)]}
        is_same = (
            missing <= set(bench.of(ToolInterrupted))
            and isinstance(events[-1].payload, SessionFinished)
            and events[-1].payload.statement == STEPS[-1]["done"]
            and bench.files() == of(bench.life())
        )
        return witness.count(events, is_same=is_same, twice=sum(count - 1 for count in lines.values()))


def _kill(bench: Bench, chance: random.Random) -> Witness:
    witness = Witness(bench.events())
    for _ in killed(bench.carry, chance, chance.randint(1, MOST), LONGEST):
        witness.look(bench.events())
    asyncio.run(bench.carry())
    return witness
