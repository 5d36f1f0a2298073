"""Trees of folders that are deeper than any path is long."""

import os
from pathlib import Path


def make_deep_tree(root: Path, depth: int) -> None:
    """Make a folder with so many folders inside each other; remove it with `launcher.scratch.remove`."""
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
