"""Gets hold of other processes, or outlives what it was started for."""

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import threading
import time

from tools.sandbox.probes.prelude import LIBC, Target, call, through


def a_kill(target: Target) -> None:
    os.kill(target.victim, signal.SIGKILL)


def a_kill_by_a_descriptor(target: Target) -> None:
    signal.pidfd_send_signal(os.pidfd_open(target.victim), signal.SIGKILL)


def a_kill_by_a_file_that_is_ready(target: Target) -> None:
    one, other = socket.socketpair()
    fcntl.fcntl(one, fcntl.F_SETOWN, target.victim)
    fcntl.fcntl(one, 10, signal.SIGKILL)
    fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    other.send(b"x")


def the_end_of_its_launcher() -> None:
    parent = os.getppid()
    if not os.fork():
        os.setsid()
        if os.environ.get("PROBE_CONTROL"):
            return time.sleep(30)
        os.kill(parent, signal.SIGKILL)
        time.sleep(30)
    return None


def tracing_another(target: Target) -> None:
    call(101, 117, 0x4206, target.victim, 0, 0)
    through()


def tracing_a_child() -> None:
    child = os.fork()
    if not child:
        call(101, 117, 0, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    through(os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]) and call(101, 117, 7, child, 0, 0) == 0)


def typing_into_a_terminal(target: Target) -> None:
    if os.fork():
        os.wait()
        return
    os.setsid()
    for name in (target.terminal, "/dev/tty"):
        try:
            terminal = os.open(name, os.O_RDWR)
            for letter in b"probe\n":
                fcntl.ioctl(terminal, 0x5412, bytes((letter,)))
        except OSError:
            continue
    os._exit(0)


def typing_into_a_terminal_by_a_longer_number(target: Target) -> None:
    if os.fork():
        os.wait()
        return
    os.setsid()
    try:
        terminal = os.open(target.terminal, os.O_RDWR)
    except OSError:
        terminal = os.openpty()[1]
    through(not LIBC.ioctl(terminal, ctypes.c_ulong(0x100005412), ctypes.c_char_p(b"x")))
    os._exit(0)


def a_daemon() -> None:
    if not os.fork():
        os.setsid()
        if not os.fork():
            for stream in range(3):
                os.close(stream)
            time.sleep(30)
        os._exit(0)


def a_daemon_that_moves_on() -> None:
    fcntl.flock(os.open("held", os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)
    if not os.fork():
        until = time.monotonic() + 2
        while time.monotonic() < until:
            if os.fork():
                os._exit(0)
            os.setsid()
    time.sleep(0.2)


def a_daemon_that_hears_nothing() -> None:
    if not os.fork():
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(30)
    time.sleep(0.2)


def a_daemon_left_when_the_time_is_over() -> None:
    if not os.fork():
        os.setsid()
        time.sleep(30)
    time.sleep(0.1 if os.environ.get("PROBE_CONTROL") else 5)


def more_children_than_allowed() -> None:
    for _ in range(60):
        if not os.fork():
            time.sleep(1)
            os._exit(0)
    through()


def more_threads_than_allowed() -> None:
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
    through()


def a_bomb() -> None:
    until = time.monotonic() + 1
    count = mmap.mmap(-1, 4096)
    while time.monotonic() < until and count[0] < 100:
        if not os.fork():
            count[0] += 1
    if count[0] >= 60:
        through()
    os._exit(0)


def a_child_that_nobody_traces() -> None:
    child = call(56, 220, 0x00800000 | signal.SIGCHLD, 0, 0, 0, 0)
    if not child:
        os._exit(0)
    through(child)
