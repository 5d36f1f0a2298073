"""The plugin of the decision workflow. All but its states, options and codec is imported at its first use."""

from pathlib import Path

from quaestor.contracts.codec import build_codec
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.stream_view import StreamView
from quaestor.contracts.workspace import ProgramResult, PythonInput
from quaestor.trading.commands import COMMANDS
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
from quaestor.trading.contracts.mandate import DecisionOptions
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
from quaestor.trading.contracts.role_inputs import (
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
)
from quaestor.trading.todo import DECISION_TODO
from quaestor.trading.workflow import DecisionWorkflow

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
PLUGIN = WorkflowPlugin(
    workflow=DecisionWorkflow(),
    options=DecisionOptions,
    configure=deferred("quaestor.trading.setup:configure"),
    agents=(Path(__file__).parent / "prompts",),
    role_inputs=lambda: (StrategyToolsInput, StrategyInput, QuantToolsInput, QuantInput, DecisionInput),
    offline_rules=deferred("quaestor.trading.offline_rules:offline_rules"),
    tools=deferred("quaestor.trading.session_tools:build_tools"),
    summarize=deferred("quaestor.trading.summaries:summarize"),
    reports={
        "md": deferred("quaestor.trading.performance.reports:render_markdown_report"),
        "html": deferred("quaestor.trading.performance.reports:render_html_report"),
        "json": deferred("quaestor.trading.performance.reports:render_json_report"),
    },
    panels=deferred("quaestor.trading.panels:DecisionPanels"),
    stream=StreamView(cycles={"decision": "to decide"}),
    codec=CODEC,
    commands=COMMANDS,
    as_todo=DECISION_TODO,
)
