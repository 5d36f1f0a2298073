"""The servers that are set up: what may be used of them, and what they answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from anyio import BrokenResourceError, ClosedResourceError
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED, CallToolResult, Tool

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.mcp import ConsultInput, McpServer, McpToolOffer, McpToolSurvey
from quaestor.http.endpoint import Redaction
from quaestor.replies.strict_json import unstorable_in_value
from quaestor.tools.mcp.connection import CLIENT_ERRORS, ConnectedServer, McpConnection, error_message, one_line

MAX_DESCRIPTION_CHARACTERS = 500
MAX_SCHEMA_CHARACTERS = 3_000
"""Characters of JSON that describe what a tool takes."""

T = TypeVar("T")


class McpServers:
    """Servers by name. Each is connected to at its first use, and asked for its tools once a connection."""

    def __init__(self, servers: Mapping[str, McpServer], environment: Mapping[str, str], seconds: float) -> None:
        self._servers = {name: _ServerHandle(name, setup, environment, seconds) for name, setup in servers.items()}

    async def survey(self, name: str) -> McpToolSurvey:
        """Return what a server offers. Raises ToolFailed that names it."""
        return await self._server(name).survey()

    async def ask(self, given: ConsultInput, *, reading: bool) -> CallToolResult:
        """Call a tool that says that it only reads; or, not `reading`, one that does not and was allowed.

        Raises ToolFailed that names the server and the tool.
        """
        return await self._server(given.server).ask(given, reading=reading)

    async def close(self) -> None:
        """End all connections, and the programs that were started."""
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    def _server(self, name: str) -> "_ServerHandle":
        if name not in self._servers:
            known = ", ".join(sorted(self._servers)) or "none"
            raise ToolFailed(f"{name}: no server is called so; there is {known}. Set it up below [mcp.{name}]")
        return self._servers[name]


class _ServerHandle:
    """One server; a connection that broke off is opened again at the next use, one that never opened is not."""

    def __init__(self, name: str, setup: McpServer, environment: Mapping[str, str], seconds: float) -> None:
        self._name = name
        self._config = setup
        self._environment = environment
        self._redaction = Redaction.of(*(environment.get(name) for name in setup.env))
        self._seconds = seconds
        self._line: McpConnection | None = None

    async def survey(self) -> McpToolSurvey:
        tools = await self._use(self._name, _tools)
        faults = {name: fault for name, tool in tools.items() if (fault := _unusable_reason(tool))}
        usable = [tool for name, tool in tools.items() if _is_read_only(tool) or name in self._config.allow]
        return McpToolSurvey(
            offers=tuple(_offer(self._name, tool) for tool in usable if tool.name not in faults),
            failures=tuple(
                one_line(f"{self._name}.{tool.name}: {faults[tool.name]}") for tool in usable if tool.name in faults
            ),
        )

    async def ask(self, given: ConsultInput, *, reading: bool) -> CallToolResult:
        name = given.tool.removeprefix(f"{self._name}.")

        async def called(server: ConnectedServer) -> CallToolResult:
            if objection := self._refusal_reason(name, server.tools, reading=reading):
                raise ToolFailed(one_line(objection))
            return await server.client.call_tool(name, dict(given.arguments))

        answered = await self._use(given.tool, called)
        text = answered.model_dump_json(by_alias=True)
        redacted = self._redaction.redact_reply(text)
        return answered if redacted == text else CallToolResult.model_validate_json(redacted)

    async def close(self) -> None:
        if self._line:
            await self._line.close()

    def _refusal_reason(self, name: str, tools: Mapping[str, Tool], *, reading: bool) -> str | None:
        tool = tools.get(name)
        if tool is None:
            return f"there is no such tool; the server has {', '.join(sorted(tools)) or 'none'}"
        if not reading and _is_read_only(tool):
            return "it only reads; consult it"
        if reading and not _is_read_only(tool):
            return "it does not say that it only reads, so it cannot be consulted"
        if not reading and name not in self._config.allow:
            return f"it may change something; name it in allow below [mcp.{self._name}] if it may be used"
        return _unusable_reason(tool)

    async def _use(self, what: str, use: Callable[[ConnectedServer], Awaitable[T]]) -> T:
        if self._line is None:
            self._line = McpConnection(self._config, self._environment, self._seconds)
        line = self._line
        try:
            async with asyncio.timeout(self._seconds):
                return await use(await line.connected())
        except TimeoutError:
            raise ToolFailed(f"{what}: no answer within {self._seconds:g} s") from None
        except ToolFailed as failed:
            raise ToolFailed(self._redaction.redact_reply(f"{what}: {failed}")) from failed
        except CLIENT_ERRORS as fault:
            last_words = await self._discard(line) if self._is_broken(fault) else ""
            said = "; ".join(filter(None, (f"{what}: {error_message(fault)}", last_words)))
            raise ToolFailed(self._redaction.redact_reply(said)) from fault

    def _is_broken(self, fault: Exception) -> bool:
        """Return whether a connection is of no more use; one over HTTP is closed sooner, since opening it is cheap."""
        broken_off = isinstance(fault, MCPError) and fault.code == CONNECTION_CLOSED
        return bool(self._config.url) or broken_off or isinstance(fault, BrokenResourceError | ClosedResourceError)

    async def _discard(self, line: McpConnection) -> str:
        if self._line is line:
            self._line = None
        return await line.close()


async def _tools(server: ConnectedServer) -> Mapping[str, Tool]:
    return server.tools


def _is_read_only(tool: Tool) -> bool:
    return tool.annotations is not None and tool.annotations.read_only_hint is True


def _unusable_reason(tool: Tool) -> str | None:
    """Return why a tool cannot be offered to an agent."""
    if fault := unstorable_in_value([tool.name, tool.description, tool.input_schema]):
        return fault
    if not isinstance(tool.input_schema.get("properties", {}), dict):
        return "what it takes is no JSON Schema of an object"
    if len(json.dumps(tool.input_schema, ensure_ascii=False)) > MAX_SCHEMA_CHARACTERS:
        return f"its JSON Schema has more than {MAX_SCHEMA_CHARACTERS:,} characters"
    return None


def _offer(server: str, tool: Tool) -> McpToolOffer:
    return McpToolOffer(
        tool=f"{server}.{tool.name}",
        reads=_is_read_only(tool),
        description=" ".join((tool.description or "").split())[:MAX_DESCRIPTION_CHARACTERS],
        takes=tool.input_schema,
    )
