"""What market data costs: a file of candles, a look at the market, an indicator, a year of hourly cycles.

    .venv/bin/python bench/indicators.py

Made candles, one asset, 8,760 of an hour (a year) and 525,600 of a minute. Times are the best of five rounds, of this
machine and with whatever else it does.
"""

import asyncio
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Coroutine, Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fakes.market import START, rows, write_csv
from quaestor.trading.contracts.indicators import DEFAULT_PARAMETERS, Indicator, IndicatorInput
from quaestor.trading.contracts.market import CandleSeries, SnapshotInput, Timeframe, to_epoch_ms
from quaestor.trading.market.as_of import BacktestClock, RecordedMarket
from quaestor.trading.market.candle_files import load_candles
from quaestor.trading.market.indicator_tools import RunIndicator
from quaestor.trading.market.series import build_series, last_closed
from quaestor.trading.market.snapshot_tools import GetMarketSnapshot
from quaestor.trading.market.talib_indicators import compute_indicator

YEAR = 8_760
SIZES: Sequence[tuple[int, Timeframe]] = ((YEAR, "1h"), (60 * YEAR, "1m"))
CYCLE: Sequence[tuple[Indicator, Timeframe]] = (("rsi", "1h"), ("macd", "1h"), ("rsi", "4h"))
WARM_UP = 60
"""Hours until the slowest of these indicators has its first value."""
ROUNDS = 5
CALLS = 1_000
HOUR = timedelta(hours=1)
ASSET = "BTC/USDT"


def best(work: Callable[[], object], calls: int = 1) -> float:
    """Return the microseconds of one call, in the best of the rounds."""
    return min(_timed(work) for _ in range(ROUNDS)) / calls * 1e6


def _timed(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def repeated(call: Callable[[], Coroutine[None, None, object]]) -> Callable[[], None]:
    async def run() -> None:
        for _ in range(CALLS):
            await call()

    return lambda: asyncio.run(run())


def imports() -> Iterator[tuple[str, str]]:
    for name in ("numpy", "talib", "pyarrow.parquet", "ccxt.async_support"):
        program = (
            "from os import sysconf\nfrom pathlib import Path\nfrom time import process_time as now\n"
            "def resident(): return int(Path('/proc/self/statm').read_text().split()[1]) * sysconf('SC_PAGE_SIZE')\n"
            f"at, before = now(), resident()\nimport {name}\nprint(now() - at, (resident() - before) / 1e6)"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        seconds, megabytes = map(float, ran.stdout.split())
        yield f"import {name}", f"{seconds:.2f} s of CPU, {megabytes:.0f} MB"


def files(folder: Path) -> Iterator[tuple[str, str]]:
    for count, timeframe in SIZES:
        path = write_csv(folder / f"{timeframe}.csv", list(rows(count, timeframe=timeframe)))
        seconds = min(_timed(partial(load_candles, path, ASSET)) for _ in range(ROUNDS if count == YEAR else 1))
        tracemalloc.start()
        kept = load_candles(path, ASSET)
        size, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        figure = f"{seconds:.3f} s, {size / 1e6:.1f} MB kept, {peak / 1e6:.0f} MB while reading"
        yield f"CSV of {len(kept.series):,} rows", figure


def calls(series: CandleSeries) -> Iterator[tuple[str, str]]:
    clock = BacktestClock(series.closed(-1))
    market = RecordedMarket(clock, [series])
    now = clock.now()
    window = last_closed(series, to_epoch_ms(now), 200)
    snapshot, given = GetMarketSnapshot(market), SnapshotInput(as_of=now)
    yield "200 candles as of a time", f"{best(repeated(lambda: market.series(ASSET, '1h', now, 200)), CALLS):.1f} us"
    yield "get_market_snapshot, three windows", f"{best(repeated(lambda: snapshot.run(given)), CALLS):.0f} us"
    tool = RunIndicator(market)
    for indicator, parameters in DEFAULT_PARAMETERS.items():
        asked = IndicatorInput(asset=ASSET, timeframe="1h", indicator=indicator, as_of=now)
        alone = best(partial(many, partial(compute_indicator, indicator, parameters, window)), CALLS)
        whole = best(repeated(partial(tool.run, asked)), CALLS)
        yield f"{indicator}", f"{alone:.0f} us over 200 candles, {whole:.0f} us as a run of the tool"


def many(call: Callable[[], object]) -> None:
    for _ in range(CALLS):
        call()


async def year(series: CandleSeries) -> int:
    """Take every hour a snapshot and three indicators, one of them over four hours, as a cycle does."""
    clock = BacktestClock(START + WARM_UP * HOUR)
    market = RecordedMarket(clock, [series])
    snapshot, tool = GetMarketSnapshot(market), RunIndicator(market)
    for hour in range(WARM_UP, YEAR + 1):
        clock.advance_to(START + hour * HOUR)
        await snapshot.run(SnapshotInput(as_of=clock.now()))
        for indicator, timeframe in CYCLE:
            await tool.run(IndicatorInput(asset=ASSET, timeframe=timeframe, indicator=indicator, as_of=clock.now()))
    return YEAR + 1 - WARM_UP


def main() -> None:
    series = build_series(ASSET, "1h", "made", rows(YEAR))
    with tempfile.TemporaryDirectory() as folder:
        for name, figure in chain(imports(), files(Path(folder)), calls(series)):
            print(f"{name:36} {figure}")
    begun = perf_counter()
    cycles = asyncio.run(year(series))
    print(f"{f'{cycles:,} hourly cycles, four runs each':36} {perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
