"""Notices of a session to a person: once for each time that it is done, has failed, or comes to wait for them.

Whoever runs the session sends them. What the log had come to before this run is known to the person already, so that
neither a restart nor a kill sends a notice twice; one that dies between the event and the sending sends none.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.lazy import deferred
from quaestor.contracts.notice import MAX_QUESTION_CHARACTERS, Notice, NoticeState
from quaestor.contracts.session import Session
from quaestor.contracts.settings import Settings
from quaestor.kernel.run_state import RunState

if TYPE_CHECKING:
    from quaestor.tools.notification import Channel

Report = Callable[[str], None]
_open_channels: "Callable[[Settings, Mapping[str, str]], Sequence[Channel]]" = deferred(
    "quaestor.tools.notification:open_channels"
)


class _Reached(NamedTuple):
    """What a session has come to, and what distinguishes that from the last time."""

    state: NoticeState
    cycle: int
    asked: frozenset[str] = frozenset()


def _reached(run: RunState) -> _Reached | None:
    """Return what a run has come to that concerns a person; None where it goes on, or rests as a person asked."""
    match run.status:
        case "finished" if run.outcome in {"done", "partial"}:
            return _Reached("done", run.cycle)
        case "finished" if run.outcome != "cancelled":
            return _Reached("failed", run.cycle)
        case "paused" if run.pause == "setup":
            return _Reached("failed", run.cycle)
        case "running" | "paused" if run.questions:
            return _Reached("waiting", run.cycle, frozenset(asked.ref for asked in run.questions))
        case _:
            return None


class SessionNotices:
    """The notices of one session while it runs here."""

    def __init__(self, session: Session, address: str, channels: "Sequence[Channel]", report: Report) -> None:
        self._session = session
        self._address = address
        self._channels = channels
        self._report = report
        self._last: _Reached | None = None
        self._sending: list[asyncio.Task[None]] = []

    def begin(self, run: RunState) -> None:
        """Note what the log had come to before this run."""
        self._last = _reached(run)

    def follow(self, run: RunState) -> None:
        """Send a notice of what the log has come to, unless that is known."""
        before, self._last = self._last, _reached(run)
        reached = self._last
        if reached is None or reached == before:
            return
        if before and (before.state, before.cycle) == (reached.state, reached.cycle) and reached.asked <= before.asked:
            return  # one of several questions was answered
        line = (self._session.question.splitlines() or [""])[0]
        notice = Notice(
            session_id=self._session.id,
            state=reached.state,
            question=line[:MAX_QUESTION_CHARACTERS],
            address=self._address,
        )
        self._sending += [asyncio.create_task(self._send(channel, notice)) for channel in self._channels]

    async def finish(self) -> None:
        """Wait until what was begun is sent, or has failed."""
        await asyncio.gather(*self._sending)

    def drop(self) -> None:
        """End what is being sent."""
        for task in self._sending:
            task.cancel()

    async def _send(self, channel: "Channel", notice: Notice) -> None:
        """Send a notice; what is in the way of that is reported and ends no run."""
        try:
            await channel.send(notice)
        except ToolFailed as error:
            self._report(f"a notice was not sent: {error}")


@asynccontextmanager
async def send_notices(
    settings: Settings, environment: Mapping[str, str], session: Session, report: Report
) -> AsyncIterator[SessionNotices]:
    """Yield what sends the notices of a session while the body runs it; `report` gets a line for each that fails.

    Raises UsageError for a list of allowed hosts that cannot be read.
    """
    is_wanted = settings.notify_bell or settings.notify_desktop or settings.notify_webhook or settings.notify_command
    channels = _open_channels(settings, environment) if is_wanted else ()
    notices = SessionNotices(session, f"{settings.notify_address.rstrip('/')}/sessions/{session.id}", channels, report)
    try:
        yield notices
    except asyncio.CancelledError:
        notices.drop()
        raise
    await notices.finish()
