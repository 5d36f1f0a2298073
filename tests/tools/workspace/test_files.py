from pathlib import Path

import pytest
from pydantic import ValidationError

from fakes.sandboxes import ObedientSandbox, said
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import CommandResult
from quaestor.contracts.workspace import (
    EMPTY_WORKSPACE_SHA256,
    MANAGED_FILES,
    ReadFileInput,
    ShellInput,
    WriteFileInput,
)
from quaestor.tools.workspace import ReadFile, RunShell, WorkspaceFolder, WriteFile


async def test_a_file_is_read_in_parts_of_1200_characters(tmp_path: Path) -> None:
    text = "ü" * 3000
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    parts = [
        await ReadFile(WorkspaceFolder(tmp_path)).run(ReadFileInput(path="a.txt", offset=at))
        for at in (0, 1200, 2400, 9999)
    ]
    assert [len(part.text) for part in parts] == [1200, 1200, 600, 0]
    assert {part.characters for part in parts} == {3000}
    assert parts[-1].offset == 3000


@pytest.mark.parametrize(
    ("path", "reason"), [("none", "there is no file"), ("binary", "is no text"), ("../a", "inside")]
)
async def test_what_cannot_be_read_is_told(tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "binary").write_bytes(b"\0\1")
    with pytest.raises(ToolFailed, match=reason):
        await ReadFile(WorkspaceFolder(tmp_path)).run(ReadFileInput(path=path))


async def test_a_written_file_is_there_with_its_hash(tmp_path: Path) -> None:
    written = await WriteFile(WorkspaceFolder(tmp_path / "w")).run(WriteFileInput(path="notes/a.txt", content="ü\n"))
    assert (tmp_path / "w" / "notes" / "a.txt").read_bytes() == "ü\n".encode()
    assert [(state.path, state.size) for state in written.changed] == [("notes/a.txt", 3)]


async def test_a_path_is_told_in_one_way_however_it_was_written(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    written = await WriteFile(folder).run(WriteFileInput(path="./notes//a.txt", content="x"))
    read = await ReadFile(folder).run(ReadFileInput(path="notes/./a.txt"))
    assert [state.path for state in written.changed] == [read.path] == ["notes/a.txt"]


async def test_what_lay_there_before_and_after_is_told_by_whatever_changes_something(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    written = await WriteFile(folder).run(WriteFileInput(path="a", content="x"))
    assert (written.seen.before, written.seen.after) == (EMPTY_WORKSPACE_SHA256, folder.fingerprint())
    sandbox = ObedientSandbox(lambda root, _: said((root / "b").write_text("x") * "x"))
    ran = await RunShell(folder, sandbox).run(ShellInput(command="touch b"))
    assert (ran.seen.before, ran.seen.after) == (written.seen.after, folder.fingerprint())
    assert ran.seen.before != ran.seen.after


@pytest.mark.parametrize(
    "path", [*MANAGED_FILES, "./Findings.md", ".outputs/a", ".//task_plan.md", "loop/task_plan.md", "kept/a"]
)
async def test_what_is_written_from_the_log_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / ".outputs").mkdir()
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "kept").symlink_to(".outputs")
    with pytest.raises(ToolFailed, match="written from the log"):
        await WriteFile(WorkspaceFolder(tmp_path)).run(WriteFileInput(path=path, content="x"))


async def test_a_todo_may_have_a_folder_of_its_own_below_the_workspace(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    await WriteFile(folder).run(WriteFileInput(folder="t3.1", path="a", content="x"))
    assert (tmp_path / "t3.1" / "a").read_text(encoding="utf-8") == "x"
    assert (await ReadFile(folder).run(ReadFileInput(folder="t3.1", path="a"))).text == "x"
    for outside in ("..", "a/b", "/etc"):
        with pytest.raises(ValidationError):
            ReadFileInput(folder=outside, path="a")


@pytest.mark.parametrize(
    "path",
    [
        *("quaestor.toml", "a/.envrc", ".git/hooks/pre-commit", ".GIT/config", "to/x"),
        *(".g\u200cit/config", ".git /config", "git~1/config", ".git::$INDEX_ALLOCATION/config", "quaestor.toml."),
        *("a/.git", "repository/HEAD", ".git/modules/a/config", ".git/worktrees/a/config.worktree"),
    ],
)
async def test_what_other_programs_obey_is_not_written(tmp_path: Path, path: str) -> None:
    (tmp_path / ".git/hooks").mkdir(parents=True)
    (tmp_path / "to").symlink_to(".git/hooks")
    with pytest.raises(ToolFailed, match="other programs run or obey"):
        await WriteFile(WorkspaceFolder(tmp_path)).run(WriteFileInput(path=path, content="x"))
    await WriteFile(WorkspaceFolder(tmp_path)).run(WriteFileInput(path="hooks/config", content="x"))


async def test_what_a_program_leaves_for_other_programs_to_obey_is_named(tmp_path: Path) -> None:
    planted = (".git/hooks/pre-commit", "quaestor.toml", "a/.git", "repository/HEAD")

    def plant(root: Path, _: str) -> CommandResult:
        for folder in (".git/hooks", "a", "repository"):
            (root / folder).mkdir(parents=True)
        for path in (*planted, ".git/HEAD", ".git/hooks/commit-msg.sample", "b"):
            (root / path).write_text("x")
        (root / ".envrc").symlink_to("b")
        return CommandResult(exit_code=0, seconds=0)

    ran = await RunShell(WorkspaceFolder(tmp_path), ObedientSandbox(plant)).run(ShellInput(command="make"))
    named = sorted((".envrc", *planted))
    assert ran.notes == (f"CAUTION: it left what other programs run or obey: {', '.join(named)}",)
