"""The turn that a request of an OpenAI client takes: with a new session, or behind the newest turn of one."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from fastapi import Request

from quaestor.app import Quaestor
from quaestor.app.network.submissions import NewSession
from quaestor.app.network.uploads import COLLECTION_PREFIX, DEFAULT_COLLECTION, has_collection
from quaestor.app.turns.turn_submissions import begin_conversation, continue_conversation, label_turn
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UnknownSession
from quaestor.faces.server.authentication import Caller
from quaestor.faces.server.openai.rendering import ResponseRenderer
from quaestor.faces.server.openai.requests import WORKFLOWS, ModelId
from quaestor.faces.server.repeats import begin_once
from quaestor.faces.server.state import ServerState

_MODELS = {workflow: model for model, workflow in WORKFLOWS.items()}


class TakenTurn(NamedTuple):
    """A turn, and the number of events that its session had when it was handed to the worker."""

    ref: TurnRef
    events: int


async def take_new_turn(state: ServerState, caller: Caller, new: NewSession, labels: Mapping[str, str]) -> TakenTurn:
    """Take the first turn of a session; of an unfinished one of the same request, the turn that it is in.

    A request that names no sources searches the web where the server does so, else the default collection.
    """
    if not new.docs and new.settings.web is None and caller.quaestor.settings.web is None:
        docs = (f"{COLLECTION_PREFIX}{DEFAULT_COLLECTION}",)
        new = new.revised(docs=docs) if has_collection(caller.quaestor, DEFAULT_COLLECTION) else new
    carried: list[str] = []
    ref = await begin_conversation(caller.quaestor, new, caller.submitter, carried.append)
    await label_turn(caller.quaestor, ref, labels)
    return await _carry(state, caller.quaestor, ref, carried)


async def take_next_turn(
    state: ServerState,
    caller: Caller,
    session_id: str,
    text: str,
    labels: Mapping[str, str],
    *,
    behind: TurnRef | None = None,
) -> TakenTurn:
    """Take another turn of a session, where `behind` is its newest one. Raises as `continue_conversation` does."""
    await find_model(caller.quaestor, session_id)
    carried: list[str] = []
    ref = await continue_conversation(
        caller.quaestor, session_id, text, caller.submitter, carried.append, behind=behind
    )
    await label_turn(caller.quaestor, ref, labels)
    return await _carry(state, caller.quaestor, ref, carried)


async def take_once(
    state: ServerState, caller: Caller, key: str | None, given: Contract, take: Callable[[], Awaitable[TakenTurn]]
) -> TakenTurn:
    """Take the turn of a request, or find the one that was taken for an equal one. Raises as `begin_once` does."""
    taken: list[TakenTurn] = []

    async def begin() -> TurnRef:
        taken.append(await take())
        return taken[0].ref

    ref = await begin_once(state, caller, key, given, begin)
    return taken[0] if taken and taken[0].ref == ref else TakenTurn(ref, events=0)


async def _carry(state: ServerState, quaestor: Quaestor, ref: TurnRef, carried: Sequence[str]) -> TakenTurn:
    """Let a session be run, once it is known how many events it has: a pause among them is an old one."""
    events = (await quaestor.session(ref.session_id)).events
    for session_id in carried:
        state.carry(session_id)
    return TakenTurn(ref, events)


async def find_model(quaestor: Quaestor, session_id: str) -> ModelId:
    """Return the name under which a session was asked for. Raises UnknownSession also for other workflows."""
    workflow = (await quaestor.session(session_id)).workflow
    if workflow not in _MODELS:
        raise UnknownSession(f"session {session_id} is one of {workflow}, which is no conversation here")
    return _MODELS[workflow]


async def find_renderer(request: Request, caller: Caller, ref: TurnRef) -> ResponseRenderer:
    """Return what renders a turn for this client. Raises UnknownSession."""
    return ResponseRenderer(ref, await find_model(caller.quaestor, ref.session_id), session_link(request, ref))


def session_link(request: Request, ref: TurnRef) -> str:
    """Return the address of the page of a session."""
    return f"{request.base_url}sessions/{ref.session_id}"
