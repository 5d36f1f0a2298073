from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from fakes.trees import make_deep_tree
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.workspace import EMPTY_WORKSPACE_SHA256, MANAGED_FILES
from quaestor.tools.sandbox.launcher.scratch import remove
from quaestor.tools.workspace import WorkspaceFolder


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "a/../../secret", "", "a\0b", "out/secret"])
def test_no_path_leads_out_of_the_workspace(tmp_path: Path, path: str) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    with pytest.raises(ToolFailed):
        WorkspaceFolder(root).read(path, 10)
    with pytest.raises(ToolFailed):
        WorkspaceFolder(root).write(path, b"mine")
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "secret"


def test_a_link_is_not_read_and_not_written_through(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "file.new").symlink_to(tmp_path / "secret")
    with pytest.raises(ToolFailed, match="is a link"):
        WorkspaceFolder(root).read("link", 10)
    WorkspaceFolder(root).write("link", b"mine")
    WorkspaceFolder(root).write("file", b"mine")
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "secret"
    assert WorkspaceFolder(root).read("link", 10) == b"mine"


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    folder.write("a/b.txt", b"old")
    (tmp_path / "a" / "b.txt.new").write_bytes(b"left by a process that was killed")
    folder.write("a/b.txt", b"new")
    assert folder.read("a/b.txt", 10) == b"new"
    assert [each.name for each in (tmp_path / "a").iterdir()] == ["b.txt"]


def test_a_file_that_has_a_name_elsewhere_too_is_replaced_and_stays_there_as_it_is(tmp_path: Path) -> None:
    outside, folder = tmp_path / "mine", WorkspaceFolder(tmp_path / "w")
    outside.write_text("mine", encoding="utf-8")
    folder.ensure_exists()
    for name in ("notes.txt", *MANAGED_FILES):
        (folder.root / name).hardlink_to(outside)
        folder.write(name, b"another text")
    assert outside.read_text(encoding="utf-8") == "mine"
    assert outside.stat().st_nlink == 1


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert WorkspaceFolder(tmp_path).read("nothing", 10) is None
    with pytest.raises(ToolFailed):
        WorkspaceFolder(tmp_path).read("folder", 10)


def test_what_changed_is_told_by_path_without_the_tasks_own_files(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    for path in ("same", "touched", "sub/gone"):
        folder.write(path, b"1")
    before = folder.marks()
    folder.write("touched", b"2")
    folder.write("sub/new", b"3")
    (tmp_path / "sub" / "gone").unlink()
    (tmp_path / "link").symlink_to(tmp_path / "same")
    for name in MANAGED_FILES:
        folder.write(name, b"own")
    folder.write(".outputs/x", b"own")
    assert [(state.path, state.size) for state in folder.changed(before)] == [("sub/new", 1), ("touched", 1)]


def test_the_tasks_own_files_are_put_back_whatever_became_of_them(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    for name in MANAGED_FILES[:3]:
        folder.write(name, b"own")
    before = folder.own()
    assert folder.restore(before) == ()
    (tmp_path / MANAGED_FILES[0]).write_bytes(b"forged")
    (tmp_path / MANAGED_FILES[1]).unlink()
    (tmp_path / MANAGED_FILES[1]).mkdir()
    (tmp_path / MANAGED_FILES[2]).unlink()
    (tmp_path / MANAGED_FILES[2]).symlink_to("/etc/passwd")
    (tmp_path / MANAGED_FILES[3]).write_bytes(b"forged")
    assert folder.restore(before) == MANAGED_FILES
    assert folder.own() == before


def test_a_look_tells_whether_anything_but_the_tasks_own_files_changed(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path / "none")
    looks = [folder.fingerprint()]
    assert looks == [EMPTY_WORKSPACE_SHA256]

    def step(change: Callable[[], object]) -> None:
        change()
        looks.append(folder.fingerprint())

    step(lambda: folder.write("a/b", b"1"))
    step(lambda: folder.write("a/b", b"2"))
    step(lambda: (folder.root / "a" / "b").rename(folder.root / "c"))
    step(lambda: (folder.root / "link").symlink_to("c"))
    step(lambda: folder.write(".outputs/x", b"1"))
    step(lambda: folder.write(".archive/1/findings.md", b"1"))
    assert len(set(looks)) == len(looks)
    for name in MANAGED_FILES:
        folder.write(name, b"own")
        (folder.root / f"{name}.new").write_bytes(b"left by a process that was killed")
    assert folder.fingerprint() == looks[-1]


def test_nothing_is_put_aside_through_a_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "workspace", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    folder = WorkspaceFolder(root)
    folder.write(MANAGED_FILES[0], b"own")
    (root / ".archive").symlink_to(outside)
    with pytest.raises(ToolFailed, match="put aside"):
        folder.archive()
    assert list(outside.iterdir()) == []
    (root / ".archive").unlink()
    folder.archive()
    assert (root / ".archive/1" / MANAGED_FILES[0]).read_bytes() == b"own"


def test_a_folder_that_is_exchanged_for_a_link_while_it_is_written_to_leads_nowhere(tmp_path: Path) -> None:
    root, outside = tmp_path / "workspace", tmp_path / "outside"
    for made in (root, outside):
        made.mkdir()
    over = Event()

    def exchange() -> None:
        while not over.is_set():
            with suppress(OSError):
                (root / "a").rename(root / "aside")
                (root / "a").symlink_to(outside)
                (root / "a").unlink()
                (root / "aside").rename(root / "a")

    (root / "a").mkdir()
    thread = Thread(target=exchange)
    thread.start()
    try:
        for _ in range(300):
            with suppress(ToolFailed):
                WorkspaceFolder(root).write("a/b", b"mine")
    finally:
        over.set()
        thread.join()
    assert list(outside.iterdir()) == []


def test_the_folder_of_a_todo_is_no_link(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "t1").symlink_to(tmp_path)
    folder = WorkspaceFolder(root).below("t1")
    for attempt in (folder.ensure_exists, lambda: folder.write("a", b"x"), lambda: folder.read("a", 1)):
        with pytest.raises(ToolFailed, match="is a link"):
            attempt()
    assert [each.name for each in tmp_path.iterdir()] == ["workspace"]


def test_a_tree_of_twelve_hundred_folders_is_looked_through(tmp_path: Path) -> None:
    root = tmp_path / "deep"
    make_deep_tree(root, 1200)
    try:
        assert WorkspaceFolder(root).fingerprint() == EMPTY_WORKSPACE_SHA256
    finally:
        remove(str(root))
