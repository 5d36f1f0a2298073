"""Chat completions for clients that know nothing else: progress as reasoning, the link of the session, the report."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request
from fastapi.responses import StreamingResponse

from quaestor.app.text import escape_hidden_json
from quaestor.app.turns.turn_state import TurnState, fold_turn
from quaestor.app.turns.turns import TurnRef, follow_turn, open_turn, wait_for_turn
from quaestor.app.watching.live_tokens import LiveTokens, with_tokens
from quaestor.app.watching.progress import build_narrator, description_lines
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UnknownSession
from quaestor.faces.server.authentication import Caller, Runner, State
from quaestor.faces.server.openai.examples import CHATS
from quaestor.faces.server.openai.models import require_model
from quaestor.faces.server.openai.objects import OutputMessage, ResponseUsage, UrlCitation
from quaestor.faces.server.openai.rendering import ResponseRenderer
from quaestor.faces.server.openai.requests import (
    CreateChatCompletion,
    InputMessage,
    WebSearchTool,
    new_session,
    said_last,
)
from quaestor.faces.server.openai.turn_taking import (
    TakenTurn,
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
_LINK = re.compile(r"/sessions/([0-9A-Za-z-]{1,64})")
_DELTA_CHARACTERS = 1_000
_DONE = "data: [DONE]\n\n"


class ChatCitation(Contract):
    """A citation of a page, as chat completions have it."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class ChatMessage(Contract):
    """The answer."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    reasoning_content: str | None = None
    annotations: tuple[ChatCitation, ...] = ()


class ChatDelta(Contract):
    """More of the answer, or of what leads to it."""

    role: Literal["assistant"] | None = None
    content: str | None = None
    reasoning_content: str | None = None
    annotations: tuple[ChatCitation, ...] | None = None


class ChatUsage(Contract):
    """The tokens of a completion."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatChoice(Contract):
    """The only choice."""

    index: Literal[0] = 0
    message: ChatMessage
    logprobs: None = None
    finish_reason: Literal["stop"] = "stop"


class ChatCompletion(Contract):
    """A completion: one turn of a session."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: tuple[ChatChoice]
    usage: ChatUsage | None


class ChunkChoice(Contract):
    """The only choice, in part."""

    index: Literal[0] = 0
    delta: ChatDelta
    finish_reason: Literal["stop"] | None = None


class ChatChunk(Contract):
    """A part of a completion."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: tuple[ChunkChoice, ...]
    usage: ChatUsage | None = None


