"""The contracts by which the log of a decision session is decoded."""

from quaestor.contracts.codec import build_codec
from quaestor.contracts.workspace import ProgramResult, PythonInput
from quaestor.trading.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.trading.contracts.indicators import (
    IndicatorInput,
    IndicatorResult,
    StrategyIndicators,
    StrategyIndicatorsInput,
)
from quaestor.trading.contracts.market import MarketSnapshot, SnapshotInput
from quaestor.trading.contracts.portfolio import (
    ExecuteInput,
    ExecutionResult,
    MarketData,
    PortfolioInput,
    PortfolioState,
    ReconcileInput,
    ScanInput,
)

CODEC = build_codec(
    contracts=(AgentMemory, DecisionValidation, ExecutionResult, PortfolioDecision, QuantReport, TradePlan),
    tools={
        "execute": (ExecuteInput, ExecutionResult),
        "get_market_snapshot": (SnapshotInput, MarketSnapshot),
        "get_portfolio_state": (PortfolioInput, PortfolioState),
        "python": (PythonInput, ProgramResult),
        "reconcile": (ReconcileInput, ExecutionResult),
        "run_indicator": (IndicatorInput, IndicatorResult),
        "run_indicators": (StrategyIndicatorsInput, StrategyIndicators),
        "scan": (ScanInput, MarketData),
    },
)
