"""Backtests through the whole program: what they say, what they refuse, and that they can be interrupted anywhere."""

import json
import re
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Prepare, Quaestor
from faces.cli.processes import started, until
from fakes.desks import WARM, Folder, folder
from fakes.market import rows
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.performance.reports import ResultsData
from quaestor.trading.plugin import CODEC

CYCLES = 30
LONG = 120
"""Cycles that are not over by the time a signal arrives after the first."""


@pytest.fixture
def desk(tmp_path: Path) -> Folder:
    return folder(tmp_path / "desk", CYCLES)


def _write_desk(place: Path) -> None:
    folder(place / "desk", CYCLES)


@pytest.fixture
def traded(prepare: Prepare) -> Ended:
    """Return a backtest that went to its end."""
    ended = prepare("backtest", "--mandate", "FOLDER/desk/m.toml", files=_write_desk)
    assert ended.code == 0, ended.err
    return ended


def results(ended: Ended) -> ResultsData:
    return ResultsData.model_validate_json(ended.out)


def curve(quaestor: Quaestor, session: str) -> list[tuple[str, str, str]]:
    """Return time, worth and action of every cycle."""
    ended = quaestor("cycles", session, "--json")
    assert ended.code == 0, ended.err
    cycles = [DecisionCycle.model_validate_json(line) for line in ended.out.splitlines()]
    assert [cycle.number for cycle in cycles] == list(range(1, len(cycles) + 1))
    return [
        (cycle.market.at.isoformat(), str(cycle.market.equity), cycle.decision.action)
        for cycle in cycles
        if cycle.market and cycle.decision
    ]


def test_a_mandate_is_carried_out_to_the_last_candle(quaestor: Quaestor, traded: Ended) -> None:
    ended = traded
    assert ended.out.startswith(
        "# Grow the cash.\n\nFrom 2025-01-05 05:00 to 2025-01-06 10:00 UTC 10,000.00 USD became"
    )
    assert "| Sharpe ratio, a year |" in ended.out
    assert re.search(r"- \*\*Candles:\*\* 1h from btc\.csv\\@[0-9a-f]{12}\n", ended.out)
    assert "cycle 1: 2025-01-05 05:00 UTC, worth 10,000.00" in ended.err
    assert f"{CYCLES} cycles, " in ended.err
    told = curve(quaestor, ended.session)
    assert len(told) == CYCLES
    assert {"buy", "sell", "hold"} == {action for _, _, action in told}
    assert quaestor("verify", ended.session).code == 0


@pytest.mark.parametrize("part", [slice(0, 15), slice(-6, None)])
def test_a_backtest_is_named_by_a_part_of_its_id_or_as_the_newest(
    quaestor: Quaestor, traded: Ended, part: slice
) -> None:
    by_id = quaestor("backtest", traded.session)
    assert (by_id.code, by_id.out) == (0, traded.out)
    assert quaestor("backtest", traded.session[part]) == quaestor("backtest", "last") == by_id


def test_rules_make_no_tool_passes(quaestor: Quaestor, desk: Folder) -> None:
    session = quaestor("backtest", "--mandate", desk.path / "m.toml", "--to", "2025-01-05T07:00:00").session
    events = [CODEC.parse_event(line) for line in quaestor("events", session, "--json").out.splitlines()]
    assert {event.cycle for event in events} == {1, 2, 3}
    assert [event.type for event in events if event.type == "tools_chosen"] == []
    assert all(event.session_id == session and event.state for event in events)
    assert all(before.at <= after.at for before, after in pairwise(events))


def test_the_events_of_one_cycle_tell_its_decision(quaestor: Quaestor, traded: Ended) -> None:
    session = traded.session
    bought = quaestor("cycles", session, "--json", "--action", "buy").out.splitlines()[0]
    wanted = DecisionCycle.model_validate_json(bought)
    printed = quaestor("events", session, "--cycle", str(wanted.number), "--json").out
    events = [json.loads(line) for line in printed.splitlines()]
    assert {(event["session_id"], event["cycle"]) for event in events} == {(session, wanted.number)}
    assert {event["state"] for event in events} == {
        "SCANNING", "PLANNING", "ANALYZING", "DECIDING", "VALIDATING_DECISION", "EXECUTING", "MEMORIZING",
    }  # fmt: skip
    told = {event["payload"]["contract"]: event["payload"] for event in events if event["payload"].get("contract")}
    assert wanted.decision
    assert wanted.validation
    assert told["PortfolioDecision"]["output"] == wanted.decision.model_dump(mode="json")
    assert told["DecisionValidation"]["value"] == wanted.validation.model_dump(mode="json")
    lines = quaestor("events", session, "--cycle", str(wanted.number), "--state", "EXECUTING").out.splitlines()
    assert [line.split()[3] for line in lines] == ["state_entered", "tool_requested", "tool_responded"]
    refused = quaestor("events", session, "--state", "READING")
    assert refused.code == 2
    assert "it is one of: ANALYZING, DECIDING" in refused.err


