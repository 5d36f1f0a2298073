"""The folder of temporary files, where the kernel has none that ends with the command."""

import os
import stat


def make(path: str) -> None:
    """Make the folder for this user alone. Raises OSError."""
    os.mkdir(path, stat.S_IRWXU)  # noqa: PTH102 -- pathlib takes long to import


def remove(path: str) -> None:
    """Remove the folder and all that is in it, however deep; nobody may be writing to it any more. Raises OSError.

    What a folder holds is first moved up, so that no path gets long.
    """
    moved = 0
    while names := os.listdir(path):  # noqa: PTH208
        for name in names:
            entry = f"{path}/{name}"
            if not stat.S_ISDIR(os.lstat(entry).st_mode):
                os.unlink(entry)  # noqa: PTH108
                continue
            os.chmod(entry, stat.S_IRWXU)  # noqa: PTH101
            for inner in os.listdir(entry):  # noqa: PTH208
                while os.path.lexists(f"{path}/{moved}"):
                    moved += 1
                os.rename(f"{entry}/{inner}", f"{path}/{moved}")  # noqa: PTH104
            os.rmdir(entry)  # noqa: PTH106
    os.rmdir(path)  # noqa: PTH106
