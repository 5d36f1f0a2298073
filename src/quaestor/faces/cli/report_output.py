"""Where a report is written: to stdout, or to a file as a whole."""

import os
from pathlib import Path

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.faces.cli.output import write_stdout


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
        _write_atomically(out.resolve(), text)
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}; choose another place") from error


def _write_atomically(file: Path, text: str) -> None:
    if file.exists() and not file.is_file():  # a device or a pipe is not replaced
        file.write_text(text, encoding="utf-8", newline="\n")
        return
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
