from quaestor.contracts.decision import LookGiven, StrategyGiven, TradePlan
from quaestor.contracts.event import ToolCall


def look(given: LookGiven) -> tuple[ToolCall, ...]:
    """Look at the portfolio and at the market once."""
    if given.seen or given.refused:
        return ()
    return (
        ToolCall(ref="c1", tool="get_portfolio_state", given={}),
        ToolCall(ref="c2", tool="get_market_snapshot", given={"assets": list(given.assets)}),
    )


def strategise(given: StrategyGiven) -> TradePlan:
    """Ask what the rules say of one asset; of several, each cycle of the next."""
    asset = given.assets[(given.cycle - 1) % len(given.assets)]
    frame = given.timeframes[0]
    return TradePlan(
        objective=given.objective,
        assets=(asset,),
        quant_question=f"Is {asset} bullish or bearish over {frame} by the rules?",
        timeframes=(frame,),
        expected_outputs=("signal", "confidence"),
    )
