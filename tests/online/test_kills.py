"""Runs that are killed while a model is at work: what was answered is never asked again."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.children import check_kept, ended, fork
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Slow
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher
from fakes.sample import sample
from online.conftest import MODEL, PRICE
from quaestor.app import open_home
from quaestor.contracts.event import Event, ModelRequested, ModelResponded

LATENCY = 0.04


class Ledger:
    """What a server in a process of its own was asked: a line a request, kept in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def __call__(self, asked: Asked) -> Answer:
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(f"{asked.model_dump_json(by_alias=True)}\n")
        return Slow(seconds=LATENCY, then=Researcher()(asked))

    def asked(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines()


def serve(ledger: Ledger, port: Path) -> int:
    """Start a server in a child process, which writes its address into a file; return its process id."""

    async def live() -> None:
        async with OpenAIServer(ledger) as server:
            port.with_suffix(".new").write_text(server.url, encoding="utf-8")
            port.with_suffix(".new").rename(port)
            await asyncio.Event().wait()

    return fork(live)


async def begin(home: Path, docs: Path, options: dict[str, JsonValue], question: str) -> str:
    async with open_home(home, **options) as q:
        return await q.start(question, await q.index([docs]))


async def log(home: Path, session_id: str) -> Sequence[Event]:
    async with open_home(home) as q:
        assert await q.store.verify_chain(session_id) == []
        return await q.events(session_id)


def until_asked(ledger: Ledger, before: int, pid: int) -> bool:
    """Wait until a request more has come; False when the process ended without one."""
    while len(ledger.asked()) == before:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return False
        time.sleep(0.002)
    return True


def told(events: Sequence[Event]) -> set[tuple[str, ...]]:
    """Return the messages of every call whose answer is in the log."""
    asked = {event.payload.key: event.payload for event in events if isinstance(event.payload, ModelRequested)}
    answered = [event.payload.key for event in events if isinstance(event.payload, ModelResponded)]
    return {tuple(message.text for message in asked[key].messages) for key in answered}


def messages(line: str) -> tuple[str, ...]:
    return tuple(message.content for message in Asked.model_validate_json(line).messages)


@pytest.mark.parametrize("most", sample([9, 100], lambda place: place == 0))
def test_no_answered_call_is_asked_again_however_often_a_run_is_killed(tmp_path: Path, most: int) -> None:
    docs, ledger, port = write_papers(tmp_path), Ledger(tmp_path / "asked"), tmp_path / "port"
    server = serve(ledger, port)
    try:
        while not port.exists():
            time.sleep(0.01)
        options: dict[str, JsonValue] = {
            "model": MODEL,
            "providers": {"local": {"base_url": port.read_text(encoding="utf-8")}},
            "prices": {MODEL: PRICE},
            "effort": "low",
            "calls_in_flight": 1,
        }
        kills = 0
        for number in range(most):
            kills += killed_again_and_again(tmp_path / f"home{number}", docs, options, ledger, most=most - kills)
            if kills == most:
                break
        assert kills == most
    finally:
        os.kill(server, signal.SIGKILL)
        ended(server)


def killed_again_and_again(home: Path, docs: Path, options: dict[str, JsonValue], ledger: Ledger, most: int) -> int:
    """Run one session to its end, killing it during each of its calls; return the number of kills."""
    began = len(ledger.asked())
    session_id = asyncio.run(begin(home, docs, options, QUESTION))

    async def work() -> None:
        async with open_home(home, **options) as q:
            await q.run(session_id)

    kills = 0
    kept: Sequence[Event] = ()
    while True:
        before = len(ledger.asked())
        pid = fork(work)
        if kills < most and until_asked(ledger, before, pid):
            os.kill(pid, signal.SIGKILL)
        if ended(pid) == 0:
            break
        kills += 1
        events = asyncio.run(log(home, session_id))
        assert list(events[: len(kept)]) == list(kept)
        assert told(kept).isdisjoint(map(messages, ledger.asked()[before:]))
        kept = events
    final = asyncio.run(log(home, session_id))
    check_kept(kept, final, kills)
    asked = Counter(ledger.asked()[began:])
    assert asked.total() - len(asked) <= kills
    return kills
