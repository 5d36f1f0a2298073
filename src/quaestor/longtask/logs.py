"""The logs of a task: findings and progress, which only grow, and the failed calls with the errors that recur."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Literal

from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.longtask.contracts import Acted, LogEntry, TaskError
from quaestor.longtask.workspace_files import DEFAULT_HEADING, HEADINGS

_HEADING_PREFIX = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:\s*", re.IGNORECASE)
MAX_EQUAL_ERRORS = 3
"""How often one error may occur before a person is asked."""


class TaskLogs(Immutable):
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


class CallFailure(Immutable):
    """A call that failed, and how that was resolved, if it was."""

    error: str
    signature: str
    phase_id: str
    resolution: str = ""

    def resolved(self, resolution: str) -> "CallFailure":
        """Return the failure as resolved; the first resolution is kept."""
        return self if self.resolution else replace(self, resolution=resolution)


class FailureLog(Immutable):
    """The failed calls of a task.

    `unresolved_calls` maps the signature of each call that failed, and since which nothing has changed, to its round;
    `error_counts` maps each error without its numbers to how often it occurred.
    """

    failures: tuple[CallFailure, ...] = ()
    unresolved_calls: Mapping[str, int] = field(default_factory=dict[str, int])
    error_counts: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def errors(self) -> tuple[TaskError, ...]:
        """The errors in order, with their resolutions."""
        return tuple(TaskError(error=one.error, resolution=one.resolution) for one in self.failures)

    def add(self, acted: Acted, phase_id: str) -> "FailureLog":
        """Return the log with a call that failed in a phase."""
        strike = acted.strike or ""
        return FailureLog(
            failures=(*self.failures, CallFailure(acted.error or "", acted.signature, phase_id)),
            unresolved_calls={**self.unresolved_calls, acted.signature: acted.round},
            error_counts={**self.error_counts, strike: self.error_counts.get(strike, 0) + 1},
        )

    def resolve_call(self, acted: Acted, *, has_side_effects: bool) -> "FailureLog":
        """Return the log after a call that succeeded: its failures are resolved.

        After a call with side effects every failed call may be repeated.
        """
        resolution = f"round {acted.round}: the same call succeeded"
        failures = (one.resolved(resolution) if one.signature == acted.signature else one for one in self.failures)
        unresolved = {} if has_side_effects else self.unresolved_calls
        return replace(self, failures=tuple(failures), unresolved_calls=unresolved)

    def resolve_phases(self, phase_ids: Collection[str], round_number: int) -> "FailureLog":
        """Return the log with the failures of completed phases resolved."""
        resolution = f"round {round_number}: its phase was completed"
        failures = (one.resolved(resolution) if one.phase_id in phase_ids else one for one in self.failures)
        return replace(self, failures=tuple(failures))

    def resolve_errors(self, resolutions: Mapping[str, str]) -> "FailureLog":
        """Return the log with the resolutions that a person wrote, by error."""
        failures = (one.resolved(resolutions[one.error]) if one.error in resolutions else one for one in self.failures)
        return replace(self, failures=tuple(failures))

    def is_repeated(self, strike: str | None) -> bool:
        """Return whether an error occurred so often that a person is asked."""
        return strike is not None and self.error_counts.get(strike, 0) >= MAX_EQUAL_ERRORS

    def reset_count(self, strike: str | None) -> "FailureLog":
        """Return the log with the count of an error begun again."""
        counts = {error: count for error, count in self.error_counts.items() if error != strike}
        return replace(self, error_counts=counts)
