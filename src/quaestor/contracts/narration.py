"""What an event says to a person: one description for the lines of a run, the live view and the list of events."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract

Importance = Literal["detail", "progress", "problem"]
"""`detail` is shown in the list of events alone, `progress` to whoever watches a run, `problem` with emphasis."""


class EventDescription(Contract):
    """An event in words: one line, and lines that belong below it."""

    text: str
    details: tuple[str, ...] = Field(default=(), description="Lines below the text, as the todos of a plan.")
    importance: Importance = "progress"
    continues: bool = Field(default=False, description="The text belongs below the line of an earlier event.")
