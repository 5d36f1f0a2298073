"""Takes more than it was allowed, and says so when it has it."""
# ruff: noqa: PTH102, PTH108, PTH118, PTH123, S108, S606 -- a probe asks the system plainly, and means harm

import ctypes
import mmap
import os
import resource
import threading
import time

from tools.sandbox.probes.prelude import LIBC, MEGABYTE, Target, call, through, write

HOLD = 0.05 if os.environ.get("PROBE_CONTROL") else 5
"""Seconds to be caught in."""
FLOOD = 8 * MEGABYTE


def memory_at_once() -> None:
    through(len(bytearray(300 * MEGABYTE)))


def memory_of_many_processes() -> None:
    ready, done = os.pipe()
    for _ in range(6):
        if not os.fork():
            held = bytearray(os.urandom(MEGABYTE)) * 50
            os.write(done, b"x")
            time.sleep(HOLD)
            os._exit(len(held) and 0)
    for _ in range(6):
        os.read(ready, 1)
    time.sleep(HOLD / 2)
    through()


def memory_of_threads_that_outlive_the_first() -> None:
    ready, done = os.pipe()

    def hold() -> None:
        held = bytearray(os.urandom(MEGABYTE)) * 50
        os.write(done, b"x")
        time.sleep(HOLD)
        os._exit(len(held) and 0)

    for _ in range(6):
        if not os.fork():
            threading.Thread(target=hold).start()
            LIBC.pthread_exit(0)
    for _ in range(6):
        os.read(ready, 1)
    time.sleep(HOLD / 2)
    through()


def memory_that_is_shared() -> None:
    held = mmap.mmap(-1, 300 * MEGABYTE)
    for _ in range(300):
        held.write(bytes(MEGABYTE))
    time.sleep(HOLD)
    through(len(held))


def memory_that_is_shared_and_let_go() -> None:
    _fill_and_let_go(mmap.mmap(-1, 300 * MEGABYTE))


def memory_of_a_device_that_is_shared_and_let_go() -> None:
    with open("/dev/zero", "r+b", buffering=0) as zeros:
        _fill_and_let_go(mmap.mmap(zeros.fileno(), 300 * MEGABYTE))


def _fill_and_let_go(held: mmap.mmap) -> None:
    for place in range(0, len(held), MEGABYTE):
        held.write(bytes(MEGABYTE))
        held.madvise(mmap.MADV_DONTNEED, place, MEGABYTE)
    time.sleep(HOLD)
    through(len(held))


def memory_with_a_name_of_its_own() -> None:
    held = call(319, 279, ctypes.c_char_p(b"x"), 0)
    for _ in range(200):
        os.write(held, bytes(MEGABYTE))
    through()


def memory_as_files(target: Target) -> None:
    for folder in ("/dev/shm", os.environ.get("TMPDIR", ".")):
        name = f"{folder}/{target.token}"
        try:
            with open(name, "wb") as file:
                file.writelines(bytes(MEGABYTE) for _ in range(200))
            os.unlink(name)
            through()
        except OSError:
            continue


def time_asleep() -> None:
    time.sleep(HOLD)
    through()


def time_awake() -> None:
    until = time.monotonic() + HOLD
    while time.monotonic() < until:
        pass
    through()


def time_awake_on_every_processor() -> None:
    for _ in range(4):
        if not os.fork():
            time_awake()
            os._exit(0)
    time_awake()


def time_with_its_streams_closed() -> None:
    for stream in range(3):
        os.close(stream)
    time_asleep()


def disk_in_one_file() -> None:
    write("large", 16 * MEGABYTE)
    time.sleep(HOLD)
    through()


def disk_in_many_files() -> None:
    for number in range(16):
        write(f"part{number}", MEGABYTE)
    time.sleep(HOLD)
    through()


def disk_in_temporary_files(target: Target) -> None:
    for number in range(16):
        write(os.path.join(os.environ.get("TMPDIR", "."), f"{target.token}{number}"), MEGABYTE)
    time.sleep(HOLD)
    through()


def disk_in_files_without_a_name() -> None:
    held = []
    for _ in range(16):
        write("part", MEGABYTE)
        held.append(os.open("part", os.O_RDONLY))
        os.unlink("part")
    time.sleep(HOLD)
    through(held)


def disk_in_files_that_never_had_a_name() -> None:
    for _ in range(16):
        os.write(os.open(".", os.O_RDWR | os.O_TMPFILE), os.urandom(MEGABYTE))
    time.sleep(HOLD)
    through()


def disk_in_files_that_are_only_mapped() -> None:
    held = []
    for _ in range(16):
        write("part", MEGABYTE)
        part = os.open("part", os.O_RDWR)
        held.append(LIBC.mmap(0, 4096, 3, 1, part, 0))
        os.close(part)
        os.unlink("part")
    time.sleep(HOLD)
    through(held)


def disk_in_a_folder_nobody_can_look_into() -> None:
    os.mkdir("shut", 0o300)
    for number in range(16):
        write(f"shut/part{number}", MEGABYTE)
    time.sleep(HOLD)
    through()


def disk_deeper_than_any_path() -> None:
    for _ in range(300):
        os.mkdir("a" * 100)
        os.chdir("a" * 100)
    for number in range(16):
        write(f"part{number}", MEGABYTE)
    time.sleep(HOLD)
    for _ in range(300):
        os.chdir("..")
    through()


def disk_in_empty_files() -> None:
    for number in range(3000):
        open(f"empty{number}", "w").close()
    time.sleep(HOLD)
    through()


def disk_in_names_of_one_file() -> None:
    open("made", "w").close()
    for number in range(30_000):
        os.link("made", f"{number:0200}")
    time.sleep(HOLD)
    through()


def disk_in_files_of_a_thread_that_outlives_the_first() -> None:
    def hold() -> None:
        time.sleep(HOLD / 10)
        disk_in_files_without_a_name()

    threading.Thread(target=hold).start()
    LIBC.pthread_exit(0)


def disk_in_files_of_a_program_nobody_can_look_into() -> None:
    with open("/bin/sh", "rb") as shell:
        program = os.open("program", os.O_CREAT | os.O_WRONLY, 0o111)
        os.write(program, shell.read())
        os.close(program)
    fill = "; ".join(f"head -c 1000000 /dev/urandom >&{number}" for number in range(3, 10))
    files = " ".join(f"{number}>part{number}" for number in range(3, 10))
    os.execv("./program", ["sh", "-c", f"exec {files}; rm part*; {fill}; sleep {HOLD}; echo held > through"])


def output() -> None:
    for _ in range(FLOOD // 65536):
        os.write(1, bytes(65536))
    time.sleep(HOLD)
    through()


def output_of_errors() -> None:
    for _ in range(FLOOD // 65536):
        os.write(2, bytes(65536))
    time.sleep(HOLD)
    through()


def output_of_a_child_nobody_waits_for() -> None:
    child = os.fork()
    if not child:
        os.setsid()
        output()
        os._exit(0)
    while not os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT):
        pass


def an_image_of_its_memory() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    if not os.fork():
        os.abort()
    through(os.WCOREDUMP(os.wait()[1]))
