"""The steps of a todo that is carried out with tools: a long task, whose programs print the evidence.

    the states of a task -> DEPOSITING -> READING -> QUOTING -> REFLECTING -> RECORDING -> UPDATING_PLAN

What a model wrote is no evidence; what a program printed is, and becomes a source that the reader quotes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from quaestor.contracts.action import Action, ToolRun
from quaestor.contracts.event import Event, FactRecorded, QuestionAsked, ToolResponded
from quaestor.contracts.ledger import Finding
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.workspace import ProgramResult
from quaestor.evidence.ranking import json_size, take_within
from quaestor.longtask import routing, task_fold
from quaestor.longtask.contracts import Acted, TaskOptions
from quaestor.longtask.state import TaskSetup, TaskState, UnplannedTask, rejected_objections, task_ending
from quaestor.longtask.state import mark_untrusted as mark_task_untrusted
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.tools import DepositInput, ProgramOutput
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState
from quaestor.research.todo_steps import Reading, Recording, Working

_UNTRUSTED_TOOLS = frozenset({"search", "search_web", "web_search", "fetch", "pick", "survey", "consult", "operate"})
"""Tools of other todos that bring text of documents, pages and servers; `web_search` in logs of earlier releases."""
MAX_OUTPUTS = 20
MAX_OUTPUT_CHARACTERS = 4_000
"""The last outputs are kept as evidence, each up to so many characters."""


def start_task(todo: Todo, options: ResearchOptions, recalled: Iterable[Finding]) -> TaskState:
    """Return the task of a todo before its first event; its findings begin with what its dependencies found."""
    known = tuple(finding.claim for finding in recalled)
    prefix = f"todo/{todo.id}/"
    return UnplannedTask(TaskSetup(todo.task, todo.id, task_options(options), prefix, todo.id, known))


def untrusted_source(event: Event) -> str | None:
    """Return which tool brought text of others, and for which todo; None if the event did not."""
    match event.payload:
        case ToolResponded(tool=tool, key=key, error=None) if tool in _UNTRUSTED_TOOLS:
            if key.startswith("todo/"):  # a call of a task, whose `Acted` has what it read
                return None
            return f"{tool} for {event.todo_id}" if event.todo_id else tool
        case FactRecorded(value=Acted(untrusted=str(source))) if source:
            return f"{event.todo_id}: {source}"
        case _:
            return None


def mark_untrusted(state: TodoState, source: str) -> TodoState:
    """Mark the task of a todo as one in whose session text of others was read."""
    if not isinstance(state.step, Working):
        return state
    return replace(state, step=replace(state.step, task=mark_task_untrusted(state.step.task, source)))


def task_options(options: ResearchOptions) -> TaskOptions:
    """Return the options of the tasks that a session's todos run."""
    common = {name: getattr(options, name) for name in RunOptions.model_fields}
    return TaskOptions.model_validate(
        {
            **common,
            "workspace": options.workspace,
            "tools": options.allow,
            "engines": options.engines,
            "corpus": options.corpus,
            "approve": options.approve,
            "approve_after_untrusted": options.approve_after_untrusted,
        }
    )


def next_actions(step: Working, todo: Todo, options: ResearchOptions) -> Sequence[Action]:
    """Return what the task wants; once it has ended, the deposit that makes sources of its outputs."""
    if task_ending(step.task) is None:
        return routing.next_actions(step.task)
    given = DepositInput(query=todo.task, limit=options.hits, outputs=step.outputs)
    return [ToolRun(key=f"todo/{todo.id}/deposit", state="DEPOSITING", todo_id=todo.id, tool="deposit", given=given)]


def fold(state: TodoState, event: Event) -> TodoState:
    """Return the state after one more event of the session: answers and limits concern a task as well as its own."""
    if not isinstance(state.step, Working):
        return state
    task = task_fold.fold(state.step.task, event)
    if objections := rejected_objections(task):
        task = task_fold.stop_early(task, "partial", f"three replies could not be used: {'; '.join(objections)}")
    match event.payload:
        case ToolResponded(tool=tool, error=None) as ran if event.todo_id == state.todo_id and tool != "dump":
            tools = state.tools if tool in state.tools else (*state.tools, tool)
            outputs = (*state.step.outputs, *_program_output(state.todo_id, ran))[-MAX_OUTPUTS:]
            return replace(state, tools=tools, step=replace(state.step, task=task, outputs=outputs))
        case _:
            return replace(state, step=replace(state.step, task=task))


def is_asked_by(state: TodoState, asked: QuestionAsked) -> bool:
    """Return whether a question comes from the task of this todo."""
    return isinstance(state.step, Working) and asked.ref.startswith(state.step.task.setup.prefix)


def apply_deposit(state: TodoState, step: Working, outcome: ToolResponded, options: ResearchOptions) -> TodoState:
    """Go on with the passages of the outputs; without any, the todo ends with the statement of its task."""
    ending = task_ending(step.task)
    summary = ending.statement[:MAX_OUTPUT_CHARACTERS] if ending else ""
    unfinished = (ending.statement,) if ending and ending.outcome != "done" else ()
    failed = (f"What its programs printed could not be kept: {outcome.error}",) if outcome.error else ()
    state = replace(state, summary=summary, gaps=(*state.gaps, *unfinished, *failed))
    hits = outcome.result.hits if isinstance(outcome.result, SearchResults) else ()
    unread = take_within(hits, options.reading_characters, json_size)
    if unread and not step.is_stopped:
        seen = frozenset((hit.passage.source, hit.passage.start) for hit in unread)
        return replace(state, step=Reading(), unread=unread, seen=seen)
    failure = None if ending and ending.outcome == "done" else summary
    return replace(state, step=Recording(failure))


def uncited_summary(state: TodoState) -> str:
    """Return how a todo ended that was carried out with tools and has nothing to cite; empty for any other todo."""
    return f"Nothing to cite; it ended with: {state.summary}" if "deposit" in state.tools and state.summary else ""


def _program_output(todo_id: str, ran: ToolResponded) -> tuple[ProgramOutput, ...]:
    """Return what a program printed that ended well; nothing for other tools."""
    if not isinstance(ran.result, ProgramResult):
        return ()
    text = ran.result.stdout.strip()[:MAX_OUTPUT_CHARACTERS]
    if ran.result.exit_code or not text:
        return ()
    number = ran.key.split("/")[-2]
    return (ProgramOutput(key=ran.key, title=f"Output of {ran.tool} in round {number} of {todo_id}", text=text),)
