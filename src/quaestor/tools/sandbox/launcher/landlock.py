"""Landlock: which files a process may reach, for any user (landlock(7))."""

import ctypes
import os

from .syscalls import prctl, syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_MAKE_DEVICE = 1 << 6 | 1 << 11
_TRUNCATE, _DEVICE_IOCTL = 1 << 14, 1 << 15
_FILE_RIGHTS = (13, 14, 15, 15, 16)
"""For every version of the interface, from 1 on, how many rights over files it knows; later ones know no more."""
_FILE_ONLY_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE_IOCTL
_READ_RIGHTS = _EXECUTE | _READ_FILE | _READ_FOLDER
_TCP = 0b11
_TCP_SINCE = 4
_SIGNALS_SINCE = 6
_SCOPES = 0b11


def version() -> int:
    """Return the version of the interface, 0 where there is none."""
    try:
        return syscall(_CREATE_RULESET, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def scopes_signals(abi: int) -> bool:
    """Return whether this version keeps signals within the confined processes."""
    return abi >= _SIGNALS_SINCE


def restrict(abi: int, readable: list[str], writable: list[str]) -> None:
    """Restrict this process to reading and executing below some paths and writing below others.

    TCP is cut off since version 4; since 6 so are signals to processes that are not confined with it. Missing paths
    are left out. Raises OSError.
    """
    rights = _file_rights(abi)
    attributes = ctypes.create_string_buffer(24)
    for offset, value in enumerate((rights, _TCP * (abi >= _TCP_SINCE), _SCOPES * (abi >= _SIGNALS_SINCE))):
        ctypes.c_uint64.from_buffer(attributes, 8 * offset).value = value
    # An older kernel refuses attributes that are longer than it knows.
    size = 24 if abi >= _SIGNALS_SINCE else 16 if abi >= _TCP_SINCE else 8
    ruleset = syscall(_CREATE_RULESET, ctypes.addressof(attributes), size, 0)
    for path in readable:
        _allow_path(ruleset, path, rights & _READ_RIGHTS)
    for path in writable:
        _allow_path(ruleset, path, rights & ~_DEVICE_IOCTL & ~_MAKE_DEVICE)
    prctl(_NO_NEW_PRIVILEGES, 1)
    syscall(_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _file_rights(abi: int) -> int:
    return (1 << _FILE_RIGHTS[min(abi, len(_FILE_RIGHTS)) - 1]) - 1


def _allow_path(ruleset: int, path: str, rights: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    folder = os.path.isdir(path)  # noqa: PTH112 -- pathlib takes longer to import than all of this takes
    rule = ctypes.create_string_buffer(12)
    # The kernel refuses a rule that gives a file a right which only folders have.
    ctypes.c_uint64.from_buffer(rule, 0).value = rights if folder else rights & _FILE_ONLY_RIGHTS
    ctypes.c_int32.from_buffer(rule, 8).value = beneath
    syscall(_ADD_RULE, ruleset, _BENEATH, ctypes.addressof(rule), 0)
    os.close(beneath)
