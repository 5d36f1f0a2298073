"""What the three roles of a cycle are asked, and the tool runs that they chose."""

from typing import NamedTuple

from quaestor.contracts.action import Action, OutputPass, ToolPass, ToolRun
from quaestor.contracts.decision import (
    DecisionGiven,
    LookGiven,
    QuantGiven,
    QuantReport,
    StandingGiven,
    StrategyGiven,
    StudyGiven,
    TradePlan,
)
from quaestor.contracts.mandate import Constraints, DecisionOptions, Mandate
from quaestor.contracts.market import IndicatorGiven, MarketGiven, SnapshotGiven
from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import MarketData, PortfolioOf
from quaestor.contracts.workspace import PythonGiven
from quaestor.plan import risk
from quaestor.workflows.decision_state import DecisionState

LOOKING = ("get_portfolio_state", "get_market_snapshot")
"""What the strategist may choose, and nothing else."""


class Basis(NamedTuple):
    """What a decision rests on."""

    data: MarketData
    plan: TradePlan
    report: QuantReport


def plan(state: DecisionState, options: DecisionOptions, data: MarketData) -> Action:
    """Let the strategist look around, then ask it for its plan."""
    looked, mandate = state.now.looked, options.mandate
    if looked.calls:
        return _look(state, data)
    frames = (mandate.timeframe,)
    limits, memory, market = mandate.constraints.told(), _memory(state), _market(data, mandate.currency)
    if options.most_turns and not looked.over:
        shown = LookGiven(
            objective=state.objective,
            assets=mandate.tradable,
            timeframes=frames,
            constraints=limits,
            memory=memory,
            market=market,
            seen=looked.seen,
            refused=looked.refused,
            passes_left=options.most_turns - looked.passes - 1,
        )
        key = looked.key(state.key("look"))
        return ToolPass(key=key, state="PLANNING", role="strategist", given=shown, tools=LOOKING)
    given = StrategyGiven(
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


def analyze(state: DecisionState, options: DecisionOptions, plan: TradePlan, data: MarketData) -> Action:
    """Compute what the rules read, let the quant compute more, then ask it for its report."""
    now, strategy = state.now, options.mandate.strategy
    if not now.standing:
        frame = options.mandate.timeframe
        wanted = StandingGiven(assets=plan.assets, timeframe=frame, strategy=strategy, as_of=data.at)
        return ToolRun(key=state.key("indicators"), state="ANALYZING", tool="run_indicators", given=wanted)
    if now.studied.calls:
        return _study(state, data)
    readings, seen = (*now.readings, *now.studied.readings), (*now.missing, *now.studied.seen)
    left = options.most_steps - now.studied.runs
    if left and not now.studied.over:
        shown = StudyGiven(
            quant_question=plan.quant_question,
            assets=plan.assets,
            timeframes=plan.timeframes,
            expected_outputs=plan.expected_outputs,
            strategy=strategy,
            readings=readings,
            seen=seen,
            refused=now.studied.refused,
            steps_left=left,
        )
        tools = ("run_indicator", "python") if options.python else ("run_indicator",)
        key = now.studied.key(state.key("study"))
        return ToolPass(key=key, state="ANALYZING", role="quant", given=shown, tools=tools)
    given = QuantGiven(
        quant_question=plan.quant_question,
        assets=plan.assets,
        timeframes=plan.timeframes,
        expected_outputs=plan.expected_outputs,
        strategy=strategy,
        readings=readings,
        seen=seen,
    )
    return OutputPass(key=state.key("report"), state="ANALYZING", role="quant", given=given)


def choose(state: DecisionState, mandate: Mandate, limits: Constraints, basis: Basis) -> Action:
    """Ask the portfolio manager for its decision, and tell it what the limits leave room for."""
    rooms = (risk.room(asset, basis.data, mandate, limits) for asset in basis.plan.assets)
    given = DecisionGiven(
        objective=state.objective,
        constraints=limits.told(),
        strategy=mandate.strategy,
        memory=_memory(state),
        market=_market(basis.data, mandate.currency),
        room=tuple(room for room in rooms if room),
        plan=basis.plan,
        report=basis.report,
    )
    return OutputPass(key=state.key("decision"), state="DECIDING", role="portfolio_manager", given=given)


def _look(state: DecisionState, data: MarketData) -> Action:
    """Run the first call that the strategist chose and that was not run yet."""
    call = state.now.looked.calls[0]
    given: Noun
    if call.tool == "get_portfolio_state":
        given = PortfolioOf(portfolio=data.portfolio, equity=data.equity)
    else:
        given = _as_of(SnapshotGiven.model_validate(call.given), data)
    return ToolRun(key=state.now.looked.key(state.key("look")), state="PLANNING", tool=call.tool, given=given)


def _study(state: DecisionState, data: MarketData) -> Action:
    """Run the first call that the quant chose and that was not run yet."""
    call = state.now.studied.calls[0]
    given: Noun
    if call.tool == "python":
        given = PythonGiven.model_validate(call.given)
    else:
        given = _as_of(IndicatorGiven.model_validate(call.given), data)
    return ToolRun(key=state.now.studied.key(state.key("study")), state="ANALYZING", tool=call.tool, given=given)


def _as_of(given: MarketGiven, data: MarketData) -> MarketGiven:
    """Put in the cycle's time; a later one, which a model made up, is left for the market to refuse."""
    probing = given.as_of is not None and given.as_of > data.at
    return given if probing else given.model_copy(update={"as_of": data.at})


def _memory(state: DecisionState) -> tuple[str, ...]:
    return state.memory.told() if state.memory else ()


def _market(data: MarketData, currency: str) -> tuple[str, ...]:
    return (
        f"time: {data.at:%Y-%m-%d %H:%M} UTC",
        *(f"{asset}: {price:f} {currency}" for asset, price in data.prices.items()),
        f"cash: {data.portfolio.cash:f} {currency}",
        *(f"held: {units:f} {asset}" for asset, units in data.portfolio.holdings.items()),
        f"equity: {data.equity:f} {currency}",
    )
