"""A question asked and answered at a terminal; the program has one of its own."""

import signal
import subprocess
from pathlib import Path

from faces.cli.conftest import Quaestor
from faces.cli.processes import line
from faces.cli.typing_person import PROMPT, terminal


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


def test_without_a_terminal_nothing_is_asked(home: Path, docs: Path) -> None:
    argv = line(home, "research", "Who built it?", "--docs", docs)
    ended = subprocess.run(argv, input="The Aldmouth lighthouse\n", capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (5, "")
    assert PROMPT not in ended.stderr
