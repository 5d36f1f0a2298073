"""What can be read of a session: its status, what it spent, its plan, and whether its log and quotes are intact."""

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.cost import SpendReport
from quaestor.contracts.session import Verification
from quaestor.research.views.plan_text import plan_lines
from quaestor.runtime import audit
from quaestor.views.spend import SpendFold


async def read_spend(quaestor: Quaestor, session_id: str) -> SpendReport:
    """Return what a session spent, by state, role, todo and model."""
    spent = SpendFold()
    async for event in quaestor.read_events(session_id):
        spent.take(event)
    return spent.report()


async def verify_session(quaestor: Quaestor, session_id: str) -> Verification:
    """Check the hash chain of a session, the sources it cites and every quote."""
    faults = await audit.verify_session(quaestor.store, quaestor.library, session_id)
    if faults:
        return Verification(faults=faults)
    quotes = audit.cited_quotes(await audit.cited_events(quaestor.store, session_id))
    counted = (await quaestor.session(session_id)).events
    return Verification(events=counted, quotes=len(quotes), sources=len({quote.source for quote in quotes}))


async def describe_plan(quaestor: Quaestor, session_id: str) -> tuple[str, ...]:
    """Return a line for each todo of a plan; none before there is one. Raises UsageError for another workflow."""
    return plan_lines(await quaestor.plan(session_id), {})
