"""A connection to one MCP server, the end of its standard error for messages, and its results as text."""

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

import httpx2
from anyio import BrokenResourceError, ClosedResourceError
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents, Tool
from pydantic import ValidationError

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.mcp import McpServer

_MAX_BYTES = 4_096
"""Bytes that are remembered."""
_JOIN_SECONDS = 0.5
MAX_RESULT_CHARACTERS = 1_000_000
"""Characters of one answer."""
MAX_LINE_CHARACTERS = 300
CLIENT_ERRORS = (
    MCPError,
    OSError,
    ValueError,
    RuntimeError,
    httpx2.HTTPError,
    BrokenResourceError,
    ClosedResourceError,
)
"""What the client raises for a server that cannot be reached, breaks off or sends what is no message."""
MAX_TOOLS = 200
"""Tools that a server may have."""
MAX_MESSAGE_BYTES = 8_000_000
"""Bytes of one message from a program."""
_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_PASSED_VARIABLES = ("PATH", "HOME", "LANG")
_SHUTDOWN_SECONDS = 8
"""The library waits two seconds for a program to end, then two after each of two signals."""


class StderrTail:
    """A file for a program's standard error, read in a thread until every holder of it has closed it."""

    def __init__(self) -> None:
        self._source, target = os.pipe()
        self._tail = b""
        self.file: TextIO = os.fdopen(target, "w", encoding="utf-8")
        self._reader = threading.Thread(target=self._read, name="stderr of a program", daemon=True)
        self._reader.start()

    def close(self) -> str:
        """Close the file and return the last line that was written.

        A program that holds the file open still, as one that it started may, is waited for a moment.
        """
        self.file.close()
        self._reader.join(_JOIN_SECONDS)
        lines = self._tail.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _read(self) -> None:
        with os.fdopen(self._source, "rb", buffering=0) as reading:
            while written := reading.read(_MAX_BYTES):
                self._tail = (self._tail + written)[-_MAX_BYTES:]


def normalize_text(text: str) -> str:
    """Return a text that every store takes, its lines ended by line feeds."""
    whole = text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    return whole.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def one_line(text: str) -> str:
    """Return the beginning of a text in one line."""
    return normalize_text(" ".join(text.split()))[:MAX_LINE_CHARACTERS]


def result_text(call: str, result: CallToolResult) -> str:
    """Return the text of an answer, else its data as JSON.

    Raises ToolFailed that names the call for an error, for an answer without text, and for one that is too long.
    """
    texts = list(_text_blocks(result))
    text = normalize_text("\n\n".join(texts))
    if result.is_error:
        raise ToolFailed(f"{call}: {one_line(text) or 'it failed and does not say why'}")
    if not result.content and result.structured_content is not None:
        text = normalize_text(json.dumps(result.structured_content, ensure_ascii=False, indent=2))
    if not texts and result.content:
        kinds = ", ".join(sorted({block.type for block in result.content}))
        raise ToolFailed(f"{call}: it gave no text but {kinds}; only text can be cited")
    if len(text) > MAX_RESULT_CHARACTERS:
        raise ToolFailed(
            f"{call}: it gave {len(text):,} characters, but {MAX_RESULT_CHARACTERS:,} are the most; ask for less"
        )
    return text


def _text_blocks(result: CallToolResult) -> Iterator[str]:
    for block in result.content:
        match block:
            case TextContent(text=text) | EmbeddedResource(resource=TextResourceContents(text=text)):
                yield text
            case ResourceLink(uri=uri, name=name):
                yield f"{name}: {uri}"
            case _:
                pass


logging.getLogger("mcp").addHandler(logging.NullHandler())  # else what a server says wrongly is shown in the terminal


class ConnectedServer(NamedTuple):
    """An established connection: the client, and the tools that the server listed."""

    client: Client
    tools: Mapping[str, Tool]


class McpConnection:
    """A connection kept by a task of its own, so that any caller may use it and be cancelled while using it."""

    def __init__(self, server: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        self._closing = asyncio.Event()
        self._stands: asyncio.Future[ConnectedServer | str] = asyncio.get_running_loop().create_future()
        self._last_stderr_line = ""
        self._task = asyncio.create_task(self._keep(server, environment, seconds))

    async def connected(self) -> ConnectedServer:
        """Return the client and its tools once it is connected. Raises ToolFailed with the reason otherwise."""
        made = await asyncio.shield(self._stands)
        if isinstance(made, str):
            raise ToolFailed(made)
        return made

    async def close(self) -> str:
        """End the connection, and the program with it; return the last line of its standard error."""
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
    """Return a description of an error, or of the first error of a group, on one line."""
    match error:
        case BaseExceptionGroup(exceptions=exceptions):
            return error_message(exceptions[0])
        case MCPError():
            message = error.message
        case ValidationError():
            message = f"what it says is not what the protocol foresees: {error.errors()[0]['msg']}"
        case _:
            message = str(error) or type(error).__name__
    return one_line(message)


def _transport(server: McpServer, environment: Mapping[str, str], stderr: StderrTail) -> Transport:
    if server.url:
        return streamable_http_client(server.url)
    missing = [name for name in server.env if name not in environment]
    if missing:
        raise OSError(f"the environment has no {', '.join(missing)}; set it, or leave it out of env")
    command = [str(server.command), *server.args]
    if sys.platform != "win32":  # where a program ends with the job it belongs to
        supervisor = (sys.executable, "-I", "-S", str(_SUPERVISOR), str(os.getpid()), str(MAX_MESSAGE_BYTES))
        command = [*supervisor, *command]
    passed_on = {name: environment[name] for name in (*_PASSED_VARIABLES, *server.env) if name in environment}
    started = StdioServerParameters(
        command=command[0], args=command[1:], env=passed_on, encoding_error_handler="replace"
    )
    return stdio_client(started, errlog=stderr.file)
