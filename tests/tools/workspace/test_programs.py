import asyncio
from pathlib import Path

import pytest

from fakes.needed import lacking
from fakes.sandboxes import ObedientSandbox, said
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import TIMEOUT_EXIT_CODE, CommandResult
from quaestor.contracts.workspace import FINDINGS_FILE, PythonInput, ShellInput
from quaestor.tools.sandbox import SnippetRunner, select_sandbox
from quaestor.tools.workspace import RunPython, RunShell, WorkspaceFolder


async def test_without_a_sandbox_programs_are_refused_with_the_reason(tmp_path: Path) -> None:
    shell = RunShell(WorkspaceFolder(tmp_path), None, "the kernel is too old")
    python = RunPython(WorkspaceFolder(tmp_path), None, "the kernel is too old")
    for refused in (shell.run(ShellInput(command="ls")), python.run(PythonInput(code="1"))):
        with pytest.raises(ToolFailed, match="no sandbox works here: the kernel is too old"):
            await refused


async def test_a_program_in_python_is_given_on_standard_input(tmp_path: Path) -> None:
    sandbox = ObedientSandbox(lambda _, code: said(code))
    ran = await RunPython(WorkspaceFolder(tmp_path), sandbox).run(PythonInput(code="print('ü')\n"))
    assert ran.stdout == "print('ü')\n"


async def test_a_long_output_is_kept_whole_under_its_hash(tmp_path: Path) -> None:
    sandbox = ObedientSandbox(lambda *_: said("a" * 1200, stderr="b" * 1201))
    ran = await RunShell(WorkspaceFolder(tmp_path), sandbox).run(ShellInput(command="x"))
    assert ran.kept_stdout is None
    assert ran.kept_stderr
    assert ran.kept_stderr.path == f".outputs/{ran.kept_stderr.sha256[:16]}.txt"
    assert (tmp_path / ran.kept_stderr.path).read_text(encoding="utf-8") == "b" * 1201


async def test_what_a_store_would_not_take_is_replaced(tmp_path: Path) -> None:
    sandbox = ObedientSandbox(lambda *_: said("a\0b\ud800c"))
    assert (await RunShell(WorkspaceFolder(tmp_path), sandbox).run(ShellInput(command="x"))).stdout == "a\ufffdb?c"


async def test_files_that_a_program_made_are_told_and_those_of_the_log_are_put_back(tmp_path: Path) -> None:
    def effect(root: Path, _: str) -> CommandResult:
        (root / "made").write_text("x", encoding="utf-8")
        (root / FINDINGS_FILE).write_text("forged", encoding="utf-8")
        return said()

    (tmp_path / FINDINGS_FILE).write_text("kept", encoding="utf-8")
    ran = await RunShell(WorkspaceFolder(tmp_path), ObedientSandbox(effect)).run(ShellInput(command="x"))
    assert [state.path for state in ran.changed] == ["made"]
    assert ran.notes == ("put back, because they are written from the log: findings.md; use the writeback instead",)
    assert (tmp_path / FINDINGS_FILE).read_text(encoding="utf-8") == "kept"


async def test_the_limit_that_ended_a_program_is_told(tmp_path: Path) -> None:
    over = said(code=137).model_copy(update={"limit": "memory", "stdout_cut": True})
    ran = await RunShell(WorkspaceFolder(tmp_path), ObedientSandbox(lambda *_: over)).run(ShellInput(command="x"))
    assert ran.notes == ("it was ended because it used too much: memory", "it wrote more than is kept")


async def test_a_command_that_would_sleep_is_ended_with_all_it_started(tmp_path: Path) -> None:
    choice = await select_sandbox()
    if choice.sandbox is None:
        lacking("a sandbox", f"none works here: {choice.standing.reasons}")
    beat = "(while :; do date +%N > beat; sleep 0.05; done) & sleep 100"
    for seconds in (1, 10, 100):  # the first that is enough for the loop to have begun
        ran = await RunShell(WorkspaceFolder(tmp_path), choice.sandbox).run(ShellInput(command=beat, seconds=seconds))
        assert ran.exit_code == TIMEOUT_EXIT_CODE
        if (tmp_path / "beat").exists():
            break
    last = (tmp_path / "beat").read_text(encoding="utf-8")
    await asyncio.sleep(0.2)
    assert (tmp_path / "beat").read_text(encoding="utf-8") == last


async def test_without_a_sandbox_python_runs_as_a_snippet_that_reaches_no_file(tmp_path: Path) -> None:
    python = RunPython(WorkspaceFolder(tmp_path), None, "the kernel is too old", snippets=SnippetRunner())
    ran = await python.run(PythonInput(code="print(6 * 7)\n[1, 2]"))
    assert (ran.exit_code, ran.stdout) == (0, "42\n[1, 2]\n")
    wrong = await python.run(PythonInput(code="1 / 0"))
    assert wrong.exit_code == 1
    assert "ZeroDivisionError" in wrong.stderr
    outside = await python.run(PythonInput(code="open('/etc/passwd').read()"))
    assert outside.exit_code == 1
    assert "root" not in outside.stdout + outside.stderr
    endless = await python.run(PythonInput(code="while True: pass", seconds=0.2))
    assert endless.exit_code == 124
