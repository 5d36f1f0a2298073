import os
import threading
from typing import TextIO

_MOST = 4_096
"""Bytes that are remembered."""
_PATIENCE_SECONDS = 0.5


class Stderr:
    """Takes what a program writes to its standard error, shows it to nobody and remembers the end of it."""

    def __init__(self) -> None:
        self._reading, writing = os.pipe()
        self._written = b""
        self.file: TextIO = os.fdopen(writing, "w", encoding="utf-8")
        self._reader = threading.Thread(target=self._read, name="stderr of a server", daemon=True)
        self._reader.start()

    def end(self) -> str:
        """Close it and give the last line that was written; whoever holds it open still is waited for a moment."""
        self.file.close()
        self._reader.join(_PATIENCE_SECONDS)
        lines = self._written.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _read(self) -> None:
        with os.fdopen(self._reading, "rb", buffering=0) as reading:
            while written := reading.read(_MOST):
                self._written = (self._written + written)[-_MOST:]
