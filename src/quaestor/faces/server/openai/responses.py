"""The Responses API: a response is a turn of a session, and a session is a conversation."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from quaestor.app.erasure import erase
from quaestor.app.text import escape_hidden_json
from quaestor.app.turns.turn_submissions import cancel_turn, erase_only_turn
from quaestor.app.turns.turns import TurnRef, follow_turn, open_turn, read_turn, wait_for_turn
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.faces.server.authentication import Caller, Reader, Runner, State
from quaestor.faces.server.openai.encoding import ResponseEncoder
from quaestor.faces.server.openai.examples import RESPONSES
from quaestor.faces.server.openai.models import require_model
from quaestor.faces.server.openai.objects import Response, StreamedEvent
from quaestor.faces.server.openai.rendering import (
    ResponseRenderer,
    parse_conversation_id,
    parse_response_id,
    response_id,
)
from quaestor.faces.server.openai.requests import ConversationRef, CreateResponse, new_session, said_last
from quaestor.faces.server.openai.turn_taking import (
    TakenTurn,
    find_model,
    find_renderer,
    take_new_turn,
    take_next_turn,
    take_once,
)
from quaestor.faces.server.repeats import IdempotencyKey
from quaestor.faces.server.state import ServerState
from quaestor.faces.server.streaming import (
    HEARTBEAT,
    STREAMED,
    require_stream,
    sent_stream,
    stream_response,
)

router = APIRouter(prefix="/v1", tags=["openai"])
_CANCEL_SECONDS = 5


class Deleted(Contract):
    """A response or a conversation is erased."""

    id: str
    object: Literal["response.deleted", "conversation.deleted"]
    deleted: Literal[True] = True


class InputText(Contract):
    """The text of a person."""

    type: Literal["input_text"] = "input_text"
    text: str


class InputItem(Contract):
    """What a person said."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["user"] = "user"
    status: Literal["completed"] = "completed"
    content: tuple[InputText, ...]


class InputItems(Contract):
    """What a response answers."""

    object: Literal["list"] = "list"
    data: tuple[InputItem, ...]
    first_id: str
    last_id: str
    has_more: Literal[False] = False


class Conversation(Contract):
    """A session."""

    id: str
    object: Literal["conversation"] = "conversation"
    created_at: int
    metadata: dict[str, str] = Field(default_factory=dict)


async def _known_response(response_id: str, caller: Reader) -> TurnRef:
    """Return the turn that the id in a path names. Raises UnknownSession also where it belongs to another tenant."""
    ref = parse_response_id(response_id)
    await find_model(caller.quaestor, ref.session_id)
    return ref


KnownResponse = Annotated[TurnRef, Depends(_known_response)]


