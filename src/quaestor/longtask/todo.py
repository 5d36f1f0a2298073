"""A long task as a todo of another workflow: what its programs print is the evidence of the todo.

What a model wrote is no evidence; what a program printed is.
"""

from collections.abc import Sequence

from pydantic import JsonValue

from quaestor.contracts.action import Action
from quaestor.contracts.context import SetupContext
from quaestor.contracts.event import Event, QuestionAsked, ToolResponded
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import TodoWorkflow
from quaestor.contracts.todo import TODO_END, TodoOptions, TodoOutcome, TodoOutput, TodoRequest
from quaestor.contracts.workspace import ProgramResult
from quaestor.longtask import routing, task_fold
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.reply_evaluation import UNCLEAR_APPROVAL, parse_approval
from quaestor.longtask.state import (
    TaskSetup,
    TaskState,
    UnplannedTask,
    mark_untrusted,
    open_question,
    rejected_objections,
    task_ending,
)
from quaestor.longtask.tools.names import require_known

MAX_OUTPUTS = 20
MAX_OUTPUT_CHARACTERS = 4_000
"""The last outputs are kept as evidence, each up to so many characters."""


class TaskRun(Immutable):
    """A task that carries out a todo; a `TodoRun`."""

    task: TaskState
    outputs: tuple[TodoOutput, ...] = ()
    tools_used: tuple[str, ...] = ()

    @property
    def open_question(self) -> QuestionAsked | None:
        """The question that a person has not answered yet."""
        return open_question(self.task)

    @property
    def untrusted_source(self) -> str | None:
        """Where text of others came from that was read first."""
        return self.task.untrusted_source

    @property
    def outcome(self) -> TodoOutcome | None:
        """How the task ended; None while it goes on or still writes its files."""
        ending = task_ending(self.task)
        if ending is None:
            return None
        unfinished = (ending.statement,) if ending.outcome != "done" else ()
        return TodoOutcome(
            outcome=ending.outcome,
            statement=ending.statement[:MAX_OUTPUT_CHARACTERS],
            outputs=self.outputs,
            gaps=unfinished,
            tools_used=self.tools_used,
        )

    def apply(self, event: Event) -> "TaskRun":
        """Return the run after one more event: answers and limits of the session concern it as well as its own."""
        task = task_fold.fold(self.task, event)
        if objections := rejected_objections(task):
            task = task_fold.stop_early(task, "partial", f"three replies could not be used: {'; '.join(objections)}")
        match event.payload:
            case ToolResponded(tool=tool, error=None) as ran if (
                event.todo_id == self.task.setup.todo_id and tool != "dump"
            ):
                tools = self.tools_used if tool in self.tools_used else (*self.tools_used, tool)
                outputs = (*self.outputs, *_program_output(ran, event.todo_id))[-MAX_OUTPUTS:]
                return replace(self, task=task, outputs=outputs, tools_used=tools)
            case _:
                return replace(self, task=task)

    def next(self) -> Sequence[Action]:
        """Return what the task needs now."""
        return routing.next_actions(self.task)

    def mark_untrusted(self, source: str) -> "TaskRun":
        """Return a run that knows that text of others was read in its session."""
        return replace(self, task=mark_untrusted(self.task, source))

    def refuse_answer(self, text: str) -> str | None:
        """Return why a text does not answer the open question: a call is approved by yes or no."""
        question = self.open_question
        is_approval = question is not None and question.kind == "approval"
        return UNCLEAR_APPROVAL if is_approval and parse_approval(text) is None else None


def start(request: TodoRequest) -> TaskRun:
    """Return the task of a todo before its first event; its findings begin with what its dependencies found."""
    options = task_options(request.options)
    setup = TaskSetup(request.task, request.todo_id, options, request.key_prefix, request.todo_id, request.known)
    return TaskRun(UnplannedTask(setup))


def task_options(options: TodoOptions) -> TaskOptions:
    """Return the options of the tasks of a session. Raises ValidationError for a tool that tasks do not have."""
    return TaskOptions.model_validate(
        {
            **dict(options.run),
            "workspace": options.workspace,
            "tools": options.tools,
            "engines": options.engines,
            "corpus": options.corpus,
            "sources": options.sources,
            "approve": options.approve,
            "approved": options.approved,
            "approve_after_untrusted": options.approve_after_untrusted,
        }
    )


def configure(context: SetupContext, options: TodoOptions) -> JsonValue:
    """Return no options beside those of the session. Raises UsageError for a tool that tasks do not have."""
    del context
    require_known((*options.tools, *options.approve))
    return None


def _program_output(ran: ToolResponded, todo_id: str | None) -> tuple[TodoOutput, ...]:
    """Return what a program printed that ended well; nothing for other tools."""
    if not isinstance(ran.result, ProgramResult):
        return ()
    text = ran.result.stdout.strip()[:MAX_OUTPUT_CHARACTERS]
    if ran.result.exit_code or not text:
        return ()
    number = ran.key.split("/")[-2]
    return (TodoOutput(key=ran.key, title=f"Output of {ran.tool} in round {number} of {todo_id}", text=text),)


TASK_TODO = TodoWorkflow(
    description="does work with programs and files",
    states=routing.state_rows(TODO_END, per_todo=True),
    start=start,
    tools=deferred("quaestor.longtask.session:todo_tools"),
    configure=configure,
)
