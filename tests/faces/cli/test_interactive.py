"""A question asked and answered at a terminal; the program has one of its own."""

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faces.cli.conftest import Quaestor
from faces.cli.processes import line

PROMPT = "> "


class Terminal:
    """A person at a terminal: what is typed there, and what is seen."""

    def __init__(self, screen: int, process: subprocess.Popen[str]) -> None:
        self._screen = screen
        self.process = process

    def seen(self) -> str:
        """Return what is said until the program asks, or to its end."""
        text = ""
        while not text.endswith(PROMPT):
            ready, _, _ = select.select([self._screen], [], [], 20)
            assert ready, f"nothing is asked any more after: {text}"
            try:
                text += os.read(self._screen, 4096).decode()
            except OSError:  # nobody holds the other side any more
                break
        return re.sub(r"\s+", " ", text)

    def types(self, text: str) -> str:
        """Type a line and give what is said then."""
        os.write(self._screen, text.encode())
        return self.seen()

    def ends(self) -> tuple[int, str]:
        """Return the exit code and what came to stdout."""
        out, _ = self.process.communicate(timeout=30)
        return self.process.returncode, out


@contextmanager
def terminal(home: Path, *argv: str | Path) -> Iterator[Terminal]:
    screen, keyboard = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100"}
    with subprocess.Popen(
        line(home, *argv), stdin=keyboard, stderr=keyboard, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        os.close(keyboard)
        try:
            yield Terminal(screen, process)
        finally:
            process.kill()
            os.close(screen)


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


def test_a_call_of_a_task_is_approved_at_the_terminal(home: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.yaml"
    book.write_text(
        '- {say: I write., write_file: {path: a.txt, content: "x"}}\n- {say: Written., done: Written.}\n',
        encoding="utf-8",
    )
    said = ("--model", f"playbook:{book}", "--allow", "write_file", "--approve", "write_file")
    with terminal(home, "task", "Write it.", *said) as person:
        asked = person.seen()
        assert "round 1: I write." in asked
        assert 'with exactly this: {"content": "x", "path": "a.txt", "tool": "write_file"}' in asked
        assert "(yes, or no and why; an empty line leaves, and the session waits)" in asked
        assert "is one of longtask, not of research" in person.types("/plan\n")
        assert "answer yes or no" in person.types("well\n")
        assert "made a.txt version 1" in person.types("Yes\n")
        assert person.ends() == (0, "Written.\n")


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