@router.post("/responses", response_model=Response, responses=STREAMED)
async def create(
    given: Annotated[CreateResponse, Body(openapi_examples=RESPONSES)],
    caller: Runner,
    state: State,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response | StreamingResponse:
    """Ask: begin a session, answer its question, or ask it on.

    Without `background` and `stream` the answer comes at the end of the turn, or after a limit as it is then; the
    session goes on, whatever becomes of the connection. A request that is repeated with its `Idempotency-Key` gives the
    response of the first one.
    """
    if given.stream:
        require_stream(state)
    taken = await take_once(state, caller, idempotency_key, given, partial(_take_turn, given, caller, state))
    renderer = await find_renderer(request, caller, taken.ref)
    if given.stream:
        return stream_response(_events(state, caller, renderer))
    if given.background:
        return renderer.whole(await read_turn(caller.quaestor, taken.ref))
    seconds = state.options.foreground_seconds
    return renderer.whole(await wait_for_turn(caller.quaestor, state.hub, taken.ref, seconds, taken.events))


async def _take_turn(given: CreateResponse, caller: Caller, state: ServerState) -> TakenTurn:
    model = require_model(given.model)
    is_next = given.previous_response_id is not None or given.conversation is not None
    text, labels = said_last(given.input, with_history=is_next), given.metadata or {}
    match given.previous_response_id, given.conversation:
        case None, None:
            effort = given.reasoning.effort if given.reasoning else None
            new = new_session(model, text, given.tools or (), effort, given.max_tool_calls)
            return await take_new_turn(state, caller, new, labels)
        case str(previous), None:
            ref = parse_response_id(previous)
            return await take_next_turn(state, caller, ref.session_id, text, labels, behind=ref)
        case None, str(named) | ConversationRef(id=named):
            return await take_next_turn(state, caller, parse_conversation_id(named), text, labels)
        case _:
            raise UsageError("name previous_response_id or conversation, not both")


@router.get("/responses/{response_id}", response_model=Response, responses=STREAMED)
async def retrieve(
    *,
    ref: KnownResponse,
    caller: Reader,
    state: State,
    request: Request,
    stream: bool = False,
    starting_after: Annotated[
        int | None, Query(ge=0, le=2**53, description="Only events with a higher number.")
    ] = None,
    include_obfuscation: bool | None = None,
) -> Response | StreamingResponse:
    """Look at a response, or follow it: the stream of a response has the same events whenever it is asked for.

    A stream that goes on behind an event begins with `response.created` all the same, under the number of that event,
    with the items that came before.
    """
    del include_obfuscation  # there is none
    renderer = await find_renderer(request, caller, ref)
    turn = await read_turn(caller.quaestor, ref)
    if not stream:
        return renderer.whole(turn)
    require_stream(state)
    return stream_response(_events(state, caller, renderer, starting_after))


@router.post("/responses/{response_id}/cancel")
async def cancel(ref: KnownResponse, caller: Runner, state: State, request: Request) -> Response:
    """Cancel a response that is going on; one that has ended stays as it is."""
    await cancel_turn(caller.quaestor, ref, caller.submitter, state.carry)
    renderer = await find_renderer(request, caller, ref)
    return renderer.whole(await wait_for_turn(caller.quaestor, state.hub, ref, _CANCEL_SECONDS))


@router.delete("/responses/{response_id}")
async def delete(ref: KnownResponse, caller: Runner, state: State) -> Deleted:
    """Erase a response with its session; 409 where the session has other responses, or is going on."""
    await erase_only_turn(caller.quaestor, ref)
    state.forget(ref.session_id)
    return Deleted(id=response_id(ref), object="response.deleted")


@router.get("/responses/{response_id}/input_items")
async def input_items(
    ref: KnownResponse,
    caller: Reader,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    order: Literal["asc", "desc"] = "desc",
    after: Annotated[str | None, Query(max_length=100)] = None,
) -> InputItems:
    """List what a response answers: the one message of its person."""
    del limit, order  # of one item
    turn = await read_turn(caller.quaestor, ref)
    item = InputItem(id=f"in_{ref.session_id}_{ref.anchor}", content=(InputText(text=turn.said),))
    return InputItems(data=() if after == item.id else (item,), first_id=item.id, last_id=item.id)


@router.get("/conversations/{conversation_id}")
async def conversation(conversation_id: str, caller: Reader) -> Conversation:
    """Look at a conversation."""
    session = await _conversation_session(conversation_id, caller)
    created = (await caller.quaestor.session(session)).created_at
    return Conversation(id=conversation_id, created_at=int(created.timestamp()))


@router.delete("/conversations/{conversation_id}")
async def delete_conversation(conversation_id: str, caller: Runner, state: State) -> Deleted:
    """Erase a conversation with all its responses; 409 while it is going on."""
    session_id = await _conversation_session(conversation_id, caller)
    await erase(caller.quaestor, [session_id])
    state.forget(session_id)
    return Deleted(id=conversation_id, object="conversation.deleted")


async def _conversation_session(named: str, caller: Caller) -> str:
    session_id = parse_conversation_id(named)
    await find_model(caller.quaestor, session_id)
    return session_id


async def _events(
    state: ServerState, caller: Caller, renderer: ResponseRenderer, starting_after: int | None = None
) -> AsyncIterator[str]:
    with sent_stream(state):
        encoder = ResponseEncoder(renderer, await open_turn(caller.quaestor, renderer.ref))
        is_begun, last = starting_after is None, -1 if starting_after is None else starting_after
        pulse = state.options.heartbeat_seconds
        async for page in follow_turn(caller.quaestor, state.hub, renderer.ref, pulse):
            for event in page:
                for streamed in encoder.encode(event):
                    if streamed.sequence_number <= last:
                        continue
                    if not is_begun:
                        is_begun = True
                        yield _render(encoder.created_again(last))
                    yield _render(streamed)
            if not is_begun and (encoder.turn.end or not page):
                is_begun = True
                yield _render(encoder.created_again(last))
            elif not page:
                yield HEARTBEAT
            if encoder.turn.end:
                return


def _render(event: StreamedEvent) -> str:
    return f"event: {event.type}\ndata: {escape_hidden_json(event.model_dump_json())}\n\n"
