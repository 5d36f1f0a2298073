from datetime import UTC, datetime, timedelta

from quaestor.trading.contracts.decision import AgentMemory
from quaestor.trading.contracts.indicators import (
    CandlesUsed,
    Indicator,
    IndicatorParameters,
    IndicatorResult,
    IndicatorValue,
    named_indicator_values,
)

AT = datetime(2026, 1, 5, 12, tzinfo=UTC)


def result(indicator: Indicator, parameters: IndicatorParameters, *outputs: dict[str, float]) -> IndicatorResult:
    hours = range(len(outputs))[::-1]
    values = tuple(
        IndicatorValue(closed=AT - timedelta(hours=before), outputs=said)
        for before, said in zip(hours, outputs, strict=True)
    )
    used = CandlesUsed(source="x", first=AT, last=AT, count=1, missing=0)
    return IndicatorResult(
        asset="BTC/USDT",
        timeframe="1h",
        indicator=indicator,
        parameters=parameters,
        as_of=AT,
        values=values,
        settled=True,
        candles=used,
    )


def test_a_number_is_named_after_its_asset_timeframe_indicator_and_parameters() -> None:
    rsi = result("rsi", IndicatorParameters(period=14), {"rsi": 63.218849999})
    assert named_indicator_values(rsi) == {"BTC/USDT 1h rsi(14)": 63.21885}
    macd = result("macd", IndicatorParameters(fast=12, slow=26, signal=9), {"macd": 1.0, "histogram": 0.5})
    assert list(named_indicator_values(macd)) == [
        "BTC/USDT 1h macd(12,26,9).macd",
        "BTC/USDT 1h macd(12,26,9).histogram",
    ]


def test_numbers_of_earlier_candles_have_the_time_of_their_close() -> None:
    sma = result("sma", IndicatorParameters(period=20), {"sma": 1.0}, {"sma": 2.0})
    assert named_indicator_values(sma) == {"BTC/USDT 1h sma(20)": 2.0, "BTC/USDT 1h sma(20) at 2026-01-05 11:00": 1.0}


def test_memory_is_told_line_by_line() -> None:
    memory = AgentMemory(
        short_term_summary="Held.", active_hypotheses=("Up.",), pending_orders=("buy 1",), next_steps=("Ask.",)
    )
    assert memory.describe() == ("Held.", "Hypothesis: Up.", "Pending order: buy 1", "Next step: Ask.")
