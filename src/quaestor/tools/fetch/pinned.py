"""Connections to addresses that were looked at, and to no others."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence

import httpcore2
from typing_extensions import override

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a name, for a port. Raises OSError when it has none."""

_CONNECT_SECONDS = 5
_MOST_TRIED = 3


async def resolve(host: str, port: int) -> tuple[str, ...]:
    """Ask the system for the addresses of a name; a `Resolve`."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class Pinned(httpcore2.AsyncNetworkBackend):
    """Connects to given addresses whatever host it is asked for, so that a name cannot mean another one by then."""

    def __init__(self, addresses: Sequence[str], network: httpcore2.AsyncNetworkBackend) -> None:
        self._addresses = addresses[:_MOST_TRIED]
        self._network = network

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        *others, last = self._addresses
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout=_CONNECT_SECONDS)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout=_CONNECT_SECONDS)
