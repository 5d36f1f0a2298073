from hashlib import sha256
from pathlib import Path

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    MANAGED_FILES,
    PLAN_FILE,
    PROGRESS_FILE,
    STATE_FILE,
    DumpInput,
    DumpResult,
    LogAppend,
)
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.tools.workspace import WorkspaceFolder


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def grown(before: str, text: str) -> LogAppend:
    return LogAppend(start=len(before.encode()), before=digest(before), text=text)


def given(plan: str = "plan 1", known: str = "", new: str = "tüchtig\n", before: str | None = None) -> DumpInput:
    return DumpInput(
        plan=plan,
        plan_before=before and digest(before),
        findings=grown(known, new),
        progress=grown(known, new),
        state="{}",
    )


async def dump(root: Path, what: DumpInput) -> DumpResult:
    return await DumpWorkspace(WorkspaceFolder(root)).run(what)


def contents(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text(encoding="utf-8") for name in MANAGED_FILES}


async def test_the_files_are_written_and_written_again_they_are_the_same(tmp_path: Path) -> None:
    root = tmp_path / "new" / "workspace"
    for _ in range(2):
        assert await dump(root, given()) == DumpResult(plan_sha256=digest("plan 1"))
        assert contents(root) == {
            PLAN_FILE: "plan 1",
            FINDINGS_FILE: "tüchtig\n",
            PROGRESS_FILE: "tüchtig\n",
            STATE_FILE: "{}",
        }


async def test_a_log_grows_by_what_is_new_also_when_it_was_killed_in_between(tmp_path: Path) -> None:
    await dump(tmp_path, given())
    later = given("plan 2", "tüchtig\n", "more\n", before="plan 1")
    (tmp_path / FINDINGS_FILE).write_text("tüchtig\nmo", encoding="utf-8")
    for _ in range(2):
        assert (await dump(tmp_path, later)).damaged == ()
        assert contents(tmp_path)[FINDINGS_FILE] == contents(tmp_path)[PROGRESS_FILE] == "tüchtig\nmore\n"
        assert contents(tmp_path)[PLAN_FILE] == "plan 2"


@pytest.mark.parametrize("left", [None, "", "tüch", "TÜCHTIG\n"])
async def test_a_log_whose_earlier_bytes_are_gone_or_changed_is_named_and_not_written(
    tmp_path: Path, left: str | None
) -> None:
    await dump(tmp_path, given())
    (tmp_path / FINDINGS_FILE).unlink()
    if left is not None:
        (tmp_path / FINDINGS_FILE).write_text(left, encoding="utf-8")
    later = given("plan 2", "tüchtig\n", "more\n", before="plan 1")
    assert (await dump(tmp_path, later)).damaged == (FINDINGS_FILE,)
    whole = later.model_copy(update={"plan_before": digest("plan 2"), "findings": grown("", "tüchtig\nmore\n")})
    assert (await dump(tmp_path, whole)).damaged == ()
    assert contents(tmp_path)[FINDINGS_FILE] == "tüchtig\nmore\n"


async def test_a_plan_that_a_person_edited_is_told_and_left_until_that_is_known(tmp_path: Path) -> None:
    await dump(tmp_path, given())
    (tmp_path / PLAN_FILE).write_bytes(b"a person's \xff\0")
    later = given("plan 2", before="plan 1")
    told = await dump(tmp_path, later)
    assert told.edited == "a person's \ufffd\ufffd"
    assert (tmp_path / PLAN_FILE).read_bytes() == b"a person's \xff\0"
    known = later.model_copy(update={"plan_before": told.plan_sha256})
    assert (await dump(tmp_path, known)).edited is None
    assert contents(tmp_path)[PLAN_FILE] == "plan 2"


async def test_a_plan_that_was_deleted_is_written_again(tmp_path: Path) -> None:
    await dump(tmp_path, given())
    (tmp_path / PLAN_FILE).unlink()
    assert (await dump(tmp_path, given("plan 2", before="plan 1"))).edited is None
    assert contents(tmp_path)[PLAN_FILE] == "plan 2"


async def test_what_an_earlier_task_left_is_put_aside_each_time_in_another_place(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        await dump(tmp_path, given(f"plan {number}", new=f"log {number}\n"))
    for number in (1, 2):
        aside = tmp_path / ".archive" / str(number)
        assert (aside / PLAN_FILE).read_text(encoding="utf-8") == f"plan {number}"
        assert (aside / FINDINGS_FILE).read_text(encoding="utf-8") == f"log {number}\n"
    assert contents(tmp_path)[PROGRESS_FILE] == "log 3\n"


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ToolFailed, match="cannot be made"):
        await dump(tmp_path / "file", given())
