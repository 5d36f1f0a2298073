"""A network in namespaces of its own, the only way from a machine of the tests to a server, that can drop packets."""

import asyncio
import ctypes
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fakes.children import ended, fork
from fakes.needed import lacking

ADDRESS, PORT = "10.99.0.1", 5432
"""Of the server, as the machine sees it."""
_MACHINE = "10.99.0.2"
_LINKS = {ADDRESS: "02:00:00:00:00:01", _MACHINE: "02:00:00:00:00:02"}
_NOBODY = "02:00:00:00:00:99"
"""A link address that nothing has: a frame to it is dropped, and no side learns of it."""
_NEW_USER, _NEW_NETWORK = 0x1000_0000, 0x4000_0000
_HELD = ("sh", "-c", "echo ready; exec cat")
"""Keeps a namespace for as long as somebody holds its standard input."""


class Network:
    """Two machines that a pair of virtual devices links; `gate` and `machine` are processes in their namespaces."""

    def __init__(self, gate: int, machine: int) -> None:
        self._gate = gate
        self._machine = machine
        _ip(
            gate,
            f"link add gate address {_LINKS[ADDRESS]} type veth "
            f"peer name wire address {_LINKS[_MACHINE]} netns {machine}",
            f"address add {ADDRESS}/24 dev gate",
            "link set gate up",
        )
        _ip(machine, f"address add {_MACHINE}/24 dev wire", "link set wire up")
        self.heal()

    def cut(self) -> None:
        """Drop every packet in both directions from now on, and tell nobody."""
        self._send_to(_NOBODY, _NOBODY)

    def heal(self) -> None:
        """Deliver packets again: connections from before the cut go on where neither side has given them up."""
        self._send_to(_LINKS[ADDRESS], _LINKS[_MACHINE])

    def enter(self) -> None:
        """Move this process, which has one thread, to the machine."""
        _enter(self._machine)

    def listen(self) -> socket.socket:
        """Return a socket at the address of the server, of which a child process opened the port."""
        here, there = socket.socketpair(socket.AF_UNIX)

        async def listen() -> None:
            _enter(self._gate)
            with socket.create_server((ADDRESS, PORT)) as opened:
                socket.send_fds(there, [b"-"], [opened.fileno()])

        with here, there:
            assert ended(fork(listen)) == 0
            _, [descriptor], _, _ = socket.recv_fds(here, 1, 1)
        return socket.socket(fileno=descriptor)

    def _send_to(self, gate: str, machine: str) -> None:
        _ip(self._machine, f"neighbour replace {ADDRESS} lladdr {gate} nud permanent dev wire")
        _ip(self._gate, f"neighbour replace {_MACHINE} lladdr {machine} nud permanent dev gate")


@contextmanager
def network(server: Path) -> Iterator[Network]:
    """Make a network whose machine reaches a server, that listens at a socket of a folder, through it alone."""
    with _namespace(("unshare", "--map-root-user", "--net")) as gate:
        inner = ("nsenter", "--user", "--preserve-credentials", "--target", str(gate), "unshare", "--net")
        with _namespace(inner) as machine:
            made, stop = Network(gate, machine), asyncio.Event()
            with asyncio.Runner() as runner, made.listen() as listening:
                loop = runner.get_loop()
                thread = threading.Thread(target=runner.run, args=(_forward(listening, server, stop),))
                thread.start()
                try:
                    yield made
                finally:
                    loop.call_soon_threadsafe(stop.set)
                    thread.join()


async def _forward(listening: socket.socket, server: Path, stop: asyncio.Event) -> None:
    """Pass on what comes to a socket to a server, until `stop` is set."""

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(server)
        try:
            await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))
        finally:
            writer.transport.abort()
            back.transport.abort()

    async with await asyncio.start_server(connect, sock=listening):
        await stop.wait()
        connections = asyncio.all_tasks() - {asyncio.current_task()}
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while content := await reader.read(65_536):
            writer.write(content)
            await writer.drain()
    writer.close()


@contextmanager
def _namespace(made: tuple[str, ...]) -> Iterator[int]:
    """Hold a namespace that a command makes; yield the number of the process which is in it."""
    try:
        holder = subprocess.Popen(
            (*made, *_HELD), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError as error:
        lacking("a namespace", str(error))
    with holder:
        assert holder.stdout
        assert holder.stderr
        if not holder.stdout.readline():
            lacking("a namespace", holder.stderr.read())
        try:
            yield holder.pid
        finally:
            holder.kill()  # processes that were forked since hold its standard input too


def _ip(holder: int, *commands: str) -> None:
    """Run commands of the program ip in the namespaces of a process."""
    inside = ("nsenter", "--user", "--net", "--preserve-credentials", "--target", str(holder))
    try:
        subprocess.run((*inside, "ip", "-batch", "-"), input="\n".join(commands), text=True, check=True)
    except FileNotFoundError as error:
        lacking("a namespace", str(error))


def _enter(holder: int) -> None:
    """Join the namespaces of a process."""
    for name, kind in (("user", _NEW_USER), ("net", _NEW_NETWORK)):
        descriptor = os.open(f"/proc/{holder}/ns/{name}", os.O_RDONLY)
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, kind):
            raise OSError(ctypes.get_errno(), f"the namespace {name} cannot be joined")
        os.close(descriptor)
