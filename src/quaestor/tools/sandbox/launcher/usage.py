"""The disk space of folders and the memory of processes, measured while a hostile program may be changing both."""

import os
import stat

_BLOCK_BYTES = 512
"""Bytes of a block, as stat(2) counts them."""
_MIN_FILE_BYTES = 4096
"""What a file or folder counts that has no contents: it takes room in the file system's own tables."""
_NAME_BYTES = 512
"""What each further name of a file counts."""
_MAX_DEPTH = 200
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
UNMEASURABLE = 2**63
"""What anything counts that cannot be measured."""

SeenInodes = set[tuple[int, int]]
"""Device and number of what was counted and might be met again."""


def disk_usage(folders: list[str]) -> int:
    """Return the bytes that are beneath some folders; a file with several names counts once.

    What is mounted beneath one does not count: a command can mount nothing, so it is not its own.
    """
    seen: SeenInodes = set()
    opened = (os.open(folder, _FOLDER_FLAGS) for folder in folders)
    return sum(_folder_usage(folder, os.fstat(folder).st_dev, seen, 0) for folder in opened)


def filesystem_usage(folder: str) -> int:
    """Return the bytes that are taken of the whole file system a folder is in."""
    system = os.statvfs(folder)
    return (system.f_blocks - system.f_bfree) * system.f_frsize


def file_usage(found: os.stat_result, seen: SeenInodes) -> int:
    """Return the bytes a file takes, or those of its name if it was counted under another one."""
    if found.st_nlink != 1:
        if (found.st_dev, found.st_ino) in seen:
            return _NAME_BYTES
        seen.add((found.st_dev, found.st_ino))
    return max(found.st_blocks * _BLOCK_BYTES, _MIN_FILE_BYTES)


def _folder_usage(folder: int, device: int, seen: SeenInodes, depth: int) -> int:
    """Measure an open folder and close it. No path is followed, so that nobody can turn one elsewhere meanwhile."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    found = entry.stat(follow_symlinks=False)
                    if not stat.S_ISDIR(found.st_mode):
                        total += file_usage(found, seen)
                    elif found.st_dev != device:
                        continue
                    elif depth < _MAX_DEPTH:
                        total += max(found.st_blocks * _BLOCK_BYTES, _MIN_FILE_BYTES) + _folder_usage(
                            _open_folder(entry.name, folder), device, seen, depth + 1
                        )
                    else:
                        total += UNMEASURABLE
                except PermissionError:  # somebody else's, who has shut it
                    total += _MIN_FILE_BYTES
                except (FileNotFoundError, NotADirectoryError):  # gone, or another one by now
                    continue
    finally:
        os.close(folder)
    return total


def _open_folder(name: str, folder: int) -> int:
    """Open a folder to be read, also one whose owner has shut himself out."""
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=folder)
    except PermissionError:
        shut = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        try:
            os.chmod(f"/proc/self/fd/{shut}", stat.S_IRWXU)  # noqa: PTH101 -- pathlib takes long to import
            return os.open(f"/proc/self/fd/{shut}", os.O_RDONLY | os.O_DIRECTORY)
        finally:
            os.close(shut)


_PAGE = os.sysconf("SC_PAGE_SIZE")
_KIBI = 1024
_PSS_FIELDS = (b"Pss_Anon:", b"Pss_Shmem:")


def memory_usage(processes: set[int], enough: int) -> int:
    """Return the bytes of memory they hold; what they share is counted once, where the count would exceed `enough`."""
    at_most = sum(_resident_bytes(process) for process in processes)
    return at_most if at_most <= enough else sum(_proportional_bytes(process) for process in processes)


def deleted_file_usage(processes: set[int], folders: list[str]) -> int:
    """Return the bytes of files without a name that are still held open.

    One beneath the folders that is only mapped counts as too much: how long it is cannot be seen any more. So does a
    process that does not let its files be seen.
    """
    seen: SeenInodes = set()
    return sum(_open_deleted_usage(process, seen) + _mapped_deleted_usage(process, folders) for process in processes)


def _resident_bytes(process: int) -> int:
    numbers = _read_or_empty(f"{_task_with_memory(process)}/statm").split()
    return int(numbers[1]) * _PAGE if numbers else 0


def _proportional_bytes(process: int) -> int:
    """Return the memory of a process without its share of files, which the kernel may drop."""
    lines = _read_or_empty(f"{_task_with_memory(process)}/smaps_rollup").splitlines()
    parts = [int(line.split()[1]) for line in lines if line.startswith(_PSS_FIELDS)]
    return sum(parts) * _KIBI if parts else _resident_bytes(process)


def maps_shared_zeros(processes: set[int]) -> bool:
    """Return whether a process shares memory through /dev/zero; what it lets go of stays taken and cannot be seen."""
    return any(b" /dev/zero (deleted)\n" in _read_or_empty(f"{_task_with_memory(each)}/maps") for each in processes)


def _open_deleted_usage(process: int, seen: SeenInodes) -> int:
    """Measure what the threads of a process hold open; each may have a table of files for itself."""
    total = 0
    for thread in _list_or_empty(f"/proc/{process}/task"):
        task = f"/proc/{process}/task/{thread}"
        try:
            for name in _list_or_empty(f"{task}/fd"):
                found = _stat_or_none(f"{task}/fd/{name}")
                if found and stat.S_ISREG(found.st_mode) and not found.st_nlink:
                    total += file_usage(found, seen)
        except PermissionError:  # a task that is ending belongs to root
            if _has_memory(task):
                return UNMEASURABLE
    return total


def _mapped_deleted_usage(process: int, folders: list[str]) -> int:
    beneath = tuple(f" {folder}/".encode() for folder in folders)
    for line in _read_or_empty(f"{_task_with_memory(process)}/maps").splitlines():
        if line.endswith(b" (deleted)") and any(folder in line for folder in beneath):
            return UNMEASURABLE
    return 0


def _task_with_memory(process: int) -> str:
    """Return the folder of /proc that shows the memory of a process; its first thread may have ended before others."""
    first = f"/proc/{process}"
    if _has_memory(first):
        return first
    tasks = (f"{first}/task/{thread}" for thread in _list_or_empty(f"{first}/task"))
    return next(filter(_has_memory, tasks), first)


def _has_memory(task: str) -> bool:
    """Return whether a task still has memory; without any it can do nothing but end."""
    return any(int(number) for number in _read_or_empty(f"{task}/statm").split())


def _list_or_empty(folder: str) -> list[str]:
    """Return the names in a folder of /proc, none when its task is gone. Raises PermissionError."""
    try:
        return os.listdir(folder)  # noqa: PTH208
    except (FileNotFoundError, ProcessLookupError):
        return []


def _stat_or_none(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116
    except OSError:
        return None


def _read_or_empty(path: str) -> bytes:
    """Return the contents of a file of /proc, nothing when its process is gone."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
