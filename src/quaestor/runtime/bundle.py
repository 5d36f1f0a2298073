"""The bundle: one ZIP archive with a report, its sources, the whole log and its signed head, to be checked anywhere."""

import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter, ValidationError

from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.export import BundleManifest, ExportedFiles
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.signature import LogRecord
from quaestor.contracts.source import Source
from quaestor.files import open_regular_file, replacement
from quaestor.runtime.registry import get_codec
from quaestor.storage.event_rows import parse_record

MANIFEST_FILE = "manifest.json"
LOG_FILE = "log.jsonl"
SOURCES_FILE = "sources.json"
_SOURCES = TypeAdapter(tuple[Source, ...])
_MAX_MANIFEST_BYTES = 16 * 2**20
_MAX_BYTES = 16 * 2**30
"""Of all files together, unpacked; what says it holds more is refused before anything is read."""
_MAX_WHOLE_BYTES = 2**28
"""Of what is read into memory at once: a line of the log, and every other file."""
_CHUNK = 2**20
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 1
"""The bit of an entry's flags by which its content needs a password."""


class Bundle(Immutable):
    """A bundle that is open; nothing of it is unpacked to a disk, and nothing in it is run."""

    archive: zipfile.ZipFile
    manifest: BundleManifest
    longest: int = _MAX_WHOLE_BYTES
    """The most bytes of a line of its log."""

    def records(self) -> Iterator[LogRecord]:
        """Iterate over the log. Raises ValueError for a line that is no record of this session."""
        with self.archive.open(LOG_FILE) as lines:
            while line := lines.readline(self.longest + 1):
                if len(line) > self.longest:
                    raise ValueError(f"a line is longer than {self.longest:,} bytes")
                record = LogRecord.model_validate_json(line)
                if record.session_id != self.manifest.session_id:
                    raise ValueError(f"event {record.seq} is of session {record.session_id[:80]!r}")
                yield record

    def events(self) -> Iterator[Event]:
        """Iterate over the log, decoded. Raises as `records` does, and StoreCorrupt or LogCorrupt for a bad event."""
        codec = get_codec(self.manifest.workflow)
        return (codec.decode(parse_record(record)) for record in self.records())

    def text(self, name: str) -> str | None:
        """Return the text of a source; None where it is missing or is not what its hash says."""
        try:
            content = self.archive.read(f"sources/{name}.txt")
            return content.decode() if sha256(content).hexdigest() == name else None
        except (KeyError, UnicodeDecodeError):
            return None

    def sources(self) -> tuple[Source, ...]:
        """Return what is known of every source. Raises UsageError for a bundle that does not say it."""
        try:
            return _SOURCES.validate_json(self.archive.read(SOURCES_FILE))
        except (KeyError, ValidationError) as error:
            raise UsageError(f"the bundle has no {SOURCES_FILE} that can be read; export the session again") from error


def write_bundle(file: Path, log: Path, files: ExportedFiles, manifest: BundleManifest) -> None:
    """Write a bundle, whole or not at all: the files, the log that lies at a path, and the manifest with their hashes.

    Raises OSError when it cannot be written.
    """
    hashes = {path: sha256(content).hexdigest() for path, content in files.items()}
    with log.open("rb") as records:
        hashes[LOG_FILE] = hash_of(records)
    with replacement(file) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(_entry(path), content)
        with log.open("rb") as records, archive.open(_entry(LOG_FILE), "w", force_zip64=True) as entry:
            shutil.copyfileobj(records, entry, _CHUNK)
        archive.writestr(_entry(MANIFEST_FILE), manifest.revised(files=hashes).model_dump_json(indent=2))


def _entry(path: str) -> zipfile.ZipInfo:
    """Return an entry without a time, so that the same session gives the same bundle."""
    entry = zipfile.ZipInfo(path)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


@contextmanager
def open_bundle(file: Path) -> Iterator[Bundle]:
    """Open a bundle. Raises UsageError for a file that is none, or not there."""
    if not file.exists():
        raise UsageError(f"there is no file {file}; name the file of a bundle")
    try:
        with open_regular_file(file) as opened, zipfile.ZipFile(opened) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > _MAX_BYTES:
                raise UsageError(f"{file} says that it holds more than {_MAX_BYTES // 2**30} GB; that is no bundle")
            if any(entry.compress_type not in _METHODS or entry.flag_bits & _ENCRYPTED for entry in entries):
                raise UsageError(f"{file} is no bundle: it is packed in a way that no bundle is")
            if any(entry.file_size > _MAX_WHOLE_BYTES and entry.filename != LOG_FILE for entry in entries):
                raise UsageError(f"{file} holds a file of more than {_MAX_WHOLE_BYTES // 2**20} MB; that is no bundle")
            yield Bundle(archive, _read_manifest(archive, file))
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{file} cannot be read as a bundle: {reason}") from error


def _read_manifest(archive: zipfile.ZipFile, file: Path) -> BundleManifest:
    try:
        entry = archive.getinfo(MANIFEST_FILE)
        if entry.file_size > _MAX_MANIFEST_BYTES:
            raise UsageError(f"{file} is no bundle: its manifest has {entry.file_size:,} bytes")
        return BundleManifest.model_validate_json(archive.read(entry))
    except (KeyError, ValidationError) as error:
        raise UsageError(
            f"{file} is no bundle of a session: {MANIFEST_FILE} is missing or says something else"
        ) from error


def hash_of(content: IO[bytes]) -> str:
    """Return the SHA-256 of what is left of an open file, in hexadecimal."""
    digest = sha256()
    while chunk := content.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
