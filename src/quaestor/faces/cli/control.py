"""The commands that are sent to a session, and the one that resumes it."""

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.app.inspection import describe_plan
from quaestor.app.workflows import parse_answer
from quaestor.contracts.command import AddBudget, Cancel, Command, FinishNow, Pause
from quaestor.contracts.errors import EXIT_INTERRUPTED, UsageError
from quaestor.contracts.host import send_command
from quaestor.contracts.session import SessionQuery
from quaestor.contracts.terminal import Json, ReportOutput, SessionId
from quaestor.faces.cli.approvals import remember
from quaestor.faces.cli.interactive import SHOW_PLAN, run_interactively
from quaestor.faces.cli.output import check_output_path, command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import After, Home, usage_errors

_TO_RESUME = {"queued", "interrupted", "paused"}
"""What nobody runs and waits for no person; `queued` is also what was interrupted before its first step."""


async def answer(
    session: SessionId,
    text: Annotated[str, Parameter(name="TEXT", help="The answer; after -- it may begin with a dash.")],
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Answer the question that a session waits for, and carry it on.

    Where another process carries it on already, that one takes the answer. `/confirm_plan` confirms a plan that is
    reviewed, `/end_plan` ends the review of plans, and `/plan` shows the plan and answers nothing.
    """
    check_output_path("--out", delivery.out)
    async with open_home(home) as quaestor:
        if text.strip().casefold() == SHOW_PLAN:
            for todo in await describe_plan(quaestor, session) or ("there is no plan yet",):
                write_stdout(f"{todo}\n")
            return 0
        await send_command(quaestor, session, parse_answer((await quaestor.session(session)).workflow, text))
        await remember(quaestor, session)
        if await quaestor.holder(session):
            write_stderr(f"answered; watch it with: {command_line(home, 'attach', session)}")
            return 0
        return await run_interactively(quaestor, session, delivery, home, json=json, after=after)


async def pause(
    session: SessionId,
    /,
    *,
    until: Annotated[
        datetime | None, Parameter(help="When a worker goes on with it; a time without a zone is this machine's.")
    ] = None,
    home: Home = None,
) -> int:
    """Pause a session: it begins nothing more until `quaestor resume`, or until a time."""
    async with open_home(home) as quaestor:
        await send_command(quaestor, session, Pause(until=until.astimezone() if until else None))
    write_stderr(f"paused; continue with: {command_line(home, 'resume', session)}")
    return 0


async def finish(
    session: SessionId,
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """End gathering and write the report from what there is.

    Where another process carries the session on, that one writes it.
    """
    check_output_path("--out", delivery.out)
    async with open_home(home) as quaestor:
        await send_command(quaestor, session, FinishNow())
        if await quaestor.holder(session):
            write_stderr(f"the report is being written; watch it with: {command_line(home, 'attach', session)}")
            return 0
        return await run_interactively(quaestor, session, delivery, home, json=False)


async def cancel(session: SessionId, /, *, home: Home = None) -> int:
    """End a session without a report; what was found stays in its log."""
    async with open_home(home) as quaestor:
        await send_command(quaestor, session, Cancel())
        if not await quaestor.holder(session):
            await quaestor.run(session)
    write_stderr("cancelled")
    return 0


async def budget(
    session: SessionId,
    /,
    *,
    add: Annotated[Decimal | None, Parameter(help="Dollars more.")] = None,
    add_tokens: Annotated[int, Parameter(help="Tokens more.")] = 0,
    add_seconds: Annotated[float, Parameter(help="Seconds more.")] = 0,
    home: Home = None,
) -> int:
    """Raise the limits of a session."""
    # `add` may be None so that the parser refuses what is no number: of a plain Decimal it lets the error through.
    with usage_errors():
        order = AddBudget(dollars=add or Decimal(0), tokens=add_tokens, seconds=add_seconds)
    async with open_home(home) as quaestor:
        return await send_and_report(quaestor, session, order, home, "the budget is raised")


async def fork(
    session: SessionId,
    /,
    *,
    at: Annotated[int, Parameter(help="The number of the last event that both have, as `quaestor events` shows it.")],
    model: Annotated[str | None, Parameter(help="Another model to continue with.")] = None,
    home: Home = None,
) -> int:
    """Begin a session with the events of another one; both go their own ways from there. Prints its id."""
    async with open_home(home, **({"model": model} if model else {})) as quaestor:
        forked = await quaestor.fork(session, at, quaestor.settings if model else None)
    write_stdout(f"{forked}\n")
    write_stderr(f"continue with: {command_line(home, 'resume', forked)}")
    return 0


async def send_and_report(quaestor: Quaestor, session_id: str, order: Command, home: Path | None, done: str) -> int:
    """Send a command and print what it did, and how to resume a session that no process runs."""
    await send_command(quaestor, session_id, order)
    held = await quaestor.holder(session_id)
    write_stderr(done if held else f"{done}; continue with: {command_line(home, 'resume', session_id)}")
    return 0


async def resume(
    session: SessionId | None = None,
    /,
    *,
    last: Annotated[bool, Parameter(negative="", show_default=False, help="The newest unfinished session.")] = False,
    every: Annotated[
        bool, Parameter(name="--all", negative="", show_default=False, help="Every session that nobody runs.")
    ] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Go on with a session that is not finished.

    Nothing that was finished is done again. Of a finished session it prints the report. With `--all` each session
    that is queued, interrupted or paused goes on, the oldest first; those that wait for a person are left out.
    """
    check_output_path("--out", delivery.out)
    if (session is not None) + last + every > 1:
        raise UsageError("--last and --all choose by themselves; give one of them or a session's id")
    async with open_home(home) as quaestor:
        if every:
            return await _resume_all(quaestor, delivery, home, json=json)
        session_id = session or await _newest_unfinished(quaestor)
        return await run_interactively(quaestor, session_id, delivery, home, json=json, after=after)


async def _resume_all(quaestor: Quaestor, delivery: ReportOutput, home: Path | None, *, json: bool) -> int:
    """Carry every session on that nobody runs; return the first exit code that is not 0."""
    if delivery.out:
        raise UsageError("--out is for the report of one session; leave it out, and read each with `quaestor report`")
    found = [one.session.id async for one in quaestor.listing() if one.status and one.status.state in _TO_RESUME]
    if not found:
        write_stderr("no session is queued, interrupted or paused")
    codes: list[int] = []
    for session_id in reversed(found):
        codes.append(await run_interactively(quaestor, session_id, delivery, home, json=json))
        if codes[-1] == EXIT_INTERRUPTED:
            break
    return next((code for code in codes if code), 0)


async def _newest_unfinished(quaestor: Quaestor) -> str:
    for session in await quaestor.select_sessions(SessionQuery(finished=False, limit=1)):
        return session.id
    raise UsageError("no session is unfinished; `quaestor ps` lists them all, `quaestor research` starts one")
