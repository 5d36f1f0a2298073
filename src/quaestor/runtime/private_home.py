"""The home is for one user: its folders can be entered, and its files read, by nobody else (POSIX)."""

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from quaestor.contracts.errors import HomeNotWritable, SetupError
from quaestor.runtime.session_setup import WORKSPACES_FOLDER
from quaestor.storage.originals import ORIGINALS_FOLDER

LOG_FOLDER = "logs"
"""Where processes in the background write their output."""
UPLOADS_FOLDER = "uploads"
"""Where documents are kept that came over a network, by tenant and collection."""
FOLLOWERS_FOLDER = "followers"
"""Where is remembered how far copies of the log are whose targets cannot be asked."""
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_OTHERS = 0o077
_WORLD_WRITABLE = 0o002
_OWN_FOLDERS = {LOG_FOLDER, WORKSPACES_FOLDER, UPLOADS_FOLDER, ORIGINALS_FOLDER, FOLLOWERS_FOLDER}
_LOGGER = logging.getLogger("quaestor")


def secure_home(home: Path, database: str, *, create: bool = True) -> None:
    """Make a home private, or make a private one; modes that were wider are narrowed, and a warning says so.

    A folder that holds other things too keeps its own mode; what belongs to the home is private in it as well. Without
    `create` its database is elsewhere. Raises HomeNotWritable where that cannot be done, SetupError for a home of
    another user, and for one in which everybody may exchange files.
    """
    if os.name == "nt":
        return
    try:
        _make(home)
        # Made here with its mode, before SQLite would make it with that of the umask and others could open it: who has
        # it open keeps reading it, whatever its mode becomes.
        if create:
            _create_private(home / database)
        narrowed = list(_narrow(home, database))
    except OSError as error:
        raise HomeNotWritable(
            f"the home {home} cannot be created for you alone: {error.strerror}; use another"
        ) from error
    if narrowed:
        _LOGGER.warning("other users could reach %s; now only you can", ", ".join(narrowed))


def foreign_owner(home: Path) -> str | None:
    """Return why a home cannot be used by this user; None when it is his, or is not there yet."""
    if os.name == "nt" or not home.exists() or (owner := home.stat().st_uid) == os.geteuid():
        return None
    return f"{home} belongs to the user with the number {owner}, not to you; use a home of your own"


def _make(home: Path) -> None:
    if reason := foreign_owner(home):
        raise SetupError(reason)
    home.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)


def _create_private(database: Path) -> None:
    with suppress(FileExistsError):  # SQLite gives its other files the same mode
        os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_RDWR, _FILE_MODE))


def _narrow(home: Path, database: str) -> Iterator[str]:
    """Narrow the modes of what belongs to the home; return each that was wider."""
    names = sorted(os.listdir(home))  # noqa: PTH208 -- names alone
    own = [name for name in names if name.startswith(database) or name in _OWN_FOLDERS]
    # Of a folder with other things in it, such as `--home .`, the mode is the business of whoever keeps them there.
    if own == names:
        yield from _narrow_one(home)
    elif home.stat().st_mode & _WORLD_WRITABLE:
        raise SetupError(f"everybody may exchange files in {home}, so it is no home; use a folder of your own")
    for name in own:
        yield from _narrow_one(home / name)
        if name in _OWN_FOLDERS and (home / name).is_dir() and not (home / name).is_symlink():
            for inner in sorted((home / name).iterdir()):
                yield from _narrow_one(inner)


def _narrow_one(path: Path) -> Iterator[str]:
    # Another process may remove what was listed here: the last one to close the database deletes its -wal and -shm.
    with suppress(FileNotFoundError):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode) or status.st_uid != os.geteuid() or not status.st_mode & _OTHERS:
            return
        path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
        yield str(path)
