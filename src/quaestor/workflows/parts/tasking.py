"""The life of a todo done with tools: the rounds of a long task, and what its programs printed as evidence.

    the states of `rounds` -> DEPOSITING -> READING -> QUOTING -> REFLECTING -> RECORDING -> UPDATING_PLAN

What a model wrote is no evidence, what a program printed is: it becomes a source that the reader quotes.
"""

from collections.abc import Iterable, Sequence

from quaestor.contracts.action import Action, ToolRun
from quaestor.contracts.deposit import DepositGiven, Output
from quaestor.contracts.event import Event, FactRecorded, ToolResponded
from quaestor.contracts.ledger import Finding
from quaestor.contracts.options import ResearchOptions, RunOptions
from quaestor.contracts.plan import Todo
from quaestor.contracts.task import Acted, TaskOptions
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.workspace import ProgramResult
from quaestor.evidence.recall import size, within
from quaestor.workflows.parts import rounds, rounds_fold
from quaestor.workflows.parts.life import Life
from quaestor.workflows.parts.rounds_state import Rounds

_READING = frozenset({"search", "web_search", "fetch", "pick", "survey", "consult", "operate"})
"""Tools of other todos that bring words of documents, pages and servers."""
MOST_OUTPUTS = 20
LONGEST_OUTPUT = 4_000
"""Outputs that are kept as evidence, the last ones, and the characters of each."""


def begun(todo: Todo, options: ResearchOptions, recalled: Iterable[Finding]) -> Rounds:
    """Give the rounds of a todo before their first event; what its dependencies found stands in its findings."""
    life = rounds_fold.born(todo.task, todo.id, task_options(options), prefix=f"todo/{todo.id}/", todo_id=todo.id)
    return life.model_copy(update={"known": tuple(finding.claim for finding in recalled)})


def words_of_others(event: Event) -> str | None:
    """Say whose words an event of a session brought, if it did: they may be in what any later todo is told."""
    match event.payload:
        case ToolResponded(tool=tool, todo_id=todo_id, error=None) if tool in _READING:
            return f"{tool} for {todo_id}" if todo_id else tool
        case FactRecorded(contract="Acted", value=value):
            read = Acted.model_validate(value).untrusted
            return f"{event.todo_id}: {read}" if read else None
        case _:
            return None


def warned(life: Life, words: str) -> Life:
    """Let a todo know that words of others were read in its session."""
    if life.rounds is None or life.rounds.untrusted:
        return life
    return life.after(rounds=life.rounds.model_copy(update={"untrusted": words}))


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


def wanted(life: Life, todo: Todo, options: ResearchOptions) -> Sequence[Action]:
    """Say what the rounds want, or when they have ended that their outputs become sources."""
    if life.rounds is None:
        return ()
    if life.rounds.step != "ended":
        return rounds.wanted(life.rounds)
    given = DepositGiven(query=todo.task, limit=options.hits, outputs=life.outputs)
    return [ToolRun(key=f"todo/{todo.id}/deposit", state="DEPOSITING", todo_id=todo.id, tool="deposit", given=given)]


def apply(life: Life, event: Event) -> Life:
    """Give the life after one more event of the session: answers and limits concern it as well as its own."""
    if life.rounds is None or life.step != "tasking":
        return life
    after = rounds_fold.apply(life.rounds, event)
    if after.broken:
        after = rounds_fold.ended(after, "partial", f"three replies could not be used: {'; '.join(after.broken)}")
    return life.after(rounds=after, **_printed(life, event))


def deposited(life: Life, outcome: ToolResponded, options: ResearchOptions) -> Life:
    """Go on with the passages of the outputs; without any, the task ends with what its rounds said."""
    ending = life.rounds.ending if life.rounds else None
    life = life.after(rounds=None, summary=ending.statement[:LONGEST_OUTPUT] if ending else "")
    if ending and ending.outcome != "done":
        life = life.after(gaps=(*life.gaps, ending.statement))
    if outcome.error:
        life = life.after(gaps=(*life.gaps, f"What its programs printed could not be kept: {outcome.error}"))
    hits = () if outcome.error else SearchResults.model_validate(outcome.result).hits
    shown = within(hits, options.reading_characters, size)
    if shown and not life.halted:
        return life.after(
            step="reading", unread=shown, read=frozenset((h.passage.source, h.passage.start) for h in shown)
        )
    failure = None if ending and ending.outcome == "done" else life.summary
    return life.after(step="recording", failure=failure)


def uncited(life: Life) -> str:
    """Say how a todo ended that was done with tools and brought nothing to cite; nothing of any other todo."""
    return f"Nothing to cite; it ended with: {life.summary}" if "deposit" in life.tools and life.summary else ""


def _printed(life: Life, event: Event) -> dict[str, object]:
    """Keep what a program of this todo printed and which tools it used."""
    match event.payload:
        case ToolResponded(todo_id=life.todo_id, tool=str(tool), key=key, result=result, error=None) if tool != "dump":
            tools = life.tools if tool in life.tools else (*life.tools, tool)
            if tool not in {"shell", "python"}:
                return {"tools": tools}
            ran = ProgramResult.model_validate(result)
            text = ran.stdout.strip()[:LONGEST_OUTPUT]
            if ran.exit_code or not text:
                return {"tools": tools}
            number = key.split("/")[-2]
            output = Output(key=key, title=f"Output of {tool} in round {number} of {life.todo_id}", text=text)
            return {"tools": tools, "outputs": (*life.outputs, output)[-MOST_OUTPUTS:]}
        case _:
            return {}
