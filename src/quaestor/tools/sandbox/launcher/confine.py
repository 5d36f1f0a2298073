"""What the process that will become the command does to itself, each step a barrier of its own."""

import os
import resource
import signal
from collections.abc import Callable

from . import landlock, seccomp_filter
from .syscalls import drop_capabilities, install_seccomp_filter, prctl

_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES, _DROP_BOUNDING, _SECURE_BITS, _AMBIENT = 1, 38, 24, 28, 47
_CLEAR_ALL = 4
_ROOT_WITHOUT_PRIVILEGES = 0b1111
"""SECBIT_NOROOT and SECBIT_NO_SETUID_FIXUP, both locked: to be root gives no capability any more."""
_CAPABILITIES = 64
_FILES = 256
_SMALL_BYTES = 2**16
_SIGNALS = 1024
_OOM_SCORE = 1000
_NICE = 5


class LauncherOptions:
    """How one command is to be confined; `control` is the descriptor that its starter holds the other end of."""

    def __init__(self, arguments: list[str]) -> None:
        cut = arguments.index("--")
        given: dict[str, list[str]] = {}
        for argument in arguments[:cut]:
            name, _, value = argument.partition("=")
            given.setdefault(name, []).append(value)
        self.command = arguments[cut + 1 :]
        self.control = int(given["control"][0])
        self.workspace = given["workspace"][0]
        self.alone = given["alone"] == ["yes"]
        self.modes = given["modes"] == ["yes"]
        self.landlock = int(given["landlock"][0])
        self.seconds = float(given["seconds"][0])
        self.memory = int(given["memory"][0])
        self.processes = int(given["processes"][0])
        self.disk = int(given["disk"][0])
        self.readable = given.get("readable", [])
        self.writable = given.get("writable", [])
        self.volatile = given.get("volatile", [])
        self.scratch = given["scratch"][0]
        self.environment = dict(pair.split("=", 1) for pair in given.get("environment", []))


def confine_process(orders: LauncherOptions, held: int) -> None:
    """Confine this process for good; the folders it writes to hold `held` bytes already. Raises OSError."""
    # The filter comes last: it is made for the command, and need not allow what these steps call.
    os.setsid()
    _lower_priority()
    _set_resource_limits(orders, held)
    _drop_privileges()
    prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    # A set-user-ID program would else begin with the privileges that were just given up.
    prctl(_NO_NEW_PRIVILEGES, 1)
    if orders.landlock:
        landlock.restrict(orders.landlock, orders.readable, orders.writable)
    os.chdir(orders.workspace)
    install_seccomp_filter(
        seccomp_filter.build_filter(
            alone=orders.alone,
            signals_kept=landlock.scopes_signals(orders.landlock),
            modes_kept=orders.modes,
        )
    )


def _lower_priority() -> None:
    """Lower the priority of this process for CPU time, and prefer it when the system is out of memory."""
    os.nice(_NICE)
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:  # noqa: PTH123 -- slow to import
            score.write(str(_OOM_SCORE))
    except OSError:  # /proc may not be writable here, and then nothing outside is in danger
        return


def _set_resource_limits(orders: LauncherOptions, held: int) -> None:
    limits = {
        resource.RLIMIT_DATA: orders.memory,
        # The monitor measures the time; this ends a command only if the monitor cannot. All processors may be used.
        resource.RLIMIT_CPU: int(orders.seconds * (os.cpu_count() or 1)) + 1,
        resource.RLIMIT_FSIZE: max(orders.disk - held, _SMALL_BYTES),
        resource.RLIMIT_NOFILE: _FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: _SMALL_BYTES,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: _SIGNALS,
        resource.RLIMIT_RTPRIO: 0,
    }
    for limit, most in limits.items():
        hard = resource.getrlimit(limit)[1]
        # A limit that is in force already may be lower, and only root can raise it.
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (bound, bound))


def _drop_privileges() -> None:
    """Drop every privilege of this user beyond those of others, and every way to get it back."""
    _if_permitted(lambda: [prctl(_DROP_BOUNDING, capability) for capability in range(_CAPABILITIES)])
    _if_permitted(lambda: [prctl(_SECURE_BITS, _ROOT_WITHOUT_PRIVILEGES)])
    prctl(_AMBIENT, _CLEAR_ALL)
    drop_capabilities()


def _if_permitted(step: Callable[[], list[int]]) -> None:
    """Take a step that only a process with privileges can take; one without any has nothing to drop."""
    try:
        step()
    except OSError:
        return
