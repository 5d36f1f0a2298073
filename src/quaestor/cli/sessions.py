"""What there is: the sessions of a home, one of them, and its plan."""

import shutil
import sys
from collections.abc import Iterator

from quaestor.app import Quaestor, open_home
from quaestor.cli.phrase import counted, cut, first, fit
from quaestor.cli.place import Home, SessionId
from quaestor.cli.speech import command, give, say
from quaestor.contracts.budget import Spend
from quaestor.contracts.event import Paused
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import TodoStatus
from quaestor.contracts.session import Session
from quaestor.views.outline import moment
from quaestor.views.plan import digest, plan_lines
from quaestor.views.spend import Spending, amount, spending
from quaestor.workflows.research_state import ResearchState

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

    Question, status, limits, what was found, contradictions, spend, whether there is a report, and the plan.
    """
    async with open_home(home) as quaestor:
        stored = await quaestor.store.session(session)
        status = await standing(quaestor, stored)
        state = await quaestor.state(session)
        spent = spending(await quaestor.events(session))
    for label, value in _facts(stored, status, state, spent):
        give(f"{label:<15}{cut(value, _WIDE)}\n")
    for todo in first(plan_lines(state.plan, {})):
        give_line(f"  {todo}")
    if state.report:
        say(f"read the report with: {command(home, 'report', session)}")
    return 0


async def _row(quaestor: Quaestor, session: Session) -> tuple[str, ...]:
    todos = (await quaestor.plan(session.id)).todos
    done = sum(todo.status is TodoStatus.DONE for todo in todos)
    status = await standing(quaestor, session)
    return session.id, status, f"{done}/{len(todos)}", f"{session.events:,}", cut(session.question)


async def standing(quaestor: Quaestor, session: Session) -> str:
    """Say whether a session runs, rests, waits for a person or is finished."""
    if session.outcome:
        return f"finished: {session.outcome}"
    if holder := await quaestor.holder(session.id):
        return f"{RUNNING} ({holder})"
    latest = await quaestor.events(session.id, session.events - 1)
    if latest and isinstance(latest[-1].payload, Paused):
        return "paused"
    return WAITING if (await quaestor.state(session.id)).talk.waiting else INTERRUPTED


def _facts(session: Session, status: str, state: ResearchState, spent: Spending) -> Iterator[tuple[str, str]]:
    options = state.options
    findings = state.all_findings()
    sources = {quote.source for finding in findings for quote in finding.quotes}
    yield "question", session.question
    yield "session", session.id
    yield "status", status
    yield "started", moment(session.created_at)
    yield "documents", f"{options.documents:,} in {', '.join(options.roots)}"
    yield from _models(options)
    yield "limits", ", ".join(_limits(options, spent))
    yield "events", f"{session.events:,}"
    yield "searches", f"{state.outcomes.asked:,}"
    yield "found", f"{counted(len(findings), 'finding')} from {counted(len(sources), 'source')}"
    for dispute in state.contradictions:
        yield "contradiction", f"{dispute.subject}: {' against '.join(dispute.values)}"
    yield "spend", _spent(spent.total.spend)
    yield "report", f"version {state.report.version}" if state.report else "none"
    yield "plan", digest(state.plan)


def _models(options: ResearchOptions) -> Iterator[tuple[str, str]]:
    yield "model", options.model
    for role, name in options.models.items():
        yield "model", f"{name} for the {role}"
    if options.fallback:
        yield "fallback", ", ".join(options.fallback)
    if options.replays:
        yield "replays", options.replays


def _limits(options: ResearchOptions, spent: Spending) -> Iterator[str]:
    yield f"{options.queries} queries a loop"
    yield f"{options.loops} loops a todo"
    yield f"{options.max_todos} todos"
    yield from (f"{amount(limit.allowed)} {limit.name.replace('_', ' ')}" for limit in spent.limits)


def _spent(spend: Spend) -> str:
    calls = f"{counted(spend.model_calls, 'model call')}, {counted(spend.tool_calls, 'tool call')}"
    return f"{calls}, {counted(spend.tokens, 'token')}, {amount(spend.dollars)} dollars"


def give_line(line: str) -> None:
    """Hand over a line of a table, cut at the width of the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDE
    give(f"{fit(line.rstrip(), width)}\n")
