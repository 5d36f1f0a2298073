"""The results of a decision session as JSON: a public schema, so its names are never changed and only added to."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.cycle import DecisionRecord, Tally
from quaestor.contracts.mandate import Mandate
from quaestor.contracts.noun import Noun
from quaestor.contracts.performance import Basis, Benchmark, CurveFigures, Trade, TradingFigures
from quaestor.views.performance.method import limits
from quaestor.views.performance.outline import notes
from quaestor.views.visible import escaped


class ComparisonData(Noun):
    """What the strategy is compared with."""

    kind: Benchmark
    figures: CurveFigures
    note: str


class ResultsData(Noun):
    """The results; without `basis` and figures when no cycle saw the market. `quaestor cycles --json` has the curve."""

    format: Literal["quaestor-results-1"] = "quaestor-results-1"
    session: str
    backtest: bool
    mandate: Mandate
    models: tuple[str, ...]
    basis: Basis | None = None
    strategy: CurveFigures | None = None
    trading: TradingFigures | None = None
    comparisons: tuple[ComparisonData, ...] = ()
    cycles: Tally
    trades: tuple[Trade, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    limits: tuple[str, ...] = Field(description="What these results are not.")


def data(record: DecisionRecord) -> str:
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
        notes=notes(record),
        limits=limits(record),
    )
    return escaped(shape.model_dump_json(indent=2)) + "\n"
