"""Copies kept and read at the command line. MongoDB's own part is skipped where no server was built."""

import json
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Quaestor
from faces.cli.processes import started, until
from fakes.children import until as wait_until
from fakes.ferretdb import FerretDB, ferretdb, serving

__all__ = ["ferretdb"]

HIDDEN = "tiber-and-tarpeian"


def test_the_log_and_its_copy_are_printed_alike(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    copy = f"jsonl:{tmp_path}/copies/"
    followed = quaestor("follow", finished.session, "--to", copy)
    assert followed.code == 0
    count = len(quaestor("events", finished.session).out.splitlines())
    assert followed.err.splitlines()[-1] == f"copied {count} events to {copy}"
    for form in ((), ("--json",)):
        logged = quaestor("events", finished.session, *form)
        copied = quaestor("copied", finished.session, "--from", copy, *form)
        assert (copied.code, copied.out) == (0, logged.out)
        assert copied.err == ""


def test_mongo_has_the_log_with_session_cycle_state_and_time(
    quaestor: Quaestor, finished: Ended, ferretdb: FerretDB
) -> None:
    url = ferretdb.url("cli_alike")
    assert quaestor("follow", finished.session, "--to", url).code == 0
    copied = quaestor("copied", finished.session, "--from", url, "--json")
    assert copied.out == quaestor("events", finished.session, "--json").out
    for text in copied.out.splitlines():
        event = json.loads(text)
        assert event["session_id"] == finished.session
        assert (event["cycle"], bool(event["state"]), event["at"][-1]) == (1, True, "Z")


def test_the_same_again_copies_nothing(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    copy = tmp_path / "log.jsonl"
    assert quaestor("follow", "--once", "--to", copy).code == 0
    before = copy.read_bytes()
    assert quaestor("follow", "--once", "--to", copy).err == f"copied 0 events to jsonl:{copy}\n"
    assert quaestor("follow", finished.session, "--to", copy).code == 0
    assert copy.read_bytes() == before


def test_one_cycle_is_read_from_a_copy(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    copy = tmp_path / "log.jsonl"
    quaestor("follow", "--once", "--to", copy)
    one = quaestor("copied", finished.session, "--from", copy, "--cycle", "1")
    assert one.out == quaestor("events", finished.session).out
    two = quaestor("copied", finished.session, "--from", copy, "--cycle", "2")
    assert (two.code, two.out) == (2, "")
    assert f"no event of cycle 2 of session {finished.session}; without --cycle it prints all" in two.err


def test_a_copy_that_is_not_there_or_holds_other_sessions_is_named(
    quaestor: Quaestor, finished: Ended, tmp_path: Path
) -> None:
    copy, mistyped = tmp_path / "log.jsonl", tmp_path / "lgo.jsonl"
    quaestor("follow", "--once", "--to", copy)
    for place, session in ((copy, "last"), (mistyped, finished.session)):
        ended = quaestor("copied", session, "--from", place)
        assert (ended.code, ended.out) == (2, "")
        assert f"jsonl:{place} has no event of session '{session}'; see whether it is the right copy" in ended.err
    assert not mistyped.exists()


def test_an_unknown_session_is_not_followed(quaestor: Quaestor, tmp_path: Path) -> None:
    ended = quaestor("follow", "nobody", "--to", tmp_path / "log.jsonl")
    assert ended.code == 2
    assert "'nobody'" in ended.err
    assert not (tmp_path / "log.jsonl").exists()


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        (f"http://user:{HIDDEN}@host/", 2, "no follower for http: URLs"),
        (f"mongodb://user:{HIDDEN}/x@host/", 2, "percent-encoded"),
        (f"mongodb://user:{HIDDEN}@127.0.0.1:1/", 3, "mongodb://127.0.0.1:1/quaestor does not answer"),
        ("/proc/nowhere/log.jsonl", 3, "cannot be written"),
    ],
)
def test_a_target_that_cannot_be_is_told_without_its_password(
    quaestor: Quaestor, finished: Ended, url: str, code: int, said: str
) -> None:
    ended = quaestor("follow", finished.session, "--once", "--to", url)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert HIDDEN not in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_copy_that_cannot_be_read_is_told(quaestor: Quaestor, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine\n")
    ended = quaestor("copied", "s1", "--from", tmp_path / "mine.txt")
    assert (ended.code, ended.out) == (3, "")
    assert "no copied event" in ended.err


def test_a_password_that_is_wrong_is_told_and_not_shown(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    with serving(tmp_path / "db", login=("quaestor", "tiber")) as server:
        ended = quaestor("follow", finished.session, "--to", server.url(login=f"quaestor:{HIDDEN}@"))
    assert (ended.code, ended.out) == (3, "")
    assert "refuses: Authentication failed" in ended.err
    assert HIDDEN not in ended.err


def test_a_target_that_is_down_is_waited_for(finished: Ended, home: Path, tmp_path: Path) -> None:
    with (
        serving(tmp_path / "db", started=False) as server,
        started(home, "follow", finished.session, "--to", server.url()) as process,
    ):
        assert "catches up when it is back" in until(process, "mongodb://")
        server.start()
        assert process.wait(200) == 0
        assert until(process, "mongodb://").endswith("is back, and the copy is complete")


def test_whoever_leaves_goes_on_from_there(finished: Ended, home: Path, quaestor: Quaestor, tmp_path: Path) -> None:
    copy = tmp_path / "log.jsonl"
    with started(home, "follow", "--to", copy) as process:
        until(process, "copying to jsonl:")
        wait_until(lambda: copy.exists() and copy.stat().st_size)
        process.send_signal(2)
        assert process.wait(200) == 130
        assert until(process, "left; ").endswith("The same command continues from there")
    assert quaestor("follow", finished.session, "--to", copy).code == 0
    assert quaestor("copied", finished.session, "--from", copy).out == quaestor("events", finished.session).out
