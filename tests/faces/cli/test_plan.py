import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from faces.cli.conftest import Prepare, Quaestor
from faces.cli.processes import line
from fakes.papers import QUESTION


@pytest.fixture
def session(prepare: Prepare) -> str:
    """Return a session whose plan of four todos is under review."""
    begin = ("research", QUESTION, "--docs", "FOLDER/papers", "--review-plan")
    return prepare(*begin, "--model", "script:FOLDER/script.yaml").session


def todos(quaestor: Quaestor, session: str) -> list[str]:
    """Return the ids of the plan in their order."""
    return [row.split()[0] for row in quaestor("plan", session).out.splitlines()[1:]]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the place of the script that edits the file it is told."""
    script = tmp_path / "an editor.py"
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join((sys.executable, str(script))))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    script.write_text("from pathlib import Path\nimport sys\nfile = Path(sys.argv[1])\ntext = file.read_text()\n")
    return script


def edits(editor: Path, code: str) -> None:
    editor.write_text(f"{editor.read_text()}{code}\n")


def kept(tmp_path: Path) -> list[Path]:
    """Return the files that an edit left behind."""
    return list(tmp_path.glob("plan-*.txt"))


def test_each_verb_shows_what_it_changed(quaestor: Quaestor, session: str) -> None:
    added = quaestor("plan", session, "add", "Who painted the mole?", "--before", "t4", "--after", "t1", "t2")
    assert (added.code, added.out) == (0, "+ t5 [research] Who painted the mole? (after t1, t2), before t4\n")
    changed = quaestor("plan", session, "edit", "t5", "--task", "Who built the mole?", "--kind", "analysis", "--after")
    assert changed.out.count("~ t5 ") == 3
    moved = quaestor("plan", session, "move", "t5", "--before", "t1")
    assert moved.out == "~ t5 moved, now before t1\n"
    assert todos(quaestor, session) == ["t5", "t1", "t2", "t3", "t4"]
    dropped = quaestor("plan", session, "drop", "t5")
    assert dropped.out.startswith("- t5 ")
    assert quaestor("plan", session, "confirm").err.startswith("confirmed; continue with: ")
    assert quaestor("resume", session).code == 0


def test_what_others_wait_for_is_dropped_by_force_alone(quaestor: Quaestor, session: str) -> None:
    refused = quaestor("plan", session, "drop", "t1")
    assert (refused.code, refused.out) == (2, "")
    assert "t4" in refused.err
    assert quaestor("plan", session, "drop", "t1", "--force").code == 0
    assert todos(quaestor, session) == ["t2", "t3", "t4"]


REFUSED: Sequence[tuple[Sequence[str], str]] = (
    (["add"], "the task of the new todo is missing"),
    (["move"], "the id of a todo is missing"),
    (["drop"], "the id of a todo is missing"),
    (["add", ""], "task ''"),
    (["add", "x" * 2001], "task 'xxx"),
    (["add", "a", "--after", "t99"], "t99"),
    (["edit", "t99", "--task", "b"], "t99"),
    (["edit", "t1", "--after", "t4"], "t1"),
    (["edit", "t1", "--agent", "nobody"], "nobody"),
    (["paint", "t1"], "paint"),
)


def test_what_cannot_be_done_changes_nothing(quaestor: Quaestor, session: str) -> None:
    before = quaestor("plan", session).out
    for argv, says in REFUSED:
        ended = quaestor("plan", session, *argv)
        assert (ended.code, ended.out) == (2, ""), argv
        assert says in ended.err
    assert quaestor("plan", session).out == before


def test_a_review_is_ended_once(quaestor: Quaestor, session: str) -> None:
    assert quaestor("plan", session, "auto").code == 0
    assert quaestor("plan", session, "confirm").code == 2


def test_what_is_done_is_not_edited(quaestor: Quaestor, session: str) -> None:
    quaestor("plan", session, "confirm")
    quaestor("resume", session)
    ended = quaestor("plan", session, "drop", "t3")
    assert ended.code == 2
    assert "finished" in ended.err


def test_there_may_be_no_plan_yet(quaestor: Quaestor, docs: Path) -> None:
    unclear = quaestor("research", "Who built it?", "--docs", docs).session
    shown = quaestor("plan", unclear)
    assert (shown.code, shown.out) == (0, "")
    assert "no plan yet" in shown.err
    for argv in (["add", "a"], ["edit"]):
        assert "no plan yet" in quaestor("plan", unclear, *argv).err


def test_the_text_of_an_editor_is_applied_with_the_difference_shown(
    quaestor: Quaestor, session: str, editor: Path, tmp_path: Path
) -> None:
    code = "lines = [row for row in text.splitlines() if not row.startswith('t3 ')]"
    edits(editor, f"{code}\nfile.write_text('\\n'.join([*lines, 'Who painted the mole?  (after t2)']))")
    ended = quaestor("plan", session, "edit")
    assert ended.code == 0
    dropped, added = ended.out.splitlines()
    assert dropped.startswith("- t3 ")
    assert added.startswith("+ t5 [research] Who painted the mole? (after t2)")
    assert todos(quaestor, session) == ["t1", "t2", "t4", "t5"]
    assert kept(tmp_path) == []


@pytest.mark.parametrize("code", ["", "file.write_text('')", "file.write_text(' \\n')"])
def test_an_editor_that_is_left_changes_nothing(
    quaestor: Quaestor, session: str, editor: Path, tmp_path: Path, code: str
) -> None:
    edits(editor, code)
    ended = quaestor("plan", session, "edit")
    assert (ended.code, ended.out, ended.err) == (0, "", "nothing was changed\n")
    assert kept(tmp_path) == []


def test_a_line_that_cannot_be_read_is_named_and_the_text_is_kept(
    quaestor: Quaestor, session: str, editor: Path, tmp_path: Path
) -> None:
    edits(editor, "file.write_text(text + 't99 Who painted the mole?\\n')")
    ended = quaestor("plan", session, "edit")
    [file] = kept(tmp_path)
    number = len(file.read_text().splitlines())
    assert ended.code == 2
    assert f"line {number}: there is no todo t99" in ended.err
    assert f"what you wrote is in {file}" in ended.err
    assert todos(quaestor, session) == ["t1", "t2", "t3", "t4"]


def test_an_edit_of_what_somebody_else_edited_meanwhile_is_refused_and_the_text_is_kept(
    quaestor: Quaestor, session: str, home: Path, editor: Path, tmp_path: Path
) -> None:
    other = line(home, "plan", session, "add", "Mine came first.")
    edits(editor, f"import subprocess\nsubprocess.run({other!r}, check=True, capture_output=True)")
    edits(editor, "file.write_text(text + 'Who painted the mole?\\n')")
    ended = quaestor("plan", session, "edit")
    [file] = kept(tmp_path)
    assert ended.code == 2
    assert "edited by somebody else" in ended.err
    assert f"what you wrote is in {file}" in ended.err
    assert "Who painted the mole?" in file.read_text()
    shown = quaestor("plan", session).out
    assert "Mine came first." in shown
    assert "Who painted" not in shown


@pytest.mark.parametrize(
    ("code", "says"), [("sys.exit(3)", "ended with code 3"), ("file.write_bytes(b'\\xe9')", "not valid UTF-8")]
)
def test_an_editor_that_fails_leaves_the_text(
    quaestor: Quaestor, session: str, editor: Path, code: str, says: str
) -> None:
    edits(editor, code)
    ended = quaestor("plan", session, "edit")
    [file] = kept(editor.parent)
    assert ended.code == 2
    assert says in ended.err
    assert str(file) in ended.err


def test_an_editor_that_is_not_there(
    quaestor: Quaestor, session: str, editor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", f"{editor}{os.sep}nowhere")
    ended = quaestor("plan", session, "edit")
    assert ended.code == 2
    assert "set EDITOR" in ended.err
