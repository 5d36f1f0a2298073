"""Folders opened beneath a root, component by component and following no link, so that none can be turned elsewhere."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from quaestor.files import make_private_folder

HAS_FOLDER_DESCRIPTORS = {os.open, os.mkdir, os.rename, os.unlink, os.stat} <= os.supports_dir_fd
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


class OpenFolder:
    """A folder that stays the same one whatever its path becomes; where a system has no such thing, its path."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self._path = path
        self.descriptor = descriptor

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """Open a file; no link is followed. Raises OSError."""
        return os.open(self.at(name), flags | _NO_LINK, mode, dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        """Remove a file or a link, if it is there. Raises OSError."""
        with suppress(FileNotFoundError):
            os.unlink(self.at(name), dir_fd=self.descriptor)

    def rename(self, name: str, target: "OpenFolder", new: str) -> None:
        """Rename an entry, also into another folder; what has the new name is replaced. Raises OSError."""
        os.replace(self.at(name), target.at(new), src_dir_fd=self.descriptor, dst_dir_fd=target.descriptor)

    def names(self) -> list[str]:
        """Return the names of its entries. Raises OSError."""
        return os.listdir(self._path if self.descriptor is None else self.descriptor)  # noqa: PTH208 -- of a descriptor

    def sync(self) -> None:
        """Make the names in it durable, where the system knows how. Raises OSError."""
        if self.descriptor is not None:
            os.fsync(self.descriptor)

    def at(self, name: str) -> str:
        """Return how a call names an entry that is passed the descriptor too."""
        return name if self.descriptor is not None else str(self._path / name)


@contextmanager
def open_beneath(root: Path, parts: Sequence[str], *, make: bool = False) -> Iterator[OpenFolder]:
    """Open a folder beneath a root, made with all above it if wanted.

    Raises OSError, NotADirectoryError also for a link on the way.
    """
    if not HAS_FOLDER_DESCRIPTORS:
        path = root.joinpath(*parts)
        if make:
            path.mkdir(parents=True, exist_ok=True)
        yield OpenFolder(path, None)
        return
    if make:
        make_private_folder(root)
    with ExitStack() as held:
        folder = _hold(held, os.open(root, _FOLDER_FLAGS))
        # Component by component, each by the descriptor of the one before: a path as a whole would be resolved anew by
        # each call, and a program could exchange a folder for a link between the check and the write.
        for name in parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
            folder = _hold(held, os.open(name, _FOLDER_FLAGS | _NO_LINK, dir_fd=folder))
        yield OpenFolder(root.joinpath(*parts), folder)


def _hold(held: ExitStack, descriptor: int) -> int:
    held.callback(os.close, descriptor)
    return descriptor
