"""Another cycle of a finished session: a follow-up question, or a new look at the sources of its report."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.cli.carry import abrupt
from quaestor.cli.delivery import Delivery
from quaestor.cli.indexing import showing
from quaestor.cli.place import Home, Json, SessionId
from quaestor.cli.speech import say
from quaestor.cli.watched import watched
from quaestor.views.difference import report_difference


async def ask(
    session: SessionId,
    question: Annotated[
        str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")
    ],
    /,
    *,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
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
        return await watched(quaestor, session, delivery, home, json=json, after=seen)


async def refresh(
    session: SessionId,
    /,
    *,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    json: Json = False,
    home: Home = None,
) -> int:
    """Look again at the sources of a report, and do again what rests on those that changed.

    The new version of the report is printed, and on stderr how it differs from the one before.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        before, seen = await quaestor.report(session), (await quaestor.store.session(session)).events
        with abrupt(), showing() as progress:
            await quaestor.refresh(session, progress)
        code = await watched(quaestor, session, delivery, home, json=json, after=seen)
        after = await quaestor.report(session)
    if before and after and after.version != before.version:
        say(report_difference(before, after).rstrip())
    return code
