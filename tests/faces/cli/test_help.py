import shlex
import subprocess
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Quaestor
from quaestor.faces.cli.help import HELP
from quaestor.faces.cli.program import COMMANDS, build_app


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_group_and_an_example_that_it_takes(command: str) -> None:
    words = shlex.split(HELP[command].example.partition(" > ")[0])
    assert words[:2] == ["quaestor", command]
    build_app(words[1:]).parse_args(words[1:], exit_on_error=False, print_error=False)


def test_the_help_groups_the_commands(quaestor: Quaestor) -> None:
    out = quaestor().out
    groups = [line.split("─ ")[1].split(" ─")[0] for line in out.splitlines() if line.startswith("╭─ ")]
    assert groups[:3] == ["Research", "Tasks and decisions", "Sessions"]
    assert "Example: quaestor ask last" in quaestor("ask", "--help").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_and_options_are_completed(quaestor: Quaestor, shell: str) -> None:
    ended = quaestor("completion", shell)
    assert ended.code == 0
    for word in ("research", "docs", "max-todos", "doctor"):
        assert word in ended.out


def test_the_completion_for_bash_is_one(quaestor: Quaestor, tmp_path: Path) -> None:
    script = tmp_path / "quaestor.bash"
    script.write_text(quaestor("completion", "bash").out, encoding="utf-8")
    subprocess.run(["bash", "-n", script], check=True)


def test_the_page_of_a_session_needs_a_server(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.code == 0
    ended = quaestor("open", "--port", "9")
    assert ended.code == 3
    assert "quaestor serve --port 9" in ended.err
