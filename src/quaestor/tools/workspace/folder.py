"""The folder of one task: what lies in it, and writing into it so that a file is the old one or the new one."""

import os
import shutil
import stat
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.workspace import MANAGED_FILES, OUTPUT_FOLDER, FileState
from quaestor.files import make_private_folder
from quaestor.tools.workspace.beneath import open_beneath

ARCHIVE = ".archive"
"""The folder of what an earlier task left, each in a folder of its own."""
_OBEYED_FILES = {"quaestor.toml", ".envrc", ".git", "head"}
_GIT_SETTINGS = {"config", "config.worktree"}
MAX_FILES = 10_000
"""So many files are looked at, to see what a program changed."""
MAX_HASHED_BYTES = 64_000_000
"""Bytes; a file that is larger is not recorded as an artifact."""
MAX_OWN_FILE_BYTES = 256_000_000
"""Bytes of one of the task's own files."""
_TEMPORARY_SUFFIX = ".new"
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""No pipe is waited for."""
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class FileStamp(NamedTuple):
    """The size and times of a file, by which a change is detected."""

    size: int
    modified_ns: int
    inode: int


class WorkspaceFolder:
    """One workspace; it is made when it is first written to."""

    def __init__(self, root: Path, *, may_be_link: bool = True) -> None:
        self.root = root
        self._may_be_link = may_be_link

    def below(self, name: str) -> "WorkspaceFolder":
        """Return a folder of this one, which must not be a link that a program has made; without a name, this one."""
        return WorkspaceFolder(self.root / name, may_be_link=False) if name else self

    def ensure_exists(self) -> Path:
        """Return the folder, made if it is not there. Raises ToolFailed when it cannot be."""
        if not self._may_be_link and self.root.is_symlink():
            raise ToolFailed(f"the workspace {self.root} is a link, which may lead anywhere; remove it")
        try:
            make_private_folder(self.root)
        except OSError as error:
            raise ToolFailed(f"the workspace {self.root} cannot be made: {error.strerror}; name another") from error
        return self.root

    def place(self, path: str) -> Path:
        """Return the location of a path in the workspace. Raises ToolFailed for one outside, also through a link."""
        relative = PurePosixPath(path)
        if relative.is_absolute() or ".." in relative.parts or "\0" in path or not relative.parts:
            raise ToolFailed(f"{path!r} is no path inside the workspace; give one like notes/a.txt")
        if not self._may_be_link and self.root.is_symlink():
            raise ToolFailed(f"the workspace {self.root} is a link, which may lead anywhere; remove it")
        place = self.root.joinpath(*relative.parts)
        self._resolve(path, place)
        return place

    def reached(self, path: str) -> PurePath:
        """Return the workspace path that a path resolves to, through links. Raises ToolFailed as `place` does."""
        return self._resolve(path, self.place(path))

    def _resolve(self, path: str, place: Path) -> PurePath:
        try:
            return (place.parent.resolve() / place.name).relative_to(self.root.resolve())
        except ValueError as error:
            raise ToolFailed(f"{path!r} leads out of the workspace; give a path inside it") from error
        except OSError as error:  # also where a folder is exchanged for a link just now
            raise ToolFailed(f"{path} cannot be reached: {error.strerror}") from error

    def read(self, path: str, most: int) -> bytes | None:
        """Return at most so many bytes of a file, None when there is none. Raises ToolFailed for what is no file."""
        if self.place(path).is_symlink():
            raise ToolFailed(f"{path} is a link; give the path of a file")
        place = self.reached(path)
        try:
            with open_beneath(self.root.resolve(), place.parent.parts) as folder:
                descriptor = folder.open(place.name, _READ_FLAGS)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ToolFailed(f"{path} cannot be read: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ToolFailed(f"{path} is no file; give the path of one")
        with os.fdopen(descriptor, "rb") as file:
            return file.read(most)

    def write(self, path: str, content: bytes) -> None:
        """Return a file this content, all of it or nothing, and make that durable. Raises ToolFailed."""
        place = self.reached(path)
        fresh = f"{place.name}{_TEMPORARY_SUFFIX}"
        try:
            with open_beneath(self.root.resolve(), place.parent.parts, make=True) as folder:
                folder.remove(fresh)  # left by a process that was killed; or a link, which must not be followed
                with os.fdopen(folder.open(fresh, _WRITE_FLAGS, 0o644), "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                folder.rename(fresh, folder, place.name)
                folder.sync()
        except OSError as error:
            raise ToolFailed(f"{path} cannot be written: {error.strerror}") from error

    def own(self) -> Mapping[str, bytes | None]:
        """Return the task's own files as they are, None for one that is not there or is no file."""
        return {name: self._own(name) for name in MANAGED_FILES}

    def restore(self, before: Mapping[str, bytes | None]) -> tuple[str, ...]:
        """Put the task's own files back as they were, and name those that had changed."""
        changed = tuple(name for name, content in before.items() if self._own(name) != content)
        for name in changed:
            place, content = self.root / name, before[name]
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            place.unlink(missing_ok=True)
            if content is not None:
                self.write(name, content)
        return changed

    def archive(self) -> None:
        """Put aside the files of an earlier task."""
        try:
            with open_beneath(self.root, (ARCHIVE,), make=True) as archive:
                taken = archive.names()
            number = next(number for number in range(1, len(taken) + 2) if str(number) not in taken)
            with (
                open_beneath(self.root, ()) as folder,
                open_beneath(self.root, (ARCHIVE, str(number)), make=True) as aside,
            ):
                for name in (*MANAGED_FILES, OUTPUT_FOLDER):
                    with suppress(FileNotFoundError):
                        folder.rename(name, aside, name)
        except OSError as error:
            raise ToolFailed(f"the files of an earlier task cannot be put aside: {error.strerror}") from error

    def marks(self) -> Mapping[str, FileStamp]:
        """Return the stamps of all files but the task's own, by path."""
        found: dict[str, FileStamp] = {}
        for path, entry in _files(self.root):
            if len(found) == MAX_FILES:
                break
            with suppress(FileNotFoundError):
                known = entry.stat(follow_symlinks=False)
                found[path] = FileStamp(known.st_size, known.st_mtime_ns, known.st_ino)
        return found

    def obeyed_files(self) -> Mapping[str, FileStamp]:
        """Return the stamps of the files and links that other programs run or obey, by path."""
        found: dict[str, FileStamp] = {}
        for path, entry in _entries(self.root):
            if is_obeyed_by_programs(path):
                with suppress(FileNotFoundError):
                    known = entry.stat(follow_symlinks=False)
                    found[path] = FileStamp(known.st_size, known.st_mtime_ns, known.st_ino)
        return found

    def changed(self, before: Mapping[str, FileStamp]) -> tuple[FileState, ...]:
        """Return the files that were made or changed since these marks were taken."""
        after = self.marks()
        paths = sorted(path for path, mark in after.items() if before.get(path) != mark)
        return tuple(state for path in paths if after[path].size <= MAX_HASHED_BYTES and (state := self.state(path)))

    def fingerprint(self) -> str:
        """Return the fingerprint of the folder without the task's own files: a SHA-256 in hex.

        Names, sizes, times of change and numbers of files count, links and pipes too; a folder by what lies in it.
        """
        found = sha256()
        for path, entry in _entries(self.root):
            with suppress(FileNotFoundError):
                known = entry.stat(follow_symlinks=False)
                mark = f"{path}\0{known.st_mode}\0{known.st_size}\0{known.st_mtime_ns}\0{known.st_ino}\n"
                found.update(mark.encode(errors="surrogateescape"))
        return found.hexdigest()

    def _own(self, name: str) -> bytes | None:
        try:
            return self.read(name, MAX_OWN_FILE_BYTES)
        except ToolFailed:
            return None

    def state(self, path: str) -> FileState | None:
        """Return a file's hash and size, or None when it is gone."""
        content = self.read(path, MAX_HASHED_BYTES)
        if content is None:
            return None
        return FileState(path=normalize_path(path), sha256=sha256(content).hexdigest(), size=len(content))


