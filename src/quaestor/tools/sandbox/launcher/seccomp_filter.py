"""The program by which the kernel judges every system call of a confined process (seccomp(2))."""

import errno
import os

from . import syscall_rules
from .syscalls import IS_ARM64

_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Where struct seccomp_data has them; an argument takes 8 bytes, the lower 4 first."""
_AUDIT_ARCH = 0xC000_00B7 if IS_ARM64 else 0xC000_003E
_X32 = 0x4000_0000
_ALLOW, _KILL, _ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000

_NAMESPACES = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; NEWTIME is for clone3 and unshare alone."""
_UNTRACED = 0x0080_0000
"""CLONE_UNTRACED: such a child would be in no count, under no limit, and would outlive the launcher."""
_AF_UNIX = 1
_DATAGRAMS = 0b10
"""In SOCK_DGRAM and SOCK_RAW alone: from such a pair a message can be sent to any local socket of the machine."""
_SHARED, _ANONYMOUS = 0x01, 0x20
"""MAP_SHARED and MAP_ANONYMOUS: together, memory that stays taken while no process is seen to hold it."""
_TERMINAL = (0x5412, 0x541C, 0x541D, 0x5423)
"""TIOCSTI, TIOCLINUX, TIOCCONS and TIOCSETD."""
_FILE_FLAGS = (0x4008_6602, 0x4004_6602, 0x401C_5820, 0x4008_7602)
"""FS_IOC_SETFLAGS in two sizes, FS_IOC_FSSETXATTR and FS_IOC_SETVERSION: they need no file opened to be written."""
_SIGNAL_OWNER = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: any signal, sent to anybody when a file is ready."""
_LEASE, _NOTIFY = 1024, 1026
"""F_SETLEASE and F_NOTIFY."""
_SET_DUMPABLE = 4
_SET_ID = 0o6000
"""S_ISUID and S_ISGID: outside, such a program would run as the user of this one."""
_CREATE = os.O_CREAT | (os.O_TMPFILE & ~os.O_DIRECTORY)
_PRIO_PROCESS, _IOPRIO_PROCESS = 0, 1
"""PRIO_PROCESS and IOPRIO_WHO_PROCESS; the other kinds name all processes of a user."""

SyscallNumbers = tuple[int | None, int | None]


def build_filter(*, alone: bool, signals_kept: bool, modes_kept: bool) -> bytes:
    """Return the filter for everything a command asks of the kernel.

    `alone`: no file or process outside can be seen; `signals_kept`: or at least be sent a signal; `modes_kept`: no file
    outside, as a device, can be given another mode.
    """
    rules = [_refuse_call(numbers, _errno_action(errno.EPERM)) for numbers in syscall_rules.ALWAYS_DENIED.values()]
    rules += [
        _refuse_call(syscall_rules.CLONE3, _errno_action(errno.ENOSYS)),
        _refuse_call(syscall_rules.OPENAT2, _errno_action(errno.ENOSYS)),
        _refuse_if_argument(syscall_rules.CLONE, 0, [(_ANY_BIT, _NAMESPACES | _UNTRACED)]),
        _refuse_if_all_bits(syscall_rules.MMAP, 3, (_SHARED, _ANONYMOUS)),
        *(_refuse_if_argument(numbers, mode, [(_ANY_BIT, _SET_ID)]) for numbers, mode in syscall_rules.SET_MODE),
        *(_refuse_create_mode(numbers, flags) for numbers, flags in syscall_rules.OPEN),
        _refuse_unless_argument(syscall_rules.SOCKETPAIR, 0, _AF_UNIX),
        _refuse_if_argument(syscall_rules.SOCKETPAIR, 1, [(_ANY_BIT, _DATAGRAMS)]),
        *(_refuse_unless_argument(numbers, 0, 0) for numbers in (syscall_rules.PRLIMIT, *syscall_rules.SCHEDULING)),
        *(
            _refuse_unless_argument(numbers, 1, 0)
            for numbers in (syscall_rules.SET_PRIORITY, syscall_rules.SET_IO_PRIORITY)
        ),
        _refuse_unless_argument(syscall_rules.SET_PRIORITY, 0, _PRIO_PROCESS),
        _refuse_unless_argument(syscall_rules.SET_IO_PRIORITY, 0, _IOPRIO_PROCESS),
        _refuse_if_argument(syscall_rules.IOCTL, 1, [(_EQUAL, request) for request in _TERMINAL + _FILE_FLAGS]),
        _refuse_if_argument(syscall_rules.PRCTL, 0, [(_EQUAL, _SET_DUMPABLE)]),
    ]
    if not alone:
        rules += [
            _refuse_call(numbers, _errno_action(errno.EPERM))
            for numbers in syscall_rules.DENIED_UNLESS_ISOLATED.values()
        ]
        rules += [_refuse_if_argument(syscall_rules.FCNTL, 1, [(_EQUAL, _LEASE), (_EQUAL, _NOTIFY)])]
    if not modes_kept:
        rules += [_refuse_call(numbers, _errno_action(0)) for numbers in syscall_rules.FAKED_UNLESS_ISOLATED.values()]
    if not alone and not signals_kept:
        rules += [_refuse_call(numbers, _errno_action(errno.EPERM)) for numbers in syscall_rules.SIGNAL_CALLS.values()]
        rules += [_refuse_if_argument(syscall_rules.FCNTL, 1, [(_EQUAL, command) for command in _SIGNAL_OWNER])]
    newer = _jump(_ABOVE, syscall_rules.NEWEST_SYSCALL, 0, 1) + _return(_errno_action(errno.ENOSYS))
    return _program([*rules, newer])


def _program(rules: list[bytes]) -> bytes:
    """Put rules behind a check of the machine: a call in another one's numbers ends the process."""
    head = _load(_ARCHITECTURE) + _jump(_EQUAL, _AUDIT_ARCH, 1, 0) + _return(_KILL) + _load(_NUMBER)
    if not IS_ARM64:
        # Such calls name the machine of x86-64, but have numbers that no rule here knows.
        head += _jump(_ANY_BIT, _X32, 0, 1) + _return(_KILL)
    return head + b"".join(rules) + _return(_ALLOW)


