"""A person at a terminal of a program."""

import os
import pty
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.forked import Forked, forked

PROMPT = "> "
COLUMNS = 100
"""The width of the terminal."""
_PATIENCE = 200
"""Seconds that a loaded machine has for what comes in one."""


class Terminal:
    """A person at a terminal: what is typed there, and what is seen."""

    def __init__(self, screen: int, process: Forked) -> None:
        self._screen = screen
        self.process = process

    def seen(self) -> str:
        """Return what is said until the program asks, or to its end, on one line."""
        return re.sub(r"\s+", " ", self.screen())

    def screen(self) -> str:
        """Return what is said until the program asks, or to its end, in its lines."""
        text = ""
        while not text.endswith(PROMPT):
            ready, _, _ = select.select([self._screen], [], [], _PATIENCE)
            assert ready, f"nothing is asked any more after: {text}"
            try:
                text += os.read(self._screen, 4096).decode()
            except OSError:  # nobody holds the other side any more
                break
        return text

    def types(self, text: str) -> str:
        """Type a line and give what is said then."""
        os.write(self._screen, text.encode())
        return self.seen()

    def ends(self) -> tuple[int, str]:
        """Return the exit code and what came to stdout."""
        out, _ = self.process.communicate(timeout=_PATIENCE)
        return self.process.wait(), out


@contextmanager
def terminal(home: Path, *argv: str | Path) -> Iterator[Terminal]:
    screen, keyboard = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "COLUMNS": str(COLUMNS)}
    with forked([*map(str, argv), "--home", str(home)], environment, stdin=keyboard, stderr=keyboard) as process:
        os.close(keyboard)
        try:
            yield Terminal(screen, process)
        finally:
            process.kill()
            os.close(screen)
