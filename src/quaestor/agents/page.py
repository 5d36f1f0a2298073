"""A file as it was read, and how a fault in it is told."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from quaestor.contracts.errors import UsageError


class Fault(NamedTuple):
    """What is wrong in a file, and where; `field` is a field of the front matter or a tag of the template."""

    line: int
    field: str
    said: str


class Page(NamedTuple):
    """A text file: its bytes as they are hashed, its text with lines ended by line feeds."""

    path: Path
    content: bytes
    text: str


def read(path: Path) -> Page:
    """Read a file. Raises UsageError when it cannot be read, is no UTF-8, or holds a NUL."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; make it a readable file or remove it") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        said = f"byte {content[error.start]:#04x} is no UTF-8; save the file as UTF-8"
        raise UsageError(told(path, Fault(line, "encoding", said))) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(told(path, Fault(line, "text", "a NUL character cannot stand in an agent; remove it")))
    return Page(path, content, text.replace("\r\n", "\n"))


def told(path: Path, fault: Fault) -> str:
    """Give a fault as one line that names the file, the line and the field."""
    return f"{path}, line {fault.line}, {fault.field}: {fault.said}"


def refuse(path: Path, faults: Iterable[Fault]) -> None:
    """Raise UsageError with one line a fault, if there is any."""
    lines = [told(path, fault) for fault in faults]
    if lines:
        raise UsageError("\n".join(lines))
