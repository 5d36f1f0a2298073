"""Whole research runs through the real HTTP client, against a server on loopback that speaks a provider's API."""

from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import JsonValue

from fakes.openai_server import OpenAIServer
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.contracts.event import Event, ModelRequested, ModelResponded
from quaestor.contracts.result import Result

MODEL = "local:small"
PRICE: JsonValue = {"input": 2, "output": 8, "window": 128_000}


class Ran:
    """A run that ended: its log and its result."""

    def __init__(self, events: Sequence[Event], result: Result) -> None:
        self.events = events
        self.result = result

    @property
    def asked(self) -> list[ModelRequested]:
        return [event.payload for event in self.events if isinstance(event.payload, ModelRequested)]

    @property
    def answered(self) -> list[ModelResponded]:
        return [event.payload for event in self.events if isinstance(event.payload, ModelResponded)]


class Online(Protocol):
    def __call__(
        self, server: OpenAIServer, question: str = QUESTION, provider: JsonValue = None, **options: JsonValue
    ) -> Awaitable[Ran]: ...


def settings(server: OpenAIServer, provider: JsonValue = None) -> dict[str, JsonValue]:
    """Return the settings that lead to a server, with little patience."""
    own = provider if isinstance(provider, dict) else {}
    return {
        "model": MODEL,
        "providers": {"local": {"base_url": server.url, "retries": 1, "backoff_seconds": 0.01, **own}},
        "prices": {MODEL: PRICE},
        "effort": "low",
        "questions": False,
    }


@pytest.fixture
def online(tmp_path: Path) -> Online:
    """Return what runs one question over the small library of papers."""
    docs = write_papers(tmp_path)
    runs = iter(range(100))

    async def run(
        server: OpenAIServer, question: str = QUESTION, provider: JsonValue = None, **options: JsonValue
    ) -> Ran:
        async with open_home(tmp_path / f"home{next(runs)}", **{**settings(server, provider), **options}) as q:
            session_id = await q.start(question, await q.index([docs]))
            result = await q.run(session_id)
            return Ran(await q.events(session_id), result)

    return run
