"""Gets at the kernel where it has been broken before, or at rights that were given up."""

import ctypes
import mmap
import os
import struct

from tools.sandbox.probes.prelude import LIBC, call, through


def a_program_within_it() -> None:
    through(call(321, 280, 0, ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1) + bytes(100)), 116) >= 0)


def its_counters() -> None:
    attributes = struct.pack("IIQQQQ", 1, 112, 0, 0, 0, 0) + struct.pack("Q", 1 << 5 | 1 << 6) + bytes(64)
    through(call(298, 241, ctypes.create_string_buffer(attributes), 0, -1, -1, 0))


def its_page_faults() -> None:
    through(call(323, 282, 1))


def a_module() -> None:
    try:
        call(175, 105, ctypes.create_string_buffer(4), 4, ctypes.c_char_p(b""))
    except OSError as error:
        through(error.errno == 8)  # it looked at the module


def a_kernel_to_start_next() -> None:
    try:
        call(320, 294, -1, -1, 0, 0, 0)
    except OSError as error:
        through(error.errno == 9)  # it looked for the file


def its_calls_by_the_numbers_of_an_older_machine() -> None:
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3")  # getpid by int 0x80
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    through(ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid())


def its_calls_by_the_numbers_of_the_short_machine() -> None:
    through(LIBC.syscall(ctypes.c_long(0x40000000 | 39)) == os.getpid())


def rights_by_a_program_that_has_them() -> None:
    through(LIBC.prctl(39, 0, 0, 0, 0) == 0)


def rights_it_was_born_with() -> None:
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0))
    held = ctypes.create_string_buffer(24)
    call(125, 90, header, held)
    through(any(held.raw))


def rights_a_program_could_give_it() -> None:
    through(os.geteuid() == 0 and LIBC.prctl(23, 21, 0, 0, 0) == 1)


def a_call_that_is_newer_than_the_sandbox() -> None:
    try:
        call(464, 464, -1, 0, 0, 0, 0, 0)
    except OSError as error:
        through(error.errno != 38)
