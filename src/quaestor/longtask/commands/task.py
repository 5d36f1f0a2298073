"""The commands of long tasks: `task` carries one out, `rebuild` writes its files again from its log."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import EXIT_BUDGET_REACHED, UsageError
from quaestor.contracts.session import normalize_question
from quaestor.contracts.terminal import AtTerminal, Docs, Json, ReportOutput, SessionId, split_names
from quaestor.longtask.rebuilding import rebuild_files
from quaestor.longtask.tools.names import require_known
from quaestor.longtask.workflow import LongTask

_ENDED = {0, EXIT_BUDGET_REACHED}
"""The exit codes with which a task has come to its end; else the last line is how to go on."""


async def task(
    text: Annotated[str, Parameter(name="TEXT", help="What is to be done; after -- it may begin with a dash.")],
    /,
    *,
    workspace: Annotated[Path | None, Parameter(help="The folder it works in; one of its own, if left out.")] = None,
    rounds: Annotated[int | None, Parameter(help="Rounds in all, 200 at most.")] = None,
    allow: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="The tools it may call, as shell,python; else all."),
    ] = None,
    approve: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="The tools whose every call needs your yes."),
    ] = None,
    docs: Docs = [],  # noqa: B006 -- never changed
    web: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Search engines of the web it may ask."),
    ] = None,
    model: Annotated[
        str | None, Parameter(help="PROVIDER:NAME, playbook:FILE or script:FILE for trials, or replay:SESSION.")
    ] = None,
    questions: Annotated[bool | None, Parameter(negative="--no-questions", help="A person may be asked.")] = None,
    budget: Annotated[Decimal | None, Parameter(help="Dollars this session may cost at most.")] = None,
    json: Json = False,
    detach: Annotated[
        bool, Parameter(negative="", show_default=False, help="Go on in the background; print the session's id.")
    ] = False,
    terminal: AtTerminal,
) -> int:
    """Carry a task of many rounds through, with its plan and notes in files that can be read and edited at any time.

    Programs run in a sandbox: without network, and with nothing to write to but the workspace. The same text continues
    with its unfinished session. Its answer is printed at the end.
    """
    overrides: dict[str, JsonValue] = {
        "web": None if web is None else [*web],
        "model": model,
        "questions": questions,
        "max_dollars": None if budget is None else str(budget),
        "workspace": None if workspace is None else str(workspace.resolve()),
        "rounds": rounds,
        "allow": _tool_names("--allow", allow),
        "approve": _tool_names("--approve", approve),
    }
    text = normalize_question(text, "task")
    async with terminal.open(**overrides) as host:
        corpus = await terminal.index(docs) if docs else None
        options = await host.configure(LongTask.name, SessionRequest(text=text, corpus=corpus))
        session_id = await host.begin(LongTask.name, text, options)
        for name in await host.unpriced(session_id):
            terminal.write_stderr(f"the price of {name} is not known, so its calls are counted but no dollars")
        if detach:
            return await terminal.carry_on_detached(session_id, ReportOutput(), json=json)
        code = await terminal.carry_on(session_id, json=json)
        if code in _ENDED and options.folder and host.settings.replayed_session is None:  # which writes no file
            terminal.write_stderr(f"its files are in {options.folder}")
        return code


def _tool_names(option: str, words: Sequence[str] | None) -> list[JsonValue] | None:
    """Return the tools that an option names. Raises UsageError for a name that no tool of tasks has."""
    names = split_names(words)
    require_known(map(str, names or ()), f"{option} ")
    return names


async def rebuild(session: SessionId, /, *, terminal: AtTerminal) -> int:
    """Write the files of a task again from its log: its plan, both logs, its state and the whole outputs.

    For one that is finished or rests; what programs made is not in the log.
    """
    async with terminal.open() as host:
        if holder := await host.holder(session):
            raise UsageError(f"session {session} is carried on by {holder}, which writes its files; wait for it")
        for path in await rebuild_files(host, session):
            terminal.write_stdout(f"{path}\n")
    return 0
