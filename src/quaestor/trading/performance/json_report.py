"""The results of a decision session as JSON: a public schema, so its names are never changed and only added to."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.results import (
    Benchmark,
    CurveMetrics,
    CycleCounts,
    DecisionResults,
    MeasurementBasis,
    Trade,
    TradeMetrics,
)
from quaestor.trading.performance.methodology import caveats
from quaestor.trading.performance.report_outline import candle_notes
from quaestor.views.escaping import escape_hidden_json


class ComparisonData(Contract):
    """What the strategy is compared with."""

    kind: Benchmark
    figures: CurveMetrics
    note: str


class ResultsData(Contract):
    """The results; without `basis` and figures when no cycle saw the market. `quaestor cycles --json` has the curve."""

    format: Literal["quaestor-results-1"] = "quaestor-results-1"
    session: str
    backtest: bool
    mandate: Mandate
    models: tuple[str, ...]
    basis: MeasurementBasis | None = None
    strategy: CurveMetrics | None = None
    trading: TradeMetrics | None = None
    comparisons: tuple[ComparisonData, ...] = ()
    cycles: CycleCounts
    trades: tuple[Trade, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    limits: tuple[str, ...] = Field(description="What these results are not.")


def render_json(record: DecisionResults) -> str:
    """Render results as `ResultsData` in JSON, indented by two; the text ends with a line end, and hides nothing."""
    measured = record.performance
    compared = measured.comparisons if measured else ()
    shape = ResultsData(
        session=record.session,
        backtest=record.backtest,
        mandate=record.mandate,
        models=record.models,
        basis=measured.basis if measured else None,
        strategy=measured.figures if measured else None,
        trading=measured.trading if measured else None,
        comparisons=tuple(ComparisonData(kind=one.kind, figures=one.figures, note=one.note) for one in compared),
        cycles=record.tally,
        trades=record.trades,
        sources=record.sources,
        notes=candle_notes(record),
        limits=caveats(record),
    )
    return escape_hidden_json(shape.model_dump_json(indent=2)) + "\n"
