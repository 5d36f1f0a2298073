"""What the program says (stderr) and what it gives (stdout)."""

import shlex
import sys
from pathlib import Path

from quaestor.views.visible import visible


def say(text: str) -> None:
    """Tell the person something; nothing in the text can move the cursor or hide."""
    sys.stderr.write(f"{visible(text)}\n")
    sys.stderr.flush()


def give(text: str) -> None:
    """Hand over data as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def command(home: Path | None, *words: str) -> str:
    """Give a command line that can be pasted, for the home that this one was told."""
    return shlex.join(("quaestor", *words, *(("--home", str(home)) if home else ())))
