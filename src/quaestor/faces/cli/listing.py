"""The commands that list sessions, and search them."""

import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, assert_never

from cyclopts import Parameter

from quaestor.app import open_to_look
from quaestor.app.overview import StatusName, build_overview
from quaestor.app.session_search import search_sessions
from quaestor.app.text import format_dollars, truncate_line
from quaestor.contracts.session import SessionListing, SessionStatus
from quaestor.contracts.terminal import JsonLines
from quaestor.faces.cli.output import PIPED_WIDTH, command_line, write_json, write_stderr, write_table
from quaestor.faces.cli.params import Home

SHOWN = 100
"""Sessions that a terminal shows unless more are asked for."""
_HEADERS = ("SESSION", "STATUS", "AGE", "TODOS", "COST", "FOLDER", "QUESTION")
_SPARED = ("FOLDER", "TODOS", "COST", "AGE", "IN")
"""The columns that are left out, in this order, where the terminal has no room for the question beside them."""
_SHORTEST_QUESTION = 20
_ID_END = 6
"""Characters at the end of an id that mostly are in no other, and name a session where the whole id has no room."""
_MAX_FOLDER = 20
_AGES = ((timedelta(days=365), "y"), (timedelta(days=1), "d"), (timedelta(hours=1), "h"), (timedelta(minutes=1), "m"))


async def ps(
    *,
    status: Annotated[
        tuple[StatusName, ...] | None, Parameter(consume_multiple=True, negative="", help="Only sessions that are so.")
    ] = None,
    workflow: Annotated[str | None, Parameter(help="Only sessions of this workflow, as research.")] = None,
    text: Annotated[str | None, Parameter(help="Only sessions with this in their question.")] = None,
    folder: Annotated[
        Path | None, Parameter(help="Only sessions that read this folder or work in it, or in one below.")
    ] = None,
    limit: Annotated[int | None, Parameter(help="At most so many; on a terminal 100 without it.")] = None,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """List the sessions, the newest first."""
    most = SHOWN if limit is None and sys.stdout.isatty() and not json else limit
    async with open_to_look(home) as quaestor:
        wanted = (one async for one in quaestor.listing() if _is_wanted(one, status, workflow, text, folder))
        listed, cut = await _first(wanted, most)
    for one in listed:
        if one.error:
            write_stderr(f"session {one.session.id}: {one.error}")
    if json:
        for one in listed:
            if one.status:
                write_json(build_overview(one.session, one.status))
    elif listed:
        write_table(_fitted([_HEADERS, *(_row(one, datetime.now(UTC)) for one in listed)]))
        if cut and limit is None:
            write_stderr(f"these are the newest {SHOWN}; `--limit N` shows more")
    elif status or workflow or text or folder:
        write_stderr("no session is like this")
    else:
        write_stderr(f"no sessions yet; start one with: {command_line(home, 'research', 'QUESTION', '--docs', 'PATH')}")
    return 0


async def search(
    words: Annotated[str, Parameter(name="TEXT", help="Words; all have to be in the question, or on a line.")],
    /,
    *,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """Search the questions and the newest reports of all sessions, the newest first."""
    async with open_to_look(home) as quaestor:
        matches = [match async for match in search_sessions(quaestor, words)]
    if json:
        for match in matches:
            write_json(match)
    elif matches:
        rows = ((match.session.id, match.place, match.line) for match in matches)
        write_table(_fitted([("SESSION", "IN", "LINE"), *rows]))
    else:
        write_stderr("no session has these words")
    return 0


async def _first(sessions: AsyncIterator[SessionListing], most: int | None) -> tuple[list[SessionListing], bool]:
    """Return at most so many, and whether there are more; no further one is read."""
    taken: list[SessionListing] = []
    async for one in sessions:
        if len(taken) == most:
            return taken, True
        taken.append(one)
    return taken, False


def describe_status(status: SessionStatus) -> str:
    """Return the status of a session in a few words."""
    match status.state:
        case "finished":
            return f"finished: {status.outcome}"
        case "running":
            return f"running ({status.holder})"
        case "waiting":
            return "waits for an answer"
        case "queued" | "paused" | "interrupted":
            return status.state
        case never:
            assert_never(never)


def format_age(age: timedelta) -> str:
    """Return an age in its largest unit, as 3d or 5m."""
    for unit, letter in _AGES:
        if age >= unit:
            return f"{age // unit}{letter}"
    return f"{max(age // timedelta(seconds=1), 0)}s"


def _is_wanted(
    listed: SessionListing,
    status: Sequence[StatusName] | None,
    workflow: str | None,
    text: str | None,
    folder: Path | None,
) -> bool:
    session = listed.session
    return (
        (not status or (listed.status is not None and listed.status.state in status))
        and workflow in {None, session.workflow}
        and (text is None or text.casefold() in session.question.casefold())
        and (folder is None or bool(session.folder and Path(session.folder).is_relative_to(folder.resolve())))
    )


def _row(listed: SessionListing, now: datetime) -> tuple[str, ...]:
    session = listed.session
    status = describe_status(listed.status) if listed.status else "unreadable"
    age = format_age(now - (session.last_at or session.created_at))
    dollars = session.status.dollars if session.status else None
    cost = format_dollars(dollars) if dollars else "-"
    folder = truncate_line(Path(session.folder).name, _MAX_FOLDER) if session.folder else "-"
    return session.id, status, age, listed.progress, cost, folder, session.question


def _fitted(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return rows whose last column takes what the others leave of the width of the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH
    widths = {name: max(len(row[place]) for row in rows) + 2 for place, name in enumerate(rows[0][:-1])}
    for spared in _SPARED:
        if spared in widths and sum(widths.values()) + _SHORTEST_QUESTION > width:
            place = rows[0].index(spared)
            rows = [[*row[:place], *row[place + 1 :]] for row in rows]
            del widths[spared]
    if sum(widths.values()) + _SHORTEST_QUESTION > width and len({row[0][-_ID_END:] for row in rows}) == len(rows):
        rows = [rows[0], *([row[0][-_ID_END:], *row[1:]] for row in rows[1:])]
        widths[rows[0][0]] = max(len(row[0]) for row in rows) + 2
    others = sum(widths.values())
    return [(*row[:-1], truncate_line(row[-1], max(width - others, _SHORTEST_QUESTION))) for row in rows]
