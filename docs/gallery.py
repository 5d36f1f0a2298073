"""Runs the examples and writes their reports: `python docs/gallery.py`. A test compares them.

A report names times, a session and the folder that it was made in; these are the same in every report here.
"""

import asyncio
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.faces.cli.program import build_app

EXAMPLES = Path(__file__).parent.parent / "examples"
_TIME = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC")
_SESSION = re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{6}\b")
_DAY = "2026-01-01 12:00:00 UTC"


def commands() -> Iterator[tuple[str, list[str]]]:
    """Iterate over the examples: the file of the report, and the command that makes it."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for command, report in re.findall(r"^\$ quaestor (.*?)  # (reports/\S+)$", text, re.MULTILINE):
        yield report, shlex.split(command)


def reports() -> dict[Path, str]:
    """Run every example in a copy of the folder; return its output by the file that holds it."""
    made: dict[Path, str] = {}
    for report, words in commands():
        with TemporaryDirectory() as folder:
            copy = shutil.copytree(EXAMPLES, Path(folder).resolve() / "examples")
            made[EXAMPLES / report] = _normalize(_run(copy, words), copy)
    return made


def _run(folder: Path, words: list[str]) -> str:
    """Run a command in a folder; return what it prints. Raises RuntimeError when it fails."""
    printed, told = StringIO(), StringIO()
    os.environ["XDG_CONFIG_HOME"] = str(folder.parent / "config")
    with chdir(folder), redirect_stdout(printed), redirect_stderr(told):
        code = asyncio.run(build_app(words).meta.run_async([*words, "--home", str(folder.parent / "home")]))
    if code:
        raise RuntimeError(f"quaestor {shlex.join(words)} ended with {code}: {told.getvalue()}")
    return printed.getvalue()


def _normalize(text: str, folder: Path) -> str:
    place = re.compile("".join(rf"\\?{re.escape(sign)}" for sign in str(folder)))  # Markdown escapes some of it
    return place.sub("examples", _SESSION.sub("SESSION", _TIME.sub(_DAY, text)))


def main() -> None:
    """Write the reports."""
    for path, text in reports().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
