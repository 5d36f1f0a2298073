"""The commands `serve` and `token`, as the command line has them."""

import sys
from pathlib import Path

import pytest

from quaestor.contracts.installation import install_command
from quaestor.faces.cli.main import run


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["serve", "--host", "0.0.0.0"], 2, "there is no token"),  # noqa: S104 -- refused
        (["serve", "--port", "70000"], 2, "0 to 65535"),
        (["serve", "--sessions", "0"], 2, "at least 1"),
        (["serve", "--docs-root", "nowhere"], 2, "is no folder"),
        (["token", "add"], 2, "takes the name of a token"),
        (["token", "revoke"], 2, "takes the name of a token"),
        (["token", "revoke", "nobody"], 2, "there is no token 'nobody'"),
        (["token", "add", "../x"], 2, "letters, digits"),
        (["token", "add", "x", "--tenant", "a/b"], 2, "letters, digits"),
        (["token", "add", "x", "--expires", "soon"], 2, "is no time"),
        (["token", "add", "x", "--expires", "0d"], 2, "is no time"),
        (["token", "add", "x", "--scope", "all"], 2, "all"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, why: str
) -> None:
    assert run([*words, "--home", str(tmp_path)]) == code
    assert why in capsys.readouterr().err


def test_a_token_is_shown_once_and_its_name_used_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "add", "ci", "--home", str(tmp_path)]) == 0
    secret = capsys.readouterr().out.strip()
    assert run(["token", "add", "ci", "--home", str(tmp_path)]) == 2
    assert run(["token", "revoke", "ci", "--home", str(tmp_path)]) == 0
    assert run(["token", "list", "--home", str(tmp_path)]) == 0
    assert "revoked" in capsys.readouterr().out
    assert not any(secret.encode() in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_without_the_extra_the_command_that_installs_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("quaestor.faces.server.serving")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run(["serve", "--home", str(tmp_path)]) == 3
    assert install_command("server") in capsys.readouterr().err
