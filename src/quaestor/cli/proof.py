"""The report of a session, and how far it can be trusted."""

from typing import Annotated

from cyclopts import Parameter

from quaestor import audit
from quaestor.app import open_home
from quaestor.cli.delivery import Delivery
from quaestor.cli.phrase import counted
from quaestor.cli.place import Home, SessionId
from quaestor.cli.speech import command, give, say
from quaestor.contracts.errors import LogDamaged, NoEvidence, UsageError
from quaestor.views import explain as view


async def report(session: SessionId, /, *, delivery: Delivery = Delivery(), home: Home = None) -> int:  # noqa: B008 -- frozen
    """Print the report of a session."""
    delivery.check()
    async with open_home(home) as quaestor:
        written = await quaestor.report(session)
        result = await quaestor.result(session)
    if written is None and result.outcome == "no_evidence":
        raise NoEvidence(f"session {session} ended without a report: {result.statement}")
    if written is None:
        raise UsageError(f"session {session} has no report yet; go on with: {command(home, 'resume', session)}")
    delivery.hand_over(written)
    return 0


async def verify(session: SessionId, /, *, home: Home = None) -> int:
    """Check the log, the sources and every quote of a session.

    Each fault is a line on stdout, and the exit code is 1.
    """
    async with open_home(home) as quaestor:
        faults = await audit.verify(quaestor.store, quaestor.library, session)
        if not faults:
            events = await quaestor.events(session)
    if faults:
        give("".join(f"{fault}\n" for fault in faults))
        say(f"session {session}: {counted(len(faults), 'fault')}")
        return LogDamaged.exit_code
    quotes = audit.quotes(events)
    sources = {quote.source for quote in quotes}
    give(
        f"session {session} holds: {counted(len(events), 'event')}, "
        f"{counted(len(quotes), 'quote')} from {counted(len(sources), 'source')}\n"
    )
    return 0


async def explain(
    session: SessionId,
    /,
    *,
    claim: Annotated[int, Parameter(help="Its number; `quaestor report --format json` numbers all.")],
    home: Home = None,
) -> int:
    """Trace one claim of a report back to its sources.

    Shows each quote with the words around it, the search that found it, the todo, and the numbers of the events.
    """
    async with open_home(home) as quaestor:
        give(view.explain(await audit.explain(quaestor.store, quaestor.library, session, claim)))
    return 0
