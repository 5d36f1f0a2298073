"""A question asked and answered at a terminal; the program has one of its own."""

import shlex
import signal
import sys
from pathlib import Path

import pytest

from faces.cli.conftest import Quaestor
from faces.cli.typing_person import PROMPT, terminal
from fakes.forked import forked


def test_a_run_is_answered_and_its_plan_confirmed_at_the_terminal(home: Path, docs: Path) -> None:
    with terminal(home, "research", "Who built it?", "--docs", docs, "--review-plan") as person:
        asked = person.seen()
        assert "Whom or what does 'it' mean in 'Who built it?'?" in asked
        assert "there is no plan yet" in person.types("/plan\n")
        assert "no plan yet" in person.types("/confirm_plan\n")
        reviewed = person.types("  The Aldmouth lighthouse \n")
        assert "answered: The Aldmouth lighthouse" in reviewed
        assert reviewed.count("Who built it? (The Aldmouth") <= 1  # what was told once is not told again
        assert "Is this plan of " in reviewed
        assert "the plan waits for confirmation" in person.types("go ahead\n")
        assert " t1 pending Who built it (The Aldmouth lighthouse)?" in person.types("/PLAN\n")
        assert "t1 recorded: " in person.types("/Confirm_Plan\n")
        code, out = person.ends()
    assert code == 0
    assert "Henrike Vos" in out


def test_an_empty_line_leaves_and_the_session_waits(quaestor: Quaestor, home: Path, docs: Path) -> None:
    for key in ("\n", "\x04"):  # the end of the input leaves as well
        with terminal(home, "research", "Who built it?", "--docs", docs) as person:
            person.seen()
            assert "answer with: " in person.types(key)
            assert person.ends() == (5, "")
    assert "waits for an answer" in quaestor("ps").out


def test_an_interrupt_leaves_as_well(home: Path, docs: Path) -> None:
    with terminal(home, "research", "Who built it?", "--docs", docs) as person:
        person.seen()
        person.process.send_signal(signal.SIGINT)
        assert "answer with: " in person.seen()
        assert person.ends() == (5, "")


def test_what_somebody_else_answered_meanwhile_counts(quaestor: Quaestor, home: Path, docs: Path) -> None:
    with terminal(home, "research", "Who built it?", "--docs", docs, "--review-plan") as person:
        session = person.seen().partition("session ")[2].split()[0]
        assert quaestor("answer", session, "The Aldmouth lighthouse").code == 5
        late = person.types("The fog bell\n")
        assert "the plan waits for confirmation" in late
        assert "Is this plan of " in late
        person.types("/end_plan\n")
        assert person.ends()[0] == 0


def test_without_a_terminal_nothing_is_asked(home: Path, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "typed").write_text("The Aldmouth lighthouse\n", encoding="utf-8")
    words = ["research", "Who built it?", "--docs", str(docs), "--home", str(home)]
    with (tmp_path / "typed").open(encoding="utf-8") as typed, forked(words, stdin=typed.fileno()) as process:
        out, err = process.communicate()
    assert (process.wait(), out) == (5, "")
    assert PROMPT not in err


EDITOR = """
from pathlib import Path
import sys
file = Path(sys.argv[1])
text = file.read_text()
if "mole" in text:
    file.write_text(text.replace("t99 Who", "Who"))
else:
    file.write_text(text + "t99 Who painted the mole?\\n")
"""
"""An editor that adds a line that cannot be read, and mends it when it is opened again."""


def test_a_plan_under_review_is_edited_and_what_is_refused_opened_again(
    quaestor: Quaestor, home: Path, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(EDITOR, encoding="utf-8")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", shlex.join((sys.executable, str(script))))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    question = "When was the Aldmouth lighthouse built?"
    with terminal(home, "research", question, "--docs", docs, "--review-plan") as person:
        assert "e or /edit_plan opens it in your editor" in person.seen()
        refused = person.types("E\n")
        assert "there is no todo t99" in refused
        assert "edit it again? (Enter, or n)" in refused
        assert "+ t2 [research] Who painted the mole?" in person.types("\n")
        assert "nothing" in person.types("/edit_plan\n")
        person.types("/confirm_plan\n")
        assert person.ends()[0] == 0
    assert not list(tmp_path.glob("plan-*.txt"))
    assert "Who painted the mole?" in quaestor("plan").out
