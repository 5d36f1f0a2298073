"""The places that own the clock, new ids and the process table."""

import os
import re
import secrets
import socket
from datetime import UTC, datetime
from pathlib import Path

from quaestor.contracts.session import LeaseOwner


class SystemClock:
    """The machine's clock; a `Clock`."""

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return datetime.now(UTC)


class SystemIdGenerator:
    """Ids that sort by time and never collide; an `Ids`."""

    def session(self) -> str:
        """Return a new session id: date, time and six random characters."""
        return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def is_session_id(text: str) -> bool:
    """Return whether a text has the form of a complete session id."""
    return re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", text) is not None


def current_process() -> LeaseOwner:
    """Return the owner that this process is."""
    return LeaseOwner(host=_host(), pid=os.getpid(), started=_process_start(os.getpid()))


def is_alive(owner: LeaseOwner) -> bool | None:
    """Return whether an owner's process is alive; None when that is unknown, as of one on another machine."""
    if owner.host != _host() or os.name == "nt":  # there signal 0 is no question, it is Ctrl-C
        return None
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # Numbers are used again, after a restart of the machine within minutes: only the same start is the same process.
    return _process_start(owner.pid) == owner.started


def _host() -> str:
    """Return the name of this machine, with what tells containers of one name apart: their numbers are their own."""
    try:
        namespace = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}/{boot[:8]}-{namespace}"


def _process_start(pid: int) -> str:
    """Return what distinguishes a process from a later one with the same number: its start time, where /proc has it."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return "unknown"
    after_name = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    # Cut behind the last bracket: the name of a program may hold blanks and brackets itself. A zombie has ended.
    state, start_ticks = after_name[0], after_name[19]
    return "dead" if state == "Z" else start_ticks
