"""The real program, run in this process in a home of its own."""

import os
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Protocol

import pytest

from fakes.papers import QUESTION, write_papers
from quaestor.faces.cli.main import run


@dataclass(frozen=True)
class Ended:
    """How one command line ended."""

    code: int
    out: str
    err: str

    @property
    def session(self) -> str:
        """The id of the session, from the line that tells it."""
        return next(line.split()[1] for line in self.err.splitlines() if line.startswith("session "))


class Quaestor(Protocol):
    """Runs a command line."""

    def __call__(self, *argv: str | Path) -> Ended: ...


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


@pytest.fixture
def quaestor(home: Path, capsys: pytest.CaptureFixture[str]) -> Quaestor:
    def call(*argv: str | Path) -> Ended:
        capsys.readouterr()
        code = run([*map(str, argv), *(() if "--home" in argv else ("--home", str(home)))])
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return call


class Prepare(Protocol):
    """Makes the home of a test a copy of one in which a command line ended; FOLDER in it is where its files are."""

    def __call__(self, *argv: str, files: Callable[[Path], object] = write_papers) -> Ended: ...


FirstRun = Callable[[Callable[[Path], object], tuple[str, ...], str], tuple[Path, Ended]]


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    """Return what runs each command line once for all tests that have the same folder of settings, and key in it."""

    @cache
    def run_first(files: Callable[[Path], object], argv: tuple[str, ...], _settings: str) -> tuple[Path, Ended]:
        folder, out, err = tmp_path_factory.mktemp("first"), StringIO(), StringIO()
        files(folder)
        words = [word.replace("FOLDER", str(folder)) for word in argv]
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*words, "--home", str(folder / "home")])
        return folder / "home", Ended(code, out.getvalue(), err.getvalue())

    return run_first


@pytest.fixture
def prepare(first_run: FirstRun, home: Path) -> Prepare:
    def prepared(*argv: str, files: Callable[[Path], object] = write_papers) -> Ended:
        whole, ended = first_run(files, argv, os.environ["XDG_CONFIG_HOME"])
        shutil.copytree(whole, home)
        return Ended(ended.code, ended.out, ended.err.replace(str(whole), str(home)))

    return prepared


@pytest.fixture
def finished(prepare: Prepare) -> Ended:
    """Return a run that found evidence."""
    ended = prepare("research", QUESTION, "--docs", "FOLDER/papers")
    assert ended.code == 0, ended.err
    return ended
