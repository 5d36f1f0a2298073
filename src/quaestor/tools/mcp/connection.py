"""One living connection to a server: a program with pipes, or an address."""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import httpx2
from anyio import BrokenResourceError, ClosedResourceError
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Tool
from pydantic import ValidationError

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.mcp import McpServer
from quaestor.tools.mcp.tool_results import one_line
from quaestor.tools.worker.stderr_tail import StderrTail

CLIENT_ERRORS = (
    MCPError,
    OSError,
    ValueError,
    RuntimeError,
    httpx2.HTTPError,
    BrokenResourceError,
    ClosedResourceError,
)
"""What the client raises for a server that cannot be reached, breaks off or says what is no message."""
MAX_TOOLS = 200
"""Tools that a server may have."""
MAX_MESSAGE_BYTES = 8_000_000
"""Bytes of one message from a program."""
_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_PASSED_VARIABLES = ("PATH", "HOME", "LANG")
_SHUTDOWN_SECONDS = 8
"""The library waits two seconds for a program to end, then two after each of two signals."""

logging.getLogger("mcp").addHandler(logging.NullHandler())  # else what a server says wrongly is shown in the terminal


class ConnectedServer(NamedTuple):
    """What a connection that stands is: the client, and the tools that the server listed."""

    client: Client
    tools: Mapping[str, Tool]


class McpConnection:
    """Kept by a task of its own, so that anybody may speak over it and be cancelled while speaking."""

    def __init__(self, server: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        self._closing = asyncio.Event()
        self._stands: asyncio.Future[ConnectedServer | str] = asyncio.get_running_loop().create_future()
        self._last_stderr_line = ""
        self._task = asyncio.create_task(self._keep(server, environment, seconds))

    async def connected(self) -> ConnectedServer:
        """Give the client and the tools once the connection stands. Raises ToolFailed with the reason if it cannot."""
        made = await asyncio.shield(self._stands)
        if isinstance(made, str):
            raise ToolFailed(made)
        return made

    async def close(self) -> str:
        """End the connection, and the program with it; give the last line of its standard error."""
        self._closing.set()
        await asyncio.wait([self._task], timeout=_SHUTDOWN_SECONDS)
        self._task.cancel()
        await asyncio.wait([self._task])
        return self._last_stderr_line

    async def _keep(self, server: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        stderr = StderrTail()
        reason = "it was given up"
        try:
            async with asyncio.timeout(seconds) as limit:
                transport = _transport(server, environment, stderr)
                async with Client(transport, cache=None) as client:
                    tools = await _list_tools(client)
                    limit.reschedule(None)
                    self._stands.set_result(ConnectedServer(client, tools))
                    await self._closing.wait()
        except* TimeoutError:
            reason = f"no answer within {seconds:g} s"
        except* CLIENT_ERRORS as group:
            reason = error_message(group)
        finally:
            self._last_stderr_line = one_line(stderr.close())
            if not self._stands.done():
                self._stands.set_result("; ".join(filter(None, (reason, self._last_stderr_line))))


async def _list_tools(client: Client) -> Mapping[str, Tool]:
    tools: dict[str, Tool] = {}
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools |= {tool.name: tool for tool in page.tools}
        cursor = page.next_cursor
        if len(tools) > MAX_TOOLS:
            raise ValueError(f"it has more than {MAX_TOOLS} tools; use a server with fewer")
        if not cursor or not page.tools:
            return tools


def error_message(error: BaseException) -> str:
    """Say in one line what a fault is, or the first fault of a group."""
    match error:
        case BaseExceptionGroup(exceptions=exceptions):
            return error_message(exceptions[0])
        case MCPError():
            said = error.message
        case ValidationError():
            said = f"what it says is not what the protocol foresees: {error.errors()[0]['msg']}"
        case _:
            said = str(error) or type(error).__name__
    return one_line(said)


def _transport(server: McpServer, environment: Mapping[str, str], stderr: StderrTail) -> Transport:
    if server.url:
        return streamable_http_client(server.url)
    missing = [name for name in server.env if name not in environment]
    if missing:
        raise OSError(f"the environment has no {', '.join(missing)}; set it, or leave it out of env")
    command = [str(server.command), *server.args]
    if sys.platform != "win32":  # where a program ends with the job it belongs to
        leash = (sys.executable, "-I", "-S", str(_SUPERVISOR), str(os.getpid()), str(MAX_MESSAGE_BYTES))
        command = [*leash, *command]
    passed_on = {name: environment[name] for name in (*_PASSED_VARIABLES, *server.env) if name in environment}
    started = StdioServerParameters(
        command=command[0], args=command[1:], env=passed_on, encoding_error_handler="replace"
    )
    return stdio_client(started, errlog=stderr.file)
