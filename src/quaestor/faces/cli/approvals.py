"""What was approved for good, listed and revoked."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home, open_to_look
from quaestor.app.approvals import (
    remember_answer,
    remembered_approvals,
    revoke_in_session,
    revoke_remembered,
    session_approvals,
)
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.terminal import JsonLines, SessionId
from quaestor.faces.cli.output import command_line, write_json, write_stderr, write_table_line
from quaestor.faces.cli.params import Home


async def approvals(
    session: SessionId | None = None,
    /,
    *,
    revoke: Annotated[int | None, Parameter(help="Revoke the one with this number.")] = None,
    json: JsonLines = False,
    home: Home = None,
) -> int:
    """List what runs without asking you: in every session that begins, or in one.

    Answered with `always command`, `always tool` or `always session`, a call that waits for your yes is approved for
    good. The first two are kept in your own settings, for sessions to come.
    """
    if revoke is not None:
        if session is None:
            write_stderr(f"revoked: {revoke_remembered(revoke).describe()}")
            write_stderr("sessions that have begun keep it; `quaestor approvals SESSION --revoke N` revokes it in one")
        else:
            async with open_home(home) as quaestor:
                revoked = await revoke_in_session(quaestor, session, revoke)
            write_stderr(f"revoked: {revoked.describe()}")
        return 0
    if session is None:
        listed = remembered_approvals()
    else:
        async with open_to_look(home) as quaestor:
            listed = await session_approvals(quaestor, session)
    for number, each in enumerate(listed, 1):
        if json:
            write_json(each)
        else:
            write_table_line(f"{number:>3}  {each.describe()}")
    if not listed and not json:
        write_stderr("nothing is approved for good")
    return 0


async def remember(quaestor: Quaestor, session_id: str) -> None:
    """Keep what an answer approved for sessions to come, and print where."""
    try:
        remembered = await remember_answer(quaestor, session_id)
    except (UsageError, SetupError) as error:  # the answer is given, and holds in its session
        write_stderr(f"not remembered for other sessions: {error}")
        return
    if remembered:
        approved, file = remembered
        write_stderr(f"approved from now on: {approved.describe()}")
        write_stderr(f"  kept in {file}; list and revoke: {command_line(None, 'approvals')}")
