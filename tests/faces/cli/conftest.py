"""The real program, run in this process in a home of its own."""

import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
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


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """Return a home with one run that found evidence, and how its command line ended."""
    folder = tmp_path_factory.mktemp("finished")
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["research", QUESTION, "--docs", str(write_papers(folder)), "--home", str(folder / "home")])
    assert code == 0, err.getvalue()
    return folder / "home", Ended(code, out.getvalue(), err.getvalue())


@pytest.fixture
def finished(first_run: tuple[Path, Ended], home: Path) -> Ended:
    """Return a run that found evidence, in a copy of its home."""
    whole, ended = first_run
    shutil.copytree(whole, home)
    return Ended(ended.code, ended.out, ended.err.replace(str(whole), str(home)))
