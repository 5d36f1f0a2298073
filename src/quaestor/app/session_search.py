"""Words searched in sessions: in their questions, and in their newest reports."""

from collections.abc import AsyncIterator
from typing import Literal

from quaestor.app.reports.versions import render_report
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.session import Session


class SessionMatch(Contract):
    """A session that has all words of a search, and where."""

    session: Session
    place: Literal["question", "report"]
    line: str


async def search_sessions(quaestor: Quaestor, text: str) -> AsyncIterator[SessionMatch]:
    """Iterate over the sessions with all these words in the question or on a line of the report, the newest first.

    Case does not matter. A session that cannot be read is left out.
    """
    words = text.casefold().split()
    for session in await quaestor.sessions():
        if _has_all(session.question, words):
            yield SessionMatch(session=session, place="question", line=session.question)
            continue
        try:
            report = await quaestor.report(session.id)
        except QuaestorError:
            continue
        if report is None:
            continue
        lines = render_report(report, "md").splitlines()
        if line := next((line for line in lines if _has_all(line, words)), None):
            yield SessionMatch(session=session, place="report", line=line.strip())


def _has_all(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return bool(words) and all(word in folded for word in words)
