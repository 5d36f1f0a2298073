"""What `show` prints of a decision session."""

from quaestor.contracts.plugin import SessionSummary
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.state import NotStarted, SessionState


def summarize(state: SessionState) -> SessionSummary:
    """Return what is known of a session: its mandate and constraints, its portfolio, and its memory below."""
    if isinstance(state, NotStarted):
        return SessionSummary()
    mandate, portfolio = state.options.mandate, state.portfolio
    candles = " from ".join(filter(None, (mandate.timeframe, mandate.candles or mandate.exchange)))
    held = ", ".join(f"{units:f} {asset}" for asset, units in portfolio.holdings.items())
    return SessionSummary(
        given=(("assets", ", ".join(mandate.assets)), ("candles", candles), ("broker", _broker(mandate))),
        limits=mandate.constraints.describe(),
        results=(
            ("cycles", f"{state.cycle:,}"),
            ("orders", f"{state.executed_orders:,} executed, {len(portfolio.open_orders):,} in doubt"),
            ("cash", f"{portfolio.cash:f} {mandate.currency}"),
            ("holds", held or "none"),
            ("worth", f"{state.equity:f} {mandate.currency} at the last scan"),
        ),
        below=state.memory.describe() if state.memory else (),
    )


def _broker(mandate: Mandate) -> str:
    if mandate.broker == "paper":
        return mandate.broker
    return f"{mandate.exchange}, {'with real money' if mandate.live else 'its sandbox'}"
