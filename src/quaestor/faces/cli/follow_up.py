"""Another cycle of a finished session: a follow-up question, or a new look at the sources of its report."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.faces.cli.indexing import indexing_progress
from quaestor.faces.cli.interactive import run_interactively
from quaestor.faces.cli.output import write_stderr
from quaestor.faces.cli.params import Home, Json, SessionId
from quaestor.faces.cli.report_output import ReportOutput
from quaestor.faces.cli.run_loop import immediate_interrupt
from quaestor.research.views.diff import diff_reports


async def ask(
    session: SessionId,
    question: Annotated[
        str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")
    ],
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    home: Home = None,
) -> int:
    """Ask a finished session a follow-up question and print the new report.

    What was found, remembered and read before is used again; no query is searched twice. As JSON the stream begins with
    the question.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        seen = (await quaestor.store.session(session)).events
        await quaestor.ask(session, question)
        return await run_interactively(quaestor, session, delivery, home, json=json, after=seen)


async def refresh(
    session: SessionId,
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    home: Home = None,
) -> int:
    """Look again at the sources of a report, and do again what rests on those that changed.

    The new version of the report is printed, and on stderr how it differs from the one before.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        before, seen = await quaestor.report(session), (await quaestor.store.session(session)).events
        with immediate_interrupt(), indexing_progress() as progress:
            await quaestor.refresh(session, progress)
        code = await run_interactively(quaestor, session, delivery, home, json=json, after=seen)
        after = await quaestor.report(session)
    if before and after and after.version != before.version:
        write_stderr(diff_reports(before, after).rstrip())
    return code
