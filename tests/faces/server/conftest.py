"""A server for each test that asks for one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from pydantic import JsonValue

from faces.server.served import OPTIONS, AsyncServed, Serve, Served
from quaestor.contracts.immutable import replace


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
def serve(tmp_path: Path, stack: AsyncExitStack) -> Serve:
    def served(settings: Mapping[str, JsonValue] | None = None, **options: object) -> AsyncServed:
        chosen = replace(OPTIONS, **options)  # type: ignore[arg-type]
        return AsyncServed(
            tmp_path / "home", stack, {"effort": "low", "grace_seconds": 0.05, **(settings or {})}, chosen
        )

    return served


@pytest.fixture
async def served(serve: Serve) -> Served:
    return await serve().begin()
