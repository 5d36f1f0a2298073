"""docs/trading.md says what the code does, and the mandate on it can be carried out."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from faces.cli.conftest import Quaestor, home, quaestor
from fakes.market import rows, write_csv
from quaestor.contracts.base import Contract
from quaestor.trading.contracts.decision import RuleId
from quaestor.trading.contracts.mandate import Mandate, Strategy, TradingCosts
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.workflow import TABLE

__all__ = ["home", "quaestor"]

PAGE = (Path(__file__).parents[2] / "docs" / "trading.md").read_text(encoding="utf-8")
MANDATE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
TABLES: Mapping[str, list[list[str]]] = {
    heading.strip("` "): [[cell.strip() for cell in row.split(" | ")] for row in table.splitlines()]
    for heading, table in re.findall(r"^\| ([^|]+?) \|[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)", PAGE, re.MULTILINE)
}


def named(table: str) -> dict[str, str]:
    """Return the second cells of a table by the names in the first ones."""
    return {name: row[1].strip("|` ") for row in TABLES[table] for name in re.findall(r"`(\w+)`", row[0])}


def test_the_mandate_on_the_page_is_carried_out(quaestor: Quaestor, tmp_path: Path) -> None:
    (tmp_path / "candles").mkdir()
    for seed, asset in enumerate(read_mandate(written(tmp_path)).assets):
        write_csv(tmp_path / "candles" / f"{asset.replace('/', '-')}.csv", list(rows(100, seed)))
    ended = quaestor("backtest", "--mandate", tmp_path / "btc.toml")
    assert ended.code == 0, ended.err
    assert "100 cycles, " in ended.err
    assert "- **Limits:** max_cash_pct: 30; max_position_pct: 40; min_confidence: 0.6" in ended.out


def written(folder: Path) -> Path:
    file = folder / "btc.toml"
    file.write_text(MANDATE, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("table", "noun", "apart"),
    [
        ("field", Mandate, {"constraints", "costs", "strategy"}),
        ("[costs]", TradingCosts, set[str]()),
        ("[strategy]", Strategy, set[str]()),
    ],
)
def test_every_field_of_a_mandate_is_on_the_page_and_no_other(
    table: str, noun: type[Contract], apart: set[str]
) -> None:
    assert named(table).keys() == noun.model_fields.keys() - apart


def test_every_rule_is_on_the_page_and_no_other() -> None:
    assert list(named("rule")) == list(get_args(RuleId))


def test_every_state_is_on_the_page_with_what_it_gives() -> None:
    told = named("state")
    assert [*told, "DONE"] == list(TABLE)
    for state, gives in told.items():
        contract = TABLE[state].gives
        assert contract
        assert gives.startswith(f"{contract.__name__}`"), state
    for row in TABLES["state"]:
        may_use = set(re.findall(r"`(\w+)`", row[3]))
        assert may_use == set(TABLE[row[0].strip("|` ")].tools), row
