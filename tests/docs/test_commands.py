"""Every `quaestor` command in README.md runs as it stands there, over documents that fit its question."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

import quaestor
from quaestor.cli.main import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line.removeprefix("$ quaestor "), comments=True)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("$ quaestor ")
]
WALRUS = """The walrus operator

The walrus operator was added because an expression could not name its own result. Programmers wrote a call twice.

Against the walrus operator it was said that it makes expressions harder to read.
"""


def test_the_readme_has_commands() -> None:
    assert [words[0] for words in COMMANDS] == ["research", "ps", "resume", "report", "explain", "verify"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "peps").mkdir()
    (tmp_path / "peps" / "walrus.txt").write_text(WALRUS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_of_the_readme_runs(words: list[str], home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def prepared() -> str:
        async with quaestor.open(home, effort="low") as q:
            corpus = await q.index([home.parent / "peps"])
            session = await q.start("Why was the walrus operator added?", corpus)
            if words[0] != "resume":
                await q.run(session)
            return session

    session = asyncio.run(prepared())
    places = {"SESSION": session, "~/peps": str(home.parent / "peps")}
    assert run([*(places.get(word, word) for word in words), "--home", str(home)]) == 0, capsys.readouterr().err
