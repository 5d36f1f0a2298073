"""What a cycle of a decision session costs: a backtest over a walk of hourly candles, with the offline roles.

The kernel drives it over SQLite as any session; nothing is left out. Named with a number it runs so many cycles, a year
of 8,760 without; with `profile` behind it, it says where the time goes.
"""

import asyncio
import cProfile
import pstats
import random
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fakes.offline import offline_model
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.session import Session
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.lease import acquire_lease
from quaestor.runtime.system import SystemClock, current_process, is_alive
from quaestor.storage.sqlite import open_store
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, to_epoch_ms
from quaestor.trading.market.as_of import BacktestTimeline, RecordedMarket
from quaestor.trading.market.indicator_tools import RunIndicator, RunStrategyIndicators
from quaestor.trading.market.series import CandleRow, build_series
from quaestor.trading.market.snapshot_tools import GetPortfolioState, ScanMarket
from quaestor.trading.paper_broker import PaperBroker
from quaestor.trading.plugin import CODEC
from quaestor.trading.workflow import DecisionWorkflow

ASSET = "BTC/USDT"
START = datetime(2024, 1, 1, tzinfo=UTC)
WARM = 1_000
"""Candles before the first cycle, for the indicators."""


def walk(count: int) -> CandleSeries:
    steps = random.Random(7)  # noqa: S311 -- no secret
    rows, price = [], 40_000.0
    first = to_epoch_ms(START - timedelta(hours=WARM))
    for place in range(count + WARM):
        opened = price
        price = round(max(100.0, price * (1 + steps.gauss(0, 0.006))), 2)
        low, high = sorted((opened, price))
        rows.append(CandleRow(first + place * TIMEFRAME_MS["1h"], opened, high, low, price, 50.0))
    return build_series(ASSET, "1h", "a walk", rows)


async def run(cycles: int, folder: Path) -> tuple[float, float, int, int]:
    mandate = Mandate(objective="Grow the cash.", assets=(ASSET,), cash=Decimal(10_000))
    options = DecisionOptions(mandate=mandate, backtest=True)
    recorded = walk(cycles)
    course = BacktestTimeline((recorded,), "1h", start=START, end=START + timedelta(hours=cycles - 1))
    market = RecordedMarket(course.clock, (recorded,))
    indicator = RunIndicator(market)
    tools = (
        ScanMarket(market, "1h", course),
        GetPortfolioState(),
        RunStrategyIndicators(indicator),
        indicator,
        PaperBroker(mandate.costs),
    )
    store, clock = open_store(folder / "decisions.db"), SystemClock()
    started = SessionStarted(
        question=mandate.objective, workflow="decision", task_key="k", options=options.model_dump(mode="json")
    )
    first = Event(session_id="s", seq=1, cycle=1, at=clock.now(), state="SCANNING", payload=started)
    session = Session(id="s", task_key="k", workflow="decision", question=mandate.objective, created_at=clock.now())
    await store.create_session(session, [first])
    lease = await acquire_lease(store, clock, "s", owner=current_process(), ttl=timedelta(hours=1), alive=is_alive)
    journal = Journal("s", DecisionWorkflow(), store, clock, lease, codec=CODEC)
    await journal.load()
    performer = Executor(offline_model(), {tool.name: tool for tool in tools}, clock, 10, 10)
    began, cpu = time.perf_counter(), time.process_time()
    await drive(journal, performer, Limits(in_flight={"output_pass": 1, "tool_run": 1}), asyncio.Event())
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    await store.close()
    return seconds, cpu, journal.run.seq, (folder / "decisions.db").stat().st_size


def main() -> int:
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 8_760
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        if "profile" in sys.argv:
            profile.enable()
        seconds, cpu, events, size = asyncio.run(run(cycles, Path(folder)))
        profile.disable()
    if "profile" in sys.argv:
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = f"{seconds / cycles * 1e3:.2f} ms ({cpu / cycles * 1e3:.2f} CPU) and {events / cycles:.1f} events a cycle"
    print(f"{cycles:,} cycles in {seconds:.1f} s: {each}")
    print(f"{size / 1e6:.0f} MB of database, {memory:.0f} MB of memory")
    return 0 if seconds / cycles < 60 / 8_760 and memory < 500 else 1


if __name__ == "__main__":
    sys.exit(main())
