"""The standard streams, made such that a caller who closes one changes neither the outcome nor the exit code."""

import codecs
import os
import sys
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper

from typing_extensions import Buffer, override

_COLUMNS_DIGITS = 4
"""No terminal is wider than 9,999 columns."""
_IN_ITS_CELL = "quaestor-in-its-cell"
"""The name of the handler of errors for terminals: an escape would be longer, and break lines that were cut to fit."""
_LOOKALIKES = {
    **dict.fromkeys("\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{MINUS SIGN}─━", "-"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}", "'"),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("•·", "*"),
    "…": ".",
    "█": "#",
    "░": "-",
}


def secure_streams() -> None:
    """Replace standard streams that were closed, and let messages be lost when nobody reads them any more.

    What cannot be encoded is escaped, on a terminal shown as a character: the name of a file or a title must not end a
    run.
    """
    codecs.register_error(_IN_ITS_CELL, _replace_in_its_cell)
    _open_closed_streams()
    if len(os.environ.get("COLUMNS", "")) > _COLUMNS_DIGITS:  # lines are padded to that width, in memory
        del os.environ["COLUMNS"]
    sys.stderr = TextIOWrapper(
        BufferedWriter(_UnreliableOutput(sys.stderr.fileno(), "w", closefd=False)),
        encoding=sys.stderr.encoding,
        errors=_IN_ITS_CELL if sys.stderr.isatty() else "backslashreplace",
        line_buffering=True,
    )
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors=_IN_ITS_CELL if sys.stdout.isatty() else "backslashreplace")


def discard_stdout() -> None:
    """Lose what is written to standard output from here on: its reader left, and the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_in_its_cell(error: UnicodeError) -> tuple[str, int]:
    """Return one character for each that has no code, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_LOOKALIKES.get(each, "?") for each in error.object[error.start : error.end]), error.end


class _UnreliableOutput(FileIO):
    """A file whose reader may go away: what is written then is lost, and nothing else changes."""

    @override
    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _open_closed_streams() -> None:
    """Open what the caller closed; else the next file that is opened, such as the database, becomes standard error."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
            stream = FileIO(descriptor, "w" if descriptor else "r", closefd=False)
            setattr(sys, name, TextIOWrapper(BufferedWriter(stream) if descriptor else BufferedReader(stream)))
