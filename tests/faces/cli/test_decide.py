import json
import re
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faces.cli.conftest import Quaestor
from faces.cli.processes import started, until
from fakes.desks import Folder, folder, just_closed
from fakes.time import ManualClock
from quaestor.app import open_home
from quaestor.contracts.errors import EXIT_BUDGET_REACHED, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_WAITING, UsageError
from quaestor.faces.cli.terminal import CliTerminal
from quaestor.trading import sessions
from quaestor.trading.commands.cycles import CLOSE_DELAY, decide, next_close, run_on_schedule
from quaestor.trading.contracts.market import TIMEFRAME_MS, Timeframe, to_epoch_ms
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.series import CandleRow
from quaestor.trading.sessions import open_next_cycle

frames: st.SearchStrategy[Timeframe] = st.sampled_from(tuple(TIMEFRAME_MS))
moments = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001 -- made aware here


def cycles(*codes: int) -> tuple[Callable[[], Awaitable[int]], list[int]]:
    left = list(codes)

    async def once() -> int:
        return left.pop(0)

    return once, left


@given(moments, frames)
def test_a_cycle_comes_at_the_next_close(now: datetime, every: Timeframe) -> None:
    at, length = next_close(now, every), timedelta(milliseconds=TIMEFRAME_MS[every])
    assert now < at <= now + length
    assert next_close(at - timedelta(milliseconds=1), every) == at
    assert next_close(at, every) == at + length


def test_hours_begin_on_the_hour_and_weeks_on_monday() -> None:
    now = datetime(2024, 5, 3, 14, 20, tzinfo=UTC)
    assert next_close(now, "1h") == datetime(2024, 5, 3, 15, tzinfo=UTC)
    assert next_close(now, "1w") == datetime(2024, 5, 6, tzinfo=UTC)


async def test_without_a_schedule_there_is_one_cycle() -> None:
    once, left = cycles(0, 0)
    assert await run_on_schedule(once, None, ManualClock(), print) == 0
    assert left == [0]


@pytest.mark.parametrize("last", [EXIT_WAITING, EXIT_INTERRUPTED, EXIT_BUDGET_REACHED])
async def test_a_schedule_goes_on_after_what_failed_and_not_after_what_waits(last: int) -> None:
    clock, slept = ManualClock(), list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.advance(seconds)

    once, left = cycles(0, EXIT_FAILED, 0, last, 0)
    assert await run_on_schedule(once, "1h", clock, print, sleep) == last
    assert left == [0]
    assert slept[0] == pytest.approx(3600 + CLOSE_DELAY.total_seconds(), abs=0.1)
    assert slept[1:] == pytest.approx([3600, 3600], abs=0.1)


