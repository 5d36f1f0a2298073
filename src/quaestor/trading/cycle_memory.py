"""What a cycle leaves to the next one, concluded from everything it knows; no model is asked."""

from quaestor.trading.contracts.decision import AgentMemory, DecisionValidation
from quaestor.trading.contracts.portfolio import MarketOrder
from quaestor.trading.state import CycleState, DecisionState

MAX_LINE_CHARS = 400
"""Characters of a line of memory."""


def summarize_cycle(state: DecisionState, currency: str) -> AgentMemory:
    """Give the memory of the cycle that ends."""
    now = state.now
    when = f"{now.data.at:%Y-%m-%d %H:%M} UTC" if now.data else f"Cycle {state.cycle}"
    return AgentMemory(
        short_term_summary=_truncate(
            f"{when}: {_describe_outcome(state)}. Worth {state.equity:f} {currency} before it."
        ),
        active_hypotheses=(_truncate(now.report.text),) if now.report else (),
        pending_orders=tuple(map(_describe_order, state.portfolio.open_orders)),
        next_steps=tuple(map(_truncate, _next_steps(state))),
    )


def _describe_outcome(state: DecisionState) -> str:
    now = state.now
    if now.result is None:
        return f"no trade: {now.failure or state.stopped}"
    if now.decision is None or now.result.status == "skipped":
        return "held"
    wanted = f"{now.decision.action} {now.decision.quantity:g} {now.decision.asset}"
    return f"{wanted}: {now.result.status}, {now.result.detail}"


def _next_steps(state: DecisionState) -> tuple[str, ...]:
    now = state.now
    steps = [f"Find out what became of {_describe_order(order)}." for order in state.portfolio.open_orders]
    if now.failure:
        steps.append(f"Avoid what failed before: {now.failure}.")
    if now.validation and not now.validation.passed:
        steps.append(f"Keep the limits that were broken: {_describe_violations(now.validation)}.")
    if now.plan:
        steps.append(_repeat_question(now, now.plan.quant_question))
    return tuple(steps)


def _repeat_question(now: CycleState, question: str) -> str:
    seen = f", after {now.report.signal}" if now.report else ""
    return f"Ask again{seen}: {question}"


def _describe_violations(validation: DecisionValidation) -> str:
    return "; ".join(f"{one.rule_id}: {one.message}" for one in validation.violations)


def _describe_order(order: MarketOrder) -> str:
    return f"{order.side} {order.quantity:f} {order.asset} ({order.key})"


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_LINE_CHARS else f"{text[: MAX_LINE_CHARS - 1]}…"
