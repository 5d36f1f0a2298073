import json
import os
import pty
import re
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from faces.cli.conftest import Ended, Quaestor
from fakes.forked import forked
from fakes.papers import QUESTION
from quaestor.faces.cli.listing import format_age


def test_sessions_are_filtered_and_printed_as_json(quaestor: Quaestor, finished: Ended, docs: Path) -> None:
    assert finished.session in quaestor("ps", "--status", "finished", "--workflow", "research").out
    assert quaestor("ps", "--text", "HARBOUR lights").out.count(finished.session) == 1
    for nothing in (("--status", "waiting"), ("--workflow", "longtask"), ("--text", "tungsten"), ("--limit", "0")):
        assert quaestor("ps", *nothing).out == ""
    listed = json.loads(quaestor("ps", "--json").out)
    assert (listed["dollars"], Path(listed["folder"]).name) == ("0", docs.name)
    assert quaestor("ps", "--folder", Path(listed["folder"]).parent).out.count(finished.session) == 1
    assert quaestor("ps", "--folder", docs / "below").out == ""
    assert (listed["id"], listed["question"], listed["status"]["state"]) == (finished.session, QUESTION, "finished")


def test_a_session_is_shown_as_json(quaestor: Quaestor, finished: Ended) -> None:
    shown = json.loads(quaestor("show", "--json").out)
    assert (shown["id"], shown["status"]["outcome"]) == (finished.session, "done")
    assert shown["plan"]["todos"]


def test_words_are_found_in_questions_and_reports(quaestor: Quaestor, finished: Ended) -> None:
    report = quaestor("report").out
    word = next(word for word in re.findall(r"[a-z]{9,}", report) if word not in QUESTION)
    _, in_report = quaestor("search", word).out.splitlines()
    assert in_report.split()[:2] == [finished.session, "report"]
    assert word in in_report
    _, in_question = quaestor("search", "COST aldmouth").out.splitlines()
    assert in_question.split()[:2] == [finished.session, "question"]
    nothing = quaestor("search", "tungsten")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "no session has these words\n")


def test_every_interrupted_session_is_resumed(quaestor: Quaestor, finished: Ended) -> None:
    early = [quaestor("fork", finished.session, "--at", str(at)).out.strip() for at in (1, 5, 9)]
    ended = quaestor("resume", "--all")
    assert ended.code == 0, ended.err
    assert [line.split()[1] for line in ended.err.splitlines() if line.startswith("session ")] == early
    assert {status["status"]["state"] for status in map(json.loads, quaestor("ps", "--json").out.splitlines())} == {
        "finished"
    }
    assert quaestor("resume", "--all").err == "no session is queued, interrupted or paused\n"
    assert quaestor("resume", "--all", "--last").code == 2


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ("search aldmouth", "line"),
        ("approvals last", "tool"),
        ("settings show --all", "value"),
        ("models ollama", "state"),
        ("agents list", "gives"),
        ("plan last", "task"),
        ("doctor --no-ask", "subject"),
        ("token list", "scope"),
    ],
)
def test_every_list_can_be_had_as_json(quaestor: Quaestor, finished: Ended, command: str, field: str) -> None:
    assert finished.code == 0
    ended = quaestor(*command.split(), "--json")
    listed = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, ended.err) == (0, "")
    assert all(field in each for each in listed)
    assert listed or command in {"approvals last", "token list"}


def test_what_verify_found_is_had_as_json(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    assert finished.code == 0
    bundle = tmp_path / "bundle.zip"
    assert quaestor("export", "--bundle", str(bundle)).code == 0
    sound = [json.loads(quaestor("verify", what, "--json").out) for what in ("last", str(bundle))]
    assert sound[0] == sound[1]
    assert sound[0]["quotes"] > 0
    assert sound[0]["signature"] == "valid"
    with zipfile.ZipFile(bundle, "a") as changed:
        changed.writestr("more.txt", "It was added.")
    ended = quaestor("verify", str(bundle), "--json")
    assert (ended.code, ended.err) == (1, "")
    assert "more.txt" in json.loads(ended.out)["faults"][0]


def test_only_lists_are_had_as_json(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.code == 0
    for command in ("settings path", "agents check", "plan last confirm", "token revoke ci"):
        ended = quaestor(*command.split(), "--json")
        assert (ended.code, "leave it out" in ended.err) == (2, True)


@pytest.mark.parametrize("command", [("ps",), ("search", "aldmouth")])
def test_a_narrow_terminal_keeps_the_question_and_an_end_of_the_id(
    quaestor: Quaestor, finished: Ended, home: Path, command: tuple[str, ...]
) -> None:
    screen, keyboard = pty.openpty()
    with forked([*command, "--home", str(home)], {**os.environ, "COLUMNS": "40"}, stdout=keyboard) as process:
        os.close(keyboard)
        assert process.wait() == 0
    shown = os.read(screen, 4096).decode().splitlines()
    os.close(screen)
    assert all(len(line) <= 40 for line in shown)
    assert shown[1].startswith(finished.session[-6:] + "  ")
    assert QUESTION[:10] in shown[1]
    assert quaestor("show", finished.session[-6:]).code == 0


@pytest.mark.parametrize(
    ("seconds", "age"), [(-5, "0s"), (59, "59s"), (60, "1m"), (7_300, "2h"), (90_000, "1d"), (4e7, "1y")]
)
def test_an_age_is_given_in_its_largest_unit(seconds: float, age: str) -> None:
    assert format_age(timedelta(seconds=seconds)) == age


def test_cost_and_folder_of_an_older_home_are_found_in_its_events(
    quaestor: Quaestor, finished: Ended, docs: Path
) -> None:
    """The home is one of before the step that added both."""
    with closing(apsw.Connection(str(docs.parent / "home" / "quaestor.db"))) as database:
        for column in ("dollars", "folder"):
            database.execute(f"ALTER TABLE sessions DROP COLUMN {column}")
        database.execute("DELETE FROM migrations WHERE name = ?", ("0020_costs_and_folders",))
    for _ in ("folded", "kept"):
        [listed] = map(json.loads, quaestor("ps", "--json").out.splitlines())
        assert (listed["id"], listed["dollars"], Path(listed["folder"]).name) == (finished.session, "0", docs.name)
    with closing(apsw.Connection(str(docs.parent / "home" / "quaestor.db"))) as database:
        assert database.execute("SELECT dollars, folder FROM sessions").get == ("0", listed["folder"])
