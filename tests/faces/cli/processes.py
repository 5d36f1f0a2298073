"""The program in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def line(home: Path, *argv: str | Path) -> list[str]:
    """Return the command line that runs the program in a home."""
    return [sys.executable, "-m", "quaestor.faces.cli.main", *map(str, argv), "--home", str(home)]


@contextmanager
def started(home: Path, *argv: str | Path, grace: str = "0.05") -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "QUAESTOR_GRACE_SECONDS": grace}
    with subprocess.Popen(
        line(home, *argv), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(process: subprocess.Popen[str], beginning: str) -> str:
    """Return the next line on stderr that begins so."""
    assert process.stderr
    return next(line for line in process.stderr if line.startswith(beginning)).strip()
