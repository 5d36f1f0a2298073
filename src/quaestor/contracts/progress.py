"""The progress of a run: figures and items for the live view, and one description for each event."""

from typing import Literal, Protocol, TypeVar

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import LimitUsage, Spend
from quaestor.contracts.event import Event

V = TypeVar("V")

ItemStatus = Literal["pending", "in_progress", "done", "blocked", "failed"]


class ProgressItem(Contract):
    """A row of the tree, as one todo."""

    id: str
    parent: str | None = Field(default=None, description="The id of the row it belongs below.")
    status: ItemStatus
    activity: str = Field(description="What it does now, in a word or two; its status where it does nothing.")
    note: str = Field(default="", description="What it waits for, or what it found so far.")
    text: str


class Figure(Contract):
    """A number of the head line with its noun, as `3/5 todos`."""

    text: str
    alert: bool = Field(default=False, description="Shown with emphasis, as what failed.")


class Discovery(Contract):
    """What an item found, as a claim."""

    item: str
    text: str


class WorkflowProgress(Contract):
    """What a workflow knows of its own progress."""

    figures: tuple[Figure, ...] = ()
    forecast: str | None = Field(default=None, description="How long it may still take, and what that is based on.")
    items: tuple[ProgressItem, ...] = ()
    news: tuple[Discovery, ...] = Field(default=(), description="What was found last, the newest at the end.")


class SessionProgress(Contract):
    """A session at one moment."""

    seconds: float = Field(description="Of running, until this moment.")
    state: str = Field(description="In words.")
    question: str | None = Field(default=None, description="What a person is asked.")
    problem: tuple[float, str] | None = Field(default=None, description="The last one, and when: seconds of running.")
    spent: Spend
    limits: tuple[LimitUsage, ...] = ()
    workflow: WorkflowProgress


class RunPosition(Contract):
    """Where a run is, for a workflow that estimates how long it may still take."""

    seconds: float = Field(description="Of running.")
    limit: float | None = Field(default=None, description="Seconds that the session may run at most.")
    working: bool = Field(default=True, description="False while it is paused, finished or waits for a person.")


class ProgressView(Protocol[V]):
    """A fold of the events of a session into what its live view shows; pure. A workflow may offer one."""

    def begin(self) -> V:
        """Return the view before any event."""

    def fold(self, view: V, event: Event, seconds: float) -> V:
        """Return the view after one more event, which came after so many seconds of running."""

    def progress(self, view: V, position: RunPosition) -> WorkflowProgress:
        """Return what is shown at this moment."""


Importance = Literal["detail", "progress", "problem"]
"""`detail` is shown in the list of events only, `progress` also during a run, `problem` with emphasis."""


class EventDescription(Contract):
    """An event in words: one line, and lines that belong below it."""

    text: str
    details: tuple[str, ...] = Field(default=(), description="Lines below the text, as the todos of a plan.")
    importance: Importance = "progress"
    continues: bool = Field(default=False, description="The text belongs below the line of an earlier event.")