def is_obeyed_by_programs(path: str) -> bool:
    """Return whether a file is one that other programs run or obey as soon as somebody works in its folder.

    A file `.git` leads git to a repository in any folder, and a file `HEAD` makes its folder one, with hooks and
    settings that name programs. A name counts as what other file systems take it for.
    """
    *folders, name = map(_folded_name, PurePosixPath(path).parts)
    if ".git" not in folders:
        return name in _OBEYED_FILES
    inside = folders[folders.index(".git") + 1 :]
    return name in _GIT_SETTINGS or name == ".git" or ("hooks" in inside and not name.endswith(".sample"))


def _folded_name(name: str) -> str:
    """Return a name as file systems compare it that fold case, see no invisible character or drop a dot at the end.

    Rule: git's own settings core.protectHFS and core.protectNTFS.
    """
    visible = "".join(character for character in name.casefold() if unicodedata.category(character) != "Cf")
    plain = visible.partition(":")[0].rstrip(". ")
    return ".git" if plain == "git~1" else plain


def normalize_path(path: str) -> str:
    """Return the one way to write a path: `./a//b` is a/b."""
    return PurePosixPath(path).as_posix()


def _files(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Return the regular files below a folder in order of their path, without the task's own and without links."""
    for path, entry in _entries(root, frozenset({OUTPUT_FOLDER, ARCHIVE})):
        if entry.is_file(follow_symlinks=False):
            yield path, entry


def _entries(root: Path, without: Collection[str] = ()) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Return what lies below a folder and is no folder, in order of its path, without the task's own files."""
    open_folders = [_listed(root, "")]
    while open_folders:
        path, entry = next(open_folders[-1], ("", None))
        if entry is None:
            open_folders.pop()
        elif path in without or path.removesuffix(_TEMPORARY_SUFFIX) in MANAGED_FILES:
            continue
        elif entry.is_dir(follow_symlinks=False):
            open_folders.append(_listed(Path(entry.path), f"{path}/"))
        else:
            yield path, entry


def _listed(folder: Path, below: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Return the entries of a folder with their paths, in order; none where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        yield f"{below}{entry.name}", entry
