"""Looks for the keys of whoever started it."""
# ruff: noqa: PTH208 -- a probe asks the system plainly, and means harm

import ctypes
import os

from tools.sandbox.probes.prelude import Target, call, read, through


def in_its_environment(target: Target) -> None:
    through(any(target.words in value for value in os.environ.values()))


def in_the_environment_of_other_processes(target: Target) -> None:
    for process in filter(str.isdecimal, os.listdir("/proc")):
        if int(process) != os.getpid():
            try:
                through(target.words in read(f"/proc/{process}/environ"))
            except OSError:
                continue


def in_the_arguments_of_other_processes(target: Target) -> None:
    through(target.words in read(f"/proc/{target.victim}/cmdline"))


def in_the_keyrings_of_the_kernel() -> None:
    key = call(248, 217, ctypes.c_char_p(b"user"), ctypes.c_char_p(b"probe"), ctypes.c_char_p(b"x"), 1, -2)
    through(key)


def in_the_shared_memory_of_the_machine() -> None:
    segment = call(29, 194, 0, 4096, 0o1600)
    call(31, 195, segment, 0, 0)
    through()


def in_the_message_queues_of_the_machine(target: Target) -> None:
    name = ctypes.c_char_p(target.token.encode())
    queue = call(240, 180, name, os.O_CREAT | os.O_RDWR, 0o600, 0)
    call(241, 181, name)
    through(queue)
