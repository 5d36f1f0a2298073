"""Which files below a path are worth reading; told by name and status alone, without opening one."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quaestor.contracts.ports import DocumentMark

LARGEST = 20_000_000
"""Bytes; a larger file is data and no document."""

HIDDEN, EMPTY, TOO_LARGE = "hidden", "empty", "larger than 20 MB"


@dataclass(frozen=True, slots=True)
class Found:
    """A file with what marks its present content, and the reason to skip it, if there is one."""

    mark: DocumentMark
    skipped: str | None = None


def walk(path: Path) -> Iterator[Found]:
    """Give every file below a path once, under its real path, a folder's entries in order of name."""
    yield from _below(str(path.resolve()), set())


def _below(path: str, seen: set[str]) -> Iterator[Found]:
    if path in seen:
        return
    seen.add(path)
    try:
        status = os.stat(path)  # noqa: PTH116 (a Path for each of many thousand files costs more than the status)
        entries = _entries(path) if stat.S_ISDIR(status.st_mode) else None
    except OSError as error:
        yield _passed(path, f"cannot be read: {error.strerror}")
        return
    if entries is None:
        yield _file(path, status)
        return
    for entry in entries:
        if entry.name.startswith("."):
            yield _passed(entry.path, HIDDEN)
        else:
            yield from _below(_target(entry), seen)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _target(entry: os.DirEntry[str]) -> str:
    """Give the real path of an entry; a link that leads nowhere stands for itself."""
    if not entry.is_symlink():
        return entry.path
    try:
        return str(Path(entry.path).resolve(strict=True))
    except (OSError, RuntimeError):  # up to Python 3.12 a loop of links is a RuntimeError
        return entry.path


def _file(path: str, status: os.stat_result) -> Found:
    if not _is_unicode(path):
        return _passed(path, "its name is not UTF-8")
    mark = DocumentMark(uri=path, size=status.st_size, modified_ns=status.st_mtime_ns)
    if not stat.S_ISREG(status.st_mode):
        return Found(mark, "not a regular file")
    if not status.st_size:
        return Found(mark, EMPTY)
    return Found(mark, TOO_LARGE if status.st_size > LARGEST else None)


def _passed(path: str, reason: str) -> Found:
    shown = path if _is_unicode(path) else os.fsencode(path).decode("utf-8", "backslashreplace")
    return Found(DocumentMark(uri=shown, size=0, modified_ns=0), reason)


def _is_unicode(path: str) -> bool:
    """Say whether a path can be stored; Python keeps the bytes of other file names as lone surrogates."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)
