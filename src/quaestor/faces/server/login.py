"""The login of a browser, by a link that works once."""

import hmac
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from quaestor.app.network.access import log_in, revoke_token
from quaestor.faces.server.authentication import COOKIE, Reader, State
from quaestor.faces.server.problems import ProblemRaised
from quaestor.faces.server.web.error_pages import accepts_pages

router = APIRouter(tags=["login"])
_HOME = "/"


@router.get("/login", response_class=RedirectResponse, status_code=HTTPStatus.SEE_OTHER)
async def login(request: Request, state: State, code: Annotated[str, Query(max_length=100)]) -> Response:
    """Log a browser in by the link that the server printed; the link works once."""
    expected, state.login_code = state.login_code, None
    if expected is None or not hmac.compare_digest(code.encode(errors="replace"), expected.encode()):
        state.login_code = expected
        raise ProblemRaised(
            HTTPStatus.FORBIDDEN, "the link is wrong or was used before; start the server again for a new one"
        )
    issued = await log_in(state.quaestor)
    answer = RedirectResponse(_HOME, HTTPStatus.SEE_OTHER)
    answer.set_cookie(
        COOKIE,
        issued.secret,
        max_age=30 * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout", status_code=HTTPStatus.NO_CONTENT)
async def logout(request: Request, caller: Reader, state: State) -> Response:
    """End the login of a browser, or revoke the token of the program that calls."""
    await revoke_token(state.quaestor, caller.token.name)
    answer = (
        RedirectResponse(_HOME, HTTPStatus.SEE_OTHER)
        if accepts_pages(request)
        else Response(status_code=HTTPStatus.NO_CONTENT)
    )
    answer.delete_cookie(COOKIE)
    return answer
