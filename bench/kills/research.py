"""Research of four todos, and a second cycle of it: a follow-up question, or a new look at changed sources."""

import asyncio
import random
from pathlib import Path

from bench.kills.killing import Found, Witness, killed

from crash.conftest import Home
from crash.test_cycles import WAYS, Second, begin
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home

LONGEST = 0.3
MOST = 6


class Research:
    """The same session in a copy of its home, trial by trial."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        docs = write_papers(folder)

        async def prepare() -> str:
            async with open_home(folder, model=f"script:{folder / 'script.yaml'}", effort="low") as q:
                return await q.start(QUESTION, await q.index([docs]))

        self._homes = [Home(folder, asyncio.run(prepare()))]
        self._homes += [Second(asyncio.run(begin(folder / way, way)), folder / way).home for way in WAYS]
        undisturbed = [home.copied(folder / f"end{number}") for number, home in enumerate(self._homes)]
        for home in undisturbed:
            asyncio.run(home.carry_on())
        self._endings = [home.ending() for home in undisturbed]

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        which = chance.choice([0, 0, 0, 1, 2])
        home = self._homes[which].copied(folder / "home")
        witness = Witness(home.events())
        for _ in killed(home.carry_on, chance, chance.randint(1, MOST), LONGEST):
            witness.look(home.events())
        asyncio.run(home.carry_on())
        return witness.count(home.events(), is_same=home.ending() == self._endings[which])
