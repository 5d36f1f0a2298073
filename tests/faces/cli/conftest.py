"""The real program, run in this process in a home of its own."""

from dataclasses import dataclass
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


@pytest.fixture
def finished(quaestor: Quaestor, docs: Path) -> Ended:
    """Return a run that found evidence."""
    ended = quaestor("research", QUESTION, "--docs", docs)
    assert ended.code == 0, ended.err
    return ended
