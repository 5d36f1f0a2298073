"""How much room folders take, weighed while somebody may be writing to them who would rather not be weighed."""

import os
import stat

_UNIT = 512
"""Bytes of a block, as stat(2) counts them."""
_LEAST = 4096
"""What a file or folder weighs that has no contents: it takes room in the file system's own tables."""
_DEEPEST = 200
_READ = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
TOO_MUCH = 2**63
"""What anything weighs that cannot be weighed."""

Seen = set[tuple[int, int]]
"""Device and number of what was weighed and might be met again."""


def weigh(folders: list[str]) -> int:
    """Give the bytes that are beneath some folders; a file with several names weighs once.

    What is mounted beneath one is not weighed: a command can mount nothing, so it is not its own.
    """
    seen: Seen = set()
    opened = (os.open(folder, _READ) for folder in folders)
    return sum(_beneath(folder, os.fstat(folder).st_dev, seen, 0) for folder in opened)


def filled(folder: str) -> int:
    """Give the bytes that are taken of the whole file system a folder is in."""
    system = os.statvfs(folder)
    return (system.f_blocks - system.f_bfree) * system.f_frsize


def weight(found: os.stat_result, seen: Seen) -> int:
    """Give the bytes a file takes, or nothing if it was weighed under another name."""
    if found.st_nlink != 1:
        if (found.st_dev, found.st_ino) in seen:
            return 0
        seen.add((found.st_dev, found.st_ino))
    return max(found.st_blocks * _UNIT, _LEAST)


def _beneath(folder: int, device: int, seen: Seen, depth: int) -> int:
    """Weigh an open folder and close it. No path is followed, so that nobody can turn one elsewhere meanwhile."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    found = entry.stat(follow_symlinks=False)
                    if not stat.S_ISDIR(found.st_mode):
                        total += weight(found, seen)
                    elif found.st_dev != device:
                        continue
                    elif depth < _DEEPEST:
                        total += _LEAST + _beneath(_opened(entry.name, folder), device, seen, depth + 1)
                    else:
                        total += TOO_MUCH
                except PermissionError:  # somebody else's, who has shut it
                    total += _LEAST
                except (FileNotFoundError, NotADirectoryError):  # gone, or another one by now
                    continue
    finally:
        os.close(folder)
    return total


def _opened(name: str, folder: int) -> int:
    """Open a folder to be read, also one whose owner has shut himself out."""
    try:
        return os.open(name, _READ, dir_fd=folder)
    except PermissionError:
        shut = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        try:
            os.chmod(f"/proc/self/fd/{shut}", stat.S_IRWXU)  # noqa: PTH101 -- pathlib takes long to import
            return os.open(f"/proc/self/fd/{shut}", os.O_RDONLY | os.O_DIRECTORY)
        finally:
            os.close(shut)
