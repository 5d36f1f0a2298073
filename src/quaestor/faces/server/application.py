"""The application: all routes, behind the border."""

from fastapi import FastAPI, Request, Response

from quaestor.faces.server import assistants, files, login, monitoring, results, sessions, streaming
from quaestor.faces.server.guard import Guard
from quaestor.faces.server.openai import chat, models, responses
from quaestor.faces.server.openai.errors import is_openai_path, render_error
from quaestor.faces.server.openapi import DOCUMENT_PATH, install_document
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
    app = FastAPI(title="Quaestor", openapi_url=DOCUMENT_PATH, docs_url=None, redoc_url=None)
    app.state.server = state
    for router in (*ROUTERS, *PAGE_ROUTERS):
        app.include_router(router)
    install_handlers(app, _render)
    install_document(app)
    app.add_middleware(Guard, state=state)
    return app


def _render(request: Request, raised: ProblemRaised) -> Response:
    """Return the answer that a problem is, in the form that the clients of a path know."""
    return render_error(raised) if is_openai_path(request.url.path) else render_failure(request, raised)
