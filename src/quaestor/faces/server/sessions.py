"""Sessions over HTTP: begun, listed, looked at, commanded, and taken turn by turn."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Query, Response

from quaestor.app.approvals import session_approvals
from quaestor.app.erasure import erase
from quaestor.app.network.person_commands import CommandEffect, PersonCommand, perform_command
from quaestor.app.network.submissions import NewSession, begin_session
from quaestor.app.overview import SessionDetails, SessionPage, StatusName, list_sessions, read_details
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.access import AccessToken
from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import CommandRefused
from quaestor.contracts.result import Turn, TurnResult
from quaestor.faces.server.authentication import Reader, Runner, State, VisibleSession
from quaestor.faces.server.examples import COMMANDS, NEW_SESSIONS, TURNS
from quaestor.faces.server.problems import problem_of
from quaestor.faces.server.repeats import IdempotencyKey, begin_once

router = APIRouter(prefix="/api/v1", tags=["sessions"])


class Me(Contract):
    """Who calls."""

    token: AccessToken
    csrf: str | None
    """What a browser sends as `X-CSRF-Token` with every request that changes something."""


class CommandResult(Contract):
    """What a command did, and the session as it is then."""

    effect: str
    session: SessionDetails


@router.get("/me")
async def me(caller: Reader) -> Me:
    """Show who calls: the token without its secret."""
    return Me(token=caller.token, csrf=caller.csrf)


@router.post("/sessions", status_code=HTTPStatus.CREATED)
async def start(
    new: Annotated[NewSession, Body(openapi_examples=NEW_SESSIONS)],
    caller: Runner,
    state: State,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> SessionDetails:
    """Start a session, or find the unfinished one of the same text, documents and models.

    A request that is repeated with its `Idempotency-Key` gives the session that the first one began.
    """

    async def begin() -> TurnRef:
        return TurnRef(await begin_session(caller.quaestor, new, caller.submitter))

    session_id = (await begin_once(state, caller, idempotency_key, new, begin)).session_id
    state.carry(session_id)
    response.headers["Location"] = f"/api/v1/sessions/{session_id}"
    return await read_details(caller.quaestor, session_id)


@router.get("/sessions")
async def list_all(
    *,
    caller: Reader,
    status: StatusName | None = None,
    workflow: Annotated[str | None, Query(max_length=64)] = None,
    text: Annotated[str | None, Query(max_length=200, description="Words in the question.")] = None,
    cursor: Annotated[str | None, Query(max_length=200, description="`next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> SessionPage:
    """List sessions, the newest first."""
    return await list_sessions(caller.quaestor, status=status, workflow=workflow, text=text, cursor=cursor, limit=limit)


@router.get("/sessions/{session_id}")
async def show(session: VisibleSession, caller: Reader) -> SessionDetails:
    """Show a session with its plan, its spend and its open question."""
    return await read_details(caller.quaestor, session.id)


@router.delete("/sessions/{session_id}", status_code=HTTPStatus.NO_CONTENT)
async def delete(session: VisibleSession, caller: Runner, state: State) -> Response:
    """Erase a session with what only it uses; 409 while a process carries it on."""
    await erase(caller.quaestor, [session.id])
    state.forget(session.id)
    return Response(status_code=HTTPStatus.NO_CONTENT)


@router.post("/sessions/{session_id}/commands")
async def command(
    session: VisibleSession,
    given: Annotated[PersonCommand, Body(openapi_examples=COMMANDS)],
    caller: Runner,
    state: State,
) -> CommandResult:
    """Give a session a command; 409 with the reason and its state where it does not take it now."""
    try:
        done: CommandEffect = await perform_command(caller.quaestor, session.id, given, caller.submitter, state.carry)
    except CommandRefused as refused:
        raise problem_of(refused, await caller.quaestor.status(session.id)) from refused
    return CommandResult(effect=done.effect, session=await read_details(caller.quaestor, done.session_id))


@router.get("/sessions/{session_id}/approvals")
async def approvals(session: VisibleSession, caller: Reader) -> Sequence[StandingApproval]:
    """List the calls that a session does without asking, in the order in which they were approved."""
    return await session_approvals(caller.quaestor, session.id)


@router.post("/turns")
async def turn(given: Annotated[Turn, Body(openapi_examples=TURNS)], caller: Runner, state: State) -> TurnResult:
    """Take one turn with a session: a question, a follow-up, an answer, or more work.

    It gives the session's id at once, so that its events can be followed from the first. What is wrong with a turn is
    in `error`.
    """
    result = await caller.quaestor.turn(given, run=False)
    if result.session_id and result.next_action == "processing":
        state.carry(result.session_id)
    return result
