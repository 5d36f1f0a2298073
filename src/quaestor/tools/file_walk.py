"""The files below the paths of a corpus, each with what marks its content or the reason to skip it."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.library import FileFingerprint

MAX_FILE_BYTES = 20_000_000
"""Bytes; a larger file is data and no document."""
HIDDEN, EMPTY, TOO_LARGE = "hidden", "empty", "larger than 20 MB"
OUTSIDE = "a link that leads out of the documents"
UNPACKED = "an archive, whose files are documents"
INSIDE = "!"
"""Between the path of an archive and that of a file in it."""


class FoundFile(Immutable):
    """A file with what marks its present content, and the reason to skip it, if there is one."""

    mark: FileFingerprint
    skipped: str | None = None


def walk_files(path: Path, roots: Sequence[Path] = ()) -> Iterator[FoundFile]:
    """Return every file below a path once, under its real path, a folder's entries in order of name.

    A link is followed to what is below the path, or below one of these roots, and is not hidden there.
    """
    top = path.resolve()
    allowed = (top, *roots)
    seen: set[str] = set()
    waiting: list[_Entry] = [_Entry(str(top))]
    while waiting:
        place, skipped = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        if skipped:
            yield _skipped_file(place, skipped)
            continue
        try:
            status = os.stat(place)  # noqa: PTH116 (a Path for each of many thousand files costs more than the status)
            entries = _entries(place) if stat.S_ISDIR(status.st_mode) else None
        except OSError as error:
            yield _skipped_file(place, f"cannot be read: {error.strerror}")
            continue
        if entries is None:
            yield _found_file(place, status)
        else:
            waiting += [_judge_entry(entry, allowed) for entry in reversed(entries)]


class _Entry(NamedTuple):
    """The real path of an entry, and the reason to skip it."""

    path: str
    skipped: str | None = None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _judge_entry(entry: os.DirEntry[str], roots: Sequence[Path]) -> _Entry:
    """Return where an entry leads; a link must not lead out of the roots, nor to what is hidden in them."""
    if entry.name.startswith("."):
        return _Entry(entry.path, HIDDEN)
    if not entry.is_symlink():
        return _Entry(entry.path)
    try:
        real = Path(entry.path).resolve(strict=True)
    except (OSError, RuntimeError):  # up to Python 3.12 a loop of links is a RuntimeError
        return _Entry(entry.path)
    root = next((root for root in roots if real.is_relative_to(root)), None)
    if root is None:
        return _Entry(entry.path, OUTSIDE)
    if any(part.startswith(".") for part in real.relative_to(root).parts):
        return _Entry(entry.path, HIDDEN)
    return _Entry(str(real))


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
    """Return whether a path can be stored; Python keeps the bytes of other file names as lone surrogates."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)