async def test_a_decision_is_about_a_mandate_or_a_session(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name what is traded"):
        await decide(terminal=CliTerminal(tmp_path))
    with pytest.raises(UsageError, match="name what is traded"):
        await decide("s1", mandate=tmp_path / "m.toml", terminal=CliTerminal(tmp_path))


RISING = '{rules = ["cross"], cross = {fast = 2, slow = 3}}'


@pytest.fixture
def desk(tmp_path: Path) -> Folder:
    """Return a folder whose candles rise, and a mandate that therefore buys at once."""
    made = folder(tmp_path / "desk", 0)
    hour = TIMEFRAME_MS["1h"]
    first = to_epoch_ms(just_closed(50))
    made.candles("btc.csv", [CandleRow(first + n * hour, n + 99, n + 101, n + 98, n + 100, 50) for n in range(50)])
    made.mandate(start="", strategy=RISING)
    return made


def cycles_of(quaestor: Quaestor, session: str) -> list[DecisionCycle]:
    ended = quaestor("cycles", session, "--json")
    return [DecisionCycle.model_validate_json(line) for line in ended.out.splitlines()]


def test_the_same_mandate_goes_on_with_its_portfolio_and_memory(quaestor: Quaestor, desk: Folder) -> None:
    once = quaestor("decide", "--mandate", desk.path / "m.toml")
    assert once.code == 0, once.err
    assert re.search(r"\n +1  \d{4}-\d\d-\d\d \d\d:\d\d +bullish +buy [\d.]+ BTC/USDT +passed +executed ", once.err)
    twice = quaestor("decide", "--mandate", desk.path / "m.toml")
    assert (twice.code, twice.session) == (0, once.session)
    assert re.search(r"\n +2  .* bullish +hold +passed +skipped ", twice.err)
    first, second = cycles_of(quaestor, once.session)
    assert first.execution
    assert first.execution.fill
    assert second.market
    assert second.market.portfolio.held("BTC/USDT") == first.execution.fill.quantity
    printed = quaestor("events", once.session, "--type", "model_requested", "--cycle", "2", "--json").out
    asked = [json.loads(line)["payload"] for line in printed.splitlines()]
    told = {one["role"]: "\n".join(one["given"].get("memory", ())) for one in asked}
    assert "Next step: Ask again, after bullish" in told["strategist"]
    assert "buy " in told["portfolio_manager"]
    assert told["quant"] == ""


def test_a_session_goes_on_by_its_name_and_another_mandate_is_another_session(quaestor: Quaestor, desk: Folder) -> None:
    session = quaestor("decide", "--mandate", desk.path / "m.toml").session
    assert {quaestor("decide", name).session for name in (session, session[-6:], "last")} == {session}
    assert len(cycles_of(quaestor, session)) == 4
    other = desk.mandate("other.toml", start="", strategy=RISING, objective='"Keep the cash."')
    assert quaestor("decide", "--mandate", other).session != session
    assert quaestor("decide", "--mandate", desk.path / "m.toml").session == session


def test_a_changed_mandate_does_not_begin_with_fresh_cash_while_a_portfolio_runs(
    quaestor: Quaestor, desk: Folder
) -> None:
    session = quaestor("decide", "--mandate", desk.path / "m.toml").session
    changed = desk.mandate("m.toml", start="", strategy=RISING, cash="500", constraints="{max_cash_pct = 10}")
    refused = quaestor("decide", "--mandate", changed)
    assert refused.code == 2
    assert f"session {session} has a portfolio under another version of this mandate (cash, constraints)" in refused.err
    assert "begin with 500 USD" in refused.err
    assert quaestor("decide", session).code == 0
    anew = desk.mandate("m.toml", start="", strategy=RISING, cash="500", objective='"Begin anew."')
    assert quaestor("decide", "--mandate", anew).session != session


def test_a_changed_mandate_of_which_nothing_was_traded_begins_anew(quaestor: Quaestor, desk: Folder) -> None:
    still = desk.mandate(start="", strategy=RISING, constraints="{max_cash_pct = 0}")
    session = quaestor("decide", "--mandate", still).session
    ended = quaestor("decide", "--mandate", desk.mandate(start="", strategy=RISING, cash="500"))
    assert ended.code == 0
    assert ended.session != session


@pytest.mark.parametrize(("hours", "code"), [(1, "passed"), (4, "stale"), (34 * 720, "stale")])
def test_nothing_is_traded_at_the_prices_of_a_feed_that_has_stopped(
    quaestor: Quaestor, desk: Folder, hours: int, code: str
) -> None:
    hour = TIMEFRAME_MS["1h"]
    first = to_epoch_ms(just_closed(49 + hours))
    desk.candles("btc.csv", [CandleRow(first + n * hour, n + 99, n + 101, n + 98, n + 100, 50) for n in range(50)])
    ended = quaestor("decide", "--mandate", desk.path / "m.toml")
    [cycle] = cycles_of(quaestor, ended.session)
    assert cycle.execution
    assert cycle.execution.status == ("executed" if code == "passed" else "rejected")
    assert code in ended.err
    assert ("Nothing could be ordered: the price of BTC/USDT is stale" in ended.out) == (code == "stale")
    assert bool(quaestor("cycles", ended.session, "--rule", "stale").out.splitlines()[1:]) == (code == "stale")


def test_a_cycle_that_failed_does_not_end_with_0(quaestor: Quaestor, desk: Folder, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("strategist: [{fault: garbage, times: 9}]", encoding="utf-8")
    ended = quaestor("decide", "--mandate", desk.path / "m.toml", "--model", f"script:{script}")
    assert ended.code == EXIT_FAILED
    assert "The cycle failed: no usable TradePlan" in ended.err
    assert quaestor("decide", ended.session).session == ended.session


def test_a_mandate_with_blank_lines_in_its_objective_goes_on_too(quaestor: Quaestor, desk: Folder) -> None:
    mandate = desk.mandate(start="", objective='"""Grow the cash.\n\n  Slowly."""')
    session = quaestor("decide", "--mandate", mandate).session
    assert quaestor("decide", "--mandate", mandate).session == session


def test_a_backtest_does_not_go_on_by_hand_after_its_end(quaestor: Quaestor, desk: Folder) -> None:
    session = quaestor("backtest", "--mandate", desk.path / "m.toml").session
    ended = quaestor("decide", session)
    assert ended.code == 2
    assert "the backtest is at the end of its candles" in ended.err


def test_a_live_order_waits_for_a_person_and_is_not_sent_when_refused(
    quaestor: Quaestor, desk: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRAKEN_API_KEY", "k")
    monkeypatch.setenv("KRAKEN_API_SECRET", "secret")
    mandate = desk.mandate(start="", strategy=RISING, broker='"exchange"', exchange='"kraken"', live="true")
    ended = quaestor("decide", "--mandate", mandate)
    assert ended.code == EXIT_WAITING
    assert re.search(r"  buy [\d.]+ BTC/USDT at the market's price, with real money\?", ended.err)
    assert f"quaestor answer {ended.session}" in ended.err
    assert f"{ended.session}  waits for an answer" in quaestor("ps").out
    assert quaestor("decide", "--mandate", mandate).code == EXIT_WAITING
    assert [cycle.execution for cycle in cycles_of(quaestor, ended.session)] == [None]
    answered = quaestor("answer", ended.session, "no, too dear")
    assert answered.code == 0, answered.err
    [cycle] = cycles_of(quaestor, ended.session)
    assert cycle.execution
    assert (cycle.execution.status, cycle.execution.detail) == ("rejected", "a person refused it")
    assert "tool_requested" not in quaestor("events", ended.session, "--state", "EXECUTING").out


def test_live_orders_need_keys(quaestor: Quaestor, desk: Folder) -> None:
    ended = quaestor("decide", "--mandate", desk.mandate(start="", broker='"exchange"', exchange='"kraken"'))
    assert ended.code == 3
    assert "set KRAKEN_API_KEY and KRAKEN_API_SECRET" in ended.err


def test_the_budget_ends_a_cycle_without_a_trade(
    quaestor: Quaestor, desk: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAESTOR_MAX_TOOL_CALLS", "1")
    ended = quaestor("decide", "--mandate", desk.path / "m.toml", "--every", "1h")
    assert ended.code == EXIT_BUDGET_REACHED
    [cycle] = cycles_of(quaestor, ended.session)
    assert cycle.trades == ()
    assert "finished: partial" in quaestor("ps").out


def test_the_stream_of_a_cycle_is_json_lines(quaestor: Quaestor, desk: Folder) -> None:
    ended = quaestor("decide", "--mandate", desk.path / "m.toml", "--json")
    assert ended.code == 0, ended.err
    assert all(json.loads(line)["type"] for line in ended.out.splitlines())


def test_a_schedule_is_left_with_ctrl_c_while_it_waits(quaestor: Quaestor, home: Path, desk: Folder) -> None:
    with started(home, "decide", "--mandate", desk.path / "m.toml", "--every", "1w") as process:
        session = until(process, "session ").split()[1]
        until(process, "the next cycle is at ")
        assert re.search(rf"{session}  finished: done  \S+ +1 cycle", quaestor("ps").out)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in err
    assert quaestor("decide", session).code == 0
    assert len(cycles_of(quaestor, session)) == 2


@pytest.mark.parametrize("line", ["scanning", "deciding", "done"])
def test_a_schedule_is_left_with_ctrl_c_wherever_its_cycle_is(home: Path, desk: Folder, line: str) -> None:
    with started(home, "decide", "--mandate", desk.path / "m.toml", "--every", "1w") as process:
        until(process, line)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in err


async def test_on_a_schedule_every_cycle_is_one_more_of_the_same_session(desk: Folder, home: Path) -> None:
    clock, codes = ManualClock(), list[int]()

    async def sleep(seconds: float) -> None:
        clock.advance(seconds)

    async with open_home(home) as q:
        session_id = await sessions.start_or_resume(q, read_mandate(desk.path / "m.toml"), backtest=False)

        async def once() -> int:
            if len(codes) == 3:
                return EXIT_INTERRUPTED
            await open_next_cycle(q, session_id)
            codes.append(0 if (await q.run(session_id)).outcome == "done" else EXIT_FAILED)
            return codes[-1]

        assert await run_on_schedule(once, "1h", clock, print, sleep) == EXIT_INTERRUPTED
        assert [cycle.number async for cycle in sessions.read_cycles(q.read_events(session_id))] == [1, 2, 3]
    assert codes == [0, 0, 0]
