"""How one workflow carries out a todo of another one: what it is given, its run, and what it ends with.

    TodoRequest -> TodoRun --apply (every event of the session)--> TodoRun ... -> TodoOutcome
                      |
                      +--next--> actions, with keys below `todo/ID/` and states of its own

The session of the other workflow has one log, one budget and one inbox; a run is a part of its state. What a plugin
publishes so that its workflow can be used like this is `contracts.plugin.TodoWorkflow`.
"""

from collections.abc import Sequence
from typing import Annotated, Protocol

from pydantic import Field, JsonValue, StringConstraints

from quaestor.contracts.action import Action
from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.base import Contract
from quaestor.contracts.event import Event, Outcome, QuestionAsked
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.settings import RunOptions

KindName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
"""The kind of a todo: how it is carried out."""
TODO_END = "DEPOSITING"
"""The state of a todo after those of the workflow that carries it out: what it produced is kept."""


class TodoOptions(Contract):
    """What a session lets the todos of one kind use."""

    run: RunOptions = Field(default_factory=RunOptions, description="What the whole session runs with.")
    tools: tuple[str, ...] = Field(default=(), description="Tools that they may call.")
    approve: tuple[str, ...] = Field(default=(), description="Calls of these need a person's yes, always.")
    approved: tuple[StandingApproval, ...] = Field(default=(), description="Calls that need no yes any more.")
    approve_after_untrusted: bool = Field(
        default=True, description="Calls with side effects need a yes once words of others were read."
    )
    workspace: str = Field(default="", description="The folder in which they work, each in one of its own.")
    engines: tuple[str, ...] = Field(default=(), description="Search engines of the web that are asked.")
    sources: SourceBounds = Field(default=ANY_SOURCE, description="What else is not used.")
    corpus: str = Field(default="", description="The id of the corpus that is searched.")
    own: JsonValue = Field(default=None, description="Options of the workflow that carries them out.")


class TodoRequest(Contract):
    """A todo to be carried out."""

    session_id: str
    todo_id: str
    task: str
    known: tuple[str, ...] = Field(default=(), description="What the todos found on which it depends, as claims.")
    options: TodoOptions = Field(default_factory=TodoOptions)  # made when it is needed: its schema takes 20 ms

    @property
    def key_prefix(self) -> str:
        """The beginning of the keys of all its actions."""
        return f"todo/{self.todo_id}/"


class TodoOutput(Contract):
    """A text that a run produced, which is kept as a source."""

    key: str = Field(description="Of the action in the log that produced it.")
    title: str
    text: str = Field(min_length=1)


class OutputClaim(Contract):
    """A claim that words of an output prove."""

    claim: str = Field(min_length=1, max_length=2000)
    output: str = Field(description="The key of the output.")
    quote: str = Field(min_length=1, max_length=4000, description="Its exact words.")


class TodoOutcome(Contract):
    """How a run ended."""

    outcome: Outcome
    statement: str = Field(description="The result in words, which is remembered of it.")
    outputs: tuple[TodoOutput, ...] = Field(default=(), description="Its evidence.")
    claims: tuple[OutputClaim, ...] = Field(
        default=(), description="What the outputs prove; none: a reader finds it in them."
    )
    gaps: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()


class TodoRun(Protocol):
    """A workflow that carries out one todo: an immutable state with its fold and its routing. Pure."""

    @property
    def open_question(self) -> QuestionAsked | None:
        """The question that a person has not answered yet."""

    @property
    def untrusted_source(self) -> str | None:
        """Where text of others came from that it read first; None when it read none."""

    @property
    def outcome(self) -> TodoOutcome | None:
        """How it ended; None while it goes on."""

    def apply(self, event: Event) -> "TodoRun":
        """Return the run after one more event of the session; events that do not concern it change nothing."""

    def next(self) -> Sequence[Action]:
        """Return the actions that are wanted now."""

    def mark_untrusted(self, source: str) -> "TodoRun":
        """Return a run that knows that text of others was read in its session; the first source is kept."""

    def refuse_answer(self, text: str) -> str | None:
        """Return why a person's text does not answer the open question; None when it does."""
