"""Ctrl-C, with the program in a process of its own."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faces.cli.conftest import Quaestor
from faces.cli.processes import started, until
from fakes.papers import QUESTION

SLOW = "reader:\n  - {latency: 1.5, times: 20}\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "slow.yaml"
    path.write_text(SLOW)
    return path


def test_once_pauses_and_resume_ends_with_the_same_report(
    quaestor: Quaestor, home: Path, docs: Path, script: Path
) -> None:
    line = ("research", QUESTION, "--docs", docs, "--model", f"script:{script}")
    with started(home, *line) as process:
        session = until(process, "session ").split()[1]
        until(process, "t1 started")
        assert f"running (process {process.pid}" in quaestor("ps").out
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert f"quaestor resume {session} --home {home}" in err
    assert f"{session}  paused" in quaestor("ps").out
    assert quaestor("report", session).code == 2
    resumed = quaestor("resume", "--format", "json")
    assert (resumed.code, resumed.session) == (0, session)
    script.write_text("{}")  # the same answers, without waiting
    straight = quaestor("research", QUESTION, "--docs", docs, *line[4:], "--format", "json", "--home", home)
    assert straight.session != session
    assert claims(resumed.out) == claims(straight.out)


INTERRUPTED_AT = """
import builtins, os, signal, sys

load, place = builtins.__import__, sys.argv.pop(1)

def interrupted(name, *rest):
    if name == place:
        builtins.__import__ = load
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *rest)

builtins.__import__ = interrupted
from quaestor.faces.cli.main import main
main()
"""
"""The program, which gets Ctrl-C when it loads a module."""


@pytest.mark.parametrize("place", ["quaestor.faces.cli.program", "cyclopts", "quaestor.runtime.resources"])
def test_in_the_first_moments_it_says_one_line(home: Path, docs: Path, place: str) -> None:
    line = ("research", QUESTION, "--docs", str(docs), "--home", str(home))
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT, place, *line], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 130
    [only] = ended.stderr.splitlines()
    assert only.startswith("quaestor: interrupted")


def claims(report: str) -> object:
    return [(claim["text"], claim["citations"]) for claim in json.loads(report)["claims"]]


def test_twice_stops_at_once(quaestor: Quaestor, home: Path, docs: Path, script: Path) -> None:
    script.write_text(SLOW.replace("1.5", "60").replace("reader", "query_writer"))  # asked as soon as a todo starts
    with started(home, "research", QUESTION, "--docs", docs, "--model", f"script:{script}", grace="60") as process:
        session = until(process, "session ").split()[1]
        until(process, "t1 started")
        process.send_signal(signal.SIGINT)
        said = until(process, "stopping: ")
        assert said.startswith("stopping: waiting 60 s at most for ")
        assert "(query_writer); Ctrl-C again stops at once" in said
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.3)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert process.returncode == 130
    assert f"quaestor resume {session}" in err
    assert "Traceback" not in err
    assert f"{session}  interrupted" in quaestor("ps").out


HUNG = """
import sys
from quaestor.research.tools.contexts import ReadContexts

async def hung(*_):
    print("hung", file=sys.stderr, flush=True)
    while True:
        pass

ReadContexts.run = hung
from quaestor.faces.cli.main import main
main()
"""
"""The program, which computes without end when it looks at what was found."""


def test_twice_stops_also_what_computes_without_end(quaestor: Quaestor, home: Path, docs: Path) -> None:
    line = ("research", QUESTION, "--docs", str(docs), "--home", str(home))
    with subprocess.Popen([sys.executable, "-c", HUNG, *line], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        next(said for said in process.stderr if said == "hung\n")
        try:
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=0.3)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err.endswith("quaestor: interrupted\n")
    assert "interrupted" in quaestor("ps").out


def test_a_session_that_another_process_carries_on_is_watched_until_it_rests(
    home: Path, docs: Path, script: Path
) -> None:
    script.write_text("query_writer:\n  - {latency: 60, times: 20}\n")
    with started(home, "research", QUESTION, "--docs", docs, "--model", f"script:{script}", grace="0.1") as process:
        session = until(process, "session ").split()[1]
        until(process, "t1 started")
        with started(home, "resume", session, "--json") as second:
            assert f"held by process {process.pid}" in until(second, f"session {session} is held")
            process.send_signal(signal.SIGINT)
            process.communicate()
            out, _ = second.communicate()
    assert (process.returncode, second.returncode) == (130, 130)
    assert len(out.splitlines()) == len(set(out.splitlines())) > 1


def test_indexing_is_left_at_once(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(600):
        (folder / f"{number}.txt").write_text(f"Document {number} is about lights. " * 150)
    with started(home, "research", QUESTION, "--docs", folder) as process:
        until(process, "indexing ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
