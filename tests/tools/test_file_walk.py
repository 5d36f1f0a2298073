import os
from pathlib import Path

from fakes.trees import make_deep_tree
from quaestor.tools.file_walk import walk_files
from quaestor.tools.sandbox.launcher.scratch import remove


def seen(folder: Path) -> dict[str, str | None]:
    return {os.path.relpath(found.mark.uri, folder): found.skipped for found in walk_files(folder)}


def test_files_come_in_order_each_with_its_mark(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/c.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    found = list(walk_files(tmp_path))
    assert [Path(each.mark.uri).name for each in found] == ["c.md", "z.txt", "b.txt"]
    assert [each.mark.size for each in found] == [6, 7, 5]
    assert found[0].mark.modified_ns == (tmp_path / "a/c.md").stat().st_mtime_ns


def test_the_order_is_that_of_the_names(tmp_path: Path) -> None:
    names = [f"{number * 37 % 100:02}.txt" for number in range(100)]
    for name in names:
        (tmp_path / name).write_text("x")
    assert list(seen(tmp_path)) == sorted(names)


def test_what_is_skipped_says_why(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("x")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "paper.PDF").write_bytes(b"%PDF")
    with (tmp_path / "big.log").open("wb") as big:
        big.truncate(20_000_001)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert seen(tmp_path) == {
        ".git": "hidden",
        "big.log": "larger than 20 MB",
        "empty.txt": "empty",
        "nowhere": "cannot be read: No such file or directory",
        "paper.PDF": None,
        "pipe": "not a regular file",
    }


def test_links_are_followed_once_and_never_in_circles(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.txt").write_text("x")
    (tmp_path / "docs/up").symlink_to(tmp_path)
    (tmp_path / "again.txt").symlink_to(tmp_path / "docs/a.txt")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    assert seen(tmp_path) == {"docs/a.txt": None, "self": "cannot be read: Too many levels of symbolic links"}


def test_a_name_that_is_no_unicode_is_skipped_under_a_name_that_is(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    assert seen(tmp_path) == {"caf\\xe9.txt": "its name is not UTF-8"}


def test_a_file_may_be_named_itself(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    assert seen(tmp_path / "a.txt") == {".": None}


def test_a_link_that_leads_out_is_named_and_not_followed(tmp_path: Path) -> None:
    docs, other = tmp_path / "docs", tmp_path / "other"
    for folder in (docs, other):
        folder.mkdir()
        (folder / f"{folder.name}.txt").write_text("x")
    (docs / "key").symlink_to(other / "other.txt")
    (docs / "more").symlink_to(other)
    outside = "a link that leads out of the documents"
    assert seen(docs) == {"docs.txt": None, "key": outside, "more": outside}
    both = {os.path.relpath(found.mark.uri, tmp_path): found.skipped for found in walk_files(docs, [docs, other])}
    assert both == {"docs/docs.txt": None, "other/other.txt": None}


def test_a_link_does_not_show_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh/key").write_text("x")
    (tmp_path / "a").symlink_to(".ssh/key")
    (tmp_path / "b").symlink_to(".ssh")
    assert seen(tmp_path) == {".ssh": "hidden", "a": "hidden", "b": "hidden"}


def test_a_tree_of_twelve_hundred_folders_is_walked(tmp_path: Path) -> None:
    root = tmp_path / "deep"
    make_deep_tree(root, 1200)
    try:
        (root / "a.txt").write_text("x")
        assert seen(root) == {"a.txt": None}
    finally:
        remove(str(root))
