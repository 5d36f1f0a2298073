"""The commands that show a session, and what it spent."""

from collections.abc import Iterator, Sequence

from quaestor.app import open_to_look
from quaestor.app.inspection import read_spend
from quaestor.app.overview import read_details
from quaestor.app.text import count_noun, format_amount, format_timestamp, truncate_line
from quaestor.contracts.cost import LimitUsage, Spend, SpendAccount, SpendReport
from quaestor.contracts.plugin import SessionSummary
from quaestor.contracts.session import NEWEST_SESSION, Session
from quaestor.contracts.settings import RunOptions
from quaestor.contracts.terminal import JsonObject, SessionId
from quaestor.faces.cli.listing import describe_status
from quaestor.faces.cli.output import (
    PIPED_WIDTH,
    command_line,
    write_json,
    write_stderr,
    write_stdout,
    write_table_line,
)
from quaestor.faces.cli.params import Home

_SPEND_HEADERS = ("CALLS", "TOOLS", "TOKENS", "IN", "CACHED", "OUT", "DOLLARS", "SECONDS")


async def show(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    json: JsonObject = False,
    home: Home = None,
) -> int:
    """Show what is known of a session.

    Question, status, limits, results, spend and the plan; of a task also its rounds and every file it made.
    """
    async with open_to_look(home) as quaestor:
        if json:
            write_json(await read_details(quaestor, session), indent=2)
            return 0
        stored = await quaestor.session(session)
        status = describe_status(await quaestor.status(session))
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


async def spend(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    json: JsonObject = False,
    home: Home = None,
) -> int:
    """Show what a session spent, by state, role, todo and model.

    Every table adds up to the total. What was lost in a kill counts as spent and is in it.
    """
    async with open_to_look(home) as quaestor:
        spent = await read_spend(quaestor, session)
    if json:
        write_json(spent, indent=2)
        return 0
    for line in _tables(spent):
        write_table_line(line)
    for label, value in _spend_facts(spent):
        write_stdout(f"{label:<15}{value}\n")
    return 0


def _tables(spent: SpendReport) -> Iterator[str]:
    """Yield the lines of all tables, their columns below each other, with an empty line after each table."""
    tables = (
        ("STATE", spent.by_state),
        ("ROLE", spent.by_role),
        ("TODO", spent.by_todo),
        ("MODEL", spent.by_model),
        ("ALL", (spent.total, *(account for account in (spent.lost, spent.held) if account.spend != Spend()))),
    )
    rows = [[(head, *_SPEND_HEADERS), *map(_cells, accounts)] for head, accounts in tables]
    widths = [max(len(row[place]) for table in rows for row in table) for place in range(len(_SPEND_HEADERS) + 1)]
    for table in rows:
        yield from (_line(row, widths) for row in table)
        yield ""


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *cells = row
    width, *others = widths
    return "  ".join((f"{name:<{width}}", *(f"{cell:>{other}}" for cell, other in zip(cells, others, strict=True))))


def _cells(account: SpendAccount) -> tuple[str, ...]:
    spend = account.spend
    return (
        account.name,
        f"{spend.model_calls:,}",
        f"{spend.tool_calls:,}",
        f"{spend.tokens:,}",
        f"{account.input_tokens:,}",
        f"{account.cached_tokens:,}",
        f"{account.output_tokens:,}",
        f"{spend.dollars:,.6f}",
        f"{account.milliseconds / 1000:,.1f}",
    )


def _spend_facts(spent: SpendReport) -> Iterator[tuple[str, str]]:
    yield "ran for", f"{format_amount(round(spent.seconds, 1))} seconds"
    if spent.lost.spend != Spend():
        yield "lost", "cut off by a kill, or cancelled; what was reserved for it counts as spent and is in the total"
    if spent.held.spend != Spend():
        yield "held", "reserved for what has no answer yet; not in the total"
    if spent.replays:
        yield "replayed", f"every call was answered from the log of session {spent.replays}, at no cost"
    if spent.total.recalled:
        yield "from cache", f"{count_noun(spent.total.recalled, 'call')} answered from earlier sessions, at no cost"
    for name in spent.unpriced:
        yield "price", f"the price of {name} is not known, so its calls are counted but no dollars"
    yield from (("limit", _limit(limit)) for limit in spent.limits)


def _limit(limit: LimitUsage) -> str:
    share = "" if limit.share is None else f" ({limit.share * 100:.0f} %)"
    used = f"{limit.name.replace('_', ' ')}: {format_amount(limit.used)} of {format_amount(limit.allowed)}{share}"
    return f"{used}; gathering may use {format_amount(limit.gathering)}"
