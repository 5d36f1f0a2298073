"""The program in a process of its own."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.forked import Forked, forked


def line(home: Path, *argv: str | Path) -> list[str]:
    """Return the command line that runs the program in a home."""
    return [sys.executable, "-m", "quaestor.faces.cli.main", *map(str, argv), "--home", str(home)]


@contextmanager
def started(home: Path, *argv: str | Path, grace: str = "0.05") -> Iterator[Forked]:
    environment = {**os.environ, "QUAESTOR_GRACE_SECONDS": grace}
    with forked([*map(str, argv), "--home", str(home)], environment) as process:
        yield process


def until(process: Forked, beginning: str) -> str:
    """Return the next line on stderr that begins so."""
    return next(line for line in process.stderr if line.startswith(beginning)).strip()
