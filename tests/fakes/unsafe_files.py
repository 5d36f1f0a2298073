"""What stands where a file is expected: no files, and files too large or nested too deeply."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

DEEP_TOML = ("a = " + "[" * 5000 + "]" * 5000, "[" + ".".join("a" * 5000) + "]\nb = 1")
DEEP_YAML = ("a: " + "[" * 100_000, "a: " + "{b: " * 20_000, "- " * 20_000)


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


NO_FILES: tuple[Callable[[Path], None], ...] = (_fifo, _endless_device, _socket, Path.mkdir)


def too_large(path: Path) -> None:
    """Make a file of more than a gigabyte; it has a hole, so it takes no room."""
    with path.open("wb") as file:
        file.truncate(1024**3 + 1)
