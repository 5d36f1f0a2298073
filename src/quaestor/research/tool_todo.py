"""The life of a todo done with tools: the rounds of a long task, and what its programs printed as evidence.

    the states of `rounds` -> DEPOSITING -> READING -> QUOTING -> REFLECTING -> RECORDING -> UPDATING_PLAN

What a model wrote is no evidence, what a program printed is: it becomes a source that the reader quotes.
"""

from collections.abc import Iterable, Sequence

from quaestor.contracts.action import Action, ToolRun
from quaestor.contracts.event import Event, FactRecorded, ToolResponded
from quaestor.contracts.ledger import Finding
from quaestor.contracts.options import RunOptions
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.workspace import ProgramResult
from quaestor.evidence.ranking import json_size, take_within
from quaestor.longtask import routing, task_fold
from quaestor.longtask.contracts import Acted, TaskOptions
from quaestor.longtask.state import TaskSetup, TaskState, UnplannedTask, rejected_objections, task_ending
from quaestor.longtask.state import mark_untrusted as mark_task_untrusted
from quaestor.research.contracts.deposit import DepositInput, ProgramOutput
from quaestor.research.contracts.plan import Todo
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState

_UNTRUSTED_TOOLS = frozenset({"search", "search_web", "web_search", "fetch", "pick", "survey", "consult", "operate"})
"""Tools of other todos that bring words of documents, pages and servers; `web_search` in logs of earlier releases."""
MAX_OUTPUTS = 20
MAX_OUTPUT_CHARACTERS = 4_000
"""Outputs that are kept as evidence, the last ones, and the characters of each."""


def start_task(todo: Todo, options: ResearchOptions, recalled: Iterable[Finding]) -> TaskState:
    """Give the rounds of a todo before their first event; what its dependencies found stands in its findings."""
    known = tuple(finding.claim for finding in recalled)
    prefix = f"todo/{todo.id}/"
    return UnplannedTask(TaskSetup(todo.task, todo.id, task_options(options), prefix, todo.id, known))


def untrusted_source(event: Event) -> str | None:
    """Say whose words an event of a session brought, if it did: they may be in what any later todo is told."""
    match event.payload:
        case ToolResponded(tool=tool, key=key, error=None) if tool in _UNTRUSTED_TOOLS:
            if key.startswith("todo/"):  # a round of a tool todo, whose `Acted` says what it read
                return None
            return f"{tool} for {event.todo_id}" if event.todo_id else tool
        case FactRecorded(value=Acted(untrusted=str(read))) if read:
            return f"{event.todo_id}: {read}"
        case _:
            return None


def mark_untrusted(life: TodoState, words: str) -> TodoState:
    """Let a todo know that words of others were read in its session."""
    return life if life.rounds is None else life.after(rounds=mark_task_untrusted(life.rounds, words))


def task_options(options: ResearchOptions) -> TaskOptions:
    """Give what the rounds of a session's todos run with."""
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


def next_actions(life: TodoState, todo: Todo, options: ResearchOptions) -> Sequence[Action]:
    """Say what the rounds want, or when they have ended that their outputs become sources."""
    if life.rounds is None:
        return ()
    if task_ending(life.rounds) is None:
        return routing.next_actions(life.rounds)
    given = DepositInput(query=todo.task, limit=options.hits, outputs=life.outputs)
    return [ToolRun(key=f"todo/{todo.id}/deposit", state="DEPOSITING", todo_id=todo.id, tool="deposit", given=given)]


def fold(life: TodoState, event: Event) -> TodoState:
    """Give the life after one more event of the session: answers and limits concern it as well as its own."""
    if life.rounds is None or life.step != "tasking":
        return life
    after = task_fold.fold(life.rounds, event)
    if objections := rejected_objections(after):
        after = task_fold.stop_early(after, "partial", f"three replies could not be used: {'; '.join(objections)}")
    return life.after(rounds=after, **_collect_output(life, event))


def apply_deposit(life: TodoState, outcome: ToolResponded, options: ResearchOptions) -> TodoState:
    """Go on with the passages of the outputs; without any, the task ends with what its rounds said."""
    ending = task_ending(life.rounds) if life.rounds else None
    life = life.after(rounds=None, summary=ending.statement[:MAX_OUTPUT_CHARACTERS] if ending else "")
    if ending and ending.outcome != "done":
        life = life.after(gaps=(*life.gaps, ending.statement))
    if outcome.error:
        life = life.after(gaps=(*life.gaps, f"What its programs printed could not be kept: {outcome.error}"))
    hits = outcome.result.hits if isinstance(outcome.result, SearchResults) else ()
    shown = take_within(hits, options.reading_characters, json_size)
    if shown and not life.is_stopped:
        return life.after(
            step="reading", unread=shown, read=frozenset((h.passage.source, h.passage.start) for h in shown)
        )
    failure = None if ending and ending.outcome == "done" else life.summary
    return life.after(step="recording", failure=failure)


def uncited_summary(life: TodoState) -> str:
    """Say how a todo ended that was done with tools and brought nothing to cite; nothing of any other todo."""
    return f"Nothing to cite; it ended with: {life.summary}" if "deposit" in life.tools and life.summary else ""


def _collect_output(life: TodoState, event: Event) -> dict[str, object]:
    """Keep what a program of this todo printed and which tools it used."""
    match event.payload:
        case ToolResponded(tool=tool, key=key, result=result, error=None) if (
            event.todo_id == life.todo_id and tool != "dump"
        ):
            tools = life.tools if tool in life.tools else (*life.tools, tool)
            if not isinstance(result, ProgramResult):
                return {"tools": tools}
            ran = result
            text = ran.stdout.strip()[:MAX_OUTPUT_CHARACTERS]
            if ran.exit_code or not text:
                return {"tools": tools}
            number = key.split("/")[-2]
            output = ProgramOutput(key=key, title=f"Output of {tool} in round {number} of {life.todo_id}", text=text)
            return {"tools": tools, "outputs": (*life.outputs, output)[-MAX_OUTPUTS:]}
        case _:
            return {}
