"""The pages that workflows have of their own: what a task made, and what a decision session did."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from quaestor.app.shorthands import Quaestor
from quaestor.app.watching.log_readings import LogReadings
from quaestor.contracts.panels import Panel
from quaestor.contracts.plugin import PanelReader
from quaestor.runtime.log_folds import LogFold, panel_fold
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
    """What a log was folded to, and what was drawn of that, each with the number of the last event in it."""

    folded: tuple[int, PanelReader] | None = None
    drawn: tuple[int, Sequence[Panel]] = (0, ())


def has_panels(workflow: str) -> bool:
    """Return whether sessions of a workflow have a page of their own."""
    return workflow in workflow_names() and get_plugin(workflow).panels is not None


class SessionPanels:
    """The panels of the sessions that are looked at, each event of which is read once."""

    def __init__(self) -> None:
        self._readings = LogReadings[_Progress](_MAX_SESSIONS)

    async def read(self, quaestor: Quaestor, session_id: str, patience: float | None = None) -> ShownPanels:
        """Return what the workflow of a session shows of it, as far as its log was drawn after `patience` seconds.

        It is nothing where the workflow shows nothing. Raises UnknownSession, also for one of another tenant.
        """
        view = get_plugin((await quaestor.session(session_id)).workflow).panels
        if view is None:
            return ShownPanels((), is_whole=True)
        read_on = partial(_read_on, quaestor, session_id, panel_fold(view))
        progress, is_whole = await self._readings.read(session_id, _Progress, read_on, patience)
        return ShownPanels(progress.drawn[1], is_whole)

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was erased."""
        self._readings.forget(session_id)


async def _read_on(quaestor: Quaestor, session_id: str, fold: LogFold[PanelReader], progress: _Progress) -> None:
    """Fold what a session has beyond what is folded, and draw it, which takes a while where the log is long."""
    folds = quaestor.fold_onwards(session_id, fold, progress.folded, page_events=_PAGE_EVENTS)
    async for seq, reader in folds:
        progress.folded = seq, reader
    if progress.folded and progress.drawn[0] != progress.folded[0]:
        seq, reader = progress.folded
        progress.drawn = seq, await asyncio.to_thread(reader.panels)
