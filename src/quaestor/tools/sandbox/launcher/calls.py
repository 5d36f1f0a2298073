"""The system calls that the standard library has no function for."""

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

ARM = os.uname().machine == "aarch64"
"""Linux numbers its system calls in one way for x86-64 and in another for everything newer."""
KNOWN = ARM or os.uname().machine == "x86_64"

_SECCOMP = 277 if ARM else 317
_SET_FILTER = 1
_PTRACE = 117 if ARM else 101
_GET_MESSAGE = 0x4201
_CAPSET = 91 if ARM else 126
_CAPABILITY_VERSION = 0x2008_0522


def call(number: int, *arguments: int) -> int:
    """Make a system call. Raises OSError."""
    result: int = _LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments))
    return _checked(result)


def prctl(option: int, *arguments: int) -> int:
    """Change something about this process (man page prctl of section 2). Raises OSError."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result: int = _LIBC.prctl(option, *(ctypes.c_ulong(argument) for argument in padded))
    return _checked(result)


def ptrace(request: int, task: int, data: int) -> int:
    """Ask something of or about a traced task. Raises OSError."""
    return call(_PTRACE, request, task, 0, data)


def ptrace_message(task: int) -> int:
    """Give the number that the last event of a traced task is about. Raises OSError."""
    message = ctypes.c_ulong()
    call(_PTRACE, _GET_MESSAGE, task, 0, ctypes.addressof(message))
    return message.value


def seccomp(program: bytes) -> None:
    """Add a filter for the system calls of this process and of all it starts. Raises OSError."""
    instructions = ctypes.create_string_buffer(program, len(program))
    fprog = ctypes.create_string_buffer(16)
    ctypes.c_ushort.from_buffer(fprog, 0).value = len(program) // 8
    ctypes.c_void_p.from_buffer(fprog, 8).value = ctypes.addressof(instructions)
    call(_SECCOMP, _SET_FILTER, 0, ctypes.addressof(fprog))


def drop_capabilities() -> None:
    """Give up every capability, whatever the user is. Raises OSError."""
    header = ctypes.create_string_buffer(_CAPABILITY_VERSION.to_bytes(8, "little"), 8)
    nothing = ctypes.create_string_buffer(24)
    call(_CAPSET, ctypes.addressof(header), ctypes.addressof(nothing))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
