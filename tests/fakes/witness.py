"""Sees what this process does to the outside: whom it connects to, what it opens, what it starts.

It hears the audit events of the interpreter (PEP 578), so no code of this process can go past it.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Witness:
    """What was seen: addresses as (host, port), names that were resolved, files by path, programs with arguments."""

    connected: list[tuple[str, int]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)


_present: list[Witness] = []


def _hear(event: str, said: tuple[object, ...]) -> None:
    if not _present or event not in _NOTED:
        return
    for witness in _present:
        _NOTED[event](witness, said)


def _connected(witness: Witness, said: tuple[object, ...]) -> None:
    match said[1]:
        case (str(host), int(port), *_):
            witness.connected.append((host, port))
        case other:
            witness.connected.append((str(other), 0))


def _resolved(witness: Witness, said: tuple[object, ...]) -> None:
    witness.resolved.append(str(said[0]))


def _opened(witness: Witness, said: tuple[object, ...]) -> None:
    witness.opened.append(str(said[0]))


def _started(witness: Witness, said: tuple[object, ...]) -> None:
    witness.started.append(" ".join(map(str, said[:2])))


_NOTED: Mapping[str, Callable[[Witness, tuple[object, ...]], None]] = {
    "socket.connect": _connected,
    "socket.sendto": _connected,
    "socket.getaddrinfo": _resolved,
    "socket.gethostbyname": _resolved,
    "open": _opened,
    "os.system": _started,
    "os.exec": _started,
    "os.posix_spawn": _started,
    "subprocess.Popen": _started,
}
sys.addaudithook(_hear)


@contextmanager
def witnessed() -> Iterator[Witness]:
    """Return what happens from now to the end."""
    witness = Witness()
    _present.append(witness)
    try:
        yield witness
    finally:
        _present.remove(witness)
