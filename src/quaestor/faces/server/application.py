"""The application: all routes, behind the border."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from fastapi import FastAPI, Request, Response
from pydantic import JsonValue
from starlette.routing import BaseRoute

from quaestor.faces.server import assistants, files, login, monitoring, results, sessions, streaming
from quaestor.faces.server.guard import Guard
from quaestor.faces.server.openai import chat, models, responses
from quaestor.faces.server.openai.errors import is_openai_path, render_error
from quaestor.faces.server.openapi import DOCUMENT_PATH, describe_routes
from quaestor.faces.server.problems import ProblemRaised, install_handlers
from quaestor.faces.server.state import ServerState
from quaestor.faces.server.web import assets, commands, home, inside, live, report, work
from quaestor.faces.server.web.error_pages import render_failure

_API = (sessions, streaming, results, files, assistants, login, monitoring)
_OPENAI = (responses, chat, models)
_PAGES = (home, live, commands, report, work, inside, assets)
ROUTERS = tuple(part.router for part in (*_API, *_OPENAI))
PAGE_ROUTERS = tuple(part.router for part in _PAGES)


def build_app(state: ServerState) -> FastAPI:
    """Return the application of a server."""
    described = described_routes()
    app = FastAPI(
        title="Quaestor", openapi_url=DOCUMENT_PATH, docs_url=None, redoc_url=None, routes=list(described.routes)
    )
    app.state.server = state
    install_handlers(app, _render)
    app.openapi = lambda: described.document  # type: ignore[method-assign]  # the way that FastAPI documents
    app.add_middleware(Guard, state=state)
    return app


class _Described(NamedTuple):
    routes: Sequence[BaseRoute]
    document: dict[str, JsonValue]


@cache
def described_routes() -> _Described:
    """Return the routes, which are the same for every application, and what describes them: a third of a second."""
    app = FastAPI(openapi_url=None)
    for router in (*ROUTERS, *PAGE_ROUTERS):
        app.include_router(router)
    return _Described(app.routes, describe_routes(app))


def _render(request: Request, raised: ProblemRaised) -> Response:
    """Return the answer that a problem is, in the form that the clients of a path know."""
    return render_error(raised) if is_openai_path(request.url.path) else render_failure(request, raised)
