"""The application: all routes, behind the border."""

from fastapi import FastAPI

from quaestor.faces.server import assistants, files, login, monitoring, results, sessions, streaming
from quaestor.faces.server.guard import Guard
from quaestor.faces.server.openapi import DOCUMENT_PATH, install_document
from quaestor.faces.server.problems import install_handlers
from quaestor.faces.server.state import ServerState
from quaestor.faces.server.web import assets, commands, home, live
from quaestor.faces.server.web.error_pages import render_failure

_API = (sessions, streaming, results, files, assistants, login, monitoring)
_PAGES = (home, live, commands, assets)
ROUTERS = tuple(part.router for part in _API)
PAGE_ROUTERS = tuple(part.router for part in _PAGES)


def build_app(state: ServerState) -> FastAPI:
    """Return the application of a server."""
    app = FastAPI(title="Quaestor", openapi_url=DOCUMENT_PATH, docs_url=None, redoc_url=None)
    app.state.server = state
    for router in (*ROUTERS, *PAGE_ROUTERS):
        app.include_router(router)
    install_handlers(app, render_failure)
    install_document(app)
    app.add_middleware(Guard, state=state)
    return app
