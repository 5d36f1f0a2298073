"""The official Python SDK as a client of the server that a test asks for."""

from collections.abc import Awaitable, Callable

import httpx2
import pytest
from openai import AsyncOpenAI

from faces.server.served import Served
from quaestor.contracts.access import Scope

Connect = Callable[..., Awaitable[AsyncOpenAI]]


@pytest.fixture
def connect() -> Connect:
    """Return what opens a client of a server."""

    async def connected(server: Served, scope: Scope = "run", tenant: str = "local") -> AsyncOpenAI:
        client = AsyncOpenAI(
            api_key=await server.secret(scope, tenant),
            base_url=f"{server.url}/v1",
            http_client=httpx2.AsyncClient(trust_env=False, timeout=30),
        )
        server.stack.push_async_callback(client.close)
        return client

    return connected


@pytest.fixture
async def client(served: Served, connect: Connect) -> AsyncOpenAI:
    """Return a client of a server with uploaded documents."""
    await served.upload()
    return await connect(served)
