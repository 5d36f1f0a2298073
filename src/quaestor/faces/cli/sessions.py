"""What there is: the sessions of a home, one of them, and its plan."""

import shutil
import sys
from collections.abc import Iterator

from quaestor.app import Quaestor, open_home
from quaestor.app.text import count_noun, format_amount, format_timestamp, truncate, truncate_line
from quaestor.contracts.arguments import SessionId
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Paused
from quaestor.contracts.options import RunOptions
from quaestor.contracts.plugin import SessionSummary
from quaestor.contracts.session import Session
from quaestor.contracts.spend import SpendReport
from quaestor.faces.cli.output import command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.views.spend import build_spend_report

_DEFAULT_WIDTH = 160
"""How wide a line is cut that does not go to a terminal."""

RUNNING, INTERRUPTED, WAITING = "running", "interrupted", "waits for an answer"
_HEADERS = ("SESSION", "STATUS", "TODOS", "EVENTS", "QUESTION")


async def ps(*, home: Home = None) -> int:
    """List the sessions, the newest first."""
    async with open_home(home) as quaestor:
        rows = [await _row(quaestor, session) for session in await quaestor.sessions()]
    if not rows:
        write_stderr(f"no sessions yet; start one with: {command_line(home, 'research', 'QUESTION', '--docs', 'PATH')}")
        return 0
    table = (_HEADERS, *rows)
    widths = [max(len(row[place]) for row in table) for place in range(len(_HEADERS))]
    for row in table:
        write_table_line("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)))
    return 0


async def show(session: SessionId, /, *, home: Home = None) -> int:
    """Show what is known of a session.

    Question, status, limits, what came of it, spend, and the plan; of a task its rounds, and every file it made too.
    """
    async with open_home(home) as quaestor:
        stored = await quaestor.store.session(session)
        status = await session_status(quaestor, stored)
        options = await quaestor.options(session)
        spent = build_spend_report(await quaestor.events(session))
        known = await quaestor.summarize(session)
        report = await quaestor.report(session)
    for label, value in _facts(stored, status, options, spent, known):
        write_stdout(f"{label:<15}{truncate_line(value, _DEFAULT_WIDTH)}\n")
    for line in known.below:
        write_table_line(f"  {line}")
    if report:
        write_stderr(f"read the report with: {command_line(home, 'report', session)}")
    return 0


async def _row(quaestor: Quaestor, session: Session) -> tuple[str, ...]:
    status, done = await session_status(quaestor, session), await quaestor.progress(session.id)
    return session.id, status, done, f"{session.events:,}", truncate_line(session.question)


async def session_status(quaestor: Quaestor, session: Session) -> str:
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
    session: Session, status: str, options: RunOptions, spent: SpendReport, known: SessionSummary
) -> Iterator[tuple[str, str]]:
    yield "question", session.question
    yield "session", session.id
    yield "status", status
    yield "started", format_timestamp(session.created_at)
    yield from known.given
    yield from _models(options)
    if limits := (
        *known.limits,
        *(f"{format_amount(one.allowed)} {one.name.replace('_', ' ')}" for one in spent.limits),
    ):
        yield "limits", ", ".join(limits)
    yield "events", f"{session.events:,}"
    yield "spend", _spent(spent.total.spend)
    yield from known.results


def _models(options: RunOptions) -> Iterator[tuple[str, str]]:
    yield "model", options.model
    for role, name in options.models.items():
        yield "model", f"{name} for the {role}"
    if options.fallback:
        yield "fallback", ", ".join(options.fallback)
    if options.replays:
        yield "replays", options.replays


def _spent(spend: Spend) -> str:
    calls = f"{count_noun(spend.model_calls, 'model call')}, {count_noun(spend.tool_calls, 'tool call')}"
    return f"{calls}, {count_noun(spend.tokens, 'token')}, {format_amount(spend.dollars)} dollars"


def write_table_line(line: str) -> None:
    """Hand over a line of a table, cut at the width of the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _DEFAULT_WIDTH
    write_stdout(f"{truncate(line.rstrip(), width)}\n")
