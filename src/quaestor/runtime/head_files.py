"""Files outside the home to which signed heads of logs are appended: a record for this user alone, and the anchors.

The record of a home is beside the key that signs. So whoever can write the database, and nothing else, cannot make a
log look as if it had never been signed.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.signature import SignedHead
from quaestor.files import open_private, read_regular_file
from quaestor.runtime.settings import user_settings_file

RECORDS_FOLDER = "signed-heads"
_NAME_CHARACTERS = 32
_MAX_BYTES = 1 << 30
"""Of a file of heads: some million of them."""


class HeadFiles(Immutable):
    """Where the signed heads of one home are recorded and, if the settings name a file, anchored."""

    home: Path
    record: Path
    anchors: Path | None

    def append(self, signed: SignedHead) -> None:
        """Append a signed head to both. Raises SetupError when one cannot be written or the anchors lie in the home."""
        _make_folder(self.record.parent)
        for file in self._files():
            _append(file, signed)

    def append_missing(self, signed: SignedHead) -> None:
        """Append a signed head to what does not have it. Raises SetupError when one cannot be read or written."""
        _make_folder(self.record.parent)
        for file in self._files():
            if signed not in _read(file, signed.head.session_id):
                _append(file, signed)

    def recorded(self, session_id: str) -> Sequence[SignedHead]:
        """Return what the record has of a session. Raises SetupError when it cannot be read."""
        return _read(self.record, session_id)

    def anchored(self, session_id: str) -> Sequence[SignedHead]:
        """Return what the anchors have of a session. Raises SetupError when they cannot be read."""
        return _read(self.anchors, session_id) if self.anchors else ()

    def _files(self) -> Iterator[Path]:
        yield self.record
        if self.anchors is None:
            return
        if self.anchors.resolve().is_relative_to(self.home.resolve()):  # its database, say
            raise SetupError(
                f"the anchors {self.anchors} lie in the home {self.home}, whose files they are to prove; name a file "
                "outside it in the setting `anchors`"
            )
        yield self.anchors


def record_file(environment: Mapping[str, str], home: Path) -> Path:
    """Return the record of a home: a copy of a home at another place has a record of its own."""
    name = sha256(str(home.resolve()).encode(errors="surrogateescape")).hexdigest()[:_NAME_CHARACTERS]
    return user_settings_file(environment).parent / RECORDS_FOLDER / f"{name}.jsonl"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(f"the head cannot be recorded in {folder}: {error.strerror}; let it be written") from error


def _append(file: Path, signed: SignedHead) -> None:
    try:
        with open(file, "ab", opener=open_private) as heads:
            heads.write(signed.model_dump_json().encode() + b"\n")
            heads.flush()
            os.fsync(heads.fileno())
    except OSError as error:
        raise SetupError(f"the head cannot be anchored in {file}: {error.strerror}; let it be written") from error


def _read(file: Path, session_id: str) -> Sequence[SignedHead]:
    try:
        content = read_regular_file(file, _MAX_BYTES) if file.exists() else b""
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"the anchors in {file} cannot be read: {error}") from error
    return [each for each in _parsed(file, lines) if each.head.session_id == session_id]


def _parsed(file: Path, lines: Sequence[str]) -> Iterator[SignedHead]:
    for number, line in enumerate(lines, 1):
        try:
            yield SignedHead.model_validate_json(line)
        except ValueError as error:
            raise SetupError(f"line {number} of {file} is no anchor; put back what was there") from error
