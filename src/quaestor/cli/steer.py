"""What a person tells a session: answers and orders. Each is obeyed by whoever carries the session on."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.cli.delivery import Delivery
from quaestor.cli.order import meant, spoken
from quaestor.cli.place import After, Home, Json, SessionId
from quaestor.cli.speech import command, give, say
from quaestor.cli.watched import watched
from quaestor.contracts.command import AddBudget, Cancel, FinishNow, Order, Pause, RetryTodo
from quaestor.contracts.errors import UsageError


async def answer(
    session: SessionId,
    text: Annotated[str, Parameter(name="TEXT", help="The answer; after -- it may begin with a dash.")],
    /,
    *,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Answer the question that a session waits with, and carry it on.

    Where another process carries it on already, that one takes the answer. `/confirm_plan` confirms a plan that is
    reviewed, and `/end_plan` ends its review.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        await told(quaestor, session, spoken(text))
        if await quaestor.holder(session):
            say(f"answered; watch it with: {command(home, 'attach', session)}")
            return 0
        return await watched(quaestor, session, delivery, home, json=json, after=after)


async def pause(session: SessionId, /, *, home: Home = None) -> int:
    """Let a session begin nothing more; `quaestor resume` goes on."""
    async with open_home(home) as quaestor:
        await told(quaestor, session, Pause())
    say(f"paused; go on with: {command(home, 'resume', session)}")
    return 0


async def finish(
    session: SessionId,
    /,
    *,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """End gathering and write the report from what there is.

    Where another process carries the session on, that one writes it.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        await told(quaestor, session, FinishNow())
        if await quaestor.holder(session):
            say(f"the report is being written; watch it with: {command(home, 'attach', session)}")
            return 0
        return await watched(quaestor, session, delivery, home, json=False)


async def cancel(session: SessionId, /, *, home: Home = None) -> int:
    """End a session without a report; what was found stays in its log."""
    async with open_home(home) as quaestor:
        await told(quaestor, session, Cancel())
        if not await quaestor.holder(session):
            await quaestor.run(session)
    say("cancelled")
    return 0


async def retry(
    session: SessionId,
    todo: Annotated[str, Parameter(name="TODO", help="Its id, as `quaestor plan` shows it.")],
    /,
    *,
    home: Home = None,
) -> int:
    """Try a failed todo again; it stands in the plan as a new one."""
    async with open_home(home) as quaestor:
        return await ordered(quaestor, session, RetryTodo(todo_id=todo), home, f"{todo} is tried again")


async def budget(
    session: SessionId,
    /,
    *,
    add: Annotated[Decimal, Parameter(help="Dollars more.")] = Decimal(0),
    add_tokens: Annotated[int, Parameter(help="Tokens more.")] = 0,
    add_seconds: Annotated[float, Parameter(help="Seconds more.")] = 0,
    home: Home = None,
) -> int:
    """Raise the limits of a session."""
    with meant():
        order = AddBudget(dollars=add, tokens=add_tokens, seconds=add_seconds)
    async with open_home(home) as quaestor:
        return await ordered(quaestor, session, order, home, "the budget is raised")


async def fork(
    session: SessionId,
    /,
    *,
    at: Annotated[int, Parameter(help="The number of the last event that both have, as `quaestor events` shows it.")],
    model: Annotated[str | None, Parameter(help="Another model to go on with.")] = None,
    home: Home = None,
) -> int:
    """Begin a session with the events of another one; both go their own ways from there. Prints its id."""
    async with open_home(home, **({"model": model} if model else {})) as quaestor:
        forked = await quaestor.fork(session, at, quaestor.settings if model else None)
    give(f"{forked}\n")
    say(f"go on with: {command(home, 'resume', forked)}")
    return 0


async def told(quaestor: Quaestor, session_id: str, order: Order) -> None:
    """Tell a session something. Raises UsageError with the reason when it is refused."""
    refused = await quaestor.tell(session_id, order)
    if refused:
        raise UsageError(f"session {session_id}: {refused}")


async def ordered(quaestor: Quaestor, session_id: str, order: Order, home: Path | None, done: str) -> int:
    """Tell a session something, say what is done then, and how the session goes on where nobody carries it on."""
    await told(quaestor, session_id, order)
    held = await quaestor.holder(session_id)
    say(done if held else f"{done}; go on with: {command(home, 'resume', session_id)}")
    return 0
