"""A way over the network that can be cut: a proxy on loopback between a client and a server."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Wire:
    """What passes bytes on in both directions, until it is cut."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._target = port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        self._open = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Let nothing through, and tell nobody; connections stay open."""
        self._call(self._open.clear)

    def mend(self) -> None:
        """Let new connections through; those from before the cut are lost, as a system finds in the end."""
        self._call(self._mend)

    def serve(self, ready: threading.Event) -> None:
        """Pass on what comes until `end`; `ready` is set once the port is open."""
        with asyncio.Runner() as runner, contextlib.suppress(asyncio.CancelledError):
            self._loop = runner.get_loop()
            runner.run(self._listen(ready))

    def end(self) -> None:
        """End it, and every connection."""
        assert self._listening
        self._call(self._listening.cancel)

    def _call(self, work: Callable[[], object]) -> None:
        assert self._loop
        self._loop.call_soon_threadsafe(work)

    def _mend(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._open.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers |= {writer, back}
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))
            self._writers -= {writer, back}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while content := await reader.read(65_536):
                await self._open.wait()
                writer.write(content)
                await writer.drain()
        writer.close()

    async def _listen(self, ready: threading.Event) -> None:
        self._open.set()
        self._listening = asyncio.current_task()
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        try:
            async with server:
                await server.serve_forever()
        finally:
            for writer in self._writers:
                writer.transport.abort()


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """Open a way to a port of this machine, whose own port is `port` of the result."""
    made, ready = Wire(port), threading.Event()
    thread = threading.Thread(target=made.serve, args=(ready,), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield made
    finally:
        made.end()
        thread.join(5)
