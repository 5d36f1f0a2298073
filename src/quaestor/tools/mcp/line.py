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
from quaestor.tools.mcp.said import one_line
from quaestor.tools.mcp.stderr import Stderr

FAULTS = (MCPError, OSError, ValueError, RuntimeError, httpx2.HTTPError, BrokenResourceError, ClosedResourceError)
"""What the client raises for a server that cannot be reached, breaks off or says what is no message."""
MOST_TOOLS = 200
"""Tools that a server may have."""
LONGEST_LINE = 8_000_000
"""Bytes of one message from a program."""
_LEASH = Path(__file__).with_name("leash.py")
_PASSED_ON = ("PATH", "HOME", "LANG")
_PARTING_SECONDS = 8
"""The library waits two seconds for a program to end, then two after each of two signals."""

logging.getLogger("mcp").addHandler(logging.NullHandler())  # else what a server says wrongly is shown in the terminal


class Connected(NamedTuple):
    """What a connection that stands is: the client, and the tools that the server listed."""

    client: Client
    tools: Mapping[str, Tool]


class Line:
    """Kept by a task of its own, so that anybody may speak over it and be cancelled while speaking."""

    def __init__(self, server: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        self._over = asyncio.Event()
        self._stands: asyncio.Future[Connected | str] = asyncio.get_running_loop().create_future()
        self._last_words = ""
        self._keeper = asyncio.create_task(self._keep(server, environment, seconds))

    async def connected(self) -> Connected:
        """Give the client and the tools once the connection stands. Raises ToolFailed with the reason if it cannot."""
        made = await asyncio.shield(self._stands)
        if isinstance(made, str):
            raise ToolFailed(made)
        return made

    async def hang_up(self) -> str:
        """End the connection, and the program with it; give the last line of its standard error."""
        self._over.set()
        await asyncio.wait([self._keeper], timeout=_PARTING_SECONDS)
        self._keeper.cancel()
        await asyncio.wait([self._keeper])
        return self._last_words

    async def _keep(self, server: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        stderr = Stderr()
        reason = "it was given up"
        try:
            async with asyncio.timeout(seconds) as limit:
                transport = _transport(server, environment, stderr)
                async with Client(transport, cache=None) as client:
                    tools = await _listed(client)
                    limit.reschedule(None)
                    self._stands.set_result(Connected(client, tools))
                    await self._over.wait()
        except* TimeoutError:
            reason = f"no answer within {seconds:g} s"
        except* FAULTS as group:
            reason = reason_of(group)
        finally:
            self._last_words = one_line(stderr.end())
            if not self._stands.done():
                self._stands.set_result("; ".join(filter(None, (reason, self._last_words))))


async def _listed(client: Client) -> Mapping[str, Tool]:
    tools: dict[str, Tool] = {}
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools |= {tool.name: tool for tool in page.tools}
        cursor = page.next_cursor
        if len(tools) > MOST_TOOLS:
            raise ValueError(f"it has more than {MOST_TOOLS} tools; use a server with fewer")
        if not cursor or not page.tools:
            return tools


def reason_of(error: BaseException) -> str:
    """Say in one line what a fault is, or the first fault of a group."""
    match error:
        case BaseExceptionGroup(exceptions=exceptions):
            return reason_of(exceptions[0])
        case MCPError():
            said = error.message
        case ValidationError():
            said = f"what it says is not what the protocol foresees: {error.errors()[0]['msg']}"
        case _:
            said = str(error) or type(error).__name__
    return one_line(said)


def _transport(server: McpServer, environment: Mapping[str, str], stderr: Stderr) -> Transport:
    if server.url:
        return streamable_http_client(server.url)
    missing = [name for name in server.env if name not in environment]
    if missing:
        raise OSError(f"the environment has no {', '.join(missing)}; set it, or leave it out of env")
    command = [str(server.command), *server.args]
    if sys.platform != "win32":  # where a program ends with the job it belongs to
        leash = (sys.executable, "-I", "-S", str(_LEASH), str(os.getpid()), str(LONGEST_LINE))
        command = [*leash, *command]
    passed_on = {name: environment[name] for name in (*_PASSED_ON, *server.env) if name in environment}
    started = StdioServerParameters(
        command=command[0], args=command[1:], env=passed_on, encoding_error_handler="replace"
    )
    return stdio_client(started, errlog=stderr.file)
