import shlex
import shutil
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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_first_lines_say_where_the_completion_is_put(quaestor: Quaestor, shell: str) -> None:
    lines = quaestor("completion", shell).out.splitlines()
    assert "Put this into" in lines[1]
    assert f"quaestor completion {shell}" in lines[2]
    assert all(line.startswith("#") for line in lines[:3])


_ASK_ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='> '; $1; print -r rea''dy"
zpty -r shell typed '*ready*'
zpty -w -n shell $'quaestor research --eff\\t'
zpty -r shell typed '*--effort*' && print -r -- $typed
zpty -d shell
"""
"""Types the beginning of an option and a tab in a shell of its own, and ends when it is completed."""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("way", ["fpath", "sourced"])
def test_zsh_completes_by_a_file_in_its_path_and_by_a_script_it_reads(
    quaestor: Quaestor, tmp_path: Path, way: str
) -> None:
    script = tmp_path / "_quaestor"
    script.write_text(quaestor("completion", "zsh").out, encoding="utf-8")
    begin = "autoload -Uz compinit; compinit -D -u"
    begin = f"fpath=({tmp_path} $fpath); {begin}" if way == "fpath" else f"{begin}; source {script}"
    typed = subprocess.run(
        ["zsh", "-f", "-c", _ASK_ZSH, "ask", begin], capture_output=True, text=True, timeout=300, check=False
    )
    assert "--effort" in typed.stdout


def test_the_page_of_a_session_needs_a_server(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.code == 0
    ended = quaestor("open", "--port", "9")
    assert ended.code == 3
    assert "quaestor serve --port 9" in ended.err
