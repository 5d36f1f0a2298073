"""docs/market.md says of the indicators what they are."""

import re
from pathlib import Path
from typing import get_args

from fakes.market import candles
from quaestor.trading.contracts.indicators import DEFAULT_PARAMETERS
from quaestor.trading.contracts.market import Timeframe
from quaestor.trading.market.indicator_tools import warmup
from quaestor.trading.market.talib_indicators import compute_indicator

PAGE = (Path(__file__).parents[3] / "docs" / "market.md").read_text(encoding="utf-8")


def test_every_indicator_stands_in_the_documentation_with_its_defaults_outputs_and_need() -> None:
    rows = {
        row[0]: row[1:]
        for row in re.findall(r"^\| `(\w+)` \| (period.*|fast.*) \| (.*) \| (.*) \|$", PAGE, re.MULTILINE)
    }
    assert rows.keys() == DEFAULT_PARAMETERS.keys()
    for indicator, parameters in DEFAULT_PARAMETERS.items():
        taken = {name: int(value) for name, value in parameters.named().items()}
        said, outputs, least = rows[indicator]
        assert said == ", ".join(f"{name} {value}" for name, value in taken.items())
        assert outputs.split(", ") == [*compute_indicator(indicator, parameters, candles(200))]
        worked_out = eval(least.replace("2 period", "2 * period"), {}, taken)  # noqa: S307 -- a sum of our own page
        assert worked_out == warmup(indicator, parameters).least


def test_every_timeframe_stands_in_the_documentation() -> None:
    assert f"Timeframes are `{' '.join(get_args(Timeframe))}`" in PAGE
