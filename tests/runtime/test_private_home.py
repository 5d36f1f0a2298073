"""Nobody but its user reaches into a home."""

import logging
import os
import stat
import threading
from pathlib import Path

import pytest

from quaestor.app import DATABASE_FILE, open_home
from quaestor.contracts.errors import HomeNotWritable, SetupError
from quaestor.runtime.private_home import secure_home

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")


def modes(home: Path) -> dict[str, int]:
    """Return the modes of a home and of all that is in it."""
    return {str(path.relative_to(home)): stat.S_IMODE(path.stat().st_mode) for path in (home, *home.rglob("*"))}


async def test_what_is_made_is_for_its_user_alone(tmp_path: Path) -> None:
    home = tmp_path / "a/home"
    async with open_home(home):
        found = modes(home)
    assert found == {".": 0o700, "quaestor.db": 0o600, "quaestor.db-shm": 0o600, "quaestor.db-wal": 0o600}


async def test_wider_modes_are_narrowed_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home = tmp_path / "home"
    async with open_home(home):
        pass
    (home / "workspaces/w").mkdir(parents=True)
    (home / "logs").mkdir()
    (home / "logs/a.log").touch()
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    with caplog.at_level(logging.WARNING):
        async with open_home(home):
            pass
    assert all(not mode & 0o077 for mode in modes(home).values())
    assert f"other users could reach {home}, " in caplog.text
    caplog.clear()
    async with open_home(home):
        pass
    assert caplog.text == ""


def test_a_folder_that_is_also_used_otherwise_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "paper.txt").touch(mode=0o644)
    secure_home(tmp_path, DATABASE_FILE)
    assert modes(tmp_path) == {".": 0o755, "paper.txt": 0o644, DATABASE_FILE: 0o600}


def test_nothing_is_changed_through_a_link(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    for folder in (home, other):
        folder.mkdir()
    (other / "file").touch(mode=0o644)
    (home / "logs").symlink_to(other)
    secure_home(home, DATABASE_FILE)
    assert stat.S_IMODE((other / "file").stat().st_mode) == 0o644


def test_a_folder_in_which_everybody_may_exchange_files_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").touch()
    tmp_path.chmod(0o1777)
    with pytest.raises(SetupError, match="everybody may exchange files"):
        secure_home(tmp_path, DATABASE_FILE)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_home_of_another_user_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    os.chown(home, 61_234, 61_234)
    with pytest.raises(SetupError, match="belongs to the user with the number 61234"):
        secure_home(home, DATABASE_FILE)
    assert modes(home) == {".": 0o755}


def test_a_file_that_another_process_removes_meanwhile_is_in_nobodys_way(tmp_path: Path) -> None:
    home, ended = tmp_path / "home", threading.Event()
    secure_home(home, DATABASE_FILE)
    log = home / f"{DATABASE_FILE}-wal"

    def come_and_go() -> None:
        while not ended.is_set():
            log.touch()
            log.unlink()

    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        for _ in range(600):
            secure_home(home, DATABASE_FILE)
    finally:
        ended.set()
        other.join()


async def test_a_home_that_is_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to(tmp_path / "home")
    with pytest.raises(HomeNotWritable, match="cannot be created"):
        async with open_home(tmp_path / "home"):
            pass
