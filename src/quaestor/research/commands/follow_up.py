"""Another cycle of a finished session: a follow-up question, a new look at its sources, or a section anew."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.contracts.host import Host
from quaestor.contracts.terminal import AtTerminal, Json, ReportOutput, SessionId, Terminal
from quaestor.research import operations
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.events import ReportWritten
from quaestor.research.views.diff import diff_documents


async def ask(
    session: SessionId,
    question: Annotated[
        str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")
    ],
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    terminal: AtTerminal,
) -> int:
    """Ask a finished session a follow-up question and print the new report.

    What was found, remembered and read before is used again; no query is searched twice. As JSON the stream begins with
    the question.
    """
    terminal.check_output_path("--out", delivery.out)
    async with terminal.open() as host:
        seen = (await host.session(session)).events
        await operations.ask(host, session, question)
        return await terminal.carry_on(session, delivery, json=json, after=seen)


async def refresh(
    session: SessionId,
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    terminal: AtTerminal,
) -> int:
    """Look again at the sources of a report, and do again what rests on those that changed.

    The new version of the report is printed, and on stderr how it differs from the one before.
    """
    terminal.check_output_path("--out", delivery.out)
    async with terminal.open() as host:
        before, seen = await _newest_report(host, session), (await host.session(session)).events
        with terminal.indexing() as progress:
            await operations.refresh(host, session, progress)
        code = await terminal.carry_on(session, delivery, json=json, after=seen)
        after = await _newest_report(host, session)
    _write_difference(terminal, before, after)
    return code


async def revise(
    session: SessionId,
    section: Annotated[str, Parameter(name="SECTION", help="Its id, its heading, or its place, counted from 1.")],
    what: Annotated[
        str, Parameter(name="WHAT", help="How it is to be written; after -- it may begin with a dash.")
    ] = "",
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    terminal: AtTerminal,
) -> int:
    """Write one section of a report again, from what was found; all else stays word for word.

    The new version of the report is printed, and on stderr how it differs from the one before.
    """
    terminal.check_output_path("--out", delivery.out)
    async with terminal.open() as host:
        before, seen = await _newest_report(host, session), (await host.session(session)).events
        await operations.revise(host, session, section, what)
        code = await terminal.carry_on(session, delivery, json=json, after=seen)
        _write_difference(terminal, before, await _newest_report(host, session))
    return code


def _write_difference(terminal: Terminal, before: ResearchDocument | None, after: ResearchDocument | None) -> None:
    if before and after and after.version != before.version:
        terminal.write_stderr(diff_documents(before, after).rstrip())


async def _newest_report(host: Host, session_id: str) -> ResearchDocument | None:
    written = await host.latest(session_id, {"report_written"})
    return written.payload.report if written and isinstance(written.payload, ReportWritten) else None
