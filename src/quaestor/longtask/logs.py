"""The findings and the progress of a task: two logs that only grow."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from quaestor.longtask.contracts import LogEntry
from quaestor.longtask.workspace_files import DEFAULT_HEADING, HEADINGS

_HEADING_PREFIX = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TaskLogs:
    """What a task noted, oldest first."""

    findings: tuple[LogEntry, ...] = ()
    progress: tuple[LogEntry, ...] = ()

    def add_findings(self, at: datetime, round_number: int, texts: Iterable[str]) -> "TaskLogs":
        """Return the logs with findings appended, each under the heading that its text begins with, if any."""
        entries = (_parse_entry(at, round_number, text) for text in texts)
        return replace(self, findings=(*self.findings, *entries))

    def add_progress(
        self, at: datetime, round_number: int, kind: Literal["action", "note", "error"], *texts: str
    ) -> "TaskLogs":
        """Return the logs with progress appended."""
        entries = (LogEntry(at=at, round=round_number, heading=kind, text=text) for text in texts)
        return replace(self, progress=(*self.progress, *entries))


def _parse_entry(at: datetime, round_number: int, text: str) -> LogEntry:
    prefix = _HEADING_PREFIX.match(text)
    if prefix is None:
        return LogEntry(at=at, round=round_number, heading=DEFAULT_HEADING, text=text)
    heading = next(each for each in HEADINGS if each.casefold() == prefix[1].casefold())
    return LogEntry(at=at, round=round_number, heading=heading, text=text[prefix.end() :])
