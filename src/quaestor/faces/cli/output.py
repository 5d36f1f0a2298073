"""What the program says (stderr) and what it gives (stdout)."""

import shlex
import sys
from pathlib import Path
from shutil import which

from quaestor.app.text import replace_hidden


def write_stderr(text: str) -> None:
    """Tell the person something; nothing in the text can move the cursor or hide."""
    sys.stderr.write(f"{replace_hidden(text)}\n")
    sys.stderr.flush()


def write_stdout(text: str) -> None:
    """Hand over data as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def command_line(home: Path | None, *words: str) -> str:
    """Give a command line that can be pasted: the program as it was called, for the home that it was told."""
    called = sys.argv[0] if Path(sys.argv[0]).name == "quaestor" else "quaestor"
    program = "quaestor" if called == which("quaestor") else called
    return shlex.join((program, *words, *(("--home", str(home)) if home else ())))
