"""Makes itself a world in which it has more to say, or leaves the one it was put into."""
# ruff: noqa: PTH123 -- a probe asks the system plainly, and means harm

import ctypes
import os
import signal
import struct

from tools.sandbox.probes.prelude import LIBC, Target, call, through

NEW_USER, NEW_MOUNTS, NEW_NETWORK = 0x10000000, 0x00020000, 0x40000000
BIND, REMOUNT, PRIVATE = 4096, 32, 0x40000 | 16384


def _private_mounts() -> None:
    """Where it can, it works on a copy of all mounts, so that nothing is mounted for anybody else."""
    for flags in (NEW_MOUNTS, NEW_USER | NEW_MOUNTS):
        if not LIBC.unshare(flags):
            break
    LIBC.mount(None, b"/", None, PRIVATE, None)


def _mount(source: bytes, folder: str, kind: bytes | None, flags: int) -> None:
    if LIBC.mount(source, folder.encode(), kind, flags, None):
        raise OSError(ctypes.get_errno(), "mount")


def a_user_namespace() -> None:
    call(272, 97, NEW_USER)
    through()


def a_network_namespace_of_its_own() -> None:
    call(272, 97, NEW_USER | NEW_NETWORK)
    through()


def a_child_in_a_user_namespace() -> None:
    if not call(56, 220, NEW_USER | signal.SIGCHLD, 0, 0, 0, 0):
        os._exit(0)
    through()


def a_child_in_a_user_namespace_by_the_newer_call() -> None:
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0))
    if not call(435, 435, arguments, 64):
        os._exit(0)
    through()


def the_namespace_of_another_process(target: Target) -> None:
    for kind in ("net", "mnt", "user"):
        for process in (target.victim, os.getppid(), 1):
            try:
                call(308, 268, os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY), 0)
                through()
            except OSError:
                continue


def a_mount() -> None:
    _private_mounts()
    _mount(b"none", ".", b"tmpfs", 0)
    through()


def a_mount_of_the_system_to_write_to() -> None:
    _private_mounts()
    _mount(b"/usr", "/usr", None, BIND)
    _mount(b"none", "/usr", None, BIND | REMOUNT)
    through()


def a_mount_by_the_newer_calls() -> None:
    _private_mounts()
    context = call(430, 430, ctypes.c_char_p(b"tmpfs"), 0)
    through(context)


def another_mount_of_a_folder_by_the_newer_calls() -> None:
    _private_mounts()
    through(call(428, 428, -100, ctypes.c_char_p(b"/"), 1))


def the_end_of_a_mount() -> None:
    _private_mounts()
    through(not LIBC.umount2(b"/proc", 2))


def another_root() -> None:
    os.chroot(".")
    _through_root()


def _through_root() -> None:
    """What is the root now is the workspace."""
    with open("/through", "w") as said:
        said.write("root")
