"""Whose files lie in a workspace, told from what its tools saw alone."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.contracts.workspace import (
    EMPTY_WORKSPACE_SHA256,
    MANAGED_FILES,
    DumpResult,
    FilePart,
    ProgramResult,
    WorkspaceFingerprints,
    WriteFileResult,
)
from quaestor.longtask.contracts import Artifact, TaskToolCall
from quaestor.longtask.state import WorkspaceState
from quaestor.longtask.workspace_sync import is_own_file, record_call, record_dump

LOOKS = [EMPTY_WORKSPACE_SHA256, *(digit * 64 for digit in "abc")]
FRESH = WorkspaceState()
looks = st.sampled_from(LOOKS)
CALL = TaskToolCall(tool="shell", command="make")


def ran(tool: str, seen: WorkspaceFingerprints | None, error: str | None = None) -> ToolResponded:
    result: WriteFileResult | ProgramResult | None = None
    if seen and error is None:
        writes = tool == "write_file"
        result = WriteFileResult(changed=(), seen=seen) if writes else ProgramResult(exit_code=0, seen=seen)
    return ToolResponded(key="k", tool=tool, result=result, error=error, spend=Spend(), milliseconds=0)


def dumped(life: WorkspaceState, look: str) -> WorkspaceState:
    return record_dump(life, DumpResult(plan_sha256="d" * 64, seen=look))


@given(st.lists(st.tuples(st.sampled_from(["shell", "python", "write_file"]), looks), max_size=8))
def test_as_long_as_every_tool_finds_what_the_one_before_left_nobody_else_was_there(
    steps: list[tuple[str, str]],
) -> None:
    life, left = dumped(FRESH, EMPTY_WORKSPACE_SHA256), EMPTY_WORKSPACE_SHA256
    for tool, look in steps:
        life = dumped(record_call(life, CALL, ran(tool, WorkspaceFingerprints(before=left, after=look))), look)
        left = look
    assert not life.has_foreign_files


@given(st.lists(looks, max_size=4), looks, st.lists(looks, max_size=4))
def test_once_one_of_them_finds_something_else_somebody_was_there_for_good(
    before: list[str], strange: str, after: list[str]
) -> None:
    life = FRESH
    for look in before:
        life = record_call(
            life,
            CALL,
            ran("shell", WorkspaceFingerprints(before=life.fingerprint or EMPTY_WORKSPACE_SHA256, after=look)),
        )
    left = life.fingerprint
    life = record_call(life, CALL, ran("shell", WorkspaceFingerprints(before=strange, after=strange)))
    assert life.has_foreign_files == (left != strange)
    for look in after:
        life = dumped(life, look)
        assert life.has_foreign_files or look == strange


@pytest.mark.parametrize("tool", ["shell", "python", "write_file"])
def test_what_a_call_left_that_came_to_no_end_is_its_own(tool: str) -> None:
    for outcome in (ToolInterrupted(key="k", tool=tool), ran(tool, None, "no answer within 60 s")):
        life = record_call(dumped(FRESH, EMPTY_WORKSPACE_SHA256), CALL, outcome)
        assert not dumped(life, LOOKS[1]).has_foreign_files
        assert dumped(dumped(life, LOOKS[1]), LOOKS[2]).has_foreign_files
        strange = record_call(dumped(FRESH, LOOKS[1]), CALL, outcome)
        assert dumped(strange, LOOKS[2]).has_foreign_files


@pytest.mark.parametrize("error", [None, "no answer within 60 s"])
def test_a_file_is_the_tasks_own_that_it_was_to_write_when_its_call_came_to_no_end(error: str | None) -> None:
    made = Artifact(path="a.txt", sha256=sha256(b"old").hexdigest(), size=3, version=1)
    call = TaskToolCall(tool="write_file", path="./a.txt", content="new")
    outcome = ran("write_file", None, error) if error else ToolInterrupted(key="k", tool="write_file")
    life = record_call(replace(FRESH, artifacts={"a.txt": made}), call, outcome)
    again = record_call(life, call.revised(content="newer"), outcome)

    def part(content: bytes) -> FilePart:
        return FilePart(path="a.txt", text="", offset=0, characters=0, sha256=sha256(content).hexdigest())

    assert all(is_own_file(life, part(content)) for content in (b"old", b"new"))
    assert not is_own_file(life, part(b"newer"))
    assert all(is_own_file(again, part(content)) for content in (b"old", b"new", b"newer"))
    assert not is_own_file(again, part(b"theirs"))


def test_what_only_reads_changes_nothing() -> None:
    for tool in ("read_file", "search_web", "search_database"):
        assert record_call(FRESH, CALL, ran(tool, None, "no")) is FRESH
        assert record_call(FRESH, CALL, ToolInterrupted(key="k", tool=tool)) is FRESH


def test_a_file_is_the_tasks_own_as_it_wrote_it_and_as_its_log_says() -> None:
    made = Artifact(path="a.txt", sha256="a" * 64, size=1, version=1)
    life = WorkspaceState(artifacts={"a.txt": made})
    shared = replace(life, has_foreign_files=True)

    def part(path: str, digit: str = "b") -> FilePart:
        return FilePart(path=path, text="", offset=0, characters=0, sha256=digit * 64)

    for one in (life, shared):
        assert is_own_file(one, part("a.txt", "a"))
        assert not is_own_file(one, part("a.txt", "b"))
        assert not is_own_file(one, part("b.txt", "a"))
        assert all(is_own_file(one, part(name)) for name in MANAGED_FILES)
        assert not is_own_file(one, part("sub/findings.md"))
    assert is_own_file(life, part(".outputs/x.txt"))
    assert not is_own_file(shared, part(".outputs/x.txt"))
