"""The MCP server behind an HTTP server, which knows its callers by their tokens."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from quaestor.app import Quaestor
from quaestor.app.network.submissions import Submitter
from quaestor.app.workers.worker import SessionWorker
from quaestor.faces.mcp.server import build_server


def open_manager(quaestor: Quaestor, worker: SessionWorker, submitter: Submitter) -> StreamableHTTPSessionManager:
    """Return a transport without sessions of its own, so that a server may be killed between any two calls.

    Names of hosts and origins are checked by the server in front of it.
    """
    server = build_server(quaestor, worker, submitter)
    server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return server.session_manager
