"""The system calls that the standard library has no function for."""

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

IS_ARM64 = os.uname().machine == "aarch64"
"""Linux numbers its system calls in one way for x86-64 and in another for everything newer."""
IS_SUPPORTED_ARCHITECTURE = IS_ARM64 or os.uname().machine == "x86_64"

_SECCOMP = 277 if IS_ARM64 else 317
_SET_FILTER = 1
_PTRACE = 117 if IS_ARM64 else 101
_GET_MESSAGE = 0x4201
_CAPSET = 91 if IS_ARM64 else 126
_CAPABILITY_VERSION = 0x2008_0522


def syscall(number: int, *arguments: int) -> int:
    """Make a system call. Raises OSError."""
    result: int = _LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments))
    return _raise_on_error(result)


def prctl(option: int, *arguments: int) -> int:
    """Change something about this process (man page prctl of section 2). Raises OSError."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result: int = _LIBC.prctl(option, *(ctypes.c_ulong(argument) for argument in padded))
    return _raise_on_error(result)


def ptrace(request: int, task: int, data: int) -> int:
    """Ask something of or about a traced task. Raises OSError."""
    return syscall(_PTRACE, request, task, 0, data)


def ptrace_message(task: int) -> int:
    """Return the number that the last event of a traced task is about. Raises OSError."""
    message = ctypes.c_ulong()
    syscall(_PTRACE, _GET_MESSAGE, task, 0, ctypes.addressof(message))
    return message.value


def install_seccomp_filter(program: bytes) -> None:
    """Add a filter for the system calls of this process and of all it starts. Raises OSError."""
    instructions = ctypes.create_string_buffer(program, len(program))
    fprog = ctypes.create_string_buffer(16)
    ctypes.c_ushort.from_buffer(fprog, 0).value = len(program) // 8
    ctypes.c_void_p.from_buffer(fprog, 8).value = ctypes.addressof(instructions)
    syscall(_SECCOMP, _SET_FILTER, 0, ctypes.addressof(fprog))


def drop_capabilities() -> None:
    """Drop every capability, also those of root. Raises OSError."""
    header = ctypes.create_string_buffer(_CAPABILITY_VERSION.to_bytes(8, "little"), 8)
    nothing = ctypes.create_string_buffer(24)
    syscall(_CAPSET, ctypes.addressof(header), ctypes.addressof(nothing))


def _raise_on_error(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
