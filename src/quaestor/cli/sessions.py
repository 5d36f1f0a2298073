"""What there is: the sessions of a home, one of them, and its plan."""

import shutil
import sys
from collections.abc import Iterator

from quaestor.app import Quaestor, open_home
from quaestor.cli.known import Known, of_decision, of_research, of_task
from quaestor.cli.phrase import counted, cut, fit
from quaestor.cli.place import Home, SessionId
from quaestor.cli.speech import command, give, say
from quaestor.contracts.budget import Spend
from quaestor.contracts.event import Paused
from quaestor.contracts.options import RunOptions
from quaestor.contracts.plan import TodoStatus
from quaestor.contracts.session import Session
from quaestor.views.outline import moment
from quaestor.views.spend import Spending, amount, spending
from quaestor.workflows.decision import Decision
from quaestor.workflows.longtask import LongTask
from quaestor.workflows.research import Research

_WIDE = 160
"""How wide a line is cut that does not go to a terminal."""

RUNNING, INTERRUPTED, WAITING = "running", "interrupted", "waits for an answer"
_HEADS = ("SESSION", "STATUS", "TODOS", "EVENTS", "QUESTION")


async def ps(*, home: Home = None) -> int:
    """List the sessions, the newest first."""
    async with open_home(home) as quaestor:
        rows = [await _row(quaestor, session) for session in await quaestor.sessions()]
    if not rows:
        say(f"no sessions yet; start one with: {command(home, 'research', 'QUESTION', '--docs', 'PATH')}")
        return 0
    table = (_HEADS, *rows)
    widths = [max(len(row[place]) for row in table) for place in range(len(_HEADS))]
    for row in table:
        give_line("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)))
    return 0


async def show(session: SessionId, /, *, home: Home = None) -> int:
    """Show what is known of a session.

    Question, status, limits, what came of it, spend, and the plan; of a task its rounds, and every file it made too.
    """
    async with open_home(home) as quaestor:
        stored = await quaestor.store.session(session)
        status = await standing(quaestor, stored)
        options = await quaestor.options(session)
        spent = spending(await quaestor.events(session))
        known = await _known(quaestor, stored)
        report = await quaestor.report(session)
    for label, value in _facts(stored, status, options, spent, known):
        give(f"{label:<15}{cut(value, _WIDE)}\n")
    for line in known.below:
        give_line(f"  {line}")
    if report:
        say(f"read the report with: {command(home, 'report', session)}")
    return 0


async def _known(quaestor: Quaestor, session: Session) -> Known:
    match session.workflow:
        case Research.name:
            return of_research(await quaestor.state(session.id))
        case LongTask.name:
            rounds = (await quaestor.folded(session.id, LongTask())).rounds
            return of_task(rounds) if rounds else Known()
        case Decision.name:
            return of_decision(await quaestor.folded(session.id, Decision()))
        case _:
            return Known()


async def _row(quaestor: Quaestor, session: Session) -> tuple[str, ...]:
    status, done = await standing(quaestor, session), await _done(quaestor, session)
    return session.id, status, done, f"{session.events:,}", cut(session.question)


async def _done(quaestor: Quaestor, session: Session) -> str:
    """Say how many todos are done, or phases of a task, or cycles were begun; of any other session, what it is."""
    match session.workflow:
        case Research.name:
            todos = (await quaestor.plan(session.id)).todos
            return f"{sum(todo.status is TodoStatus.DONE for todo in todos)}/{len(todos)}"
        case LongTask.name:
            rounds = (await quaestor.folded(session.id, LongTask())).rounds
            phases = rounds.plan.phases if rounds and rounds.plan else ()
            return f"{sum(phase.status == 'complete' for phase in phases)}/{len(phases)} phases"
        case Decision.name:
            begun = await quaestor.store.latest(session.id, {"cycle_started"})
            return counted(begun.cycle if begun else 1, "cycle")
        case _:
            return session.workflow


async def standing(quaestor: Quaestor, session: Session) -> str:
    """Say whether a session runs, rests, waits for a person or is finished."""
    if session.outcome:
        return f"finished: {session.outcome}"
    if holder := await quaestor.holder(session.id):
        return f"{RUNNING} ({holder})"
    latest = await quaestor.events(session.id, session.events - 1)
    if latest and isinstance(latest[-1].payload, Paused):
        return "paused"
    return WAITING if (await quaestor.result(session.id)).asked else INTERRUPTED


def _facts(
    session: Session, status: str, options: RunOptions, spent: Spending, known: Known
) -> Iterator[tuple[str, str]]:
    yield "question", session.question
    yield "session", session.id
    yield "status", status
    yield "started", moment(session.created_at)
    yield from known.given
    yield from _models(options)
    if limits := (*known.limits, *(f"{amount(one.allowed)} {one.name.replace('_', ' ')}" for one in spent.limits)):
        yield "limits", ", ".join(limits)
    yield "events", f"{session.events:,}"
    yield "spend", _spent(spent.total.spend)
    yield from known.came


def _models(options: RunOptions) -> Iterator[tuple[str, str]]:
    yield "model", options.model
    for role, name in options.models.items():
        yield "model", f"{name} for the {role}"
    if options.fallback:
        yield "fallback", ", ".join(options.fallback)
    if options.replays:
        yield "replays", options.replays


def _spent(spend: Spend) -> str:
    calls = f"{counted(spend.model_calls, 'model call')}, {counted(spend.tool_calls, 'tool call')}"
    return f"{calls}, {counted(spend.tokens, 'token')}, {amount(spend.dollars)} dollars"


def give_line(line: str) -> None:
    """Hand over a line of a table, cut at the width of the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDE
    give(f"{fit(line.rstrip(), width)}\n")
