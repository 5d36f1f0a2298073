"""The archive of a home: a tar file with a copy of its database, the files of its workspaces, and kept originals."""

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.files import open_private, open_regular_file, replacement
from quaestor.runtime.session_setup import WORKSPACES_FOLDER
from quaestor.storage.originals import ORIGINALS_FOLDER

_DATABASE = "quaestor.db"
KEPT_FOLDERS = (WORKSPACES_FOLDER, ORIGINALS_FOLDER)
"""Of a home; the rest of it is in the database, or can be made again."""
_FILE_MODE, _PROGRAM_MODE, _FOLDER_MODE = 0o600, 0o700, 0o700
_EXECUTABLE = 0o100


def write_archive(file: Path, database: Path, home: Path) -> tuple[int, tuple[str, ...]]:
    """Write an archive, whole or not at all; return the number of files in it, and what was left out.

    Files of a task that runs are each as they are when their turn comes: the log has what it needs to complete them.
    Links, pipes and devices are left out. Raises SetupError when the archive cannot be written.
    """
    left_out: list[str] = []
    count = 1
    try:
        with (
            replacement(file) as part,
            open(part, "xb", opener=open_private) as target,
            tarfile.open(fileobj=target, mode="w") as archive,
        ):
            _add(archive, database, _DATABASE, file.parent)
            for path in _kept_files(home, left_out):
                count += _add(archive, path, path.relative_to(home).as_posix(), file.parent)
            archive.close()
            os.fsync(target.fileno())
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror or error}; choose another place") from error
    return count, tuple(left_out)


@contextmanager
def unpacked_archive(file: Path, beside: Path) -> Iterator[tuple[Path, Path]]:
    """Unpack an archive into a temporary folder in a home; yield its database and that folder, with those it keeps.

    Raises UsageError for a file that is not there or is no archive of a home, with nothing of it kept.
    """
    if not file.exists():
        raise UsageError(f"there is no file {file}; name a backup")
    with TemporaryDirectory(prefix=".restore-", dir=beside) as name:
        folder = Path(name)
        try:
            with open_regular_file(file) as opened, tarfile.open(fileobj=opened, mode="r:") as archive:
                room = file.stat().st_size
                for member in archive:
                    room -= member.size
                    if room < 0 or member.issparse():
                        raise UsageError(f"this is no backup of a home: {member.name[:80]!r} claims more than there is")
                    _extract(archive, member, folder)
        except (OSError, ValueError, tarfile.TarError) as error:  # a name may hold a NUL
            raise UsageError(f"{file} cannot be read as a backup: {error}") from error
        if not (folder / _DATABASE).is_file():
            raise UsageError(f"{file} is no backup of a home: it has no {_DATABASE}")
        yield folder / _DATABASE, folder


def _kept_files(home: Path, left_out: list[str]) -> Iterator[Path]:
    for parent, folders, files in chain.from_iterable(os.walk(home / name) for name in KEPT_FOLDERS):
        for path in sorted(Path(parent, name) for name in (*folders, *files)):
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                left_out.append(str(path))
            elif path.is_file():
                yield path


def _add(archive: tarfile.TarFile, path: Path, name: str, beside: Path) -> bool:
    """Add a file; one that is gone by now is none. Its size is that of what was read, as it may be written to."""
    with TemporaryFile(dir=beside) as read:
        try:
            with open(path, "rb", opener=_open_unlinked) as source:
                mode = os.fstat(source.fileno()).st_mode
                shutil.copyfileobj(source, read)
        except FileNotFoundError:
            return False
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = read.tell(), _PROGRAM_MODE if mode & _EXECUTABLE else _FILE_MODE
        read.seek(0)
        archive.addfile(entry, read)
    return True


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write one file of an archive. Raises UsageError for anything that a backup does not hold."""
    parts = PurePosixPath(member.name).parts
    known = parts == (_DATABASE,) or (parts[0] in KEPT_FOLDERS and len(parts) > 1)
    content = archive.extractfile(member) if member.isfile() else None
    if not known or ".." in parts or "\\" in member.name or content is None:
        raise UsageError(f"this is no backup of a home: it holds {member.name[:80]!r}")
    target = folder.joinpath(*parts)
    target.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    with open(target, "xb", opener=open_private) as written:
        shutil.copyfileobj(content, written)
    target.chmod(_PROGRAM_MODE if member.mode & _EXECUTABLE else _FILE_MODE)


def _open_unlinked(path: str, flags: int) -> int:
    """Open a file that is no link, and wait for no pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
