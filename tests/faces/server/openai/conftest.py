"""A server that all these tests share, with uploaded documents, and the official Python SDK as its client."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import httpx2
import pytest
import pytest_asyncio
from openai import AsyncOpenAI

from faces.server.served import NO_TLS, OPTIONS, AsyncServed, Served
from quaestor.contracts.access import Scope

Connect = Callable[..., Awaitable[AsyncOpenAI]]


@pytest_asyncio.fixture(loop_scope="session")
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with AsyncExitStack() as stack:
        home = tmp_path_factory.mktemp("openai") / "home"
        served = await AsyncServed(home, stack, {"effort": "low", "grace_seconds": 0.05}, OPTIONS).begin()
        await served.upload()
        yield served


@pytest.fixture
def connect(stack: AsyncExitStack) -> Connect:
    """Return what opens a client of a server."""

    async def connected(server: Served, scope: Scope = "run", tenant: str = "local") -> AsyncOpenAI:
        client = AsyncOpenAI(
            api_key=await server.secret(scope, tenant),
            base_url=f"{server.url}/v1",
            http_client=httpx2.AsyncClient(trust_env=False, verify=NO_TLS, timeout=200),
        )
        stack.push_async_callback(client.close)
        return client

    return connected


@pytest_asyncio.fixture(loop_scope="session")
async def client(served: Served, connect: Connect) -> AsyncOpenAI:
    return await connect(served)
