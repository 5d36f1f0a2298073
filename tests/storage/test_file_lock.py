import sys
from io import FileIO
from pathlib import Path

import pytest
from typing_extensions import override

from quaestor.storage.file_lock import FileInUseError, file_lock, try_lock, unlock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a lock is seen to be tried by its descriptor")


class WatchedFile(FileIO):
    """A file that releases the lock of another one when its own lock was tried twice."""

    tries = 0

    def __init__(self, path: Path, other: FileIO) -> None:
        super().__init__(path, "r+")
        self._other = other

    @override
    def fileno(self) -> int:
        self.tries += 1
        if self.tries == 3:
            unlock(self._other)
        return super().fileno()


def test_a_file_that_somebody_holds_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with FileIO(path, "r+") as holder, WatchedFile(path, holder) as file:
        assert try_lock(holder)
        with file_lock(file):
            assert not try_lock(holder)
        assert file.tries >= 3
        assert try_lock(holder)


def test_but_not_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with FileIO(path, "r+") as holder, FileIO(path, "r+") as file:
        assert try_lock(holder)
        with pytest.raises(FileInUseError), file_lock(file):
            pass
        unlock(holder)
        assert try_lock(file)
