"""A text that is handed over: to a file, whole or not at all, or to stdout."""

import os
from pathlib import Path

from quaestor.cli.speech import give
from quaestor.contracts.errors import SetupError, UsageError


def check(option: str, out: Path | None) -> None:
    """Refuse a file that cannot be written. Raises UsageError; to be asked before any work is done."""
    if out is None:
        return
    if out.is_dir():
        raise UsageError(f"{option} {out} is a folder; name a file in it")
    if not out.parent.is_dir():
        raise UsageError(f"{option} {out}: there is no folder {out.parent}; make it first")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise UsageError(f"{option} {out} may not be written; choose another place")


def hand_over(text: str, out: Path | None) -> None:
    """Give a text, or write it to a file. Raises SetupError when it cannot be kept there."""
    if out is None:
        give(text)
        return
    try:
        _write(out.resolve(), text)
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}; choose another place") from error


def _write(file: Path, text: str) -> None:
    if file.exists() and not file.is_file():  # a device or a pipe is not replaced
        file.write_text(text, encoding="utf-8", newline="\n")
        return
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
