import json
from pathlib import Path

import apsw
import pytest

from faces.cli.conftest import Ended, Quaestor
from fakes.papers import QUESTION
from quaestor.app.reports.exports import exporter_names, get_exporter


def test_ps_lists_sessions_with_their_status(quaestor: Quaestor, finished: Ended, docs: Path) -> None:
    none = quaestor("research", "What is the melting point of tungsten?", "--docs", docs)
    ended = quaestor("ps")
    head, newest, oldest = ended.out.splitlines()
    assert head.split() == ["SESSION", "STATUS", "AGE", "TODOS", "COST", "FOLDER", "QUESTION"]
    assert newest.split()[5:7] == ["-", docs.name]
    assert newest.startswith(f"{none.session}  finished: no_result  ")
    assert oldest.startswith(f"{finished.session}  finished: done ")
    assert oldest.endswith(QUESTION)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("UPDATE events SET body = '{' WHERE session_id = ? AND seq = 3", "event 3 of session"),
        (
            """
            UPDATE events SET blob = NULL, body = json_object(
              'question', '?', 'workflow', 'research', 'task_key', '', 'options', json_object('telepathy', 1)
            ) WHERE session_id = ? AND seq = 1
            """,
            "telepathy: Extra inputs",
        ),
        ("UPDATE sessions SET workflow = 'gone' WHERE id = ?", "gone"),
    ],
)
def test_a_session_that_cannot_be_read_hides_no_other(
    quaestor: Quaestor, finished: Ended, docs: Path, damage: str, named: str
) -> None:
    other = quaestor("research", "What is the melting point of tungsten?", "--docs", docs)
    database = apsw.Connection(str(docs.parent / "home" / "quaestor.db"))
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute(damage, (other.session,))
    database.execute("UPDATE sessions SET status = NULL")  # as before there was one: else no log is read at all
    database.close()
    ended = quaestor("ps")
    assert ended.code == 0
    assert named in ended.err
    _, newest, oldest = ended.out.splitlines()
    assert newest.startswith(f"{other.session}  unreadable")
    assert oldest.startswith(f"{finished.session}  finished: done ")
    assert quaestor("show", other.session).code in {1, 2, 3}
    again = quaestor("research", "What is the melting point of tungsten?", "--docs", docs)
    assert again.code == 6
    assert again.session != other.session


def test_ps_of_an_empty_home_says_how_to_begin(quaestor: Quaestor) -> None:
    ended = quaestor("ps")
    assert (ended.code, ended.out) == (0, "")
    assert "quaestor research" in ended.err


def test_show_tells_what_is_known(quaestor: Quaestor, finished: Ended) -> None:
    ended = quaestor("show", finished.session)
    assert ended.code == 0
    for said in (QUESTION, "finished: done", "offline", "/papers", "version 1", "t1  done", "model calls"):
        assert said in ended.out


def test_plan_prints_a_line_for_each_todo(quaestor: Quaestor, finished: Ended) -> None:
    digest, *todos = quaestor("plan", finished.session).out.splitlines()
    assert digest.startswith(f"{len(todos)} todos: ")
    assert todos[0].startswith("t1  done ")


def test_events_are_printed_filtered_and_numbered(quaestor: Quaestor, finished: Ended) -> None:
    lines = quaestor("events", finished.session).out.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    recorded = quaestor("events", finished.session, "--type", "todo_recorded").out.splitlines()
    assert 0 < len(recorded) < len(lines)
    assert all(" todo_recorded " in line for line in recorded)
    searching = quaestor("events", finished.session, "--state", "SEARCHING", "--after", "20", "--json").out
    events = [json.loads(line) for line in searching.splitlines()]
    assert {event["state"] for event in events} == {"SEARCHING"}
    assert min(event["seq"] for event in events) > 20


def test_following_a_finished_session_ends(quaestor: Quaestor, finished: Ended) -> None:
    assert quaestor("events", finished.session, "--follow").out == quaestor("events", finished.session).out
    assert quaestor("events", finished.session, "--follow", "--after", "9999").out == ""


@pytest.mark.parametrize(("option", "name"), [("--type", "todo_eaten"), ("--state", "EATING")])
def test_a_filter_that_matches_nothing_ever_is_refused(
    quaestor: Quaestor, finished: Ended, option: str, name: str
) -> None:
    ended = quaestor("events", finished.session, option, name)
    assert ended.code == 2
    assert name in ended.err


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_a_report_can_be_read_again(quaestor: Quaestor, finished: Ended, tmp_path: Path, form: str) -> None:
    printed = quaestor("report", finished.session, "--format", form)
    kept = quaestor("report", finished.session, "--format", form, "--out", tmp_path / "again")
    assert (printed.code, kept.code, kept.out) == (0, 0, "")
    assert (tmp_path / "again").read_text(encoding="utf-8") == printed.out
    if form == "md":
        assert printed.out == finished.out


def test_verify_says_how_much_it_checked(quaestor: Quaestor, finished: Ended) -> None:
    ended = quaestor("verify", finished.session)
    assert ended.code == 0
    assert f"session {finished.session} holds: " in ended.out


