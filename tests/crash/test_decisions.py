"""Kill -9 around EXECUTING: however often, there are never two orders of one decision, and the account is the same."""

import asyncio
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from crash.conftest import FragileStore, Moments, spread
from fakes.children import ended, fork
from fakes.desks import Folder, folder
from fakes.market import START
from fakes.trading import folded
from fakes.venue import NAME, PRICE, Venue, client, placed, until_more
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.contracts.event import Event, Resumed, ToolRequested, ToolResponded
from quaestor.runtime.system import SystemClock, SystemIdGenerator
from quaestor.storage.sqlite import SqliteStore
from quaestor.trading import session_tools, sessions
from quaestor.trading.contracts.market import TIMEFRAME_MS, to_epoch_ms
from quaestor.trading.exchange_broker import client_id
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.series import CandleRow

EVERY_CYCLE = '{rules = ["cross"], cross = {fast = 2, slow = 3}}'
"""Rules that trade in every cycle where prices go up and down in turn."""
LATENCY = 0.004
CYCLES = 25


@dataclass(frozen=True)
class Trading:
    """A home in which one session trades."""

    folder: Path
    session_id: str
    url: str | None = None

    def copied(self, place: Path, url: str | None) -> "Trading":
        place.mkdir(parents=True)
        shutil.copy(self.folder / DATABASE_FILE, place / DATABASE_FILE)
        return Trading(place, self.session_id, url)

    async def carry_on(self, phase: str = "", number: int = 0) -> None:
        """Carry the session on; at its `number`th append the process dies, before, during or after it."""
        async with open_home(self.folder) as q:
            assert isinstance(q.store, SqliteStore)
            store = FragileStore(q.store._database)
            store.phase, store.number = phase, number
            if self.url:
                session_tools.RECONCILE_DELAY_SECONDS = 0.02  # in the process of this test, which is killed
                url = self.url
                q._resources.connections.shared(("orders", NAME, False), lambda: client(url))
            own = Quaestor(
                store,
                store.library,
                q._resources,
                SystemClock(),
                SystemIdGenerator(),
                access=store.access,
                workers=store.workers,
                home=q.home,
            )
            result = await own.run(self.session_id)
            assert result.status == "finished"

    def log(self) -> Sequence[Event]:
        async def read() -> Sequence[Event]:
            async with open_home(self.folder) as q:
                assert await q.store.verify_chain(self.session_id) == []
                return await q.events(self.session_id)

        return asyncio.run(read())


def alternating(desk: Folder, cycles: int, **changed: str) -> Path:
    """Write candles that go up and down in turn, and a mandate that trades at every one of them."""
    first, length = to_epoch_ms(START), TIMEFRAME_MS["1h"]
    closes = [99.0 if place % 2 else 101.0 for place in range(100 + cycles)]
    desk.candles(
        "btc.csv", [CandleRow(first + place * length, close, 102, 98, close, 50) for place, close in enumerate(closes)]
    )
    return desk.mandate(strategy=EVERY_CYCLE, **changed)


def begun(desk: Folder, mandate: Path) -> Trading:
    """Return a home in which the session of a mandate was begun, and nothing more."""

    async def begin() -> str:
        async with open_home(desk.path / "home") as q:
            return await sessions.start_or_resume(q, read_mandate(mandate), backtest=True)

    return Trading(desk.path / "home", asyncio.run(begin()))


@pytest.fixture(scope="module", autouse=True)
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Trade on paper in this process: its children need not import what it has."""
    desk = folder(tmp_path_factory.mktemp("rehearsal"), 0)
    asyncio.run(begun(desk, alternating(desk, 3)).carry_on())


def check_against(book: Path, events: Sequence[Event]) -> int:
    """Compare the log with what the exchange took: one order a decision, the same account. Give the orders."""
    orders = placed(book)
    decided = {one.payload.key: one for one in events if isinstance(one.payload, ToolRequested)}
    keys = {
        client_id(f"{event.session_id}/{event.cycle}/decision")
        for key, event in decided.items()
        if key.endswith("/execute")
    }
    assert [name for name, count in Counter(order.id for order in orders).items() if count > 1] == []
    assert {order.id for order in orders} <= keys
    portfolio = folded(events).portfolio
    assert portfolio.open_orders == ()
    units = sum((one.quantity if one.side == "buy" else -one.quantity for one in orders), Decimal(0))
    assert portfolio.held("BTC/USDT") == units
    assert portfolio.cash == 10_000 - units * PRICE
    assert portfolio.cash >= 0
    return len(orders)


def around(events: Sequence[Event]) -> int:
    """Count the times that an order was in flight when its process was killed."""
    resumed = [event.payload for event in events if isinstance(event.payload, Resumed)]
    return sum(any(key.endswith("/execute") for key in one.reopened) for one in resumed)


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Return the address of an exchange in a process of its own, and the book that it keeps."""
    book, port = tmp_path / "book", tmp_path / "port"

    async def live() -> None:
        url = await Venue(book, LATENCY).open()
        port.with_suffix(".new").write_text(url, encoding="utf-8")
        port.with_suffix(".new").rename(port)
        await asyncio.Event().wait()

    pid = fork(live)
    try:
        while not port.exists():
            time.sleep(0.01)
        yield port.read_text(encoding="utf-8"), book
    finally:
        os.kill(pid, signal.SIGKILL)
        ended(pid)


