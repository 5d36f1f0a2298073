"""Whole runs with embeddings from a server on loopback: what they find, keep, replay and spare."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.embedding import HashingEmbedder, answer
from fakes.http_server import Request
from fakes.services import Reply, Service
from quaestor.app import open_home
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.result import Result
from quaestor.contracts.tools import SearchResults

QUESTION = "Which automobile waits on the quay?"
TEXTS = {"motor": "A motorcar stood before the town hall of Aldmouth.", "bell": "The fog bell was cast in bronze."}


def texts_of(request: Request) -> list[str]:
    texts = request.body["input"]
    assert isinstance(texts, list)
    return [str(text) for text in texts]


def embeds(request: Request) -> Reply:
    fake = HashingEmbedder()
    return Reply(answer([fake.vector(text) for text in texts_of(request)], packed=True))


def embedded(server: Service) -> list[str]:
    return [text for request in server.requests for text in texts_of(request)]


def said(server: Service) -> dict[str, JsonValue]:
    lab: JsonValue = {"base_url": f"{server.url}/v1", "backoff_seconds": 0.01}
    return {"embeddings": "lab:small", "providers": {"lab": lab}, "effort": "low"}


def found(events: Sequence[Event]) -> list[SearchResults]:
    outcomes = [event.payload for event in events if isinstance(event.payload, ToolResponded)]
    return [SearchResults.model_validate(outcome.result) for outcome in outcomes if outcome.tool == "search"]


def stems(results: Sequence[SearchResults]) -> set[str]:
    return {Path(hit.uri).stem for result in results for hit in result.hits}


async def run(folder: Path, options: Mapping[str, JsonValue], question: str = QUESTION) -> tuple[Result, list[Event]]:
    """Run a question over the two texts, in a home that stays."""
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    for name, text in TEXTS.items():
        (docs / f"{name}.txt").write_text(text, encoding="utf-8")
    async with open_home(folder / "home", **options) as q:
        session_id = await q.start(question, await q.index([docs]))
        result = await q.run(session_id)
        return result, list(await q.events(session_id))


async def test_a_run_finds_by_embeddings_what_it_does_not_find_by_words(tmp_path: Path) -> None:
    _, without = await run(tmp_path, {"effort": "low"})
    assert "motor" not in stems(found(without))
    async with Service(embeds) as server:
        _, events = await run(tmp_path, said(server))
    assert "motor" in stems(found(events))


async def test_no_text_is_embedded_twice_by_any_run_of_a_home(tmp_path: Path) -> None:
    async with Service(embeds) as server:
        await run(tmp_path, said(server))
        once = embedded(server)
        await run(tmp_path, said(server))
    assert once
    assert embedded(server) == once
    assert len(once) == len(set(once))


async def test_a_replay_embeds_nothing_and_finds_the_same(tmp_path: Path) -> None:
    async with Service(embeds) as server:
        _, events = await run(tmp_path, said(server))
    asked = len(server.requests)
    async with open_home(tmp_path / "home", model=f"replay:{events[0].session_id}") as q:
        session_id = await q.start(QUESTION, None)
        await q.run(session_id)
        again = found(await q.events(session_id))
    assert again == found(events)
    assert len(server.requests) == asked


async def test_a_session_keeps_the_embeddings_it_was_started_with(tmp_path: Path) -> None:
    async with Service(embeds) as server:
        _, events = await run(tmp_path, said(server))
        async with open_home(tmp_path / "home") as q:
            assert (await q.state(events[0].session_id)).options.embeddings == "lab:small"


async def test_a_run_whose_embeddings_fail_searches_by_words_and_says_so(tmp_path: Path) -> None:
    question = "Of what was the fog bell cast?"
    async with Service(lambda _: Reply(status=500, body=b"worn out")) as server:
        result, events = await run(tmp_path, said(server), question)
    assert result.outcome == "done"
    assert {note.partition(": ")[0] for each in found(events) for note in each.notes} == {"searched without embeddings"}
    assert "bell" in stems(found(events))


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("small", UsageError, "PROVIDER:NAME"),
        ("nobody:small", UsageError, "provider of 'nobody:small' is not known"),
        ("anthropic:small", UsageError, "anthropic cannot be asked for embeddings"),
        ("openai:text-embedding-3-small", SetupError, "set OPENAI_API_KEY"),
    ],
)
async def test_embeddings_that_cannot_be_asked_for_are_refused_before_there_is_a_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: type[Exception], words: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with open_home(tmp_path / "home", embeddings=name) as q:
        with pytest.raises(error, match=words):
            await q.check(QUESTION)
        assert await q.sessions() == []


def test_nothing_is_imported_for_a_run_without_embeddings(tmp_path: Path) -> None:
    (tmp_path / "bell.txt").write_text(TEXTS["bell"], encoding="utf-8")
    program = (
        "import asyncio, sys, quaestor\n"
        "from quaestor.app import open_home\n"
        "async def main():\n"
        "    async with open_home(sys.argv[1] + '/home') as q:\n"
        "        await q.run(await q.start('Of what was the bell cast?', await q.index([sys.argv[1] + '/bell.txt'])))\n"
        "asyncio.run(main())\n"
        "mine = ('httpx2', 'quaestor.tools.hybrid_search', "
        "'quaestor.tools.embedding_client')\n"
        "print([name for name in mine if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program, tmp_path], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "[]"
