"""What a process needs to read sessions, made before anybody waits for it."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.session import SessionQuery
from quaestor.runtime.log_folds import LogFold, session_fold
from quaestor.runtime.reader_snapshots import reader_folds
from quaestor.runtime.registry import get_plugin, workflow_names

_NEWEST = 200
"""Sessions whose workflows are prepared for."""


async def prepare_readers(quaestor: Quaestor) -> None:
    """Import the workflows of the newest sessions, and what reads the snapshots of their logs, in a thread.

    The first reader of a session else waits for that: a quarter of a second of CPU, once in a process.
    """
    newest = await quaestor.select_sessions(SessionQuery(limit=_NEWEST))
    used = {session.workflow for session in newest}.intersection(workflow_names())
    await asyncio.to_thread(_prepare, used, quaestor.reader_folds())


def _prepare(workflows: Collection[str], more: Sequence[LogFold[Any]]) -> None:
    for plugin in map(get_plugin, workflows):
        for fold in (session_fold(plugin), *reader_folds(plugin), *more):
            fold.make_codec()  # what it reads of the types is kept for every other codec of them
