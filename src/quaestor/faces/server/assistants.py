"""The route of the MCP server: assistants call the tools of `faces/mcp` with the token of a tenant."""

from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from quaestor.contracts.errors import MissingExtra
from quaestor.faces.server.authentication import Runner, State
from quaestor.faces.server.problems import ProblemRaised

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

router = APIRouter(tags=["assistants"])


class _Answered(Response):
    """An answer that the transport of the protocol writes itself."""

    def __init__(self, manager: "StreamableHTTPSessionManager") -> None:
        super().__init__()
        self._manager = manager

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


@router.post("/mcp", include_in_schema=False)
async def call_tools(caller: Runner, state: State) -> Response:
    """Answer a message of the Model Context Protocol."""
    if state.worker is None:
        raise ProblemRaised(HTTPStatus.NOT_IMPLEMENTED, "this server runs no sessions, so assistants cannot start any")
    try:
        manager = await state.assistants.find(caller.quaestor, state.worker, caller.submitter)
    except ModuleNotFoundError as error:
        raise MissingExtra("the MCP server needs an extra", "mcp") from error
    return _Answered(manager)