@router.post("/chat/completions", response_model=ChatCompletion, responses=STREAMED)
async def complete(
    given: Annotated[CreateChatCompletion, Body(openapi_examples=CHATS)],
    caller: Runner,
    state: State,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> ChatCompletion | StreamingResponse:
    """Ask in a chat. An answer names the session; who sends it back as history goes on with that session.

    A request that is repeated with its `Idempotency-Key` gives the completion of the first one.
    """
    if given.stream:
        require_stream(state)
    taken = await take_once(state, caller, idempotency_key, given, partial(_take_turn, given, caller, state))
    renderer = await find_renderer(request, caller, taken.ref)
    if given.stream:
        wants_usage = bool(given.stream_options and given.stream_options.include_usage)
        chunks = _chunks(state, caller, renderer, taken, wants_usage=wants_usage)
        return stream_response(chunks)
    seconds = state.options.foreground_seconds
    turn = await wait_for_turn(caller.quaestor, state.hub, taken.ref, seconds, taken.events)
    response = renderer.whole(turn)
    return ChatCompletion(
        id=_completion_id(taken.ref),
        created=response.created_at,
        model=renderer.model,
        choices=(ChatChoice(message=_message(renderer, turn)),),
        usage=_usage(response.usage),
    )


async def _take_turn(given: CreateChatCompletion, caller: Caller, state: ServerState) -> TakenTurn:
    model = require_model(given.model)
    text, labels = said_last(given.messages, with_history=True), given.metadata or {}
    if session_id := await _named_session(given.messages, caller):
        return await take_next_turn(state, caller, session_id, text, labels)
    web = (WebSearchTool(type="web_search"),) if given.web_search_options is not None else ()
    return await take_new_turn(
        state, caller, new_session(model, text, (*(given.tools or ()), *web), given.reasoning_effort), labels
    )


async def _named_session(messages: Sequence[InputMessage], caller: Caller) -> str | None:
    """Return the session that the last answer of the history names, where the caller has it."""
    for message in reversed(messages):
        if message.role == "assistant":
            found = _LINK.search(message.text)
            with suppress(UnknownSession):
                return (await caller.quaestor.session(found[1])).id if found else None
            return None
    return None


def _message(renderer: ResponseRenderer, turn: TurnState) -> ChatMessage:
    """Return the whole answer: the link of the session, and the report, the question, or why there is neither."""
    head = f"[Session {renderer.ref.session_id}]({renderer.link})\n\n"
    written = [item for item in renderer.closing_items(turn) if isinstance(item, OutputMessage)]
    if not written:
        return ChatMessage(content=head + _statement(turn))
    [text] = written[0].content
    cited = (
        annotation.revised(start_index=annotation.start_index + len(head), end_index=annotation.end_index + len(head))
        for annotation in text.annotations
        if isinstance(annotation, UrlCitation)
    )
    return ChatMessage(content=head + text.text, annotations=tuple(ChatCitation(url_citation=each) for each in cited))


def _statement(turn: TurnState) -> str:
    if turn.end:
        return turn.end.statement
    return (
        f"It is paused: {turn.paused.reason}" if turn.paused else "It is still running; the link shows how far it is."
    )


def _usage(usage: ResponseUsage | None) -> ChatUsage | None:
    if usage is None:
        return None
    return ChatUsage(
        prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens, total_tokens=usage.total_tokens
    )


def _completion_id(ref: TurnRef) -> str:
    return f"chatcmpl-{ref.session_id}-{ref.anchor}"


async def _chunks(
    state: ServerState, caller: Caller, renderer: ResponseRenderer, taken: TakenTurn, *, wants_usage: bool
) -> AsyncIterator[str]:
    session = await caller.quaestor.session(taken.ref.session_id)

    def chunk(delta: ChatDelta, finish: Literal["stop"] | None = None) -> str:
        return _render(renderer, int(session.created_at.timestamp()), ChunkChoice(delta=delta, finish_reason=finish))

    with sent_stream(state):
        yield chunk(ChatDelta(role="assistant", reasoning_content=f"Session {renderer.link}\n"))
        turn, describe = await open_turn(caller.quaestor, taken.ref), build_narrator(session.workflow)
        pulse = state.options.heartbeat_seconds
        pages = follow_turn(caller.quaestor, state.hub, taken.ref, pulse)
        async for page in with_tokens(caller.quaestor, session.id, pages):
            if isinstance(page, LiveTokens):
                yield chunk(ChatDelta(reasoning_content="".join(piece.text for piece in page.pieces)))
                continue
            lines: list[str] = []
            for event in page:
                turn = fold_turn(turn, event)
                lines += description_lines(describe(event))
            yield chunk(ChatDelta(reasoning_content="\n".join((*lines, "")))) if lines else HEARTBEAT
            if turn.is_at_rest(taken.events):
                break
        for delta in _deltas(_message(renderer, turn)):
            yield chunk(delta)
        yield chunk(ChatDelta(), "stop")
        if wants_usage and (usage := _usage(renderer.whole(turn).usage)):
            yield _render(renderer, int(session.created_at.timestamp()), None, usage)
        yield _DONE


def _deltas(message: ChatMessage) -> Iterator[ChatDelta]:
    for start in range(0, len(message.content), _DELTA_CHARACTERS):
        yield ChatDelta(content=message.content[start : start + _DELTA_CHARACTERS])
    if message.annotations:
        yield ChatDelta(annotations=message.annotations)


def _render(
    renderer: ResponseRenderer, created: int, choice: ChunkChoice | None, usage: ChatUsage | None = None
) -> str:
    chunk = ChatChunk(
        id=_completion_id(renderer.ref),
        created=created,
        model=renderer.model,
        choices=(choice,) if choice else (),
        usage=usage,
    )
    return f"data: {escape_hidden_json(chunk.model_dump_json(exclude_none=True))}\n\n"
