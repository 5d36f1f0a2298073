"""Which files below a path are worth reading; told by name and status alone, without opening one."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quaestor.contracts.ports import FileFingerprint

MAX_FILE_BYTES = 20_000_000
"""Bytes; a larger file is data and no document."""

HIDDEN, EMPTY, TOO_LARGE = "hidden", "empty", "larger than 20 MB"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file with what marks its present content, and the reason to skip it, if there is one."""

    mark: FileFingerprint
    skipped: str | None = None


def walk_files(path: Path) -> Iterator[FoundFile]:
    """Give every file below a path once, under its real path, a folder's entries in order of name."""
    yield from _walk_path(str(path.resolve()), set())


def _walk_path(path: str, seen: set[str]) -> Iterator[FoundFile]:
    if path in seen:
        return
    seen.add(path)
    try:
        status = os.stat(path)  # noqa: PTH116 (a Path for each of many thousand files costs more than the status)
        entries = _entries(path) if stat.S_ISDIR(status.st_mode) else None
    except OSError as error:
        yield _skipped_file(path, f"cannot be read: {error.strerror}")
        return
    if entries is None:
        yield _found_file(path, status)
        return
    for entry in entries:
        if entry.name.startswith("."):
            yield _skipped_file(entry.path, HIDDEN)
        else:
            yield from _walk_path(_link_target(entry), seen)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _link_target(entry: os.DirEntry[str]) -> str:
    """Give the real path of an entry; a link that leads nowhere stands for itself."""
    if not entry.is_symlink():
        return entry.path
    try:
        return str(Path(entry.path).resolve(strict=True))
    except (OSError, RuntimeError):  # up to Python 3.12 a loop of links is a RuntimeError
        return entry.path


def _found_file(path: str, status: os.stat_result) -> FoundFile:
    if not _is_unicode(path):
        return _skipped_file(path, "its name is not UTF-8")
    mark = FileFingerprint(uri=path, size=status.st_size, modified_ns=status.st_mtime_ns)
    if not stat.S_ISREG(status.st_mode):
        return FoundFile(mark, "not a regular file")
    if not status.st_size:
        return FoundFile(mark, EMPTY)
    return FoundFile(mark, TOO_LARGE if status.st_size > MAX_FILE_BYTES else None)


def _skipped_file(path: str, reason: str) -> FoundFile:
    shown = path if _is_unicode(path) else os.fsencode(path).decode("utf-8", "backslashreplace")
    return FoundFile(FileFingerprint(uri=shown, size=0, modified_ns=0), reason)


def _is_unicode(path: str) -> bool:
    """Say whether a path can be stored; Python keeps the bytes of other file names as lone surrogates."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)