@pytest.mark.parametrize("moments", spread(3))
def test_a_kill_at_an_append_makes_one_order_of_a_decision_at_an_exchange(
    tmp_path: Path, venue: tuple[str, Path], moments: Moments
) -> None:
    url, book = venue
    desk = folder(tmp_path / "desk", 0)
    pristine = begun(desk, alternating(desk, 3, broker='"exchange"', exchange=f'"{NAME}"'))

    def killed_at(number: int) -> int | None:
        """Return how often an order was in flight; None for a number behind the last append."""
        book.unlink(missing_ok=True)
        home = pristine.copied(tmp_path / f"home{number}", url)
        if ended(fork(lambda: home.carry_on(moments.phase, number))) == 0:
            return None
        assert ended(fork(home.carry_on)) == 0
        events = home.log()
        assert check_against(book, events) <= 3
        shutil.rmtree(home.folder)
        return around(events)

    tried: dict[int, int] = {}
    for number in moments:
        if (flown := killed_at(number)) is None:
            break
        tried[number] = flown
    assert number > 3
    # Which appends are next to an order depends on how they are grouped, so a sample may have none of these.
    others = (other for other in range(1, number) if other not in tried)
    assert any(tried.values()) or any(map(killed_at, others))


def killed(home: Trading, book: Path, chance: random.Random, kills: int) -> int:
    """Run a session, killing its process at most so often about the time of an order; return how often it was."""
    for number in range(kills):
        pid = fork(home.carry_on)
        if number % 2:
            until_more(book, len(placed(book)), pid)
            time.sleep(chance.uniform(0, 2 * LATENCY))
        else:
            time.sleep(chance.uniform(0.15, 0.6))
        os.kill(pid, signal.SIGKILL)
        if ended(pid) == 0:
            return number
    return kills


def kill_at_an_exchange(tmp_path: Path, venue: tuple[str, Path], kills: int) -> tuple[int, int]:
    """Kill sessions until there were so many kills; return the orders, and how many were in flight at a kill."""
    url, book = venue
    chance, number, orders, flown = random.Random(kills), 0, 0, 0
    while kills:
        book.unlink(missing_ok=True)
        number += 1
        desk = folder(tmp_path / f"desk{number}", 0)
        made = begun(desk, alternating(desk, CYCLES, broker='"exchange"', exchange=f'"{NAME}"'))
        home = Trading(made.folder, made.session_id, url)
        kills -= killed(home, book, chance, kills)
        assert ended(fork(home.carry_on)) == 0
        events = home.log()
        assert folded(events).cycle == CYCLES
        orders += check_against(book, events)
        flown += around(events)
    return orders, flown


def test_kills_about_the_time_of_an_order_make_one_order_of_a_decision(tmp_path: Path, venue: tuple[str, Path]) -> None:
    orders, flown = kill_at_an_exchange(tmp_path, venue, 6)
    assert orders >= CYCLES - 8
    assert flown >= 1


@pytest.mark.soak
def test_a_hundred_kills_about_the_time_of_an_order_make_one_order_of_a_decision(
    tmp_path: Path, venue: tuple[str, Path]
) -> None:
    _, flown = kill_at_an_exchange(tmp_path, venue, 100)
    assert flown >= 25


def results(events: Sequence[Event]) -> Mapping[str, object]:
    """Return what the paper broker gave, by the key of the run."""
    done = [event.payload for event in events if isinstance(event.payload, ToolResponded)]
    executed = [one for one in done if one.tool == "execute"]
    assert len({one.key for one in executed}) == len(executed)
    return {one.key: one.result for one in executed}


def kill_on_paper(tmp_path: Path, cycles: int, kills: int) -> int:
    """Kill a session that trades in every cycle so often; return how often an order was in flight."""
    chance = random.Random(kills)
    desk = folder(tmp_path / "desk", 0)
    pristine = begun(desk, alternating(desk, cycles))
    undisturbed = pristine.copied(tmp_path / "undisturbed", None)
    asyncio.run(undisturbed.carry_on())
    home = pristine.copied(tmp_path / "killed", None)
    for _ in range(kills):
        pid = fork(home.carry_on)
        time.sleep(chance.uniform(0.02, 0.2))
        os.kill(pid, signal.SIGKILL)
        if ended(pid) == 0:
            break
    assert ended(fork(home.carry_on)) == 0
    events, straight = home.log(), undisturbed.log()
    assert len(results(straight)) >= cycles - 1
    assert results(events) == results(straight)
    assert folded(events).portfolio == folded(straight).portfolio
    return around(events)


def test_kills_on_paper_change_no_order(tmp_path: Path) -> None:
    kill_on_paper(tmp_path, 60, 4)


@pytest.mark.soak
def test_a_hundred_kills_on_paper_change_no_order(tmp_path: Path) -> None:
    kill_on_paper(tmp_path, 1500, 100)
