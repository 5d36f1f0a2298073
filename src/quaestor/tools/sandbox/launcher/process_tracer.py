"""The processes a command has become, every one of them traced from its start (ptrace(2)).

The kernel stops each new process and thread until the launcher has seen it, so that none is ever missed, and kills them
all when the launcher is gone. Nothing is traced but starts, ends and signals, which are handed on.
"""

import os
import signal

from .syscalls import ptrace, ptrace_message

_SEIZE, _CONTINUE, _LISTEN = 0x4206, 7, 0x4208
_TRACE_FORKS, _KILL_AT_EXIT = 0b1110, 1 << 20
_FORK_EVENTS = (1, 2, 3)
"""PTRACE_EVENT_FORK, PTRACE_EVENT_VFORK and PTRACE_EVENT_CLONE."""
_EVENT_STOP = 128
"""PTRACE_EVENT_STOP: a new task, or a group stop."""
_WAIT_ALL = 0x4000_0000
"""__WALL: threads too."""
_LIMIT_SIGNALS: dict[int, str] = {signal.SIGXFSZ: "disk", signal.SIGXCPU: "time"}
"""By which the kernel ends a process that has too much of something."""
_STOP_SIGNALS = (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)


class ProcessTracer:
    """A command and all it starts; `tasks` holds each thread with its process, `status` how the command ended.

    `limit` is what one of them was killed for; the command may not even notice.
    """

    def __init__(self, command: int) -> None:
        self.tasks = {command: command}
        self.status: int | None = None
        self.limit: str | None = None
        self._command = command
        # The kernel attaches every child before it runs an instruction. A process group is left by one call, and a list
        # of children is outdated when it is read; a tracer is left by neither.
        ptrace(_SEIZE, command, _TRACE_FORKS | _KILL_AT_EXIT)

    @property
    def processes(self) -> set[int]:
        """Those that live, or have not been reaped."""
        return set(self.tasks.values())

    def handle_events(self, most: int) -> bool:
        """Handle all pending events; return False when there are more processes and threads than allowed."""
        for task, status in iter(_next_event, None):
            if not os.WIFSTOPPED(status):
                self._forget(task, status)
                continue
            self._add(task)
            if status >> 16 in _FORK_EVENTS:
                self._add(_new_child(task))
            if len(self.tasks) > most:
                self._refresh()
            if len(self.tasks) > most:
                return False
            _resume(task, status)
        return True

    def end(self) -> None:
        """Kill them all, and wait until nothing of them is left."""
        # Stopped tasks are killed as well: whatever starts another one meanwhile stops for its tracer, and is killed
        # then.
        self._refresh()
        for task in self.tasks:
            _kill(task)
        try:
            while True:
                task, status = os.waitpid(-1, _WAIT_ALL)
                # It may have been forked before its parent was killed, and be unknown until now.
                if os.WIFSTOPPED(status):
                    _kill(task)
                else:
                    self._forget(task, status)
        except ChildProcessError:
            return

    def _add(self, task: int) -> None:
        """Count a new task; its parent reports it before either of them runs."""
        if task not in self.tasks and (process := _process_of(task)):
            self.tasks[task] = process

    def _refresh(self) -> None:
        """Forget those whose number has changed, as it does when a thread becomes another program."""
        self.tasks = {task: process for task in self.tasks if (process := _process_of(task))}

    def _forget(self, task: int, status: int) -> None:
        self.tasks.pop(task, None)
        if os.WIFSIGNALED(status):
            self.limit = self.limit or _LIMIT_SIGNALS.get(os.WTERMSIG(status))
        if task == self._command:
            self.status = status


def _next_event() -> tuple[int, int] | None:
    try:
        task, status = os.waitpid(-1, _WAIT_ALL | os.WNOHANG)
    except ChildProcessError:
        return None
    return (task, status) if task else None


def _resume(task: int, status: int) -> None:
    """Resume a stopped task: with the signal that stopped it, or after its start or that of another."""
    event, number = status >> 16, os.WSTOPSIG(status)
    try:
        if event == _EVENT_STOP and number in _STOP_SIGNALS:
            # A stopped group stays stopped, but still reports events: to continue it would undo the stop.
            ptrace(_LISTEN, task, 0)
        else:
            # The SIGTRAP of an event is the kernel's word to the launcher; only real signals are handed on.
            ptrace(_CONTINUE, task, 0 if event else number)
    except ProcessLookupError:  # killed meanwhile
        return


def _kill(task: int) -> None:
    try:
        os.kill(task, signal.SIGKILL)
    except ProcessLookupError:
        return


def _new_child(task: int) -> int:
    try:
        return ptrace_message(task)
    except ProcessLookupError:  # killed meanwhile
        return 0


def _process_of(task: int) -> int:
    """Return the process of a thread, 0 when it is gone or none of those that are traced."""
    try:
        with open(f"/proc/{task}/status", "rb") as status:  # noqa: PTH123 -- pathlib takes long to import
            status_text = status.read()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return _number(status_text, b"\nTgid:") if _number(status_text, b"\nTracerPid:") == os.getpid() else 0


def _number(status_text: bytes, name: bytes) -> int:
    return int(status_text.partition(name)[2].split(maxsplit=1)[0])
