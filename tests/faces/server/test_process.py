"""The server as a program: killed and started again, beside the command line, ended by a signal."""

import json
import random
import re
import signal
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from crash.conftest import Home
from faces.cli.processes import started
from faces.server.served import NO_TLS, Streamed, links, parse_stream
from fakes.children import check_kept
from fakes.forked import Forked
from fakes.papers import PAPERS, write_papers
from fakes.sittings import LIGHTHOUSE
from quaestor.contracts.event import Event
from quaestor.faces.cli.main import run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home whose clarifier and readers take their time."""
    script = tmp_path / "slow.yaml"
    slow = {"clarifier": [{"latency": 0.4}], "planner": [{"latency": 0.4}], "reader": [{"latency": 1, "times": 9}]}
    script.write_text(yaml.safe_dump(slow), encoding="utf-8")
    monkeypatch.setenv("QUAESTOR_EFFORT", "low")
    monkeypatch.setenv("QUAESTOR_MODEL", f"script:{script}")
    write_papers(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number: int = listener.getsockname()[1]
        return number


@contextmanager
def serving(home: Path, port: int, *options: str) -> Iterator[Forked]:
    """Run the server in a process of its own, from its link on."""
    with started(home, "serve", "--port", str(port), "--docs-root", str(home.parent), *options) as process:
        assert links(process.stdout.readline())
        yield process


@pytest.fixture
def client(home: Path, port: int, capsys: pytest.CaptureFixture[str]) -> Iterator[httpx2.Client]:
    assert run(["token", "add", "ci", "--scope", "admin", "--home", str(home)]) == 0
    headers = {"Authorization": f"Bearer {capsys.readouterr().out.strip()}"}
    with httpx2.Client(
        base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, verify=NO_TLS, timeout=200
    ) as client:
        yield client


def begin(client: httpx2.Client, text: str = LIGHTHOUSE) -> str:
    body = {"text": text, "docs": ["papers"], "settings": {"questions": False}}
    answer = client.post("/api/v1/sessions", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def follow(client: httpx2.Client, session_id: str, seen: list[Streamed], enough: int | None = None) -> None:
    """Read the stream from behind what was seen, until it ends or there is enough."""
    headers = {"Last-Event-ID": seen[-1].id} if seen else {}
    text, before = "", len(seen)
    with client.stream("GET", f"/api/v1/sessions/{session_id}/events", headers=headers) as answer:
        for piece in answer.iter_text():
            text += piece
            seen[before:] = parse_stream(text)
            if enough and len(seen) >= enough:
                return


def test_a_server_that_is_killed_while_it_streams_goes_on_at_the_next_number(
    home: Path, port: int, client: httpx2.Client
) -> None:
    seen: list[Streamed] = []
    with serving(home, port) as process:
        session_id = begin(client)
        follow(client, session_id, seen, enough=5)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert seen[-1].event != "finished"
    with serving(home, port) as process:
        follow(client, session_id, seen, enough=len(seen) + 3)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with serving(home, port):
        follow(client, session_id, seen)
        whole: list[Streamed] = []
        follow(client, session_id, whole)
        assert client.get(f"/api/v1/sessions/{session_id}/verify").json()["faults"] == []
    assert seen == whole
    assert seen[-1].event == "finished"


def kept(home: Path, session_id: str, acknowledged: Sequence[Event]) -> Sequence[Event]:
    """Return the log of a session, which begins with what was seen of it before."""
    events = Home(home, session_id).events()
    assert list(events[: len(acknowledged)]) == list(acknowledged)
    return events


@pytest.mark.parametrize("most", [pytest.param(100, marks=pytest.mark.soak)])
def test_a_server_that_is_killed_at_random_moments_loses_and_repeats_nothing(
    home: Path, port: int, client: httpx2.Client, most: int
) -> None:
    chance, kills, sessions = random.Random(most), 0, 0
    while kills < most:
        seen: list[Streamed] = []
        acknowledged: Sequence[Event] = ()
        before, sessions = kills, sessions + 1
        session_id = ""
        while not seen or seen[-1].event != "finished":
            with serving(home, port) as process:
                session_id = session_id or begin(client, f"{LIGHTHOUSE} In the words of {sessions}?")
                acknowledged = kept(home, session_id, acknowledged)
                follow(client, session_id, seen, enough=len(seen) + chance.randint(1, 12))
                time.sleep(chance.uniform(0, 0.3))
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
        with serving(home, port):
            final = kept(home, session_id, acknowledged)
            check_kept(acknowledged, final, kills - before)
            whole: list[Streamed] = []
            follow(client, session_id, whole)
            assert client.get(f"/api/v1/sessions/{session_id}/verify").json()["faults"] == []
        assert seen == whole


def test_a_run_that_was_begun_over_http_is_finished_by_the_command_line(
    home: Path, port: int, client: httpx2.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(home, port, "--no-worker"):
        session_id = begin(client)
        assert client.get(f"/api/v1/sessions/{session_id}").json()["events"] == 1
        assert run(["resume", session_id, "--home", str(home)]) == 0
        assert "1831" in capsys.readouterr().out
        seen: list[Streamed] = []
        follow(client, session_id, seen)
        assert seen[-1].event == "finished"


def test_a_session_that_the_command_line_runs_is_followed_over_http(
    home: Path, port: int, client: httpx2.Client
) -> None:
    words = ("research", LIGHTHOUSE, "--docs", str(home.parent / "papers"), "--no-questions")
    with serving(home, port, "--no-worker"), started(home, *words) as other:
        session_id = next(match[1] for each in other.stderr if (match := re.match(r"session (\S+)", each)))
        seen: list[Streamed] = []
        follow(client, session_id, seen)
        other.communicate()
    assert seen[-1].event == "finished"
    assert json.loads(seen[-1].data)["outcome"] == "done"


def test_a_signal_pauses_what_runs_and_ends_streams_and_server(home: Path, port: int, client: httpx2.Client) -> None:
    with serving(home, port) as process:
        session_id = begin(client)
        seen: list[Streamed] = []
        follow(client, session_id, seen, enough=4)
        with client.stream("GET", f"/api/v1/sessions/{session_id}/events") as answer:
            pieces = answer.iter_text()
            next(pieces)
            process.send_signal(signal.SIGTERM)
            tail = parse_stream("".join(pieces))
        assert process.wait(200) == 0
    assert tail[-1].event != "finished"
    with serving(home, port):
        follow(client, session_id, seen)
    assert seen[-1].event == "finished"
    assert "pause" in {each.event for each in seen}


def test_the_server_is_a_program_that_rests_while_nothing_happens(home: Path, port: int, client: httpx2.Client) -> None:
    with serving(home, port) as process:
        assert client.get("/readyz").status_code == 200
        assert any(rests(process.pid) for _ in range(60))  # what it begins with may take the first ones


def rests(pid: int) -> bool:
    """Return whether a process takes 5 hundredths of a second of a second at most."""
    used = processor_ticks(pid)
    time.sleep(1)
    return processor_ticks(pid) - used <= 5


def processor_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_the_stream_of_a_response_goes_on_at_the_next_number_when_the_server_was_killed(
    home: Path, port: int, client: httpx2.Client
) -> None:
    from openai import OpenAI  # noqa: PLC0415 -- 2 s of CPU, which other tests spare

    key = client.headers["Authorization"].removeprefix("Bearer ")
    http = httpx2.Client(trust_env=False, verify=NO_TLS, timeout=200)
    events: list[Any] = []

    def read(stream: Iterable[Any], enough: int = 10**6) -> None:
        for event in stream:
            events.append(event.to_dict(warnings=False))
            if len(events) >= enough:
                return

    with OpenAI(api_key=key, base_url=f"http://127.0.0.1:{port}/v1", http_client=http, max_retries=0) as sdk:
        with serving(home, port) as process:
            files = [("files", (name, text.encode())) for name, text in PAPERS.items()]
            assert client.post("/api/v1/files", files=files, data={"collection": "default"}).status_code == 200
            read(sdk.responses.create(model="quaestor-research", input=LIGHTHOUSE, stream=True), enough=3)
            process.kill()
            process.wait()
        name = str(events[0]["response"]["id"])
        with serving(home, port) as process:
            stream = sdk.responses.retrieve(name, stream=True, starting_after=2)
            assert next(iter(stream)).type == "response.created"
            read(stream, enough=6)
            process.kill()
            process.wait()
        with serving(home, port):
            stream = sdk.responses.retrieve(name, stream=True, starting_after=5)
            assert next(iter(stream)).type == "response.created"
            read(stream)
            continued = tuple(events)
            events.clear()
            read(sdk.responses.retrieve(name, stream=True))
    assert continued == tuple(events)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert events[-1]["type"] == "response.completed"
