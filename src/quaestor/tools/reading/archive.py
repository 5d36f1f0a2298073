"""The files of a ZIP archive, part by part. Everything is judged by what the archive declares, before it is unpacked.

A part is as many files as fit into one response of the worker; its parent asks for the next one.
"""

import io
import zlib
from collections.abc import Iterator
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from quaestor.tools.reading.content_type import detect_media_type, is_archive
from quaestor.tools.reading.protocol import MAX_PART_BYTES, ArchivedFile, ArchivePart, SkipReason

MAX_FILES = 2_000
MAX_UNPACKED_BYTES = 100_000_000
"""Of all files together."""
MAX_RATIO = 200
"""Unpacked bytes for a packed one, over the whole archive; text comes to 10 at most."""
_MAX_NAME_CHARACTERS = 500
_SMALL_BYTES = 1_000_000
"""Whatever its ratio, so little is no bomb."""
_METHODS = frozenset({ZIP_STORED, ZIP_DEFLATED})
_ENCRYPTED = 1


def unpack_part(content: bytes, first: int) -> ArchivePart | SkipReason:
    """Return files of an archive from the one with number `first` on, counted from 0, and where the next part begins.

    A file that is not read is in it with the reason; folders and what is hidden are left out.
    """
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_hidden(entry.filename)]
            if too_much := _judge_size(entries, len(content)):
                return too_much
            return _part(archive, entries, first)
    except (BadZipFile, EOFError, NotImplementedError, OSError, RuntimeError, ValueError, zlib.error):
        return SkipReason.DAMAGED


def _judge_size(entries: list[ZipInfo], packed: int) -> SkipReason | None:
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MAX_FILES:
        return SkipReason.TOO_MANY_FILES
    if unpacked > MAX_UNPACKED_BYTES:
        return SkipReason.TOO_LARGE_UNPACKED
    return SkipReason.BOMB if unpacked > max(MAX_RATIO * packed, _SMALL_BYTES) else None


def _part(archive: ZipFile, entries: list[ZipInfo], first: int) -> ArchivePart:
    seen = {entry.filename for entry in entries[:first]}
    files: list[ArchivedFile] = []
    room = MAX_PART_BYTES
    for number, entry in enumerate(entries[first:], first):
        reason = SkipReason.TWICE if entry.filename in seen else _judge(entry)
        seen.add(entry.filename)
        if reason is None and entry.file_size > room:
            return ArchivePart(tuple(files), number)
        name = entry.filename[:_MAX_NAME_CHARACTERS]
        content = b"" if reason else archive.read(entry)
        if reason is None and is_archive(detect_media_type(content, name)):
            reason, content = SkipReason.NESTED, b""
        files.append(ArchivedFile(name, content, reason))
        room -= len(content)
    return ArchivePart(tuple(files), None)


def _judge(entry: ZipInfo) -> SkipReason | None:
    if entry.flag_bits & _ENCRYPTED:
        return SkipReason.ENCRYPTED
    if entry.compress_type not in _METHODS:
        return SkipReason.PACKED
    return SkipReason.TOO_LARGE if entry.file_size > MAX_PART_BYTES else None


def _is_hidden(name: str) -> bool:
    """Return whether a name is hidden, as what macOS puts beside each file; such files are not read in folders, too."""
    return any(part.startswith((".", "__MACOSX")) for part in _parts(name))


def _parts(name: str) -> Iterator[str]:
    yield from filter(None, name.replace("\\", "/").split("/"))
