import os
from pathlib import Path

from quaestor.tools.sandbox.launcher import scratch


def test_a_folder_is_made_for_its_user_alone_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "scratch"
    scratch.make(str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700
    scratch.remove(str(folder))
    assert not folder.exists()


def test_everything_in_it_is_removed_and_nothing_it_leads_to(tmp_path: Path) -> None:
    folder, kept = tmp_path / "scratch", tmp_path / "kept"
    (folder / "0" / "0").mkdir(parents=True)
    kept.mkdir()
    (kept / "file").touch()
    (folder / "0" / "0" / "file").touch()
    (folder / "link").symlink_to(kept)
    os.mkfifo(folder / "pipe")
    (folder / "0").chmod(0)
    scratch.remove(str(folder))
    assert not folder.exists()
    assert (kept / "file").exists()


def test_it_is_removed_when_it_is_deeper_than_any_path(tmp_path: Path) -> None:
    folder, name = tmp_path / "scratch", "a" * 200
    scratch.make(str(folder))
    here = os.open(folder, os.O_RDONLY)
    for _ in range(50):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    scratch.remove(str(folder))
    assert not folder.exists()
