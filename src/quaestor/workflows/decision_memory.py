"""What a cycle leaves to the next one, concluded from everything it knows; no model is asked."""

from quaestor.contracts.decision import AgentMemory, DecisionValidation
from quaestor.contracts.portfolio import MarketOrder
from quaestor.workflows.decision_state import Cycle, DecisionState

LONGEST = 400
"""Characters of a line of memory."""


def remembered(state: DecisionState, currency: str) -> AgentMemory:
    """Give the memory of the cycle that ends."""
    now = state.now
    when = f"{now.data.at:%Y-%m-%d %H:%M} UTC" if now.data else f"Cycle {state.cycle}"
    return AgentMemory(
        short_term_summary=_cut(f"{when}: {_happened(state)}. Worth {state.equity:f} {currency} before it."),
        active_hypotheses=(_cut(now.report.text),) if now.report else (),
        pending_orders=tuple(map(_told, state.portfolio.open_orders)),
        next_steps=tuple(map(_cut, _next_steps(state))),
    )


def _happened(state: DecisionState) -> str:
    now = state.now
    if now.result is None:
        return f"no trade: {now.failure or state.stopped}"
    if now.decision is None or now.result.status == "skipped":
        return "held"
    wanted = f"{now.decision.action} {now.decision.quantity:g} {now.decision.asset}"
    return f"{wanted}: {now.result.status}, {now.result.detail}"


def _next_steps(state: DecisionState) -> tuple[str, ...]:
    now = state.now
    steps = [f"Find out what became of {_told(order)}." for order in state.portfolio.open_orders]
    if now.failure:
        steps.append(f"Avoid what failed before: {now.failure}.")
    if now.validation and not now.validation.passed:
        steps.append(f"Keep the limits that were broken: {_broken(now.validation)}.")
    if now.plan:
        steps.append(_again(now, now.plan.quant_question))
    return tuple(steps)


def _again(now: Cycle, question: str) -> str:
    seen = f", after {now.report.signal}" if now.report else ""
    return f"Ask again{seen}: {question}"


def _broken(validation: DecisionValidation) -> str:
    return "; ".join(f"{one.rule_id}: {one.message}" for one in validation.violations)


def _told(order: MarketOrder) -> str:
    return f"{order.side} {order.quantity:f} {order.asset} ({order.key})"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
