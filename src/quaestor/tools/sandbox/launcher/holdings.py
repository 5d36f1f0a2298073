"""What the processes of a command hold: memory, and files that no folder shows."""

import os
import stat

from .scales import TOO_MUCH, Seen, weight

_PAGE = os.sysconf("SC_PAGE_SIZE")
_KIBI = 1024
_SHARED_PARTS = (b"Pss_Anon:", b"Pss_Shmem:")


def memory(processes: set[int], enough: int) -> int:
    """Give the bytes of memory they hold; what they share is counted once, where the count would exceed `enough`."""
    at_most = sum(_resident(process) for process in processes)
    return at_most if at_most <= enough else sum(_own_memory(process) for process in processes)


def hidden(processes: set[int], folders: list[str]) -> int:
    """Give the bytes of files without a name that are still held open.

    One beneath the folders that is only mapped weighs too much: how long it is cannot be seen any more. So does a
    process that does not let its files be seen.
    """
    seen: Seen = set()
    return sum(_held_open(process, seen) + _mapped(process, folders) for process in processes)


def _resident(process: int) -> int:
    numbers = _read(f"/proc/{process}/statm").split()
    return int(numbers[1]) * _PAGE if numbers else 0


def _own_memory(process: int) -> int:
    """Give the memory of a process without its share of files, which the kernel may drop."""
    lines = _read(f"/proc/{process}/smaps_rollup").splitlines()
    parts = [int(line.split()[1]) for line in lines if line.startswith(_SHARED_PARTS)]
    return sum(parts) * _KIBI if parts else _resident(process)


def _held_open(process: int, seen: Seen) -> int:
    total = 0
    try:
        for name in os.listdir(f"/proc/{process}/fd"):  # noqa: PTH208
            found = _file(f"/proc/{process}/fd/{name}")
            if found and stat.S_ISREG(found.st_mode) and not found.st_nlink:
                total += weight(found, seen)
    except (FileNotFoundError, ProcessLookupError):
        return 0
    except PermissionError:
        return TOO_MUCH
    return total


def _mapped(process: int, folders: list[str]) -> int:
    beneath = tuple(f" {folder}/".encode() for folder in folders)
    for line in _read(f"/proc/{process}/maps").splitlines():
        if line.endswith(b" (deleted)") and any(folder in line for folder in beneath):
            return TOO_MUCH
    return 0


def _file(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116
    except OSError:
        return None


def _read(path: str) -> bytes:
    """Give what a file of /proc says, nothing when its process is gone."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
