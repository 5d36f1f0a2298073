"""The tools for assistants over HTTP, called by the official client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from faces.server.served import COLLECTION, NO_TLS, Serve, Served
from fakes.sittings import LIGHTHOUSE
from quaestor.app.operations import OPERATIONS
from quaestor.contracts.access import Scope


@asynccontextmanager
async def assistant(served: Served, scope: Scope = "run", tenant: str = "local") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {await served.secret(scope, tenant)}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, verify=NO_TLS, timeout=200) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http)) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: object) -> Any:  # noqa: ANN401 -- JSON of any tool
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return "".join(getattr(each, "text", "") for each in result.content)


async def test_a_session_is_started_followed_and_read_by_an_assistant(served: Served) -> None:
    await served.upload()
    async with assistant(served) as client:
        assert {each.name for each in (await client.list_tools()).tools} == {each.tool for each in OPERATIONS} - {None}
        started = await call(client, "research_start", question=LIGHTHOUSE, docs=[f"collection:{COLLECTION}"])
        session_id = started["session_id"]
        news: Any = {"after": 0, "status": {"state": "running"}}
        while news["status"]["state"] in {"queued", "running", "interrupted"}:
            news = await call(client, "research_status", session_id=session_id, after=news["after"], wait_s=20)
        assert news["status"]["outcome"] == "done"
        result = await call(client, "research_result", session_id=session_id)
    report = await (await served.client("read")).get(f"/api/v1/sessions/{session_id}/report.md")
    assert result["text"] == report.text


async def test_a_tenant_sees_neither_sessions_nor_sources_of_another(served: Served) -> None:
    await served.upload()
    session_id = await served.finished()
    async with assistant(served, tenant="other") as client:
        assert "there is no session" in await refusal(client, "research_result", session_id=session_id)
        assert "scope admin" in await refusal(client, "verify_quote", quote="1831", source="0" * 64)
        assert "no collection" in await refusal(
            client, "search_documents", query="x", docs=[f"collection:{COLLECTION}"]
        )


async def test_only_tokens_of_scope_run_call_tools(served: Served) -> None:
    for client, status in (
        (served.anonymous(), HTTPStatus.UNAUTHORIZED),
        (await served.client("read"), HTTPStatus.FORBIDDEN),
    ):
        assert (await client.post("/mcp", json={})).status_code == status


async def test_a_server_that_runs_nothing_serves_no_assistants(serve: Serve) -> None:
    served = await serve(sessions=0).begin()
    answer = await (await served.client("run")).post("/mcp", json={})
    assert answer.status_code == HTTPStatus.NOT_IMPLEMENTED
