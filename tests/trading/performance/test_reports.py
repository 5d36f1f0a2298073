import re
from collections.abc import Sequence
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from typing_extensions import override

from quaestor.trading.contracts.mandate import TradingCosts
from quaestor.trading.contracts.results import (
    CycleCounts,
    DecisionResults,
    EquityPoint,
    PriceSnapshot,
    RuleViolationCount,
    Trade,
)
from quaestor.trading.performance import methodology, report_outline
from quaestor.trading.performance.html_report import render_html
from quaestor.trading.performance.measurement import measure_performance
from quaestor.trading.performance.reports import render_markdown
from research.views.sample import HOSTILE
from trading.performance.curves import DAY, curve, fill, quotes
from trading.performance.rounds import mandate

TALLY = CycleCounts(
    cycles=4,
    signals={"bullish": 3},
    decisions={"buy": 1, "hold": 2},
    executions={"executed": 1, "skipped": 2},
    failed=1,
    violations=(RuleViolationCount(rule_id="max_cash_pct", errors=2, warnings=1, last=HOSTILE),),
    unpriced={"ETH": 1},
)


def record(
    points: Sequence[EquityPoint] = curve([1000, 1100, 880, 990]),
    prices: Sequence[PriceSnapshot] = quotes({"BTC": "100"}, {"BTC": "120"}, {"BTC": "90"}, {"BTC": "110"}),
    trades: Sequence[Trade] = (),
    objective: str = "Grow",
    *,
    model: str = "offline",
    volume: str | None = None,
) -> DecisionResults:
    measured = measure_performance(points, trades, prices, ("BTC",)) if points else None
    return DecisionResults(
        session="trades",
        mandate=mandate(objective=objective, costs=TradingCosts(volume_pct=Decimal(volume) if volume else None)),
        backtest=True,
        models=(model,),
        tally=TALLY,
        performance=measured,
        trades=tuple(trades),
        notes=("2 candles are missing.",),
    )


class Page(HTMLParser):
    """Checks that elements are closed in order, and keeps tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.named: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.named += attrs
        if tag != "meta":
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        self.text += data


def test_markdown_tells_results_trades_cycles_mandate_and_limits() -> None:
    text = render_markdown(
        record(trades=[fill(0, "buy", "1", "100", fee="0.1"), fill(2, "sell", "1", "90")]), "my (run).svg"
    )
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [
        "# Grow",
        "## Results",
        "## Trading",
        "## Trades",
        "## Cycles",
        "### Rules that were broken",
        "## Mandate",
        "## Candles",
        "## What these results are not",
        "## How it is measured",
    ]
    assert "![Equity and drawdown](my%20%28run%29.svg)" in text
    assert "| Total return | \N{MINUS SIGN}1.00 % | +10.00 % | 0.00 % |" in text
    assert "| Sharpe ratio, a year | " in text
    assert "not defined: the returns do not vary" in text
    assert "- **Hit rate:** 0.00 %" in text
    assert "| 2024-01-01 00:00 | BTC | buy | 1 | 100 | 0.1 | 0 |" in text
    assert "- 2 candles are missing.\n- ETH had no price in 1 cycle." in text


def test_the_same_results_give_the_same_text() -> None:
    assert render_markdown(record()) == render_markdown(record())
    assert render_html(record()) == render_html(record())


def test_html_is_well_formed_and_needs_nothing_else() -> None:
    page = Page(render_html(record(trades=[fill(0, "buy", "1", "100")])))
    assert page.open == []
    assert page.tags.count("svg") == 2
    assert "script" not in page.tags
    assert not [value for name, value in page.named if name in {"src", "href"}]
    assert "default-src 'none'" in "".join(value or "" for _, value in page.named)
    identifiers = [value for name, value in page.named if name == "id"]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize("objective", [HOSTILE[:1900], "| a | b |", "# heading"])
def test_no_text_of_a_mandate_or_a_model_becomes_structure(objective: str) -> None:
    hostile = record(objective=objective)
    assert Page(render_html(hostile)).tags == Page(render_html(record())).tags
    lines, plain = render_markdown(hostile).splitlines(), render_markdown(record()).splitlines()
    assert len(lines) == len(plain)
    bars = [len(re.findall(r"(?<!\\)\|", line)) for line in lines]
    assert bars == [len(re.findall(r"(?<!\\)\|", line)) for line in plain]
    assert not {"\x1b", "\x00", "\u202e"} & set(render_markdown(hostile) + render_html(hostile))


def test_of_many_trades_the_first_and_the_last_are_listed() -> None:
    trades = [fill(place, "buy", "1", str(place + 1)) for place in range(50)]
    first, last = report_outline.trade_tables(record(trades=trades))
    assert [row[4] for row in first.rows] == [str(price) for price in range(1, 11)]
    assert [row[4] for row in last.rows] == [str(price) for price in range(41, 51)]
    assert "And 30 more between these and the last." in render_markdown(record(trades=trades))
    assert "And 30 more between these and the last." in render_html(record(trades=trades))
    (every,) = report_outline.trade_tables(record(trades=trades[:20]))
    assert len(every.rows) == 20
    assert report_outline.trade_tables(record()) == ()


def test_what_saw_no_market_is_told_so() -> None:
    blind = record(points=())
    assert report_outline.headline(blind) == report_outline.NO_MARKET_DATA
    assert "## Results" not in render_markdown(blind)
    assert Page(render_html(blind)).tags.count("svg") == 0


def test_one_point_is_measured_and_not_drawn() -> None:
    single = record(points=curve([1000]), prices=quotes({"BTC": "100"}))
    assert "not defined: there is one point of the curve, so no period" in render_markdown(single)
    assert Page(render_html(single)).tags.count("svg") == 0


def test_a_fall_is_told_with_its_dates_and_length() -> None:
    hours = report_outline.metrics_table(measure_performance(curve([10, 5, 10]), (), (), ())).rows
    assert hours[8][:2] == ("Deepest fall", "2024-01-01 00:00 to 2024-01-01 01:00 (1 hour), back 1 hour later")
    days = report_outline.metrics_table(measure_performance(curve([10, 9, 8, 5], DAY), (), (), ())).rows
    assert days[8][1] == "2024-01-01 to 2024-01-04 (3 days), not back yet"
    assert report_outline.metrics_table(measure_performance(curve([1, 2]), (), (), ())).rows[8][1] == "never fell"


def test_the_limits_are_those_of_the_run() -> None:
    told = methodology.caveats(record())
    assert any("in-sample" in line for line in told)
    assert any("filled whole" in line for line in told)
    assert not any("language model" in line for line in told)
    assert any("language model" in line for line in methodology.caveats(record(model="openai:large")))
    assert not any("filled whole" in line for line in methodology.caveats(record(volume="10")))
    live = record().model_copy(update={"backtest": False, "mandate": mandate(broker="exchange", exchange="kraken")})
    assert len(methodology.caveats(live)) == 2


def test_sales_of_what_was_never_bought_are_told() -> None:
    text = render_markdown(record(trades=[fill(0, "sell", "1", "100")]))
    assert "- **Not matched:** 1 sale of what was held from the start" in text
    assert "- **Hit rate:** not defined: no round trip was closed" in text


def test_rules_that_nobody_broke_are_no_table() -> None:
    calm = record().model_copy(update={"tally": CycleCounts(cycles=1)})
    assert "No rule was broken." in render_markdown(calm)
    assert "No rule was broken." in Page(render_html(calm)).text