def test_a_copy_of_the_log_tells_the_same_cycle_and_its_decision_alone(
    quaestor: Quaestor, traded: Ended, tmp_path: Path
) -> None:
    session = traded.session
    copy = f"jsonl:{tmp_path / 'copy.jsonl'}"
    assert quaestor("follow", session, "--to", copy, "--once").code == 0
    [bought] = quaestor("cycles", session, "--json", "--action", "buy").out.splitlines()
    number = str(DecisionCycle.model_validate_json(bought).number)
    copied = quaestor("copied", session, "--from", copy, "--cycle", number, "--json").out
    assert copied == quaestor("events", session, "--cycle", number, "--json").out
    reader = CycleReader()
    assert list(reader.read(map(CODEC.parse_event, copied.splitlines()))) == []
    rebuilt = reader.last()
    assert rebuilt
    assert rebuilt.model_dump_json() == bought


def test_times_of_the_command_line_weigh_more_than_those_of_the_mandate(quaestor: Quaestor, desk: Folder) -> None:
    times = ("--from", "2025-01-06", "--to", "2025-01-06T05:00:00")
    ended = quaestor("backtest", "--mandate", desk.path / "m.toml", *times, "--format", "json")
    assert ended.code == 0, ended.err
    measured = results(ended)
    assert measured.basis
    assert (measured.basis.begins.isoformat(), measured.basis.ends.isoformat()) == (
        "2025-01-06T00:00:00+00:00",
        "2025-01-06T05:00:00+00:00",
    )
    assert measured.cycles.cycles == 6


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cash": "-5"}, r"m\.toml: cash: .*not -5"),
        ({"assets": "[]"}, r"m\.toml: assets: .*at least 1"),
        ({"assets": ""}, r"m\.toml: assets: is missing"),
        ({"colour": '"red"'}, r"m\.toml: colour: there is no such field"),
        ({"candles": '"none.csv"'}, r"candles of BTC/USDT cannot be read from .*none\.csv: No such file"),
        ({"candles": ""}, r"names neither candles nor an exchange"),
        ({"candles": '"empty.csv"'}, r"cannot be read from .*empty\.csv: "),
        ({"candles": '"heads.csv"'}, r"cannot be read from .*heads\.csv: there are no rows"),
        ({"candles": '"odd.csv"'}, r"odd\.csv: row 3 \(2025-01-01T01:00:00\+00:00\): high is nan"),
        ({"start": "2027-01-01"}, r"no candle of 1h closes from 2027-01-01 00:00 UTC .*to 2025-01-06 10:00 UTC"),
        ({"start": "2025-01-07", "end": "2025-01-06"}, r"m\.toml: mandate: start .* is later than end"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_nothing_is_begun(
    quaestor: Quaestor, desk: Folder, changed: dict[str, str], said: str
) -> None:
    heads = "timestamp,open,high,low,close,volume\n"
    (desk.path / "empty.csv").write_text("", encoding="utf-8")
    (desk.path / "heads.csv").write_text(heads, encoding="utf-8")
    odd = "2025-01-01T00:00:00Z,1,2,1,2,5\n2025-01-01T01:00:00Z,1,nan,1,2,5\n"
    (desk.path / "odd.csv").write_text(heads + odd, encoding="utf-8")
    ended = quaestor("backtest", "--mandate", desk.mandate(**changed))
    assert (ended.code, ended.out) == (2, "")
    assert re.search(said, ended.err), ended.err
    assert "Traceback" not in ended.err
    assert "no sessions yet" in quaestor("ps").err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--from", "2025-01-07", "--to", "2025-01-06"), "would begin at 2025-01-07 00:00 UTC and end at 2025-01-06"),
        (("--to", "2025-01-01"), "would begin at 2025-01-05 05:00 UTC and end at 2025-01-01 00:00 UTC, which is earl"),
        (("--from", "2025-01-05T05:30:00", "--to", "2025-01-05T05:40:00"), "no candle of 1h closes"),
    ],
)
def test_times_that_hold_no_candle_are_refused(
    quaestor: Quaestor, desk: Folder, argv: tuple[str, ...], said: str
) -> None:
    ended = quaestor("backtest", "--mandate", desk.path / "m.toml", *argv)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_gaps_are_told_at_the_beginning_and_stand_in_the_report(quaestor: Quaestor, desk: Folder) -> None:
    made = list(rows(WARM + CYCLES, seed=4))
    desk.candles("btc.csv", [*made[:110], *made[113:]])
    ended = quaestor("backtest", "--mandate", desk.path / "m.toml")
    note = re.search(r"note: (btc\.csv@[0-9a-f]{12}: missing candles: 3, from 2025-01-05T14:00\S+ to \S+)", ended.err)
    assert note
    assert "## Candles\n\n- btc.csv" in ended.out
    assert "missing candles: 3" in ended.out
    assert len(curve(quaestor, ended.session)) == CYCLES - 3
    again = quaestor("backtest", ended.session)
    assert "note:" not in again.err
    assert again.out == ended.out


