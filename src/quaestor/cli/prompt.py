"""The question that a run waits with, asked at the terminal and answered there."""

import sys
from shutil import get_terminal_size
from typing import assert_never

from quaestor.app import Quaestor
from quaestor.cli.carry import abrupt
from quaestor.cli.order import spoken
from quaestor.cli.phrase import fit
from quaestor.cli.speech import say
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Asking
from quaestor.views.plan import plan_lines
from quaestor.views.visible import one_line

_HINT = "/plan shows the plan; an empty line leaves, and the session waits"
_APPROVAL = "yes, or no and why; an empty line leaves, and the session waits"
_REVIEW = "/plan shows it, /confirm_plan carries it out, /end_plan ends the review;\nan empty line leaves"


def at_terminal() -> bool:
    """Say whether a person can be asked here."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def asks(quaestor: Quaestor, session_id: str) -> bool:
    """Ask what a session waits for until it has its answer; False when the person leaves instead.

    An answer that somebody else gives meanwhile counts as well.
    """
    asked = (await quaestor.result(session_id)).asked
    if asked is None:
        return False
    for question in asked.questions:
        say(one_line(question))
    say(f"({_hint(asked.kind)})")
    while (await quaestor.result(session_id)).asked == asked:
        line = _line()
        if not line:
            return False
        try:
            if line.casefold() == "/plan":
                for todo in plan_lines(await quaestor.plan(session_id), {}) or ("there is no plan yet",):
                    say(fit(f"  {todo}", get_terminal_size().columns))
                continue
            refused = await quaestor.tell(session_id, spoken(line))
        except UsageError as error:
            refused = str(error)
        if refused:
            say(refused)
    return True


def _hint(kind: Asking) -> str:
    match kind:
        case "plan_confirmation":
            return _REVIEW
        case "approval":
            return _APPROVAL
        case "clarification" | "escalation":
            return _HINT
        case never:
            assert_never(never)


def _line() -> str:
    """Read a line; one that is empty also where the input ends or is interrupted."""
    try:
        with abrupt():
            sys.stderr.write("> ")
            sys.stderr.flush()
            return sys.stdin.readline().strip()
    except KeyboardInterrupt:
        say("")
        return ""
