"""The pages that workflows have of their own: what a task made, and what a decision session did."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quaestor.app.log_readings import LogReadings
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.panels import Panel
from quaestor.contracts.plugin import PanelReader
from quaestor.runtime.registry import get_plugin, workflow_names

_MAX_SESSIONS = 20
"""Whose panels are kept, those that were looked at last."""
_PAGE_EVENTS = 200
"""Read at a time; nothing else goes on meanwhile."""


class ShownPanels(NamedTuple):
    """The panels of a session; `is_whole` is False while a long log is being read."""

    panels: Sequence[Panel]
    is_whole: bool


@dataclass(slots=True)
class _Progress:
    """A reader, and the number of the last event that it has taken."""

    reader: PanelReader
    seq: int = 0


def has_panels(workflow: str) -> bool:
    """Return whether sessions of a workflow have a page of their own."""
    return workflow in workflow_names() and get_plugin(workflow).panels is not None


class SessionPanels:
    """The panels of the sessions that are looked at, each event of which is read once."""

    def __init__(self) -> None:
        self._readings = LogReadings[_Progress](_MAX_SESSIONS)

    async def read(self, quaestor: Quaestor, session_id: str, patience: float | None = None) -> ShownPanels:
        """Return what the workflow of a session shows of it, as far as its log was read after `patience` seconds.

        It is nothing where the workflow shows nothing. Raises UnknownSession, also for one of another tenant.
        """
        begin = get_plugin((await quaestor.session(session_id)).workflow).panels
        if begin is None:
            return ShownPanels((), is_whole=True)

        async def read_on(progress: _Progress) -> None:
            while page := await quaestor.events(session_id, progress.seq, _PAGE_EVENTS):
                for event in page:
                    progress.reader.take(event)
                    progress.seq = event.seq
                await asyncio.sleep(0)

        progress, is_whole = await self._readings.read(session_id, lambda: _Progress(begin()), read_on, patience)
        return ShownPanels(progress.reader.panels(), is_whole)

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was erased."""
        self._readings.forget(session_id)
