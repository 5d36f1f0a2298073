"""Who calls: a program by its bearer token, or a browser by the cookie of its login."""

import hmac
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer, SecurityScopes

from quaestor.app import Quaestor
from quaestor.app.network.access import authenticate
from quaestor.app.network.submissions import Submitter
from quaestor.app.network.uploads import DocumentRoots
from quaestor.contracts.access import AccessToken, Scope
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.session import Session
from quaestor.faces.server.problems import ProblemRaised
from quaestor.faces.server.state import ServerState, server_state

COOKIE = "quaestor_login"
CSRF_HEADER = "X-CSRF-Token"
CSRF_FIELD = "csrf"
"""Of a form, which has no headers of its own."""
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})
_bearer = HTTPBearer(auto_error=False, description="A token of `quaestor token add`.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The login of a browser.")

State = Annotated[ServerState, Depends(server_state)]


class Caller(Immutable):
    """Who calls, and the home as it sees it."""

    token: AccessToken
    quaestor: Quaestor
    submitter: Submitter
    csrf: str | None
    """What a browser sends with every request that changes something; None for programs."""


def csrf_token(secret: str) -> str:
    """Return what proves that a request comes from a page that could read an answer to this login."""
    return hmac.new(secret.encode(errors="surrogateescape"), b"csrf", sha256).hexdigest()


async def identify(
    request: Request,
    state: State,
    scopes: SecurityScopes,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    cookie: Annotated[str | None, Security(_cookie)],
) -> Caller:
    """Return who calls. Raises ProblemRaised for who is not known, may not do this, or comes too often."""
    secret = bearer.credentials if bearer else cookie
    token = await authenticate(state.quaestor, secret) if secret else None
    client = request.client.host if request.client else "unknown"
    known = f"token {token.name}" if token else f"address {client}"
    if not hasattr(request.state, "caller") and (wait := state.rate.seconds_to_wait(known)):
        raise ProblemRaised(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"more than {state.options.requests_a_minute} requests came in a minute; wait",
            headers={"Retry-After": str(int(wait) + 1)},
        )
    request.state.caller = known  # a route whose parts need several scopes is counted once
    if token is None or token.kind != ("token" if bearer else "browser"):
        raise ProblemRaised(
            HTTPStatus.UNAUTHORIZED,
            "no token, or one that is unknown, expired or revoked; `quaestor token add` makes one",
            headers={"WWW-Authenticate": 'Bearer realm="quaestor"'},
        )
    for scope in scopes.scopes:
        _require_scope(token, scope)
    csrf = None if bearer or secret is None else csrf_token(secret)
    if csrf:
        await _check_browser(request, csrf)
    is_admin = token.allows("admin")
    return Caller(
        token=token,
        quaestor=state.quaestor.for_tenant(token.tenant),
        submitter=Submitter(is_admin, DocumentRoots(state.options.docs_root if is_admin else None)),
        csrf=csrf,
    )


def _require_scope(token: AccessToken, scope: str) -> None:
    needed: Scope = "admin" if scope == "admin" else "run" if scope == "run" else "read"
    if not token.allows(needed):
        raise ProblemRaised(HTTPStatus.FORBIDDEN, f"the token has the scope {token.scope}; this needs {needed}")


async def _check_browser(request: Request, csrf: str) -> None:
    """Refuse a request that another site made with the cookie of this one."""
    if request.headers.get("sec-fetch-site", "none") not in _OWN_SITE:
        raise ProblemRaised(HTTPStatus.FORBIDDEN, "the request comes from another site")
    if request.method in _SAFE_METHODS:
        return
    origin = urlsplit(request.headers.get("origin", "")).netloc
    if not origin or origin != request.headers.get("host"):
        raise ProblemRaised(HTTPStatus.FORBIDDEN, "the request has no Origin of this server")
    if not hmac.compare_digest((await _sent_csrf(request)).encode(), csrf.encode()):
        await request.close()
        raise ProblemRaised(
            HTTPStatus.FORBIDDEN,
            f"the header {CSRF_HEADER}, or the field {CSRF_FIELD} of a form, is missing or wrong; "
            "GET /api/v1/me has it",
        )


async def _sent_csrf(request: Request) -> str:
    """Return what a page sent to prove that it could read an answer to this login, in a header or with its form."""
    if CSRF_HEADER in request.headers:
        return request.headers[CSRF_HEADER]
    if not request.headers.get("content-type", "").startswith(_FORM_TYPES):
        return ""
    sent = (await request.form()).get(CSRF_FIELD)  # the route that reads the form gets the one that is parsed here
    return sent if isinstance(sent, str) else ""


Reader = Annotated[Caller, Security(identify, scopes=["read"])]
Runner = Annotated[Caller, Security(identify, scopes=["run"])]


async def visible_session(session_id: str, caller: Reader) -> Session:
    """Return the session that a path names. Raises UnknownSession also where it belongs to another tenant."""
    return await caller.quaestor.session(session_id)


VisibleSession = Annotated[Session, Depends(visible_session)]