def test_verify_names_what_was_changed(quaestor: Quaestor, finished: Ended, home: Path) -> None:
    database = apsw.Connection(str(home / "quaestor.db"))
    database.execute("UPDATE events SET at = '2001-01-01T00:00:00.000000Z' WHERE seq = 5")
    database.close()
    ended = quaestor("verify", finished.session)
    assert ended.code == 1
    assert "event 5 was changed" in ended.out


def test_explain_leads_to_the_words_and_the_search(quaestor: Quaestor, finished: Ended) -> None:
    report = json.loads(quaestor("report", finished.session, "--format", "json").out)
    passage = report["passages"][0]
    ended = quaestor("explain", finished.session, "--passage", str(passage["number"]))
    assert ended.code == 0
    assert passage["quote"] in ended.out
    for said in (passage["source"], "«", "query", "searched ", "recorded "):
        assert said in ended.out


def test_a_claim_that_is_not_there(quaestor: Quaestor, finished: Ended) -> None:
    ended = quaestor("explain", finished.session, "--claim", "999")
    assert ended.code == 2
    assert "no passage 999" in ended.err


@pytest.mark.parametrize("command", ["show", "plan", "events", "spend", "report", "verify", "resume"])
def test_an_unknown_session_is_named_and_nothing_is_made(quaestor: Quaestor, home: Path, command: str) -> None:
    for name in ("20200101-000000-abcdef", "../x", "../../etc/passwd", "\x1b[2J\x07../x\n", "x" * 5000):
        ended = quaestor(command, name)
        assert (ended.code, ended.out) == (2, ""), name
        assert ascii(name[:80])[1:-1] in ended.err
        assert "\x1b" not in ended.err
    assert {path.name for path in home.parent.rglob("*")} <= {
        "home",
        "quaestor.db",
        "quaestor.db-wal",
        "quaestor.db-shm",
    }


def test_a_graph_is_drawn_from_the_state_table(quaestor: Quaestor) -> None:
    ended = quaestor("graph", "research")
    assert ended.code == 0
    assert ended.out.startswith("stateDiagram-v2\n")
    assert "QUOTING --> REVIEWING" in ended.out
    assert quaestor("graph", "cooking").code == 2


@pytest.mark.parametrize("part", [slice(0, 15), slice(-6, None), slice(None)])
def test_a_session_is_named_by_a_part_of_its_id(quaestor: Quaestor, finished: Ended, part: slice) -> None:
    shown = quaestor("show", finished.session[part])
    assert (shown.code, shown.out) == (0, quaestor("show", finished.session).out)


def test_commands_that_look_take_the_newest_session(quaestor: Quaestor, finished: Ended, docs: Path) -> None:
    newest = quaestor("research", "What is the melting point of tungsten?", "--docs", docs).session
    for command in ("show", "spend", "report", "verify", "events", "plan"):
        by_id = quaestor(command, newest)
        assert by_id.out != quaestor(command, finished.session).out, command
        assert quaestor(command) == quaestor(command, "last") == by_id, command


def test_an_ambiguous_name_of_a_session_lists_what_it_matches(quaestor: Quaestor, finished: Ended, docs: Path) -> None:
    other = quaestor("research", "What is the melting point of tungsten?", "--docs", docs).session
    ended = quaestor("show", "20")
    assert (ended.code, ended.out) == (2, "")
    assert f"2 sessions match '20': {other}, {finished.session}; write more of the id" in ended.err


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_name_that_no_session_has_is_refused(quaestor: Quaestor, name: str) -> None:
    ended = quaestor("cancel", name)
    assert ended.code == 2
    assert f"there is no session {name!r}" in ended.err


def test_the_newest_session_of_an_empty_home_is_refused(quaestor: Quaestor) -> None:
    ended = quaestor("report")
    assert (ended.code, ended.out) == (2, "")
    assert "there are no sessions yet" in ended.err


def test_a_part_of_an_id_resumes_a_session(quaestor: Quaestor, finished: Ended) -> None:
    assert quaestor("resume", finished.session[-6:]).out == quaestor("report").out


@pytest.mark.parametrize(
    ("name", "begins"), [("r.html", "<!doctype html>"), ("r.json", "{"), ("r.md", "> "), ("r", "> ")]
)
def test_the_format_of_a_report_follows_from_the_file(
    quaestor: Quaestor, finished: Ended, tmp_path: Path, name: str, begins: str
) -> None:
    assert quaestor("report", finished.session, "--out", tmp_path / name).code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


EXPORTED = sorted({get_exporter(name).suffix for name in exporter_names()} - {"", ".json", ".html"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["r.md", "--format", "html"], "would hold html"),
        (["r.docx", "--format", "html"], "`quaestor export SESSION --out r.docx` writes .docx"),
        *((["r" + suffix], f"`quaestor export SESSION --out r{suffix}` writes {suffix}") for suffix in EXPORTED),
        (["r.txt"], "does not follow from .txt"),
    ],
)
def test_a_file_that_contradicts_the_format_is_refused(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(docs)
    ended = quaestor("research", QUESTION, "--docs", docs, "--out", *options)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert not Path(options[0]).exists()
    assert "no sessions yet" in quaestor("ps").err