def test_a_misspelled_limit_is_told_and_shown_as_a_note_that_limits_nothing(quaestor: Quaestor, desk: Folder) -> None:
    mandate = desk.mandate(constraints="{max_cahs_pct = 10}")
    told = f"note: {mandate}: no limit is called max_cahs_pct; it is kept as a note and limits nothing; did you mean "
    tested = quaestor("backtest", "--mandate", mandate, "--to", "2025-01-05T07:00:00")
    assert (tested.code, tested.err.count(told)) == (0, 1)
    assert "- **Limits:** max_cash_pct: 50\n" in tested.out
    assert "- **Notes, which limit nothing:** max_cahs_pct: 10\n" in tested.out
    shown = quaestor("show", tested.session).out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in shown if line.startswith(("note ", "limits "))] == [
        "max_cahs_pct: 10 (limits nothing)",
        "max_cash_pct: 50",
    ]
    assert told in quaestor("decide", "--mandate", mandate).err
    assert "note:" not in quaestor("decide", "--mandate", desk.mandate(constraints="{max_cash_pct = 10}")).err


def test_the_same_command_again_is_another_backtest_with_the_same_results(quaestor: Quaestor, desk: Folder) -> None:
    once = quaestor("backtest", "--mandate", desk.path / "m.toml")
    twice = quaestor("backtest", "--mandate", desk.path / "m.toml")
    assert once.session != twice.session
    assert once.out.replace(once.session, "") == twice.out.replace(twice.session, "")
    assert curve(quaestor, once.session) == curve(quaestor, twice.session)


def test_ctrl_c_pauses_and_the_same_command_goes_on_to_the_same_results(
    quaestor: Quaestor, home: Path, tmp_path: Path
) -> None:
    desk = folder(tmp_path / "desk", LONG)
    mandate = desk.path / "m.toml"
    with started(home, "backtest", "--mandate", mandate) as process:
        session = until(process, "session ").split()[1]
        until(process, "cycle 1:")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert f"quaestor resume {session}" in err
    assert "Traceback" not in err
    assert f"{session}  paused" in quaestor("ps").out
    shown = quaestor("show", session).out
    part = int(re.search(r"cycles +([\d,]+)", shown)[1].replace(",", ""))  # type: ignore[index]
    assert 1 <= part < LONG
    again = quaestor("backtest", "--mandate", mandate)
    assert (again.code, again.session) == (0, session), again.err
    straight = quaestor("backtest", "--mandate", mandate)
    assert straight.session != session
    assert again.out.replace(session, "") == straight.out.replace(straight.session, "")
    assert curve(quaestor, session) == curve(quaestor, straight.session)


def test_a_backtest_does_not_go_on_with_other_candles(quaestor: Quaestor, home: Path, tmp_path: Path) -> None:
    desk = folder(tmp_path / "desk", LONG)
    mandate = desk.path / "m.toml"
    with started(home, "backtest", "--mandate", mandate) as process:
        session = until(process, "session ").split()[1]
        until(process, "cycle 1:")
        process.send_signal(signal.SIGINT)
        process.communicate()
    before = (desk.path / "btc.csv").read_bytes()
    desk.candles("btc.csv", list(rows(WARM + LONG, seed=2)))
    refused = quaestor("resume", session)
    assert refused.code == 2
    assert re.search(r"candles were changed .* btc\.csv@[0-9a-f]{12}, which was btc\.csv@[0-9a-f]{12}", refused.err)
    short = quaestor("backtest", "--mandate", mandate, "--to", "2025-01-05T08:00:00")
    assert short.session != session
    (desk.path / "btc.csv").write_bytes(before)
    assert quaestor("resume", session).code == 0


def test_a_budget_ends_a_backtest_with_what_it_has_until_then(quaestor: Quaestor, desk: Folder, home: Path) -> None:
    home.mkdir()
    settings = desk.path / "quaestor.toml"
    settings.write_text("max_tool_calls = 40\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(desk.path)
        ended = quaestor("backtest", "--mandate", "m.toml", "--format", "json")
    assert ended.code == 4
    assert "Ended early: the budget is reached (tool_calls: 40)" in ended.err
    assert 0 < results(ended).cycles.cycles < CYCLES
    assert "finished: partial" in quaestor("ps").out


def test_what_there_is_of_a_decision_session_can_be_read(quaestor: Quaestor, traded: Ended) -> None:
    ended = traded
    assert re.search(rf"finished: done  \S+ +{CYCLES} cycles", quaestor("ps").out)
    shown = quaestor("show", ended.session)
    assert shown.code == 0
    for fact in (
        "assets         BTC/USDT",
        "limits         max_cash_pct: 50",
        f"cycles         {CYCLES}",
        "  Next step: ",
    ):
        assert fact in shown.out
    assert quaestor("report", ended.session).out == ended.out
    assert quaestor("report", ended.session, "--version", "1").code == 2
    assert quaestor("plan", ended.session).code == 2
    spent = quaestor("spend", ended.session)
    assert re.search(rf"^strategist +{CYCLES} ", spent.out, re.MULTILINE)
