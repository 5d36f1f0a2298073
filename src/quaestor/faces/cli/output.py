"""The output of the program: messages on stderr, data on stdout, and reports in files, whole or not at all."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from quaestor.app import write_whole
from quaestor.app.text import escape_hidden_json, replace_hidden, truncate
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import SetupError, UsageError

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


def write_json(value: Contract, *, indent: int | None = None) -> None:
    """Write a value as JSON, with what nobody sees in its texts as escapes; on one line without `indent`."""
    write_stdout(f"{escape_hidden_json(value.model_dump_json(indent=indent))}\n")


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


def check_output_path(option: str, out: Path | None) -> None:
    """Raise UsageError for a file that cannot be written; called before any work is done."""
    if out is None:
        return
    if out.is_dir():
        raise UsageError(f"{option} {out} is a folder; name a file in it")
    if not out.parent.is_dir():
        raise UsageError(f"{option} {out}: there is no folder {out.parent}; make it first")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise UsageError(f"{option} {out} may not be written; choose another place")


def write_output(text: str, out: Path | None) -> None:
    """Write a text to stdout, or to a file, whole or not at all. Raises SetupError when the file cannot be written."""
    if out is None:
        write_stdout(text)
        return
    try:
        write_whole(out, text.encode())
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}; choose another place") from error
