"""What becomes of characters that the terminal's encoding does not have."""

import os
import pty
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from quaestor.faces.cli.streams import secure_streams
secure_streams()
sys.stderr.write(sys.argv[1] + chr(10))
sys.stdout.write(sys.argv[1] + chr(10))
"""
TEXT = "“Zürich” — 日本 … █░"


def ran(stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, TEXT],
        env=environment,
        check=True,
        encoding="latin-1",
        stdout=stdout,
        stderr=stderr,
    )


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_on_a_terminal_each_takes_its_cell_as_something_alike(stream: str) -> None:
    screen, keyboard = pty.openpty()
    if stream == "stdout":
        ran(stdout=keyboard)
    else:
        ran(stderr=keyboard)
    os.close(keyboard)
    shown = os.read(screen, 4096).decode("latin-1")
    os.close(screen)
    assert shown == '"Zürich" - ?? . #-\r\n'


def test_elsewhere_nothing_is_lost() -> None:
    ended = ran()
    assert ended.stdout == ended.stderr == "\\u201cZürich\\u201d \\u2014 \\u65e5\\u672c \\u2026 \\u2588\\u2591\n"
