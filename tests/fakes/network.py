"""A way over the network that can be cut: a proxy on loopback between a client and a server."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager


class Wire:
    """What passes bytes on in both directions, until it is cut."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._open = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Let nothing through, and tell nobody; connections stay open."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def mend(self) -> None:
        """Let new connections through; those from before the cut are lost, as a system finds in the end."""
        self._loop.call_soon_threadsafe(self._mend)

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

    async def listen(self, listening: Callable[[], None]) -> None:
        self._open.set()
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        listening()
        async with server:
            await server.serve_forever()

    def run(self, work: Coroutine[None, None, None]) -> None:
        asyncio.set_event_loop(self._loop)
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(work)

    def end(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            self._loop.call_soon_threadsafe(task.cancel)


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """Open a way to a port of this machine, whose own port is `port` of the result."""
    made, ready = Wire(port), threading.Event()
    thread = threading.Thread(target=lambda: made.run(made.listen(ready.set)), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield made
    finally:
        made.end()
        thread.join(5)
