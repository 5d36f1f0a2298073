"""A running server, seen from another process."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2


@dataclass(frozen=True)
class Target:
    """A running server."""

    pid: int
    port: int
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def client(self) -> httpx2.AsyncClient:
        limits = httpx2.Limits(max_connections=None)
        url = f"http://127.0.0.1:{self.port}"
        return httpx2.AsyncClient(base_url=url, headers=self.headers, trust_env=False, timeout=60, limits=limits)

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1000

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def request(self, path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode()


@contextmanager
def serving(home: Path, token: str, *options: str) -> Iterator[Target]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    command = [sys.executable, "-m", "quaestor.faces.cli.main", "serve", "--home", str(home), "--port", str(port)]
    environment = {**os.environ, "QUAESTOR_EFFORT": "low", "QUAESTOR_QUESTIONS": "false"}
    with subprocess.Popen(
        [*command, "--rate", "1000000", *options], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            yield Target(process.pid, port, token)
        finally:
            process.kill()


async def healthy(target: Target) -> float:
    """Return after how many seconds the server says that it lives."""
    began = time.perf_counter()
    async with target.client() as client:
        assert (await client.get("/healthz")).status_code == 200
    return time.perf_counter() - began


@contextlib.asynccontextmanager
async def opened(target: Target, path: str) -> AsyncIterator[tuple[asyncio.StreamReader, float]]:
    """Open a stream; return its reader, and the seconds until its first event."""
    began = time.perf_counter()
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    connection.connect(("127.0.0.1", target.port))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 12)
    try:
        writer.write(target.request(path))
        await reader.readuntil(b"id: ")
        yield reader, time.perf_counter() - began
    finally:
        writer.close()


async def first_byte(target: Target, path: str) -> float:
    """Return the seconds until the first byte of the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    began = time.perf_counter()
    writer.write(target.request(path))
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.split(b" ", 2)[1] in {b"200", b"404"}, head
    await reader.read(1)
    seconds = time.perf_counter() - began
    writer.close()
    return seconds
