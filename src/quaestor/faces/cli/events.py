import json as encoding
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.app import Quaestor, open_home
from quaestor.app.text import truncate_line
from quaestor.contracts.arguments import SessionId
from quaestor.contracts.codec import serialize_payload, value_to_json
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import (
    PAYLOAD_VERSIONS,
    BudgetWarned,
    ContractAccepted,
    ContractRejected,
    Event,
    ModelRequested,
    ModelResponded,
    ToolCall,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.sessions import INTERRUPTED, RUNNING, session_status
from quaestor.runtime.registry import get_plugin

_MAX_SUMMARY_WIDTH = 100


async def events(
    session: SessionId,
    /,
    *,
    only: Annotated[str | None, Parameter(name="--type", help="Only events of this type, as todo_recorded.")] = None,
    state: Annotated[str | None, Parameter(help="Only events of this state, as SEARCHING.")] = None,
    cycle: Annotated[int | None, Parameter(help="Only events of this cycle.")] = None,
    after: Annotated[int, Parameter(help="Only events with a higher number.")] = 0,
    follow: Annotated[
        bool, Parameter(negative="", show_default=False, help="Go on with those to come, until the session rests.")
    ] = False,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole events as JSON lines.")] = False,
    home: Home = None,
) -> int:
    """Print the log of a session.

    One line an event: number, time, state, type, todo, and the gist of what happened.
    """
    _check_choice("--type", only, PAYLOAD_VERSIONS)
    async with open_home(home) as quaestor:
        _check_choice("--state", state, get_plugin((await quaestor.store.session(session)).workflow).workflow.table)
        async for event in _event_stream(quaestor, session, after, follow=follow):
            if only in {None, event.type} and state in {None, event.state} and cycle in {None, event.cycle}:
                write_stdout(f"{event.model_dump_json() if json else format_event(event)}\n")
    return 0


def format_event(event: Event) -> str:
    """Give an event on one line."""
    todo = event.todo_id or ""
    head = f"{event.seq:>5}  {event.at:%H:%M:%S.%f}"[:-3]
    summary = truncate_line(_summarize_event(event), _MAX_SUMMARY_WIDTH)
    return f"{head}  {event.state:<14}  {event.type:<19}  {todo:<6}  {summary}".rstrip()


async def _event_stream(quaestor: Quaestor, session: str, after: int, *, follow: bool) -> AsyncIterator[Event]:
    status = await session_status(quaestor, await quaestor.store.session(session))
    interrupted = status == INTERRUPTED
    if follow and interrupted:
        write_stderr(f"session {session} was interrupted; more events come when it is resumed")
    if follow and (interrupted or status.startswith(RUNNING)):
        async for event in quaestor.follow(session, after):
            yield event
    else:
        for event in await quaestor.events(session, after):
            yield event


def _summarize_event(event: Event) -> str:
    match event.payload:
        case ModelRequested() as asked:
            again = f", attempt {asked.attempt}" if asked.attempt > 1 else ""
            wanted = asked.contract or f"calls of {', '.join(asked.tools)}"
            return f"{asked.role} is asked for {wanted}{again}"
        case ModelResponded() as answered:
            parts = (*_reply_parts(answered), *_format_calls(answered.calls))
            return f"{answered.role}: {answered.error or '; '.join(parts)}"
        case ToolsChosen() as chosen:
            refused = (f"refused: {reason}" for reason in chosen.refused)
            return f"{chosen.role}: {'; '.join((*_format_calls(chosen.calls), *refused)) or 'no more calls'}"
        case ContractAccepted() as accepted:
            return f"{accepted.contract} {_format_value(value_to_json(accepted.output))}"
        case ContractRejected() as rejected:
            return f"{rejected.contract}: {'; '.join(rejected.objections)}"
        case ToolRequested() as asked:
            return f"{asked.tool} {_format_value(value_to_json(asked.given))}"
        case ToolResponded() as answered:
            return f"{answered.tool}: {answered.error or _format_value(value_to_json(answered.result))}"
        case BudgetWarned() as warned:
            return f"{warned.limit}: {warned.used} of {warned.allowed}"
        case other:
            return serialize_payload(other)[2]


def _reply_parts(answered: ModelResponded) -> Iterator[str]:
    if answered.cached:
        yield "from cache"
    if answered.reply:
        yield answered.reply


def _format_calls(calls: Iterable[ToolCall]) -> Iterator[str]:
    return (f"{call.tool} {_format_value(call.given)}" for call in calls)


def _format_value(value: JsonValue) -> str:
    """Give a value as JSON; a list of objects, which nobody reads on one line, as their number."""
    match value:
        case dict():
            return ", ".join(f"{name} {_format_value(part)}" for name, part in value.items())
        case [dict(), *_]:
            return f"({len(value)})"
        case _:
            return encoding.dumps(value, ensure_ascii=False)


def _check_choice(option: str, asked: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if asked is not None and asked not in names:
        raise UsageError(f"{option} {asked} is not known; it is one of: {', '.join(names)}")
