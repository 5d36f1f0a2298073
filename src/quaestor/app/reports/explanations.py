"""Where a claim of a report comes from, as a value and as text."""

from quaestor.app.shorthands import Quaestor
from quaestor.research.views.explanation import Explanation, render_explanation
from quaestor.runtime import audit

__all__ = ["Explanation", "explain_claim", "trace_claim"]


async def trace_claim(quaestor: Quaestor, session_id: str, claim: int) -> Explanation:
    """Trace a claim of the newest report back to its sources.

    Raises UsageError when the session has no report, or its report no claim with this number.
    """
    await quaestor.session(session_id)
    return await audit.explain_claim(quaestor.store, quaestor.library, session_id, claim)


async def explain_claim(quaestor: Quaestor, session_id: str, claim: int) -> str:
    """Trace a claim of the newest report back to its sources, as text. Raises as `trace_claim` does."""
    return render_explanation(await trace_claim(quaestor, session_id, claim))
