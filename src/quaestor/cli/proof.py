"""The report of a session, and how far it can be trusted."""

from collections.abc import Iterable
from typing import Annotated

from cyclopts import Parameter

from quaestor import audit
from quaestor.app import open_home
from quaestor.cli import decisions
from quaestor.cli.delivery import Delivery
from quaestor.cli.phrase import counted
from quaestor.cli.place import Home, SessionId
from quaestor.cli.results import Results
from quaestor.cli.speech import command, give, say
from quaestor.contracts.errors import LogDamaged, NoEvidence, UsageError
from quaestor.views import explain as view
from quaestor.views.difference import report_difference


async def report(
    session: SessionId,
    /,
    *,
    version: Annotated[int | None, Parameter(help="Which version; the newest, if left out.")] = None,
    diff: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="How that version differs from the one before, as text."),
    ] = False,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Print the report of a session; of a decision session, its results as far as it came."""
    delivery.check()
    if diff and delivery != Delivery():
        raise UsageError("--diff is text for stdout; leave out --format and --out")
    async with open_home(home) as quaestor:
        if (await quaestor.store.session(session)).workflow == decisions.DECISION:
            if version is not None or diff:
                raise UsageError(f"session {session} is one of decisions, whose results have no versions")
            record = await decisions.results(quaestor, session, risk_free=0, target=0)
            Results(form=delivery.form, out=delivery.out).hand_over(record)
            return 0
        versions = {one.version: one for one in await quaestor.reports(session)}
        result = await quaestor.result(session)
    if version is not None and version not in versions:
        raise UsageError(f"session {session} has no version {version} of a report; it has {_numbers(versions)}")
    wanted = version or max(versions, default=0)
    written = versions.get(wanted)
    if diff and written:
        if wanted - 1 not in versions:
            raise UsageError(f"version {wanted} is the first, so there is none before it; it has {_numbers(versions)}")
        give(report_difference(versions[wanted - 1], written))
        return 0
    if written is None and result.outcome == "no_evidence":
        raise NoEvidence(f"session {session} ended without a report: {result.statement}")
    if written is None:
        raise UsageError(f"session {session} has no report yet; go on with: {command(home, 'resume', session)}")
    delivery.hand_over(written)
    return 0


def _numbers(versions: Iterable[int]) -> str:
    return ", ".join(map(str, versions)) or "none"


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
