"""What a server that runs sessions does at once, and how soon it answers."""

import asyncio
import time
from collections.abc import Mapping

import httpx2
from bench.server.homes import LISTED, QUESTION
from bench.server.target import Target

_SESSIONS = 100
_CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


async def first_answers(target: Target) -> float:
    """Print the seconds until a streamed chat says something, and until a tool has started research; the longest."""
    question = QUESTION.format(number="an assistant")
    chat = {"model": "quaestor-research", "messages": [{"role": "user", "content": question}], "stream": True}
    arguments = {"question": question, "docs": ["papers"]}
    async with target.client() as client:
        files = [("files", ("note.md", b"The Aldmouth lighthouse was built in 1831."))]
        assert (await client.post("/api/v1/files", files=files)).status_code == 200
        spoken = await _first_words(client, "/v1/chat/completions", chat, "/sessions/")
        connected = await _first_words(client, "/mcp", _message("initialize", _CLIENT), "serverInfo")
        started = await _first_words(
            client, "/mcp", _message("tools/call", {"name": "research_start", "arguments": arguments}), "session_id"
        )
    print(f"first words          {1000 * spoken:6.0f} ms of a chat, {1000 * started:.0f} ms of research_start")
    print(f"first assistant      {1000 * connected:6.0f} ms to connect, once in the life of a server")
    return max(spoken, started)


def _message(method: str, given: Mapping[str, object]) -> Mapping[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}


async def _first_words(client: httpx2.AsyncClient, path: str, body: Mapping[str, object], expected: str) -> float:
    """Return the seconds until the first words of an answer, which have what is expected."""
    began, headers = time.perf_counter(), {"Accept": "application/json, text/event-stream"}
    async with client.stream("POST", path, json=body, headers=headers) as answer:
        first = await anext(answer.aiter_text())
        seconds = time.perf_counter() - began
    assert expected in first, first
    return seconds


async def at_once(target: Target) -> None:
    """Run many sessions at once, as many as the server carries at a time."""
    cpu, before = target.cpu_seconds(), target.megabytes()
    async with target.client() as client:
        bodies = [
            {"text": QUESTION.format(number=f"run {number}"), "docs": ["papers"], "settings": {"questions": False}}
            for number in range(_SESSIONS)
        ]
        begun = await asyncio.gather(*(client.post("/api/v1/sessions", json=body) for body in bodies))
        assert all(answer.status_code == 201 for answer in begun), begun[0].text
        most = before
        while True:
            most = max(most, target.megabytes())
            page = await client.get("/api/v1/sessions", params={"status": "finished", "limit": LISTED})
            if len(page.json()["sessions"]) >= _SESSIONS:
                break
            await asyncio.sleep(0.5)
    spent = (target.cpu_seconds() - cpu) / _SESSIONS
    print(f"{_SESSIONS} sessions at once  {most:6.0f} MB at most, before {before:.0f}; {spent:.2f} s of CPU each")
