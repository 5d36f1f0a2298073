"""The question that a run waits for, asked and answered at the terminal."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import assert_never

from quaestor.app import Quaestor
from quaestor.app.inspection import describe_plan
from quaestor.app.text import one_line, truncate
from quaestor.app.workflows import parse_answer
from quaestor.contracts.errors import StoreFull, UsageError
from quaestor.contracts.event import Event, QuestionAsked
from quaestor.contracts.lazy import deferred
from quaestor.contracts.result import Result
from quaestor.contracts.terminal import ReportOutput
from quaestor.faces.cli.approvals import remember
from quaestor.faces.cli.display import event_display, immediate_interrupt, run_session
from quaestor.faces.cli.exit import conclude_interrupted, conclude_run, with_standing_report
from quaestor.faces.cli.output import write_stderr

_RUN_COMMAND: Callable[[Sequence[str]], Awaitable[int]] = deferred("quaestor.faces.cli.program:run_command")
SHOW_PLAN = "/plan"
"""What a person types to see the plan; it answers nothing."""
EDIT_PLAN = "/edit_plan"
"""What a person types to open the plan in an editor; it answers nothing."""
_EDIT_KEYS = frozenset({"e", "edit"})
"""What does that in a review, where no answer is a text."""
_QUESTION_HINT = "/plan shows the plan; an empty line leaves, and the session waits"
_APPROVAL_HINT = "yes, or no and why; an empty line leaves, and the session waits"
_STANDING_HINT = "always command, always tool and always session approve it from now on"
_REVIEW_HINT = (
    "yes carries it out, e or /edit_plan opens it in your editor, /plan shows it,\n"
    "/end_plan carries it out and reviews no other; an empty line leaves"
)


def is_interactive() -> bool:
    """Return whether a person can be asked here."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> bool:
    """Ask a person for a yes, which an empty line is, too; False where nobody can be asked."""
    if not is_interactive():
        return False
    write_stderr(f"{question} (Enter, or n)")
    line = _type_line()
    return line is not None and line.strip().casefold() in {"", "y", "yes"}


async def ask_at_terminal(quaestor: Quaestor, session_id: str, home: Path | None) -> bool:
    """Ask what a session waits for until it has its answer; False when the person leaves instead.

    An answer from another terminal counts as well.
    """
    asked = (await quaestor.result(session_id)).asked
    if asked is None:
        return False
    for question in asked.questions:
        write_stderr(fill(one_line(question), get_terminal_size().columns, break_on_hyphens=False))
    write_stderr(f"({_hint(asked)})")
    workflow = (await quaestor.session(session_id)).workflow
    while (await quaestor.result(session_id)).asked == asked:
        line = _read_line()
        if not line:
            return False
        try:
            if line.casefold() == SHOW_PLAN:
                for todo in await describe_plan(quaestor, session_id) or ("there is no plan yet",):
                    write_stderr(truncate(f"  {todo}", get_terminal_size().columns))
            elif _asks_to_edit(asked, line):
                await _edit_plan(session_id, home)
            elif refused := await quaestor.tell(session_id, parse_answer(workflow, line)):
                write_stderr(refused)
            else:
                await remember(quaestor, session_id)
        except UsageError as error:
            write_stderr(str(error))
    return True


def _asks_to_edit(asked: QuestionAsked, line: str) -> bool:
    typed = line.casefold()
    return typed == EDIT_PLAN or (asked.kind == "plan_confirmation" and typed in _EDIT_KEYS)


async def _edit_plan(session_id: str, home: Path | None) -> None:
    with redirect_stdout(sys.stderr):  # stdout is for the report
        await _RUN_COMMAND(["plan", session_id, "edit", *(["--home", str(home)] if home else [])])


def _hint(asked: QuestionAsked) -> str:
    match asked.kind:
        case "plan_confirmation":
            return _REVIEW_HINT
        case "approval":
            return f"{_APPROVAL_HINT};\n{_STANDING_HINT}" if asked.call else _APPROVAL_HINT
        case "clarification" | "escalation":
            return _QUESTION_HINT
        case never:
            assert_never(never)


def _read_line() -> str:
    """Read a line; one that is empty also where the input ends or is interrupted."""
    return (_type_line() or "").strip()


def _type_line() -> str | None:
    """Read a line as it is typed; None where the input ends or is interrupted."""
    try:
        with immediate_interrupt():
            sys.stderr.write("> ")
            sys.stderr.flush()
            return sys.stdin.readline() or None
    except KeyboardInterrupt:
        write_stderr("")
        return None


async def run_interactively(
    quaestor: Quaestor,
    session_id: str,
    delivery: ReportOutput,
    home: Path | None,
    *,
    json: bool,
    after: int = 0,
    stop: asyncio.Event | None = None,
) -> int:
    """Carry a session on to its end or its next rest; return the exit code.

    What it asks on the way is asked at the terminal, where there is one. As JSON the stream is given from behind the
    event with number `after` on; a person sees what is new. `stop` is set when a signal asked the run to pause.
    """
    write_stderr(f"session {session_id}")
    seen = after if json else (await quaestor.session(session_id)).events
    try:
        while True:
            result, seen = await _run_with_display(quaestor, session_id, seen, stop, json=json)
            if (
                result.status != "waiting"
                or not is_interactive()
                or not await ask_at_terminal(quaestor, session_id, home)
            ):
                return conclude_run(await with_standing_report(quaestor, result), delivery, home, json=json)
    except asyncio.CancelledError:
        return conclude_interrupted(session_id, home)
    except StoreFull as error:
        write_stderr(f"quaestor: {error}")
        conclude_interrupted(session_id, home)
        return error.exit_code


async def _run_with_display(
    quaestor: Quaestor, session_id: str, seen: int, stop: asyncio.Event | None, *, json: bool
) -> tuple[Result, int]:
    """Carry a session on and show the events above `seen`; return its result, and the number of the last event."""
    async with event_display(quaestor, session_id, seen, json=json) as show:

        def noted(event: Event) -> None:
            nonlocal seen
            seen = event.seq
            show(event)

        return await run_session(quaestor, session_id, noted, after=seen, stop=stop), seen
