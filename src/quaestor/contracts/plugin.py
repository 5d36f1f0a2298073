"""What a workflow brings to the program. Built-in workflows and those of other packages use the same contract."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import JsonValue, ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import CORE_CODEC, Codec
from quaestor.contracts.command import WorkflowCommand
from quaestor.contracts.context import RunContext, SessionRequest, SetupContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, ToolCall
from quaestor.contracts.faults import describe_faults
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.panels import Panel
from quaestor.contracts.progress import EventDescription, ProgressView
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.stream_view import CORE_STREAM, StreamView
from quaestor.contracts.todo import TodoOptions, TodoRequest, TodoRun
from quaestor.contracts.tools import AnyTool
from quaestor.contracts.workflow import StateSpec, Workflow

StateT = TypeVar("StateT")
OptionsT = TypeVar("OptionsT", bound=RunOptions)
RoleT = TypeVar("RoleT", bound=RoleInput)
InputT = TypeVar("InputT", bound=PromptInput)


def _describe_nothing(_: Event) -> EventDescription | None:
    return None


class AnswerRule(Immutable, Generic[RoleT]):
    """How the offline model fulfils the contract of one role."""

    given: type[RoleT]
    answer: Callable[[RoleT], Contract]


class ToolRule(Immutable, Generic[InputT]):
    """How the offline model chooses the tool calls of one role."""

    given: type[InputT]
    choose: Callable[[InputT], tuple[ToolCall, ...]]


OfflineRules = Sequence[AnswerRule[Any] | ToolRule[Any]]
LabelledValues = tuple[tuple[str, str], ...]
"""Pairs of a label and a value."""


class SessionSummary(Immutable):
    """What `show` prints of a session beside what all sessions have."""

    given: LabelledValues = ()
    limits: tuple[str, ...] = ()
    """Limits beside those of the budget."""
    results: LabelledValues = ()
    below: tuple[str, ...] = ()
    """Lines below the table."""


ReportFormat = Literal["md", "html", "json"]
"""The formats that a report can be written in."""
ReportView = Callable[[AsyncIterator[Event]], Awaitable[str | None]]
"""Renders the report of a session from its events; None when there is nothing yet."""


class PanelReader(Protocol):
    """A reader of what the page of a session shows, from its events as they come.

    One that is a dataclass is kept in snapshots of long logs, if all that it has is in its fields, which are typed.
    """

    def take(self, event: Event) -> None:
        """Take the next event of the log."""

    def panels(self) -> Sequence[Panel]:
        """Return what is shown of the events so far; more may be taken afterwards. It is called in a thread."""


PanelsView = Callable[[], PanelReader]


def _no_rules() -> OfflineRules:
    return ()


def _no_inputs() -> Sequence[type[PromptInput]]:
    return ()


async def _no_tools(_context: RunContext, _options: RunOptions, _state: object) -> Sequence[AnyTool]:
    return ()


def _no_steps(_: RunOptions) -> Sequence[Callable[[], object]]:
    return ()


def _no_summary(_: object) -> SessionSummary:
    return SessionSummary()


async def _no_todo_tools(_context: RunContext, _options: TodoOptions) -> Sequence[AnyTool]:
    return ()


def _own_options(_context: SetupContext, options: TodoOptions) -> JsonValue:
    return options.own


class TodoWorkflow(Immutable, kw_only=True):
    """How the workflow of a plugin carries out todos of another one, of the kind under which the registry has it.

    The agents, role inputs, offline rules and codec of the plugin are used beside those of the other workflow.
    """

    description: str
    """What its todos are for, as planners read it: the end of a sentence that begins with their kind."""
    states: Mapping[str, StateSpec]
    """The rows of its states, by names that no other workflow has; the last ones lead to `todo.TODO_END`."""
    start: Callable[[TodoRequest], TodoRun]
    """Returns the run of a todo before its first event. Pure."""
    tools: Callable[[RunContext, TodoOptions], Awaitable[Sequence[AnyTool]]] = _no_todo_tools
    """Returns the tools that its states may use."""
    configure: Callable[[SetupContext, TodoOptions], JsonValue] = _own_options
    """Returns its own options, resolved, when a session starts. Raises UsageError for what cannot be used."""


class WorkflowPlugin(Immutable, Generic[StateT, OptionsT], kw_only=True):
    """Everything that a workflow brings; found by the workflow's name in the entry points `quaestor.workflows`.

    Only `workflow` and `options` are required. Functions may be `deferred`, so that a run imports what it uses alone.
    """

    workflow: Workflow[StateT]
    options: type[OptionsT]
    """What its sessions run with."""
    configure: Callable[[SetupContext, SessionRequest], OptionsT] | None = None
    """Returns the options of a new session; None: those of the settings and of the request, with resolved models."""
    agents: tuple[Path, ...] = ()
    """Folders of `.prompt` files; a file in a later one replaces one of its name in an earlier one."""
    role_inputs: Callable[[], Sequence[type[PromptInput]]] = _no_inputs
    """Returns the inputs that its agents may name in `input.schema`."""
    offline_rules: Callable[[], OfflineRules] = _no_rules
    """Returns how its roles are played by the offline model."""
    tools: Callable[[RunContext, OptionsT, StateT], Awaitable[Sequence[AnyTool]]] = _no_tools
    """Returns the tools that its states may use."""
    warm_up: Callable[[OptionsT], Sequence[Callable[[], object]]] = _no_steps
    """Returns what loads, a piece at a time, what a session needs later; called while its first call is under way."""
    summarize: Callable[[StateT], SessionSummary] = _no_summary
    """Returns what `show` prints of a session."""
    progress: Callable[[StateT], str] | None = None
    """Returns one cell for `ps`, as 3/5; None: the number of cycles."""
    reports: Mapping[str, ReportView] = field(default_factory=lambda: MappingProxyType({}))
    """What `report --format NAME` prints, by the name of the format."""
    report_types: frozenset[str] | None = None
    """The types of the events that its reports are made of, which alone are read for them; None: all."""
    panels: PanelsView | None = None
    """What its own page of a session shows; None: there is no such page."""
    stream: StreamView = CORE_STREAM
    """How its own events appear in the public stream."""
    answer_commands: Mapping[str, WorkflowCommand] = field(default_factory=lambda: MappingProxyType({}))
    """Commands by the words, in lower case, for which a person may type them as an answer, as `/confirm_plan`."""
    codec: Codec = CORE_CODEC
    """How its events, facts and results are decoded."""
    describe: Callable[[Event], EventDescription | None] = _describe_nothing
    """Puts an event of its own into words; None for one that the core describes."""
    live_view: Callable[[], ProgressView[Any]] | None = None
    """Returns the fold that a terminal draws during a run; None: it prints lines."""
    commands: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Commands of the program by their names, each a function at `module:attribute`."""
    as_todo: TodoWorkflow | None = None
    """How it carries out todos of other workflows; None: it does not."""
    with_todos: Callable[[Mapping[str, TodoWorkflow]], Workflow[StateT]] | None = None
    """Returns the workflow, given those that carry out its todos, by kind; None: it leaves no todo to others."""

    def parse_options(self, values: Mapping[str, object]) -> OptionsT:
        """Return options from their values by name. Raises UsageError that names each option that cannot be used."""
        try:
            return self.options.model_validate(values)
        except ValidationError as error:
            raise invalid_options(self.workflow.name, error) from error

    def configure_session(self, context: SetupContext, request: SessionRequest) -> OptionsT:
        """Return the options of a new session.

        Raises UsageError for an option, a model or a budget that cannot be used, SetupError for a missing key.
        """
        if self.configure is None:
            options = self.parse_options({**dict(context.settings.run_options()), **request.options})
            return context.resolve_models(options)
        try:
            return self.configure(context, request)
        except ValidationError as error:
            raise invalid_options(self.workflow.name, error) from error


def invalid_options(workflow: str, error: ValidationError) -> UsageError:
    """Return the error for options of a workflow that do not fulfil their contract."""
    return UsageError(f"an option of {workflow} cannot be used: {describe_faults(error)}")
