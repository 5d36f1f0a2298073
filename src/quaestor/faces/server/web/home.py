"""The first page: the sessions that a caller sees, and the form with which a new one begins."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from http import HTTPStatus
from secrets import token_hex
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Response
from fastapi.responses import RedirectResponse
from pydantic import BeforeValidator, Field
from starlette.datastructures import FormData

from quaestor.app.network.submissions import FORM_WORKFLOWS, NewSession, SessionSettings, begin_session, choose_settings
from quaestor.app.network.uploads import COLLECTION_PREFIX, index_collection, store_upload
from quaestor.app.overview import StatusName, list_sessions
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import QuaestorError, UsageError
from quaestor.contracts.report_settings import Domain, Heading, Language, Length
from quaestor.contracts.session import MAX_QUESTION_CHARACTERS
from quaestor.contracts.settings import Effort
from quaestor.faces.server.authentication import Caller, Reader, Runner, State
from quaestor.faces.server.problems import problem_of
from quaestor.faces.server.state import ServerState
from quaestor.faces.server.web.forms import SentForm, file_pieces, read_files, read_form
from quaestor.faces.server.web.rendering import render_page

router = APIRouter(include_in_schema=False)
_SESSIONS_A_PAGE = 25
_STATUSES: tuple[StatusName, ...] = ("queued", "running", "waiting", "paused", "interrupted", "finished")
Model = Annotated[str, Field(max_length=200)]
Domains = Annotated[tuple[Domain, ...], BeforeValidator(lambda text: str(text).replace(",", " ").split())]
Headings = Annotated[
    tuple[Heading, ...], BeforeValidator(lambda text: [line for line in str(text).splitlines() if line.strip()])
]


class ListQuery(Contract):
    """Which sessions are listed."""

    text: str = ""
    status: StatusName | Literal[""] = ""
    cursor: str = ""
    limit: int = _SESSIONS_A_PAGE

    def link(self, cursor: str) -> str:
        """Return the address of the page of sessions that a cursor begins."""
        return f"/?{urlencode({**self.model_dump(exclude_defaults=True), 'cursor': cursor})}"


class NewSessionForm(Contract):
    """The form of a new session; what is left out is as on the server."""

    text: str = Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS)
    workflow: str = Field(default=FORM_WORKFLOWS[0], max_length=64)
    urls: str = Field(default="", max_length=20_000)
    web: bool = False
    model: Model | None = None
    effort: Effort | None = None
    max_dollars: Decimal | None = Field(default=None, ge=0, le=10**6, max_digits=12)
    max_tokens: int | None = Field(default=None, ge=0, le=10**12)
    max_minutes: float | None = Field(default=None, gt=0, le=10**7)
    questions: bool = False
    review_plan: bool = False
    allowed_domains: Domains | None = None
    denied_domains: Domains | None = None
    only_named: bool = False
    since: date | None = None
    as_of: date | None = None
    language: Language | None = None
    length: Length | None = None
    audience: str | None = Field(default=None, max_length=200)
    sections: Headings | None = None

    def session(self, docs: tuple[str, ...]) -> NewSession:
        """Return the session that the form asks for, over these documents."""
        return NewSession(
            workflow=self.workflow,
            text=self.text,
            docs=docs,
            urls=tuple(self.urls.split()),
            settings=SessionSettings(
                model=self.model,
                effort=self.effort,
                questions=self.questions,
                review_plan=self.review_plan,
                web=() if self.web else None,
                max_dollars=self.max_dollars,
                max_tokens=self.max_tokens,
                max_seconds=self.max_minutes * 60 if self.max_minutes else None,
                allowed_domains=self.allowed_domains,
                denied_domains=self.denied_domains,
                only_named=self.only_named or None,
                since=self.since,
                as_of=self.as_of,
                language=self.language,
                length=self.length,
                audience=self.audience,
                sections=self.sections,
            ),
        )


@router.get("/")
async def home(
    caller: Reader,
    state: State,
    *,
    text: Annotated[str, Query(max_length=200)] = "",
    status: StatusName | Literal[""] = "",
    cursor: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = _SESSIONS_A_PAGE,
) -> Response:
    """Show sessions, the newest first, and the form of a new one."""
    return await _render_home(caller, state, ListQuery(text=text, status=status, cursor=cursor, limit=limit))


@router.get("/estimate")
async def estimate(caller: Reader, state: State, model: Model | None = None, effort: Effort | None = None) -> Response:
    """Show what research with a model and an effort may cost."""
    try:
        settings = choose_settings(
            caller.quaestor, SessionSettings(model=model or None, effort=effort), caller.submitter
        )
    except UsageError:
        return render_page("estimate.html", caller, estimate=None)
    return render_page("estimate.html", caller, estimate=await state.costs.estimate(caller.quaestor, settings))


@router.post("/sessions")
async def start(sent: SentForm, caller: Runner, state: State) -> Response:
    """Start a session from the form, over the files that were dropped into it; lead to its page."""
    try:
        form = read_form(sent, NewSessionForm)
        docs, skipped = await _store_files(sent, caller)
        session_id = await begin_session(caller.quaestor, form.session(docs), caller.submitter)
    except QuaestorError as error:
        texts = {name: value for name, value in sent.items() if isinstance(value, str)}
        return await _render_home(caller, state, ListQuery(), texts, error)
    state.carry(session_id)
    notice = f"?skipped={skipped}" if skipped else ""
    return RedirectResponse(f"/sessions/{session_id}{notice}", HTTPStatus.SEE_OTHER)


async def _store_files(sent: FormData, caller: Caller) -> tuple[tuple[str, ...], int]:
    """Store the files of a form in a new collection; return how it is named, and how many cannot be read.

    Raises UsageError where none of them can be read.
    """
    files = read_files(sent, "files")
    if not files:
        return (), 0
    name = f"page-{caller.quaestor.clock.now():%Y%m%d-%H%M%S}-{token_hex(3)}"
    for file in files:
        await store_upload(caller.quaestor, name, file.filename or "", file_pieces(file))
    skipped = (await index_collection(caller.quaestor, name)).skipped
    return (f"{COLLECTION_PREFIX}{name}",), len(skipped)


async def _render_home(
    caller: Caller,
    state: ServerState,
    query: ListQuery,
    sent: Mapping[str, str] | None = None,
    error: QuaestorError | None = None,
) -> Response:
    """Return the page; with what was sent and why that cannot be used, where a form is shown again."""
    page = await list_sessions(
        caller.quaestor,
        status=query.status or None,
        text=query.text or None,
        cursor=query.cursor or None,
        limit=query.limit,
    )
    settings = caller.quaestor.settings
    return render_page(
        "home.html",
        caller,
        status=HTTPStatus(problem_of(error).problem.status) if error else HTTPStatus.OK,
        page=page,
        query=query,
        statuses=_STATUSES,
        workflows=FORM_WORKFLOWS,
        costs=await state.costs.read(caller.quaestor, page.sessions),
        now=caller.quaestor.clock.now(),
        settings=settings,
        estimate=await state.costs.estimate(caller.quaestor, settings),
        sent=sent,
        error=str(error) if error else None,
        may_run=caller.token.allows("run"),
    )
