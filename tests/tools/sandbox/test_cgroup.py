"""The cgroup of a command, over folders that look like those of the kernel."""

from pathlib import Path
from subprocess import run

import pytest

from quaestor.contracts.sandbox import ResourceLimits
from quaestor.tools.sandbox.cgroup import CommandGroup, command_group, find_delegated

LIMITS = ResourceLimits(memory_bytes=2**28, processes=16)


def tree(root: Path, *controlled: str) -> Path:
    """Make cgroups in each other, of which some may be divided further; return the file that names the innermost."""
    for name in ("", "user", "user/app", "user/app/shell"):
        folder = root / name
        folder.mkdir(exist_ok=True)
        (folder / "cgroup.procs").touch()
        (folder / "cgroup.subtree_control").write_text("memory pids" if name in controlled else "cpu", encoding="ascii")
    own = root.parent / "own"
    own.write_text("4:memory:/elsewhere\n0::/user/app/shell\n", encoding="utf-8")
    return own


@pytest.mark.parametrize(
    ("controlled", "found"),
    [(("user/app",), "user/app"), (("user", "user/app"), "user/app"), (("user",), "user"), ((), None)],
)
def test_the_nearest_group_with_both_controllers_is_found(
    tmp_path: Path, controlled: tuple[str, ...], found: str | None
) -> None:
    root = tmp_path / "cgroup"
    own = tree(root, *controlled)
    assert find_delegated(root, own) == (None if found is None else root / found)


@pytest.mark.parametrize("text", ["", "4:memory:/a\n", "0::/gone/by/now\n", "0::/../../etc\n"])
def test_without_one_there_is_none(tmp_path: Path, text: str) -> None:
    root = tmp_path / "cgroup"
    root.mkdir()
    (tmp_path / "own").write_text(text, encoding="utf-8")
    assert find_delegated(root, tmp_path / "own") is None
    assert find_delegated(root, tmp_path / "absent") is None


def test_a_group_has_the_limits_of_its_command_and_room_for_the_launcher(tmp_path: Path) -> None:
    with command_group(LIMITS, tmp_path) as group:
        assert group
        [folder] = tmp_path.iterdir()
        assert int((folder / "memory.max").read_text()) > LIMITS.memory_bytes
        assert int((folder / "pids.max").read_text()) > LIMITS.processes
        assert (folder / "memory.swap.max").read_text() == "0"


def test_where_no_group_can_be_made_there_is_none(tmp_path: Path) -> None:
    with command_group(LIMITS, tmp_path / "absent") as group:
        assert group is None


@pytest.mark.parametrize(
    ("events", "limit"),
    [
        ({}, None),
        ({"memory.events": "low 0\nmax 9\noom 1\noom_kill 0\n", "pids.events": "max 0\n"}, None),
        ({"memory.events": "oom 1\noom_kill 2\n"}, "memory"),
        ({"pids.events": "max 3\n"}, "processes"),
    ],
)
def test_what_the_kernel_killed_or_refused_is_a_limit(
    tmp_path: Path, events: dict[str, str], limit: str | None
) -> None:
    for name, text in events.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    assert CommandGroup(tmp_path).exceeded() == limit


def test_a_command_enters_its_group_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").touch()
    command = CommandGroup(tmp_path).command(["/bin/sh", "-c", "echo $$"])
    assert run(command, capture_output=True, check=True).stdout == (tmp_path / "cgroup.procs").read_bytes()
