import re
from pathlib import Path

import pytest
from cyclopts import App

from quaestor.contracts.errors import (
    EXIT_BUDGET_REACHED,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    EXIT_WAITING,
    QuaestorError,
)
from quaestor.faces.cli.program import COMMANDS, build_app

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = {
    heading.split()[1]: text
    for heading, text in re.findall(r"^## (quaestor .+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}


def codes(error: type[QuaestorError]) -> set[int]:
    return {error.exit_code}.union(*(codes(kind) for kind in error.__subclasses__()))


def test_every_command_has_a_section_and_no_other() -> None:
    assert list(SECTIONS) == list(COMMANDS)


@pytest.fixture(scope="module")
def app() -> App:
    return build_app()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_documented_and_no_other(app: App, command: str) -> None:
    arguments = app[command].assemble_argument_collection()
    options = {name for argument in arguments if argument.parse for name in argument.names if name.startswith("--")}
    documented = {
        name
        for row in re.findall(r"^\| (`--.*?) \|", SECTIONS[command], re.MULTILINE)
        for name in re.findall(r"--[\w-]+", row)
    }
    assert documented == options


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_stands_in_the_heading(app: App, command: str) -> None:
    arguments = app[command].assemble_argument_collection()
    named = [name for argument in arguments if argument.parse for name in argument.names if name.isalpha()]
    heading = next(line for line in PAGE.splitlines() if line.startswith(f"## quaestor {command}"))
    assert re.findall(r"[A-Z]+", heading) == named


def test_every_exit_code_is_documented_and_no_other() -> None:
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
    assert documented == {0, EXIT_FAILED, EXIT_USAGE, EXIT_BUDGET_REACHED, EXIT_WAITING, EXIT_INTERRUPTED} | codes(
        QuaestorError
    )
