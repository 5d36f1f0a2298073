"""What a program writes to its standard error: shown to nobody, and its end remembered for the message of a failure."""

import os
import threading
from typing import TextIO

_MAX_BYTES = 4_096
"""Bytes that are remembered."""
_JOIN_SECONDS = 0.5


class StderrTail:
    """A file for a program's standard error, read in a thread until every holder of it has closed it."""

    def __init__(self) -> None:
        self._source, target = os.pipe()
        self._tail = b""
        self.file: TextIO = os.fdopen(target, "w", encoding="utf-8")
        self._reader = threading.Thread(target=self._read, name="stderr of a program", daemon=True)
        self._reader.start()

    def close(self) -> str:
        """Close the file and return the last line that was written.

        A program that holds the file open still, as one that it started may, is waited for a moment.
        """
        self.file.close()
        self._reader.join(_JOIN_SECONDS)
        lines = self._tail.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _read(self) -> None:
        with os.fdopen(self._source, "rb", buffering=0) as reading:
            while written := reading.read(_MAX_BYTES):
                self._tail = (self._tail + written)[-_MAX_BYTES:]
