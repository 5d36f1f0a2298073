"""Changes what lies outside."""
# ruff: noqa: PTH101, PTH102, PTH104, PTH106, PTH108, PTH116, PTH123, PTH211, S103, S108, SIM105 -- a probe asks the system plainly, and means harm

import ctypes
import fcntl
import os
import struct
import time

from tools.sandbox.probes.prelude import ARM, LIBC, Target, call, read, through


def a_new_file(target: Target) -> None:
    with open(f"{target.outside}/new", "w") as file:
        file.write("x")


def a_file_that_is_there(target: Target) -> None:
    with open(target.secret, "a") as file:
        file.write("x")


def a_file_by_a_link_in_the_workspace(target: Target) -> None:
    os.symlink(f"{target.outside}/new", "link")
    with open("link", "w") as file:
        file.write("x")


def a_file_by_a_link_that_turns_while_it_looks(target: Target) -> None:
    os.mkdir("turning")
    for _ in range(200):
        os.rmdir("turning")
        os.symlink(target.outside, "turning")
        try:
            open("turning/new", "w").close()
        except OSError:
            pass
        os.unlink("turning")
        os.mkdir("turning")


def a_file_moved_out_of_the_workspace(target: Target) -> None:
    open("made", "w").close()
    os.rename("made", f"{target.outside}/made")


def another_name_outside_for_a_file_of_its_own(target: Target) -> None:
    open("made", "w").close()
    os.link("made", f"{target.outside}/made")


def a_file_deleted(target: Target) -> None:
    os.unlink(target.secret)


def a_file_cut_short(target: Target) -> None:
    os.truncate(target.secret, 1)


def a_file_cut_short_while_it_is_opened_to_be_read(target: Target) -> None:
    os.open(target.secret, os.O_RDONLY | os.O_TRUNC)


def the_mode_of_a_file(target: Target) -> None:
    os.chmod(target.secret, 0o777)


def the_owner_of_a_file(target: Target) -> None:
    os.chown(target.secret, os.getuid(), os.getgid())
    through()


def the_times_of_a_file(target: Target) -> None:
    os.utime(target.secret, (1, 1))


def the_times_of_a_file_to_now(target: Target) -> None:
    os.utime(target.secret)


def an_attribute_of_a_file(target: Target) -> None:
    os.setxattr(target.secret, "user.probe", b"x")


def the_flags_of_a_file(target: Target) -> None:
    file = os.open(target.secret, os.O_RDONLY)
    fcntl.ioctl(file, 0x40086602, struct.pack("q", 0x40))
    through()


def a_folder(target: Target) -> None:
    os.mkdir(f"{target.outside}/folder")


def a_pipe(target: Target) -> None:
    os.mkfifo(f"{target.outside}/pipe")


def a_link(target: Target) -> None:
    os.symlink("anywhere", f"{target.outside}/link")


def a_device() -> None:
    os.mknod("device", 0o20666, os.makedev(1, 11))
    through(os.open("device", os.O_RDONLY) >= 0)


def the_shared_memory_folder(target: Target) -> None:
    open(f"/dev/shm/{target.token}", "w").close()


def the_temporary_folder_of_everybody(target: Target) -> None:
    open(f"/var/tmp/{target.token}", "w").close()


def the_settings_of_the_kernel() -> None:
    name = "/proc/sys/kernel/core_pattern"
    before = read(name)
    with open(name, "w") as setting:
        setting.write(before)
    through()


def the_name_of_the_machine() -> None:
    LIBC.syscall(ctypes.c_long(97 if ARM else 272), ctypes.c_long(0x04000000))  # where it may, in a copy
    name = os.uname().nodename.encode()
    call(170, 161, ctypes.c_char_p(name), len(name))
    through()


def the_clock() -> None:
    now = ctypes.create_string_buffer(struct.pack("QQ", int(time.time()), 0))
    if os.environ.get("PROBE_CONTROL"):
        through(os.geteuid() == 0)
        return
    call(227, 112, 0, now)
    through()


def the_limits_of_another_process(target: Target) -> None:
    new = ctypes.create_string_buffer(struct.pack("QQ", 100, 100))
    call(302, 261, target.victim, 7, new, 0)
    through()


def the_priority_of_another_process(target: Target) -> None:
    os.setpriority(os.PRIO_PROCESS, target.victim, 19)
    through(os.getpriority(os.PRIO_PROCESS, target.victim) == 19)


def the_processors_of_another_process(target: Target) -> None:
    os.sched_setaffinity(target.victim, os.sched_getaffinity(0))
    through()


def the_priority_of_its_launcher() -> None:
    launcher = os.getppid()
    os.setpriority(os.PRIO_PROCESS, launcher, os.getpriority(os.PRIO_PROCESS, launcher))
    through()


def the_limits_of_its_launcher() -> None:
    call(302, 261, os.getppid(), 7, ctypes.create_string_buffer(struct.pack("QQ", 4000, 4000)), 0)
    through()


def a_program_that_runs_as_its_owner() -> None:
    open("program", "w").close()
    os.chmod("program", 0o4755)
    through(os.stat("program").st_mode & 0o6000)


def a_program_that_runs_as_its_owner_by_its_descriptor() -> None:
    program = os.open("program", os.O_CREAT | os.O_WRONLY)
    os.fchmod(program, 0o4755)
    through(os.fstat(program).st_mode & 0o6000)


def a_program_that_runs_as_its_owner_from_the_beginning() -> None:
    through(os.fstat(os.open("program", os.O_CREAT | os.O_WRONLY, 0o4755)).st_mode & 0o6000)


def a_program_that_runs_as_its_owner_and_had_no_name() -> None:
    through(os.fstat(os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755)).st_mode & 0o6000)


def a_program_that_runs_as_its_owner_made_like_a_device() -> None:
    os.mknod("program", 0o104755)
    through(os.stat("program").st_mode & 0o6000)


def a_program_that_runs_as_its_owner_by_a_newer_call() -> None:
    how = ctypes.create_string_buffer(struct.pack("QQQ", os.O_CREAT | os.O_WRONLY, 0o4755, 0))
    through(os.fstat(call(437, 437, -100, ctypes.c_char_p(b"program"), how, 24)).st_mode & 0o6000)
