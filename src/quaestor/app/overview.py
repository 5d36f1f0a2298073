"""Sessions as clients see them: in lists, page by page, and one with all that is known of it."""

import base64
import binascii
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from pydantic import Field

from quaestor.app.inspection import read_spend
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import LimitUsage, Spend
from quaestor.contracts.errors import UsageError
from quaestor.contracts.payload import QuestionKind
from quaestor.contracts.session import Session, SessionQuery, SessionStatus
from quaestor.research.contracts.plan import Plan
from quaestor.research.views.plan_text import plan_summary

StatusName = Literal["queued", "running", "interrupted", "paused", "waiting", "finished"]


class SessionOverview(Contract):
    """A session in a list."""

    id: str
    workflow: str
    question: str
    created_at: datetime
    last_at: datetime | None = Field(description="Of its last event.")
    events: int = Field(description="The number of its last event.")
    dollars: Decimal | None = Field(description="Spent so far; None: not counted yet.")
    folder: str | None = Field(description="What it reads or works in; empty: nothing. None: not looked up yet.")
    status: SessionStatus


class SessionPage(Contract):
    """A part of the list of sessions, the newest first."""

    sessions: tuple[SessionOverview, ...]
    next: str | None = Field(description="The cursor of the next page; None: there is none.")


class OpenQuestion(Contract):
    """What a session waits for a person for."""

    kind: QuestionKind
    agent: str
    questions: tuple[str, ...]


class Fact(Contract):
    """Something known of a session, in words."""

    label: str
    value: str


class SessionDetails(SessionOverview):
    """A session with its plan, its spend and its open questions."""

    progress: str = Field(description="As 3/5 todos, in a few words.")
    statement: str = Field(description="How it ended, why it is paused, or what it asks.")
    asked: OpenQuestion | None
    plan: Plan | None = Field(description="Of a research session; None for other workflows.")
    spend: Spend
    limits: tuple[LimitUsage, ...]
    facts: tuple[Fact, ...] = Field(description="What its workflow says of it.")


class PlanOverview(Contract):
    """The plan of a research session."""

    summary: str = Field(description="How many todos there are, by status.")
    plan: Plan


async def list_sessions(
    quaestor: Quaestor,
    *,
    status: StatusName | None = None,
    workflow: str | None = None,
    text: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> SessionPage:
    """Return a page of the sessions that a caller may see. Raises UsageError for a cursor that no page gave."""
    finished = None if status is None else status == "finished"
    query = SessionQuery(workflow=workflow, text=text, finished=finished, limit=limit)
    found: list[SessionOverview] = []
    last: Session | None = None
    async for session in _sessions(quaestor, query.revised(before=_parse_cursor(cursor) if cursor else None)):
        overview = await describe_session(quaestor, session)
        if status not in {None, overview.status.state}:
            continue
        if len(found) == limit:
            return SessionPage(sessions=tuple(found), next=_format_cursor(last) if last else None)
        found.append(overview)
        last = session
    return SessionPage(sessions=tuple(found), next=None)


async def describe_session(quaestor: Quaestor, session: Session) -> SessionOverview:
    """Return a session as lists show it."""
    return build_overview(session, await quaestor.status(session.id))


def build_overview(session: Session, status: SessionStatus) -> SessionOverview:
    """Return a session with this status as lists show it."""
    return SessionOverview(
        id=session.id,
        workflow=session.workflow,
        question=session.question,
        created_at=session.created_at,
        last_at=session.last_at,
        events=session.events,
        dollars=session.status.dollars if session.status else None,
        folder=session.folder,
        status=status,
    )


async def read_details(quaestor: Quaestor, session_id: str) -> SessionDetails:
    """Return what is known of a session. Raises UnknownSession."""
    session = await quaestor.session(session_id)
    overview = await describe_session(quaestor, session)
    result = await quaestor.result(session_id)
    spent = await read_spend(quaestor, session_id)
    known = await quaestor.summarize(session_id)
    asked = result.asked
    return SessionDetails(
        **dict(overview),
        progress=await quaestor.progress(session_id),
        statement=result.statement,
        asked=OpenQuestion(kind=asked.kind, agent=asked.agent, questions=asked.questions) if asked else None,
        plan=await quaestor.plan(session_id) if session.workflow == "research" else None,
        spend=spent.total.spend,
        limits=spent.limits,
        facts=tuple(Fact(label=label, value=value) for label, value in (*known.given, *known.results)),
    )


async def read_plan(quaestor: Quaestor, session_id: str) -> PlanOverview:
    """Return the plan of a session. Raises UsageError for one of another workflow than research."""
    plan = await quaestor.plan(session_id)
    return PlanOverview(summary=plan_summary(plan), plan=plan)


async def _sessions(quaestor: Quaestor, query: SessionQuery) -> AsyncIterator[Session]:
    """Iterate over the sessions of a query, one more than a page at a time."""
    while sessions := await quaestor.select_sessions(query.revised(limit=query.limit + 1)):
        for session in sessions:
            yield session
        query = query.revised(before=(sessions[-1].created_at, sessions[-1].id))


def _format_cursor(session: Session) -> str:
    return base64.urlsafe_b64encode(f"{session.created_at.isoformat()} {session.id}".encode()).decode()


def _parse_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        at, session_id = base64.urlsafe_b64decode(cursor.encode("ascii")).decode().split(" ", 1)
        return datetime.fromisoformat(at).astimezone(UTC), session_id
    except (binascii.Error, ValueError, OverflowError) as error:
        raise UsageError(f"{cursor[:60]!r} is no cursor; use the one that the page before gave as `next`") from error
