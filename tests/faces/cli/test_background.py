"""A run in the background, and every other process that looks at it or steps in."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from faces.cli.conftest import Quaestor
from faces.cli.processes import line, started, until
from fakes.papers import QUESTION
from fakes.streams import stream_session
from quaestor.app import open_home
from quaestor.contracts.event import Event
from quaestor.contracts.stream import StreamEvent
from quaestor.research.plugin import PLUGIN

STREAM: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent)
SLOW = "reader:\n  - {latency: 0.5, times: 20}\n"
STUCK = "query_writer:\n  - {todo: t2, latency: 60}\n"


@pytest.fixture
def script(docs: Path) -> Path:
    """Return the script of the runs: t1 is recorded, and t2 goes on until somebody steps in."""
    script = docs.parent / "stuck.yaml"
    script.write_text(STUCK)
    return script


@pytest.fixture
def stuck(
    quaestor: Quaestor, docs: Path, script: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str | Path, ...]]:
    """Return the command line of such a run in the background; none is left behind."""
    monkeypatch.setenv("QUAESTOR_GRACE_SECONDS", "0.05")
    yield ("research", QUESTION, "--docs", docs, "--model", f"script:{script}", "--detach")
    for session in quaestor("ps").out.splitlines():
        if "running" in session:
            quaestor("cancel", session.split()[0])


def test_a_detached_run_outlives_its_terminal_and_is_seen_whole_from_anywhere(
    quaestor: Quaestor, home: Path, stuck: tuple[str | Path, ...], script: Path
) -> None:
    script.write_text(SLOW)
    begun = subprocess.run(line(home, *stuck), capture_output=True, text=True, check=True, start_new_session=True)
    session = begun.stdout.strip()
    assert f"quaestor attach {session} --home {home}" in begun.stderr
    owner = int(quaestor("ps").out.partition("running (process ")[2].split()[0])
    assert os.getsid(owner) == owner  # no terminal can hang up on it
    with started(home, "attach", session, "--json") as watching:
        told, _ = watching.communicate()
    log = asyncio.run(_read_log(home, session))
    assert [STREAM.validate_json(said) for said in told.splitlines()] == list(stream_session(log, view=PLUGIN.stream))
    assert watching.returncode == 0
    late = quaestor("attach", session, "--json", "--after", str(log[-2].seq))
    assert [STREAM.validate_json(said).type for said in late.out.splitlines()] == ["budget", "finished"]
    said = (home / "logs" / f"{session}.log").read_text(encoding="utf-8")
    assert "t1 recorded: " in said
    assert "## References" in said


def test_a_run_that_is_left_goes_on_and_is_paused_from_outside(
    quaestor: Quaestor, home: Path, stuck: tuple[str | Path, ...], script: Path
) -> None:
    session = quaestor(*stuck).out.strip()
    again = quaestor(*stuck)
    assert (again.code, again.out.strip()) == (0, session)
    assert "already run by process " in again.err
    with started(home, "attach", session) as leaving, started(home, "attach", session) as staying:
        until(leaving, "t1 started")
        leaving.send_signal(signal.SIGINT)
        assert "left; the session continues" in leaving.communicate()[1]
        assert leaving.returncode == 130
        until(staying, "t1 started")
        assert quaestor("pause", session).err.startswith("paused; continue with: ")
        out, err = staying.communicate()
    assert (staying.returncode, out) == (130, "")
    assert "paused: " in err
    assert f"quaestor resume {session} --home {home}" in err
    assert quaestor("attach", session).code == 130
    script.write_text("{}")  # the same answers, without waiting
    assert quaestor("resume", session).code == 0


def test_a_run_is_told_to_finish_from_outside(
    quaestor: Quaestor, home: Path, stuck: tuple[str | Path, ...], script: Path
) -> None:
    session = quaestor(*stuck, "--format", "json", "--out", script.with_name("report.json")).out.strip()
    with started(home, "attach", session) as watching:
        until(watching, "t1 recorded")
        assert quaestor("finish", session).code in {0, 4}  # it may be written before one can look
        out, err = watching.communicate()
    assert watching.returncode == 4
    assert "> **Partial report.**" in out
    assert "asked to finish" in err
    assert script.with_name("report.json").read_text(encoding="utf-8").startswith("{")


def test_a_detached_run_that_asks_is_answered_from_another_process(quaestor: Quaestor, docs: Path) -> None:
    session = quaestor("research", "Who built it?", "--docs", docs, "--detach").out.strip()
    waits = quaestor("attach", session)
    assert (waits.code, waits.out) == (5, "")
    assert "Whom or what does 'it' mean" in waits.err
    assert f"quaestor answer {session} 'YOUR ANSWER'" in waits.err
    assert f"{session}  waits for an answer" in quaestor("ps").out
    answered = quaestor("answer", session, "The Aldmouth lighthouse")
    assert answered.code == 0
    assert "Henrike Vos" in answered.out
    seen = quaestor("attach", session)
    assert (seen.code, seen.out) == (0, answered.out)


def test_a_run_that_was_killed_does_not_keep_its_watcher(
    quaestor: Quaestor, home: Path, stuck: tuple[str | Path, ...]
) -> None:
    with started(home, *stuck[:-1]) as running:
        session = until(running, "session ").split()[1]
        until(running, "t1 started")
        running.kill()
        running.wait()
    left = quaestor("attach", session)
    assert left.code == 130
    assert f"quaestor resume {session}" in left.err


def test_a_run_that_cannot_begin_is_not_left_to_itself(quaestor: Quaestor, home: Path, docs: Path) -> None:
    home.mkdir()
    (home / "logs").write_text("in the way")
    ended = quaestor("research", QUESTION, "--docs", docs, "--detach")
    assert (ended.code, ended.out) == (3, "")
    assert str(home / "logs") in ended.err
    assert quaestor("attach", "20200101-000000-abcdef").code == 2


async def _read_log(home: Path, session: str) -> Sequence[Event]:
    async with open_home(home) as opened:
        return await opened.events(session)
