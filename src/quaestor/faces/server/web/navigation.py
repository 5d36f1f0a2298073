"""The pages of one session, as the tabs at its top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from quaestor.contracts.session import Session

TabName = Literal["live"]


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a session."""

    name: TabName
    suffix: str
    """Of its address, behind the one of the session."""
    workflows: frozenset[str] | None = None
    """Those whose sessions have it; None: all."""


_TABS = (Tab("live", ""),)


@dataclass(frozen=True, slots=True)
class TabLink:
    """A tab of one session."""

    name: TabName
    path: str
    is_current: bool


def session_tabs(session: Session, current: TabName) -> Sequence[TabLink]:
    """Return the tabs of a session, in order, for one of its pages."""
    return [
        TabLink(tab.name, f"/sessions/{session.id}{tab.suffix}", tab.name == current)
        for tab in _TABS
        if tab.workflows is None or session.workflow in tab.workflows
    ]
