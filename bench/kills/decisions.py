"""Decisions: on paper, where the account is that of an undisturbed run, and at an exchange, which counts its orders."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.kills.killing import Found, Witness, killed

from crash.test_decisions import CYCLES, LATENCY, Trading, alternating, begun, check_against, results
from fakes.children import ended, fork, until
from fakes.desks import folder as desk_in
from fakes.trading import folded
from fakes.venue import NAME, Venue, placed

LONGEST = 0.3
MOST = 6


class Decisions:
    """A portfolio that trades in every cycle, trial by trial."""

    def __init__(self, folder: Path) -> None:
        desk = desk_in(folder, 0)
        self._pristine = begun(desk, alternating(desk, 2 * CYCLES))
        undisturbed = self._pristine.copied(folder / "undisturbed", None)
        asyncio.run(undisturbed.carry_on())
        self._events = undisturbed.log()

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        return self._on_paper(folder, chance) if chance.random() < 0.5 else self._at_an_exchange(folder, chance)

    def _on_paper(self, folder: Path, chance: random.Random) -> Found:
        home = self._pristine.copied(folder / "killed", None)
        witness = _kill(home, chance)
        events = home.log()
        is_same = (
            results(events) == results(self._events) and folded(events).portfolio == folded(self._events).portfolio
        )
        return witness.count(events, is_same=is_same)

    def _at_an_exchange(self, folder: Path, chance: random.Random) -> Found:
        book = folder / "book"
        with _exchange(book) as url:
            desk = desk_in(folder / "desk", 0)
            made = begun(desk, alternating(desk, CYCLES, broker='"exchange"', exchange=f'"{NAME}"'))
            home = Trading(made.folder, made.session_id, url)
            witness = _kill(home, chance)
            events = home.log()
            twice = sum(count - 1 for count in Counter(order.id for order in placed(book)).values())
            if not twice:
                check_against(book, events)
        return witness.count(events, is_same=folded(events).cycle == CYCLES, twice=twice)


def _kill(home: Trading, chance: random.Random) -> Witness:
    witness = Witness(home.log())
    for _ in killed(home.carry_on, chance, chance.randint(1, MOST), LONGEST):
        witness.look(home.log())
    if ended(fork(home.carry_on)):
        raise AssertionError("a run that nobody killed did not end well")
    return witness


@contextmanager
def _exchange(book: Path) -> Iterator[str]:
    """Run an exchange in a process of its own; yield its address."""
    port = book.with_name("port")

    async def live() -> None:
        url = await Venue(book, LATENCY).open()
        port.with_suffix(".new").write_text(url, encoding="utf-8")
        port.with_suffix(".new").rename(port)
        await asyncio.Event().wait()

    pid = fork(live)
    try:
        until(port.exists)
        yield port.read_text(encoding="utf-8")
    finally:
        os.kill(pid, signal.SIGKILL)
        ended(pid)
