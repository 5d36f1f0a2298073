"""The host port: the operations of an open home that the commands of a workflow use."""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from quaestor.contracts.command import Command
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import CommandRefused
from quaestor.contracts.event import Event
from quaestor.contracts.library import CorpusState, ProgressCallback
from quaestor.contracts.ports import Clock
from quaestor.contracts.result import Result
from quaestor.contracts.session import Session, SessionQuery
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.workflow import Workflow

StateT = TypeVar("StateT")


class Host(Protocol):
    """The operations of an open home. Those on a session raise UnknownSession when there is none with this id."""

    @property
    def settings(self) -> Settings:
        """The settings of the process."""

    @property
    def clock(self) -> Clock:
        """The clock of the process."""

    @property
    def home(self) -> Path:
        """The folder of the home."""

    async def configure(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> RunOptions:
        """Return the options of a new session; of a replay, those of the session that the settings name.

        Raises UsageError for an option, a model or a budget that cannot be used, SetupError for a missing key.
        """

    async def index(self, docs: Sequence[str | Path], progress: ProgressCallback = ...) -> CorpusState:
        """Read and index what changed in these files and folders."""

    async def start_session(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> str:
        """Configure and begin a session, or find the unfinished one of the same request; return its id."""

    async def begin(self, workflow: str, text: str, options: RunOptions) -> str:
        """Start a session, or find the unfinished one of the same text and options; return its id."""

    async def session(self, session_id: str) -> Session:
        """Return a session."""

    async def sessions(self) -> Sequence[Session]:
        """Return all sessions, the newest first."""

    async def select_sessions(self, query: SessionQuery) -> Sequence[Session]:
        """Return the sessions that a query asks for, the newest first."""

    async def options(self, session_id: str) -> RunOptions:
        """Return what a session runs with."""

    async def unpriced(self, session_id: str) -> Sequence[str]:
        """Return the models of a session whose price is not known, so that their dollars do not count."""

    async def run(self, session_id: str, stop: asyncio.Event | None = None) -> Result:
        """Run a session until it is finished, waits for a person, or `stop` is set."""

    async def tell(self, session_id: str, order: Command) -> str | None:
        """Send a command to a session; return why it is refused, or None once it is carried out."""

    async def holder(self, session_id: str) -> str | None:
        """Return the living process that carries a session on, or None."""

    async def result(self, session_id: str) -> Result:
        """Return where a session has come to."""

    async def events(self, session_id: str, after: int = 0) -> Sequence[Event]:
        """Return the events with a number above `after`."""

    def read_events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Iterate over the events with a number above `after`, read page by page."""

    async def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        """Return the newest event of one of these types, or None."""

    async def folded(self, session_id: str, workflow: Workflow[StateT]) -> StateT:
        """Return the state of a session. Raises UsageError for a session of another workflow."""


async def send_command(host: Host, session_id: str, command: Command) -> None:
    """Send a command to a session. Raises CommandRefused with the reason when it is refused."""
    if refused := await host.tell(session_id, command):
        raise CommandRefused(f"session {session_id}: {refused}")
