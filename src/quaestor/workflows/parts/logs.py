"""The two logs of a task: what was learned, and what was done."""

import re
from collections.abc import Iterable
from typing import Literal

from quaestor.contracts.event import Event
from quaestor.contracts.task import Entry
from quaestor.views.workspace import DEFAULT_HEADING, HEADINGS
from quaestor.workflows.parts.rounds_state import Rounds

_HEADED = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:\s*", re.IGNORECASE)


def noted(rounds: Rounds, event: Event, findings: Iterable[str]) -> Rounds:
    """Append to the findings, each under the heading that it begins with, if it does."""
    entries = tuple(_headed(event, rounds.round, text) for text in findings)
    return rounds.model_copy(update={"findings": (*rounds.findings, *entries)})


def logged(rounds: Rounds, event: Event, kind: Literal["action", "note", "error"], text: str) -> Rounds:
    """Append to the progress."""
    entry = Entry(at=event.at, round=rounds.round, heading=kind, text=text)
    return rounds.model_copy(update={"progress": (*rounds.progress, entry)})


def _headed(event: Event, number: int, text: str) -> Entry:
    named = _HEADED.match(text)
    if named is None:
        return Entry(at=event.at, round=number, heading=DEFAULT_HEADING, text=text)
    heading = next(each for each in HEADINGS if each.casefold() == named[1].casefold())
    return Entry(at=event.at, round=number, heading=heading, text=text[named.end() :])
