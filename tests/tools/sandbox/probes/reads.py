"""Reads what lies outside."""
# ruff: noqa: PTH104, PTH118, PTH119, PTH208, PTH211 -- a probe asks the system plainly, and means harm

import ctypes
import os
import struct

from tools.sandbox.probes.prelude import Target, call, read, through


def a_file_by_its_path(target: Target) -> None:
    through(target.words in read(target.secret))


def a_file_by_a_path_with_dots(target: Target) -> None:
    through(target.words in read(os.path.join("..", os.path.basename(target.outside), "secret")))


def a_file_by_a_link_in_the_workspace(target: Target) -> None:
    os.symlink(target.secret, "link")
    through(target.words in read("link"))


def a_file_by_a_link_to_its_folder(target: Target) -> None:
    os.symlink(target.outside, "folder")
    through(target.words in read("folder/secret"))


def a_file_by_another_name_for_it(target: Target) -> None:
    os.link(target.secret, "name")
    through(target.words in read("name"))


def a_file_moved_into_the_workspace(target: Target) -> None:
    os.rename(target.secret, "moved")
    through(target.words in read("moved"))


def a_file_by_its_handle(target: Target) -> None:
    handle = ctypes.create_string_buffer(struct.pack("IiIIIIII", 128, 0, *[0] * 6) + bytes(128))
    mount = ctypes.c_int()
    call(303, 264, -100, ctypes.c_char_p(target.secret.encode()), handle, ctypes.byref(mount), 0)
    found = call(304, 265, os.open(".", os.O_RDONLY), handle, os.O_RDONLY)
    through(target.words.encode() in os.read(found, 100))


def a_file_through_the_root_of_another_process(target: Target) -> None:
    for process in (target.victim, os.getppid(), 1):
        try:
            through(target.words in read(f"/proc/{process}/root{target.secret}"))
        except OSError:
            continue


def a_file_through_the_folder_another_process_is_in(target: Target) -> None:
    through(target.words in read(f"/proc/{target.victim}/cwd/secret"))


def a_file_left_open_for_it(target: Target) -> None:
    for descriptor in range(3, 256):
        try:
            through(target.words.encode() in os.pread(descriptor, 1000, 0))
        except OSError:
            continue


def the_names_in_a_folder(target: Target) -> None:
    through("secret" in os.listdir(target.outside))


def the_memory_of_another_process(target: Target) -> None:
    here = ctypes.create_string_buffer(8)
    for line in read(f"/proc/{target.victim}/maps").splitlines():
        start = int(line.partition("-")[0], 16)
        parts = [ctypes.create_string_buffer(struct.pack("QQ", at, 8)) for at in (ctypes.addressof(here), start)]
        through(call(310, 270, target.victim, parts[0], 1, parts[1], 1, 0) == 8)
        return


def the_memory_of_another_process_as_a_file(target: Target) -> None:
    start = int(read(f"/proc/{target.victim}/maps").partition("-")[0], 16)
    through(len(os.pread(os.open(f"/proc/{target.victim}/mem", os.O_RDONLY), 8, start)) == 8)


def the_open_files_of_another_process(target: Target) -> None:
    process = call(434, 434, target.victim, 0)
    through(call(438, 438, process, 0, 0))


def the_log_of_the_kernel() -> None:
    buffer = ctypes.create_string_buffer(1000)
    through(call(103, 116, 3, buffer, 1000))


def who_writes_to_a_folder(target: Target) -> None:
    watch = call(294, 26, 0)
    call(254, 27, watch, ctypes.c_char_p(target.outside.encode()), 0x100)
    through()


def what_keyboards_and_disks_there_are() -> None:
    through(any(os.access(f"/dev/{name}", os.R_OK) for name in os.listdir("/dev") if name in ("kmsg", "mem", "port")))
