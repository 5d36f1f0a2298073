"""Summaries of a decision session: the memory of each cycle, and what `show` prints."""

from collections.abc import Iterator

from quaestor.contracts.plugin import SessionSummary
from quaestor.trading.contracts.decision import AgentMemory, DecisionValidation, PortfolioDecision, QuantReport
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.portfolio import MarketOrder
from quaestor.trading.performance.formatting import format_money
from quaestor.trading.state import (
    ActiveStage,
    Analyzing,
    DecisionState,
    Executing,
    Failed,
    Memorizing,
    NotStarted,
    Planning,
    Scanning,
    SessionState,
    Settling,
    Stopped,
    market_of,
)

MAX_LINE_CHARS = 400
"""Characters of a line of memory."""


def summarize_cycle(state: DecisionState, stage: Memorizing) -> AgentMemory:
    """Return the memory of the cycle that ends."""
    market, report = market_of(stage), _report(stage.reached)
    when = f"{market.at:%Y-%m-%d %H:%M} UTC" if market else f"Cycle {state.cycle}"
    worth = f"Worth {describe_worth(state)} before it."
    return AgentMemory(
        short_term_summary=_truncate(f"{when}: {_describe_outcome(stage)}. {worth}"),
        active_hypotheses=(_truncate(report.text),) if report else (),
        pending_orders=tuple(map(_describe_order, state.portfolio.open_orders)),
        next_steps=tuple(map(_truncate, _next_steps(state, stage))),
    )


def describe_worth(state: DecisionState) -> str:
    """Return what everything was worth at the last scan, with the currency."""
    return f"{format_money(state.equity)} {state.options.mandate.currency}"


def _describe_outcome(stage: Memorizing) -> str:
    if isinstance(stage.outcome, Failed | Stopped):
        return f"no trade: {stage.outcome.reason}"
    decision = _decision(stage.reached)
    if decision is None or (stage.outcome.status == "skipped" and decision.action == "hold"):
        return "held"
    return f"{describe_trade(decision)}: {stage.outcome.status}, {stage.outcome.detail}"


def describe_trade(decision: PortfolioDecision) -> str:
    """Return the trade that is decided, in words."""
    return f"{decision.action} {decision.quantity:g} {decision.asset}"


def _next_steps(state: DecisionState, stage: Memorizing) -> Iterator[str]:
    for order in state.portfolio.open_orders:
        yield f"Find out what became of {_describe_order(order)}."
    if isinstance(stage.outcome, Failed):
        yield f"Avoid what failed before: {stage.outcome.reason}."
    match stage.reached:
        case Executing(validation=validation) if not validation.passed:
            yield f"Keep the limits that were broken: {_describe_violations(validation)}."
        case _:
            pass
    if not isinstance(stage.reached, Scanning | Planning):
        report = _report(stage.reached)
        yield f"Ask again{f', after {report.signal}' if report else ''}: {stage.reached.plan.quant_question}"


def _report(reached: ActiveStage) -> QuantReport | None:
    return None if isinstance(reached, Scanning | Planning | Analyzing) else reached.report


def _decision(reached: ActiveStage) -> PortfolioDecision | None:
    return reached.decision if isinstance(reached, Executing | Settling) else None


def _describe_violations(validation: DecisionValidation) -> str:
    return "; ".join(f"{one.rule_id}: {one.message}" for one in validation.violations)


def _describe_order(order: MarketOrder) -> str:
    return f"{order.side} {order.quantity:f} {order.asset} ({order.key})"


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_LINE_CHARS else f"{text[: MAX_LINE_CHARS - 1]}…"


def summarize(state: SessionState) -> SessionSummary:
    """Return what is known of a session: its mandate and constraints, its portfolio, and its memory below."""
    if isinstance(state, NotStarted):
        return SessionSummary()
    mandate, portfolio = state.options.mandate, state.portfolio
    candles = " from ".join(filter(None, (mandate.timeframe, mandate.candles or mandate.exchange)))
    held = ", ".join(f"{units:f} {asset}" for asset, units in portfolio.holdings.items())
    notes = (("note", f"{note} (limits nothing)") for note in mandate.constraints.notes)
    return SessionSummary(
        given=(("assets", ", ".join(mandate.assets)), ("candles", candles), ("broker", _broker(mandate)), *notes),
        limits=mandate.constraints.describe_limits(),
        results=(
            ("cycles", f"{state.cycle:,}"),
            ("orders", f"{state.executed_orders:,} executed, {len(portfolio.open_orders):,} in doubt"),
            ("cash", f"{format_money(portfolio.cash)} {mandate.currency}"),
            ("holds", held or "none"),
            ("worth", f"{describe_worth(state)} at the last scan"),
        ),
        below=state.memory.describe() if state.memory else (),
    )


def _broker(mandate: Mandate) -> str:
    if mandate.broker == "paper":
        return mandate.broker
    return f"{mandate.exchange}, {'with real money' if mandate.live else 'its sandbox'}"
