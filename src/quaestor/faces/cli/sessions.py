"""What there is: the sessions of a home, one of them, and its plan."""

from collections.abc import Iterator
from typing import assert_never

from quaestor.app import Quaestor, open_home
from quaestor.app.inspection import read_spend, read_status
from quaestor.app.text import count_noun, format_amount, format_timestamp, truncate_line
from quaestor.contracts.cost import Spend, SpendReport
from quaestor.contracts.plugin import SessionSummary
from quaestor.contracts.session import Session, SessionStatus
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.output import (
    PIPED_WIDTH,
    command_line,
    write_stderr,
    write_stdout,
    write_table,
    write_table_line,
)
from quaestor.faces.cli.params import Home

_HEADERS = ("SESSION", "STATUS", "TODOS", "EVENTS", "QUESTION")


async def ps(*, home: Home = None) -> int:
    """List the sessions, the newest first."""
    async with open_home(home) as quaestor:
        rows = [await _row(quaestor, session) for session in await quaestor.sessions()]
    if not rows:
        write_stderr(f"no sessions yet; start one with: {command_line(home, 'research', 'QUESTION', '--docs', 'PATH')}")
        return 0
    write_table((_HEADERS, *rows))
    return 0


async def show(session: SessionId, /, *, home: Home = None) -> int:
    """Show what is known of a session.

    Question, status, limits, what came of it, spend, and the plan; of a task its rounds, and every file it made too.
    """
    async with open_home(home) as quaestor:
        stored = await quaestor.session(session)
        status = _describe_status(await read_status(quaestor, session))
        options = await quaestor.options(session)
        spent = await read_spend(quaestor, session)
        known = await quaestor.summarize(session)
        report = await quaestor.report(session)
    for label, value in _facts(stored, status, options, spent, known):
        write_stdout(f"{label:<15}{truncate_line(value, PIPED_WIDTH)}\n")
    for line in known.below:
        write_table_line(f"  {line}")
    if report:
        write_stderr(f"read the report with: {command_line(home, 'report', session)}")
    return 0


async def _row(quaestor: Quaestor, session: Session) -> tuple[str, ...]:
    status = _describe_status(await read_status(quaestor, session.id))
    done = await quaestor.progress(session.id)
    return session.id, status, done, f"{session.events:,}", truncate_line(session.question)


def _describe_status(status: SessionStatus) -> str:
    match status.state:
        case "finished":
            return f"finished: {status.outcome}"
        case "running":
            return f"running ({status.holder})"
        case "waiting":
            return "waits for an answer"
        case "paused" | "interrupted":
            return status.state
        case never:
            assert_never(never)


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
