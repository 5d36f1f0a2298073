"""The report of a session, and how far it can be trusted."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.app.text import count_noun
from quaestor.contracts.arguments import SessionId
from quaestor.contracts.errors import LogCorrupt, NoEvidence, UsageError
from quaestor.faces.cli.output import command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.report_output import FORMATS, ReportOutput, write_output
from quaestor.research.contracts.report import Report
from quaestor.research.views import explanation as view
from quaestor.research.views.diff import diff_reports
from quaestor.runtime import audit


async def report(
    session: SessionId,
    /,
    *,
    version: Annotated[int | None, Parameter(help="Which version; the newest, if left out.")] = None,
    diff: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="How that version differs from the one before, as text."),
    ] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Print the report of a session; of a decision session, its results as far as it came."""
    delivery.check()
    if diff and delivery != ReportOutput():
        raise UsageError("--diff is text for stdout; leave out --format and --out")
    async with open_home(home) as quaestor:
        result = await quaestor.result(session)
        if diff:
            text: str | None = await _diff(quaestor, session, version)
        elif version is None:
            text = await quaestor.render_report(session, delivery.form)
        else:
            text = FORMATS[delivery.form](_find(await _versions(quaestor, session), session, version))
    if text is None and result.outcome == "no_evidence":
        raise NoEvidence(f"session {session} ended without a report: {result.statement}")
    if text is None:
        raise UsageError(f"session {session} has no report yet; go on with: {command_line(home, 'resume', session)}")
    write_output(text, delivery.out)
    return 0


async def _diff(quaestor: Quaestor, session: str, version: int | None) -> str | None:
    versions = await _versions(quaestor, session)
    if not versions and version is None:
        return None
    written = _find(versions, session, version or max(versions))
    if written.version - 1 not in versions:
        raise UsageError(
            f"version {written.version} is the first, so there is none before it; it has {_version_list(versions)}"
        )
    return diff_reports(versions[written.version - 1], written)


async def _versions(quaestor: Quaestor, session: str) -> Mapping[int, Report]:
    return {report.version: report for report in await quaestor.reports(session)}


def _find(versions: Mapping[int, Report], session: str, version: int) -> Report:
    if version not in versions:
        raise UsageError(f"session {session} has no version {version} of a report; it has {_version_list(versions)}")
    return versions[version]


def _version_list(versions: Iterable[int]) -> str:
    return ", ".join(map(str, versions)) or "none"


async def verify(session: SessionId, /, *, home: Home = None) -> int:
    """Check the log, the sources and every quote of a session.

    Each fault is a line on stdout, and the exit code is 1.
    """
    async with open_home(home) as quaestor:
        faults = await audit.verify_session(quaestor.store, quaestor.library, session)
        if not faults:
            events = await quaestor.events(session)
    if faults:
        write_stdout("".join(f"{fault}\n" for fault in faults))
        write_stderr(f"session {session}: {count_noun(len(faults), 'fault')}")
        return LogCorrupt.exit_code
    quotes = audit.cited_quotes(events)
    sources = {quote.source for quote in quotes}
    write_stdout(
        f"session {session} holds: {count_noun(len(events), 'event')}, "
        f"{count_noun(len(quotes), 'quote')} from {count_noun(len(sources), 'source')}\n"
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
        write_stdout(
            view.render_explanation(await audit.explain_claim(quaestor.store, quaestor.library, session, claim))
        )
    return 0
