"""Files that were fetched, as they came: kept for each session, to draw pages of them, and erased with it."""

from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from quaestor.contracts.source import Sha256
from quaestor.files import open_private

ORIGINALS_FOLDER = "originals"
"""In the home: a folder for each session, and in it files named by the hash of their text."""
MAX_SESSION_BYTES = 200_000_000
"""What is kept of one session; what is fetched beyond it is kept as text alone."""


class OriginalFiles:
    """The originals of one session."""

    def __init__(self, home: Path, session_id: str) -> None:
        self._folder = home / ORIGINALS_FOLDER / session_id

    def path(self, sha256: Sha256) -> Path:
        """Return where the original of a text is, if it was kept."""
        return self._folder / sha256

    def keep(self, sha256: Sha256, content: bytes) -> None:
        """Keep an original for this user alone, whole or not at all; the first one of a text stays.

        Nothing is kept beyond the limit of a session, nor where there is no room: the text of a source is its proof,
        and the original only shows it.
        """
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            kept = sum(each.stat().st_size for each in self._folder.iterdir())
            if self.path(sha256).exists() or kept + len(content) > MAX_SESSION_BYTES:
                return
            part = self._folder / f".{uuid4().hex}"
            try:
                with open(part, "xb", opener=open_private) as file:
                    file.write(content)
                part.replace(self.path(sha256))
            finally:
                part.unlink(missing_ok=True)


def copy_originals(origin: Path, target: Path, session_id: str) -> None:
    """Copy the originals of a session from one home into another, within the limits of that one."""
    copies = OriginalFiles(target, session_id)
    folder = origin / ORIGINALS_FOLDER / session_id
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.is_file() and not file.is_symlink():
            copies.keep(file.name, file.read_bytes())
