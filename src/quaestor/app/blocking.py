"""The operations for programs without an event loop, as scripts and notebooks: each blocks until it is done."""

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from typing_extensions import Unpack

from quaestor.app.home import open_with_options
from quaestor.app.shorthands import Quaestor
from quaestor.app.watching.live_tokens import LiveTokens, with_tokens
from quaestor.contracts.command import Command
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result
from quaestor.contracts.session import Session, SessionStatus
from quaestor.contracts.setting_options import SettingOptions
from quaestor.contracts.stream import StreamEvent
from quaestor.research.contracts.brief import ResearchDocument

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread of its own, so that it runs beside one that the caller may have."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="quaestor", daemon=True)
        self._thread.start()

    def begin(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Begin some work, and return at once."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry some work out; an interrupt of the caller cancels it."""
        future = self.begin(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        """Iterate over what comes in the loop."""

        async def following() -> tuple[T] | None:
            try:
                return (await anext(items),)
            except StopAsyncIteration:
                return None

        while found := self.run(following()):
            yield found[0]

    def close(self) -> None:
        """Stop the loop, and wait for its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class BlockingQuaestor:
    """A home and the operations on its sessions, each of which blocks; returned by `open_blocking`.

    `quaestor` is the same home with all operations, for `run`.
    """

    def __init__(self, quaestor: Quaestor, loop: LoopThread) -> None:
        self.quaestor = quaestor
        self._loop = loop
        self._running: dict[str, Future[Result]] = {}
        self._stop = asyncio.Event()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry out an operation of `quaestor` that is not offered here, as `call(q.quaestor.plan(session))`."""
        return self._loop.run(work)

    def research(
        self, question: str, docs: Sequence[str | Path], **options: Unpack[SettingOptions]
    ) -> ResearchDocument:
        """Research a question over documents and return the report, as `Quaestor.research` does."""
        return self._loop.run(self.quaestor.research(question, docs, **options))

    def start(self, question: str, docs: Sequence[str | Path]) -> str:
        """Begin to research a question, and return the id of its session at once; it runs in the background.

        `wait` returns how it ended, `follow` what happens; closing the home pauses it.
        """
        session_id = self._loop.run(self._begin(question, docs))
        self._running[session_id] = self._loop.begin(self.quaestor.run(session_id, self._stop))
        return session_id

    def wait(self, session_id: str, seconds: float | None = None) -> Result:
        """Return how a session ended that was started here, else where it is; raises TimeoutError after `seconds`."""
        running = self._running.get(session_id)
        return running.result(seconds) if running else self._loop.run(self.quaestor.result(session_id))

    def resume(self, session_id: str) -> ResearchDocument:
        """Go on with a session and return its report; of a finished one, the report it has."""
        return self._loop.run(self.quaestor.resume(session_id))

    def ask(self, session_id: str, question: str) -> ResearchDocument:
        """Ask a finished session a follow-up question and return the new report."""

        async def asked() -> ResearchDocument:
            await self.quaestor.ask(session_id, question)
            return await self.quaestor.resume(session_id)

        return self._loop.run(asked())

    def tell(self, session_id: str, command: Command) -> str | None:
        """Send a command to a session; return why it is refused, or None once it is carried out."""
        return self._loop.run(self.quaestor.tell(session_id, command))

    def sessions(self) -> Sequence[Session]:
        """Return all sessions, the newest first."""
        return self._loop.run(self.quaestor.sessions())

    def status(self, session_id: str) -> SessionStatus:
        """Return the status of a session."""
        return self._loop.run(self.quaestor.status(session_id))

    def report(self, session_id: str) -> ResearchDocument | None:
        """Return the newest report of a session, or None when there is none."""
        return self._loop.run(self.quaestor.report(session_id))

    def follow(self, session_id: str, after: int = 0) -> Iterator[Event]:
        """Iterate over the events above `after` as they come, until the session rests."""
        return self._loop.iterate(self.quaestor.follow(session_id, after))

    def stream(self, session_id: str, after: int = 0) -> Iterator[StreamEvent]:
        """Iterate over the public stream of a session as it comes, from the event after number `after` on."""
        return self._loop.iterate(self.quaestor.stream(session_id, after))

    def stream_live(self, session_id: str) -> Iterator[StreamEvent | LiveTokens]:
        """Iterate over the public stream, and over the words of models as they come, of a session started here."""
        return self._loop.iterate(with_tokens(self.quaestor, session_id, self.quaestor.stream(session_id)))

    async def _begin(self, question: str, docs: Sequence[str | Path]) -> str:
        turn = await self.quaestor.turn({"query": question}, docs, run=False)
        if turn.session_id is None or turn.error:
            raise UsageError(turn.error or "no session was begun")
        return turn.session_id

    async def pause_started(self) -> None:
        """Pause what was started here and runs still."""
        self._stop.set()
        running = [asyncio.wrap_future(future) for future in self._running.values()]
        await asyncio.gather(*running, return_exceptions=True)


@contextmanager
def open_blocking(home: str | Path | None = None, **options: Unpack[SettingOptions]) -> Iterator[BlockingQuaestor]:
    """Open a home for a program without an event loop, and close it at the end. Raises as `open` does."""
    loop = LoopThread()
    opened = open_with_options(home, **options)
    try:
        blocking = BlockingQuaestor(loop.run(opened.__aenter__()), loop)
        try:
            yield blocking
        finally:
            loop.run(blocking.pause_started())
            loop.run(opened.__aexit__(None, None, None))
    finally:
        loop.close()
