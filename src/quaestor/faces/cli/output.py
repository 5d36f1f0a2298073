"""What the program prints: messages for a person on stderr, data on stdout."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from quaestor.app.text import replace_hidden, truncate

PIPED_WIDTH = 160
"""Cells at which a line of a table is cut that does not go to a terminal."""


def write_stderr(text: str) -> None:
    """Write a message; control characters in it are replaced, so that it cannot move the cursor."""
    sys.stderr.write(f"{replace_hidden(text)}\n")
    sys.stderr.flush()


def write_stdout(text: str) -> None:
    """Write data as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def write_table_line(line: str, *, whole: bool = False) -> None:
    """Write a line of a table to stdout, cut at the width of the terminal; `whole` cuts it nowhere else."""
    if sys.stdout.isatty():
        line = truncate(line, shutil.get_terminal_size().columns)
    elif not whole:
        line = truncate(line, PIPED_WIDTH)
    write_stdout(f"{line.rstrip()}\n")


def write_table(rows: Sequence[Sequence[str]], *, whole: bool = False) -> None:
    """Write rows of equal length to stdout, their columns below each other; the first row has the headers."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        write_table_line(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip(), whole=whole
        )


def command_line(home: Path | None, *words: str) -> str:
    """Return a command line that can be pasted: the program as it was called, with the home it was called with."""
    called = sys.argv[0] if Path(sys.argv[0]).name == "quaestor" else "quaestor"
    program = "quaestor" if called == shutil.which("quaestor") else called
    return shlex.join((program, *words, *(("--home", str(home)) if home else ())))
