"""docs/server.md names every route and every command to a session, and what it shows works."""

import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from quaestor.app.operations import OPERATIONS, places
from quaestor.contracts.access import Scope
from quaestor.faces.cli.main import run

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line.removeprefix("$ quaestor "))
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


def test_every_route_is_named_and_no_other() -> None:
    named = {
        name for row in re.findall(r"^\| (`[A-Z]+ /.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(.*?)`", row)
    }
    assert named == places("routes")


def test_every_command_to_a_session_is_named() -> None:
    [sentence] = re.findall(r"^Commands are (.*?)\. ", PAGE, re.MULTILINE | re.DOTALL)
    assert re.findall(r"`(\w+)`", sentence) == [operation.kind for operation in OPERATIONS if operation.kind]


def test_every_scope_is_named() -> None:
    assert re.findall(r"^\| `(\w+)` \| (?:to|and)", PAGE, re.MULTILINE) == list(get_args(Scope))


def test_the_token_that_it_shows_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [token] = [words for words in COMMANDS if words[0] == "token"]
    assert run([*token, "--home", str(tmp_path)]) == 0
    secret = capsys.readouterr().out.strip()
    assert run(["token", "list", "--home", str(tmp_path)]) == 0
    listed = capsys.readouterr().out
    assert re.search(r"^ci +token +run +local .* active$", listed, re.MULTILINE)
    assert secret not in listed
