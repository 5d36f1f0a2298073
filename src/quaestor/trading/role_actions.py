"""What the three roles of a cycle are asked, and the tool runs that they choose."""

from quaestor.contracts.action import Action, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.workspace import PythonInput
from quaestor.trading import risk
from quaestor.trading.contracts.indicators import IndicatorInput, StrategyIndicatorsInput
from quaestor.trading.contracts.market import MarketInput, SnapshotInput
from quaestor.trading.contracts.portfolio import BoundPortfolioInput, MarketData
from quaestor.trading.contracts.role_inputs import (
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
)
from quaestor.trading.state import Analyzing, Deciding, DecisionState, Planning

STRATEGIST_TOOLS = ("get_portfolio_state", "get_market_snapshot")
"""The tools that the strategist may choose."""


def strategist_action(state: DecisionState, stage: Planning) -> Action:
    """Return the strategist's next tool pass or tool run, or at last the request for its plan."""
    passes, mandate = stage.passes, state.options.mandate
    if passes.calls:
        return _run_strategist_call(state, stage)
    frames, limits, memory = (mandate.timeframe,), mandate.constraints.describe(), _describe_memory(state)
    market = _describe_market(stage.market, mandate.currency)
    if state.options.max_planning_turns and not passes.done:
        shown = StrategyToolsInput(
            objective=state.objective,
            assets=mandate.tradable,
            timeframes=frames,
            constraints=limits,
            memory=memory,
            market=market,
            seen=passes.seen,
            refused=passes.refused,
            passes_left=state.options.max_planning_turns - passes.passes - 1,
        )
        key = passes.next_key(state.action_key("look"))
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
        seen=passes.seen,
    )
    return OutputPass(key=state.action_key("plan"), state="PLANNING", role="strategist", given=given)


def quant_action(state: DecisionState, stage: Analyzing) -> Action:
    """Return the run that computes what the rules read, the quant's next pass or run, or the request for its report."""
    options, plan, passes = state.options, stage.plan, stage.passes
    strategy = options.mandate.strategy
    if stage.indicators is None:
        frame, at = options.mandate.timeframe, stage.market.at
        indicators = StrategyIndicatorsInput(assets=plan.assets, timeframe=frame, strategy=strategy, as_of=at)
        key = state.action_key("indicators")
        return ToolRun(key=key, state="ANALYZING", tool="run_indicators", given=indicators)
    if passes.calls:
        return _run_quant_call(state, stage)
    readings, seen = (*stage.indicators.readings, *passes.readings), (*stage.indicators.missing, *passes.seen)
    left = options.max_analysis_steps - passes.runs
    if left and not passes.done:
        shown = QuantToolsInput(
            quant_question=plan.quant_question,
            assets=plan.assets,
            timeframes=plan.timeframes,
            expected_outputs=plan.expected_outputs,
            strategy=strategy,
            readings=readings,
            seen=seen,
            refused=passes.refused,
            steps_left=left,
        )
        tools = ("run_indicator", "python") if options.python else ("run_indicator",)
        key = passes.next_key(state.action_key("study"))
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
    return OutputPass(key=state.action_key("report"), state="ANALYZING", role="quant", given=given)


def portfolio_manager_action(state: DecisionState, stage: Deciding) -> Action:
    """Return the request for a decision, with what the limits leave room for."""
    mandate = state.options.mandate
    limits = mandate.constraints.tightened_by(stage.plan.constraints)
    capacities = (risk.trade_capacity(asset, stage.market, mandate, limits) for asset in stage.plan.assets)
    given = DecisionInput(
        objective=state.objective,
        constraints=limits.describe(),
        strategy=mandate.strategy,
        memory=_describe_memory(state),
        market=_describe_market(stage.market, mandate.currency),
        room=tuple(capacity for capacity in capacities if capacity),
        plan=stage.plan,
        report=stage.report,
    )
    return OutputPass(key=state.action_key("decision"), state="DECIDING", role="portfolio_manager", given=given)


def _run_strategist_call(state: DecisionState, stage: Planning) -> Action:
    """Return the first run that the strategist chose and that was not made yet."""
    call, market = stage.passes.calls[0], stage.market
    given: Contract
    if call.tool == "get_portfolio_state":
        given = BoundPortfolioInput(portfolio=market.portfolio, equity=market.equity)
    else:
        given = _bind_as_of(SnapshotInput.model_validate(call.given), market)
    key = stage.passes.next_key(state.action_key("look"))
    return ToolRun(key=key, state="PLANNING", tool=call.tool, given=given)


def _run_quant_call(state: DecisionState, stage: Analyzing) -> Action:
    """Return the first run that the quant chose and that was not made yet."""
    call = stage.passes.calls[0]
    given: Contract
    if call.tool == "python":
        given = PythonInput.model_validate(call.given)
    else:
        given = _bind_as_of(IndicatorInput.model_validate(call.given), stage.market)
    key = stage.passes.next_key(state.action_key("study"))
    return ToolRun(key=key, state="ANALYZING", tool=call.tool, given=given)


def _bind_as_of(given: MarketInput, market: MarketData) -> MarketInput:
    """Return an input with the cycle's time; a later one, which a model made up, is left for the market to refuse."""
    late = given.as_of is not None and given.as_of > market.at
    return given if late else given.revised(as_of=market.at)


def _describe_memory(state: DecisionState) -> tuple[str, ...]:
    return state.memory.describe() if state.memory else ()


def _describe_market(market: MarketData, currency: str) -> tuple[str, ...]:
    return (
        f"time: {market.at:%Y-%m-%d %H:%M} UTC",
        *(f"{asset}: {price:f} {currency}" for asset, price in market.prices.items()),
        f"cash: {market.portfolio.cash:f} {currency}",
        *(f"held: {units:f} {asset}" for asset, units in market.portfolio.holdings.items()),
        f"equity: {market.equity:f} {currency}",
    )
