"""What the three roles of a cycle are asked, and the tool runs that they chose."""

from typing import NamedTuple

from quaestor.contracts.action import Action, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.workspace import PythonInput
from quaestor.trading import risk
from quaestor.trading.contracts.decision import (
    DecisionInput,
    QuantInput,
    QuantReport,
    QuantToolsInput,
    StrategyIndicatorsInput,
    StrategyInput,
    StrategyToolsInput,
    TradePlan,
)
from quaestor.trading.contracts.mandate import Constraints, DecisionOptions, Mandate
from quaestor.trading.contracts.market import IndicatorInput, MarketInput, SnapshotInput
from quaestor.trading.contracts.portfolio import BoundPortfolioInput, MarketData
from quaestor.trading.state import DecisionState

STRATEGIST_TOOLS = ("get_portfolio_state", "get_market_snapshot")
"""What the strategist may choose, and nothing else."""


class DecisionContext(NamedTuple):
    """What a decision rests on."""

    data: MarketData
    plan: TradePlan
    report: QuantReport


def strategist_action(state: DecisionState, options: DecisionOptions, data: MarketData) -> Action:
    """Let the strategist look around, then ask it for its plan."""
    looked, mandate = state.now.strategist_tools, options.mandate
    if looked.calls:
        return _run_strategist_call(state, data)
    frames = (mandate.timeframe,)
    limits, memory, market = (
        mandate.constraints.told(),
        _describe_memory(state),
        _describe_market(data, mandate.currency),
    )
    if options.max_planning_turns and not looked.over:
        shown = StrategyToolsInput(
            objective=state.objective,
            assets=mandate.tradable,
            timeframes=frames,
            constraints=limits,
            memory=memory,
            market=market,
            seen=looked.seen,
            refused=looked.refused,
            passes_left=options.max_planning_turns - looked.passes - 1,
        )
        key = looked.key(state.key("look"))
        return ToolPass(key=key, state="PLANNING", role="strategist", given=shown, tools=STRATEGIST_TOOLS)
    given = StrategyInput(
        objective=state.objective,
        assets=mandate.tradable,
        timeframes=frames,
        cycle=state.cycle,
        constraints=limits,
        strategy=mandate.strategy,
        memory=memory,
        market=market,
        seen=looked.seen,
    )
    return OutputPass(key=state.key("plan"), state="PLANNING", role="strategist", given=given)


def quant_action(state: DecisionState, options: DecisionOptions, plan: TradePlan, data: MarketData) -> Action:
    """Compute what the rules read, let the quant compute more, then ask it for its report."""
    now, strategy = state.now, options.mandate.strategy
    if not now.standing:
        frame = options.mandate.timeframe
        wanted = StrategyIndicatorsInput(assets=plan.assets, timeframe=frame, strategy=strategy, as_of=data.at)
        return ToolRun(key=state.key("indicators"), state="ANALYZING", tool="run_indicators", given=wanted)
    if now.quant_tools.calls:
        return _run_quant_call(state, data)
    readings, seen = (*now.readings, *now.quant_tools.readings), (*now.missing, *now.quant_tools.seen)
    left = options.max_analysis_steps - now.quant_tools.runs
    if left and not now.quant_tools.over:
        shown = QuantToolsInput(
            quant_question=plan.quant_question,
            assets=plan.assets,
            timeframes=plan.timeframes,
            expected_outputs=plan.expected_outputs,
            strategy=strategy,
            readings=readings,
            seen=seen,
            refused=now.quant_tools.refused,
            steps_left=left,
        )
        tools = ("run_indicator", "python") if options.python else ("run_indicator",)
        key = now.quant_tools.key(state.key("study"))
        return ToolPass(key=key, state="ANALYZING", role="quant", given=shown, tools=tools)
    given = QuantInput(
        quant_question=plan.quant_question,
        assets=plan.assets,
        timeframes=plan.timeframes,
        expected_outputs=plan.expected_outputs,
        strategy=strategy,
        readings=readings,
        seen=seen,
    )
    return OutputPass(key=state.key("report"), state="ANALYZING", role="quant", given=given)


def portfolio_manager_action(
    state: DecisionState, mandate: Mandate, limits: Constraints, basis: DecisionContext
) -> Action:
    """Ask the portfolio manager for its decision, and tell it what the limits leave room for."""
    rooms = (risk.trade_capacity(asset, basis.data, mandate, limits) for asset in basis.plan.assets)
    given = DecisionInput(
        objective=state.objective,
        constraints=limits.told(),
        strategy=mandate.strategy,
        memory=_describe_memory(state),
        market=_describe_market(basis.data, mandate.currency),
        room=tuple(room for room in rooms if room),
        plan=basis.plan,
        report=basis.report,
    )
    return OutputPass(key=state.key("decision"), state="DECIDING", role="portfolio_manager", given=given)


def _run_strategist_call(state: DecisionState, data: MarketData) -> Action:
    """Run the first call that the strategist chose and that was not run yet."""
    call = state.now.strategist_tools.calls[0]
    given: Contract
    if call.tool == "get_portfolio_state":
        given = BoundPortfolioInput(portfolio=data.portfolio, equity=data.equity)
    else:
        given = _bind_as_of(SnapshotInput.model_validate(call.given), data)
    return ToolRun(key=state.now.strategist_tools.key(state.key("look")), state="PLANNING", tool=call.tool, given=given)


def _run_quant_call(state: DecisionState, data: MarketData) -> Action:
    """Run the first call that the quant chose and that was not run yet."""
    call = state.now.quant_tools.calls[0]
    given: Contract
    if call.tool == "python":
        given = PythonInput.model_validate(call.given)
    else:
        given = _bind_as_of(IndicatorInput.model_validate(call.given), data)
    return ToolRun(key=state.now.quant_tools.key(state.key("study")), state="ANALYZING", tool=call.tool, given=given)


def _bind_as_of(given: MarketInput, data: MarketData) -> MarketInput:
    """Put in the cycle's time; a later one, which a model made up, is left for the market to refuse."""
    probing = given.as_of is not None and given.as_of > data.at
    return given if probing else given.model_copy(update={"as_of": data.at})


def _describe_memory(state: DecisionState) -> tuple[str, ...]:
    return state.memory.told() if state.memory else ()


def _describe_market(data: MarketData, currency: str) -> tuple[str, ...]:
    return (
        f"time: {data.at:%Y-%m-%d %H:%M} UTC",
        *(f"{asset}: {price:f} {currency}" for asset, price in data.prices.items()),
        f"cash: {data.portfolio.cash:f} {currency}",
        *(f"held: {units:f} {asset}" for asset, units in data.portfolio.holdings.items()),
        f"equity: {data.equity:f} {currency}",
    )
