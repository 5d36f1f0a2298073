from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.mandate_file import read_mandate

LEAST = 'objective = "Grow the cash."\nassets = ["BTC/USDT"]\ncash = 1000\n'
WHOLE = """
objective = "Grow the cash."
assets = ["BTC/USDT", "ETH/USDT"]
cash = 10_000.25
currency = "USDT"
timeframe = "4h"
candles = "candles"
start = 2024-01-01
end = 2024-06-30T12:00:00Z
schedule = "4h"
model = "offline"

[constraints]
allowed_assets = ["BTC/USDT"]
max_cash_pct = 30
max_risk_pct = 2.5
min_confidence = 0.6
notes = ["No trades on Sundays."]
max_mood = "calm"

[costs]
fee_pct = 0.1
slippage_pct = 0.05
volume_pct = 10

[strategy]
rules = ["rsi", "cross"]
trade_pct = 20
rsi = {period = 7, low = 25, high = 75}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mandate.toml"
    path.write_text(text, encoding="utf-8")
    return path


def fault(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as raised:
        read_mandate(written(folder, text))
    return str(raised.value).replace(str(folder), "")


def test_the_least_mandate_has_half_of_the_cash_as_its_limit_and_trades_on_paper(tmp_path: Path) -> None:
    mandate = read_mandate(written(tmp_path, LEAST))
    assert (mandate.constraints.max_cash_pct, mandate.broker, mandate.live) == (Decimal(50), "paper", False)
    assert mandate.tradable == ("BTC/USDT",)


def test_a_whole_mandate_is_read_exactly(tmp_path: Path) -> None:
    mandate = read_mandate(written(tmp_path, WHOLE))
    assert mandate.cash == Decimal("10000.25")
    assert mandate.candles == str(tmp_path / "candles")
    assert (mandate.start, mandate.end) == (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 6, 30, 12, tzinfo=UTC))
    assert mandate.tradable == ("BTC/USDT",)
    assert mandate.constraints.notes == ("No trades on Sundays.", "max_mood: calm")
    assert mandate.constraints.describe()[:3] == ("allowed_assets: BTC/USDT", "max_cash_pct: 30", "max_risk_pct: 2.5")
    assert (mandate.strategy.rsi.period, mandate.strategy.macd.slow, mandate.strategy.rules) == (
        7,
        26,
        ("rsi", "cross"),
    )
    assert mandate.costs.volume_pct == 10


def test_a_constraint_that_no_rule_has_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    warned: list[str] = []
    path = written(tmp_path, f"{LEAST}[constraints]\nmax_cahs_pct = 10\nmood = 'calm'\nnotes = ['max_cash: 3']\n")
    mandate = read_mandate(path, warned.append)
    assert warned == [
        f"{path}: no limit is called {name}; it is kept as a note and limits nothing{meant}"
        for name, meant in (("max_cahs_pct", "; did you mean 'max_cash_pct'?"), ("mood", ""))
    ]
    assert mandate.constraints.describe_limits() == ("max_cash_pct: 50",)
    assert mandate.constraints.describe()[1:] == ("max_cash: 3", "max_cahs_pct: 10", "mood: calm")
    read_mandate(written(tmp_path, WHOLE.replace('max_mood = "calm"', "")), warned.append)
    assert len(warned) == 2


def test_a_mandate_comes_back_from_the_log_as_it_was(tmp_path: Path) -> None:
    mandate = read_mandate(written(tmp_path, WHOLE))
    assert Mandate.model_validate(mandate.model_dump(mode="json")) == mandate


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("assets = [", "/mandate.toml is no TOML"),
        ("", "/mandate.toml: objective: is missing"),
        (f"{LEAST}mood = 1", "/mandate.toml: mood: there is no such field"),
        (f"{LEAST}timeframe = '7h'", "/mandate.toml: timeframe: Input should be '1m'"),
        (f"{LEAST}[costs]\nfee_pct = 120", "/mandate.toml: costs.fee_pct: Input should be less than or equal to 100"),
        (f"{LEAST}[strategy.macd]\nfast = 30", "/mandate.toml: strategy: macd.fast is 30 and macd.slow 26"),
        (f"{LEAST}[strategy.rsi]\nlow = 80", "/mandate.toml: strategy: rsi.low is 80 and rsi.high 70"),
        (f"{LEAST}live = true", "/mandate.toml: mandate: live is true and broker paper"),
        (f"{LEAST}broker = 'exchange'", "/mandate.toml: mandate: broker is exchange, so exchange must name one"),
        (
            f"{LEAST}start = 2024-02-01\nend = 2024-01-01",
            "/mandate.toml: mandate: start 2024-02-01 00:00:00",
        ),
        (f"{LEAST}[constraints]\nallowed_assets = ['X']", "mandate: constraints.allowed_assets names X"),
        (LEAST.replace("1000", "-1"), "/mandate.toml: cash: Input should be greater than or equal to 1E-8, not -1"),
        (LEAST.replace("1000", "0.000000001"), "/mandate.toml: cash: Input should be greater than or equal to 1E-8"),
    ],
)
def test_a_fault_is_told_with_its_file_and_field(tmp_path: Path, text: str, said: str) -> None:
    assert said in fault(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no mandate .*none\.toml"):
        read_mandate(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_mandate(tmp_path)
