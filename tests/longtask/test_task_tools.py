"""A new tool of long tasks is one module and one line, or a package; shown on a copy of the source tree."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quaestor
from fakes.example_plugins import install_plugins
from quaestor.contracts.errors import UsageError
from quaestor.longtask.tools.names import TOOLS, require_known
from quaestor.longtask.tools.registry import built_in_tools, find_tool

MODULE = '''
from typing_extensions import override

from quaestor.contracts.context import RunContext
from quaestor.contracts.tools import AnyTool, Tool
from quaestor.contracts.workspace import FilePart, ReadFileInput
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.tools.task_tool import ResultSummary, TaskTool


class Shout(Tool[ReadFileInput, FilePart]):
    """Writes a path in capital letters."""

    name = "shout"
    description = "Writes a path in capital letters."
    repeatable = True

    @override
    async def run(self, given: ReadFileInput) -> FilePart:
        return FilePart(path=given.path, text=given.path.upper(), offset=0, characters=1, sha256="0" * 64)


class _ShoutTool(TaskTool[ReadFileInput, FilePart]):
    name = "shout"
    required_arguments = "a `path`"

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> ReadFileInput | None:
        return ReadFileInput(folder=folder, path=call.path) if call.path else None

    @override
    def summarize(self, result: FilePart) -> ResultSummary:
        return ResultSummary(f"it is {result.text}")

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        return Shout()


SHOUT = _ShoutTool()
'''
LINE = '        "shout": "quaestor.longtask.tools.shout:SHOUT",\n'
PLAYBOOK = """
- goal: A path is shouted.
  plan: {Shout: [Shout it]}
- say: I shout.
  call: {tool: shout, path: quietly}
  findings: It begins.
- say: I count.
  call: {tool: days_between, query: 2024-02-01 2024-03-01}
  findings: The days are counted.
- say: It was shouted.
  findings: It was shouted.
  done: It was shouted.
"""


def test_every_tool_has_the_name_under_which_it_is_registered() -> None:
    assert tuple(tool.name for tool in built_in_tools()) == TOOLS
    assert find_tool("mop") is None
    with pytest.raises(UsageError, match="mop: there is no such tool; tools are shell, python"):
        require_known(("shell", "mop"))


def test_a_new_tool_is_one_module_and_one_line_or_a_package(tmp_path: Path) -> None:
    install_plugins(tmp_path)
    source = tmp_path / "src"
    shutil.copytree(Path(quaestor.__file__).parent, source / "quaestor")
    tools = source / "quaestor" / "longtask" / "tools"
    (tools / "shout.py").write_text(MODULE, encoding="utf-8")
    names = (tools / "names.py").read_text(encoding="utf-8")
    before = '        "shell": '
    (tools / "names.py").write_text(names.replace(before, LINE + before), encoding="utf-8")
    (tmp_path / "steps.yaml").write_text(PLAYBOOK, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from quaestor.faces.cli.main import main; main()",
            "--home",
            tmp_path / "home",
            "task",
            "Shout.",
            "--model",
            f"playbook:{tmp_path / 'steps.yaml'}",
            "--allow",
            "shout,days_between",
            "--workspace",
            tmp_path / "work",
        ],
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    progress = (tmp_path / "work" / "progress.md").read_text(encoding="utf-8")
    assert "shout: quietly: done" in progress
    assert "days_between: 2024-02-01 2024-03-01: done" in progress
