import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from quaestor.app import DATABASE_FILE
from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import Session
from quaestor.faces.cli.terminal import CliTerminal
from quaestor.storage.sqlite import open_store
from quaestor.trading.commands.backtest import ResultsOutput, backtest
from quaestor.trading.commands.cycles import Execution, cycles
from quaestor.trading.contracts.decision import Signal
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.performance.reports import ResultsData
from trading.performance.rounds import SESSION, Round, log

ROUNDS = (
    Round("100", "buy", 4),
    Round("110"),
    Round("120", "buy", 90),
    Round("95", spoilt="QuantInput"),
    Round("90", "sell", 4),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home that holds a finished backtest, and a session of research."""
    folder = tmp_path / "home"
    folder.mkdir()
    asyncio.run(_fill(folder, ROUNDS))
    return folder


async def _fill(folder: Path, rounds: Sequence[Round]) -> None:
    events = await log(rounds)
    store = open_store(folder / DATABASE_FILE)
    made = Session(id=SESSION, task_key="k", workflow="decision", question="Grow", created_at=events[0].at)
    await store.create_session(made, events)
    other = made.model_copy(update={"id": "papers", "workflow": "research"})
    await store.create_session(other, [events[0].model_copy(update={"session_id": "papers"})])
    await store.close()


def listed(
    home: Path, capsys: pytest.CaptureFixture[str], *, signal: Signal | None = None, action: str | None = None,
    execution: Execution | None = None, rule: str | None = None,
) -> list[list[str]]:  # fmt: skip
    code = asyncio.run(
        cycles(SESSION, signal=signal, action=action, execution=execution, rule=rule, terminal=CliTerminal(home))
    )
    assert code == 0
    return [line.split() for line in capsys.readouterr().out.splitlines()[1:]]


def test_every_cycle_is_a_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(home, capsys)
    assert found[0] == ["1", "2024-01-01", "00:00", "bullish", "buy", "4", "BTC", "passed", "executed", "1,000.00"]
    assert found[1][3:] == ["bullish", "hold", "passed", "skipped", "1,027.92"]
    assert found[2][3:] == ["bullish", "buy", "90", "BTC", "max_cash_pct", "rejected", "1,067.92"]
    assert found[3][3:11] == ["-", "-", "-", "-", "967.92", "no", "usable", "QuantReport:"]
    assert [line[0] for line in found] == ["1", "2", "3", "4", "5"]


def test_cycles_can_be_chosen(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [line[0] for line in listed(home, capsys, signal=Signal.BULLISH)] == ["1", "2", "3", "5"]
    assert [line[0] for line in listed(home, capsys, action="buy")] == ["1", "3"]
    assert [line[0] for line in listed(home, capsys, execution="executed")] == ["1", "5"]
    assert [line[0] for line in listed(home, capsys, rule="max_cash_pct")] == ["3"]
    assert listed(home, capsys, signal=Signal.BEARISH) == []


def test_whole_cycles_are_json_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(cycles(SESSION, json=True, terminal=CliTerminal(home))) == 0
    found = [DecisionCycle.model_validate_json(line) for line in capsys.readouterr().out.splitlines()]
    assert [cycle.number for cycle in found] == [1, 2, 3, 4, 5]
    assert [len(cycle.trades) for cycle in found] == [1, 0, 0, 0, 1]


def test_a_session_of_another_workflow_has_no_cycles(home: Path) -> None:
    with pytest.raises(UsageError, match="is one of research"):
        asyncio.run(cycles("papers", terminal=CliTerminal(home)))


def test_a_finished_backtest_is_told_again(home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    results = ResultsOutput(out=tmp_path / "run.md", picture=tmp_path / "run.svg")
    assert asyncio.run(backtest(SESSION, results=results, terminal=CliTerminal(home))) == 0
    text = (tmp_path / "run.md").read_text("utf-8")
    assert text.startswith("# Grow\n\nFrom 2024-01-01 00:00 to 2024-01-01 04:00 UTC 1,000.00 USD became ")
    assert "![Equity and drawdown](run.svg)" in text
    assert (tmp_path / "run.svg").read_text("utf-8").startswith("<svg ")
    said = capsys.readouterr()
    assert said.out == ""
    assert f"quaestor cycles {SESSION} --home" in said.err


def test_results_are_given_as_a_page_or_as_data(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert asyncio.run(backtest(SESSION, results=ResultsOutput(form="html"), terminal=CliTerminal(home))) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert (
        asyncio.run(backtest(SESSION, results=ResultsOutput(form="json", risk_free=0.04), terminal=CliTerminal(home)))
        == 0
    )
    given = capsys.readouterr().out
    found = ResultsData.model_validate_json(given)
    assert found.basis
    assert (found.basis.risk_free, found.cycles.cycles, len(found.trades)) == (0.04, 5, 2)
    assert json.loads(given)["format"] == "quaestor-results-1"


def test_a_session_and_a_mandate_are_not_named_at_once(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a session or --mandate, not both"):
        asyncio.run(backtest(SESSION, mandate=tmp_path / "m.toml", terminal=CliTerminal(home)))
    with pytest.raises(UsageError, match="nothing says what is traded"):
        asyncio.run(backtest(terminal=CliTerminal(home)))


@pytest.mark.parametrize(
    ("results", "fault"),
    [
        (ResultsOutput(risk_free=4), None),
        (ResultsOutput(risk_free=40), "--risk-free 40 is no return of a year"),
        (ResultsOutput(target=-1), "--target -1 is no return of a year"),
        (ResultsOutput(out=Path("/no/such/folder/x.md")), "there is no folder"),
        (ResultsOutput(picture=Path("/no/such/folder/x.svg")), "there is no folder"),
    ],
)
def test_what_cannot_be_handed_over_is_refused_before_any_work(results: ResultsOutput, fault: str | None) -> None:
    if fault is None:
        results.check(CliTerminal(None))
        return
    with pytest.raises(UsageError, match=fault):
        results.check(CliTerminal(None))