def _refuse_call(numbers: SyscallNumbers, verdict: int) -> bytes:
    number = numbers[IS_ARM64]
    return b"" if number is None else _jump(_EQUAL, number, 0, 1) + _return(verdict)


def _refuse_if_argument(numbers: SyscallNumbers, argument: int, tests: list[tuple[int, int]]) -> bytes:
    """Refuse a call when one of the tests holds for an argument."""
    body = b"".join(_jump(test, value, 0, 1) + _return(_errno_action(errno.EPERM)) for test, value in tests)
    return _for_call(numbers, argument, body)


def _refuse_if_all_bits(numbers: SyscallNumbers, argument: int, bits: tuple[int, ...]) -> bytes:
    """Refuse a call when an argument has each of some bits."""
    body = _return(_errno_action(errno.EPERM))
    # From the last one on: each test jumps over all that follows it when its bit is missing.
    for bit in reversed(bits):
        body = _jump(_ANY_BIT, bit, 0, len(body) // 8) + body
    return _for_call(numbers, argument, body)


def _refuse_unless_argument(numbers: SyscallNumbers, argument: int, value: int) -> bytes:
    """Refuse a call when an argument is not this value."""
    return _for_call(numbers, argument, _jump(_EQUAL, value, 1, 0) + _return(_errno_action(errno.EPERM)))


def _refuse_create_mode(numbers: SyscallNumbers, flags: int) -> bytes:
    """Refuse to make a file with a mode it must not have; where none is made, the mode says nothing."""
    refused = _jump(_ANY_BIT, _SET_ID, 0, 1) + _return(_errno_action(errno.EPERM))
    mode = _load(_ARGUMENTS + 8 * (flags + 1)) + refused
    return _for_call(numbers, flags, _jump(_ANY_BIT, _CREATE, 0, len(mode) // 8) + mode)


def _for_call(numbers: SyscallNumbers, argument: int, body: bytes) -> bytes:
    number = numbers[IS_ARM64]
    assert number is not None
    # The body has put an argument in the place of the number, which the next rule looks at.
    inside = _load(_ARGUMENTS + 8 * argument) + body + _load(_NUMBER)
    return _jump(_EQUAL, number, 0, len(inside) // 8) + inside


def _errno_action(number: int) -> int:
    return _ERROR | number


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, 0, 0, offset)


def _jump(test: int, value: int, so: int, otherwise: int) -> bytes:
    return _instruction(test, so, otherwise, value)


def _return(verdict: int) -> bytes:
    return _instruction(_RETURN, 0, 0, verdict)


def _instruction(code: int, so: int, otherwise: int, value: int) -> bytes:
    return code.to_bytes(2, "little") + bytes((so, otherwise)) + value.to_bytes(4, "little")
