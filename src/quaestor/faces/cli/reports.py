"""The report of a session, and whether it can be trusted."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.inspection import verify_session
from quaestor.app.reports import diff_report, explain_claim, render_version
from quaestor.app.text import count_noun
from quaestor.contracts.errors import LogCorrupt, NoEvidence, UsageError
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import ReportOutput, SessionId
from quaestor.faces.cli.output import check_output_path, command_line, write_output, write_stderr, write_stdout
from quaestor.faces.cli.params import Home


async def report(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    version: Annotated[int | None, Parameter(help="Print this version; the newest without it.")] = None,
    diff: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Print how that version differs from the one before, as text."),
    ] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Print the report of a session; of a decision session, its results so far."""
    check_output_path("--out", delivery.out)
    if diff and delivery != ReportOutput():
        raise UsageError("--diff is text for stdout; leave out --format and --out")
    async with open_home(home) as quaestor:
        result = await quaestor.result(session)
        if diff:
            text = await diff_report(quaestor, session, version)
        elif version is None:
            text = await quaestor.render_report(session, delivery.format)
        else:
            text = await render_version(quaestor, session, version, delivery.format)
    if text is None and result.outcome == "no_result":
        raise NoEvidence(f"session {session} ended without a report: {result.statement}")
    if text is None:
        raise UsageError(f"session {session} has no report yet; continue with: {command_line(home, 'resume', session)}")
    write_output(text, delivery.out)
    return 0


async def verify(session: SessionId = NEWEST_SESSION, /, *, home: Home = None) -> int:
    """Check the log, the sources and every quote of a session.

    Prints each fault on a line of stdout, and ends with exit code 1 when there is one.
    """
    async with open_home(home) as quaestor:
        checked = await verify_session(quaestor, session)
    if checked.faults:
        write_stdout("".join(f"{fault}\n" for fault in checked.faults))
        write_stderr(f"session {session}: {count_noun(len(checked.faults), 'fault')}")
        return LogCorrupt.exit_code
    write_stdout(
        f"session {session} holds: {count_noun(checked.events, 'event')}, "
        f"{count_noun(checked.quotes, 'quote')} from {count_noun(checked.sources, 'source')}\n"
    )
    return 0


async def explain(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    claim: Annotated[int, Parameter(help="The number of the claim, as `quaestor report --format json` prints it.")],
    home: Home = None,
) -> int:
    """Trace one claim of a report back to its sources.

    Shows each quote with the words around it, the search that found it, the todo, and the numbers of the events.
    """
    async with open_home(home) as quaestor:
        write_stdout(await explain_claim(quaestor, session, claim))
    return 0
