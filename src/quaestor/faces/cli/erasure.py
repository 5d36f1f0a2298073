"""The commands that erase sessions."""

import re
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.app.erasure import erase, find_idle
from quaestor.app.text import count_noun, format_timestamp, truncate_line
from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import Session
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.interactive import is_interactive
from quaestor.faces.cli.output import command_line, write_stderr, write_table
from quaestor.faces.cli.params import Home

Yes = Annotated[bool, Parameter(negative="", show_default=False, help="Do not ask.")]

_HEADERS = ("SESSION", "LAST EVENT", "OUTCOME", "QUESTION")
_AGE = re.compile(r"(\d{1,6})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


async def rm(session: SessionId, /, *, yes: Yes = False, home: Home = None) -> int:
    """Erase a session.

    Its log, sources and workspace are shredded, unless another session uses them too. What stays is a tombstone: the
    number of events and the head of the log, which `verify` prints. A session that a process carries on is refused.
    """
    async with open_home(home) as quaestor:
        return await _erase(quaestor, [await quaestor.session(session)], home, yes=yes)


async def prune(
    *,
    older: Annotated[str, Parameter(help="Erase what has had no event for so long: 12h, 30d or 8w.")],
    yes: Yes = False,
    home: Home = None,
) -> int:
    """Erase the sessions that have had no event for a long time, as `rm` does.

    Those that a process carries on are left out.
    """
    async with open_home(home) as quaestor:
        found = await find_idle(quaestor, _parse_age(older))
        if not found:
            write_stderr(f"no session has been idle for {older}")
            return 0
        return await _erase(quaestor, found, home, yes=yes)


async def _erase(quaestor: Quaestor, sessions: Sequence[Session], home: Path | None, *, yes: bool) -> int:
    if not yes and not _confirm(sessions):
        write_stderr("nothing was erased")
        return 0
    await erase(quaestor, [each.id for each in sessions])
    for each in sessions:
        write_stderr(f"erased {each.id}; its tombstone is shown by: {command_line(home, 'verify', each.id)}")
    return 0


def _confirm(sessions: Sequence[Session]) -> bool:
    """Show what would be erased and ask for a yes. Raises UsageError where nobody can be asked."""
    write_table((_HEADERS, *map(_row, sessions)))
    if not is_interactive():
        raise UsageError("what is erased cannot be had back, and nobody can be asked here; add --yes")
    sys.stderr.write(f"erase {count_noun(len(sessions), 'session')} for good? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def _row(session: Session) -> tuple[str, ...]:
    last = format_timestamp(session.last_at or session.created_at)
    return session.id, last, session.outcome or "unfinished", truncate_line(session.question)


def _parse_age(text: str) -> timedelta:
    found = _AGE.fullmatch(text.strip())
    if not found:
        raise UsageError(f"{text[:20]!r} is no age; write a number of hours, days or weeks: 12h, 30d or 8w")
    return int(found[1]) * _UNITS[found[2]]
