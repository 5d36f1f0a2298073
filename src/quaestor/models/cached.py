"""Calls that an earlier session has paid for are answered from what it kept."""

import json
from hashlib import sha256

from pydantic import ValidationError

from quaestor.contracts.budget import Spend
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, Prepared, ToolsRequest
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Model, Replies
from quaestor.replies.contract import BrokenContract, fulfil


class Kept(Noun):
    """What is kept of a reply."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class CachedModel:
    """Asks another model only what was never answered before; a `Model`. Only good replies are kept."""

    def __init__(self, model: Model, replies: Replies) -> None:
        self.name = model.name
        self._model = model
        self._replies = replies

    def prepare(self, request: ModelRequest) -> Prepared:
        """Say what the call will be, should it be made."""
        return self._model.prepare(request)

    async def answer(self, request: ModelRequest, prepared: Prepared) -> ModelReply:
        """Give the kept reply to an equal call, at no cost; else ask, and keep what fulfils its contract."""
        call = call_key(request, prepared)
        if kept := _read(await self._replies.recall(call)):
            return ModelReply(text=kept.text, calls=kept.calls, spend=Spend(), cached=True)
        reply = await self._model.answer(request, prepared)
        if _good(request, reply):
            await self._replies.remember(call, Kept(text=reply.text, calls=reply.calls).model_dump_json())
        return reply


def call_key(request: ModelRequest, prepared: Prepared) -> str:
    """Give the key that equal calls share: a SHA-256 of who is asked, what they are told and what they may answer."""
    match request:
        case OutputRequest(given=given):
            wanted: object = given.gives.model_json_schema()
        case ToolsRequest(tools=tools):
            wanted = [offer.model_dump(mode="json") for offer in tools]
    told = prepared.prompt.model_dump(mode="json") if prepared.prompt else request.given.model_dump(mode="json")
    return sha256(json.dumps([prepared.model, told, wanted], sort_keys=True).encode()).hexdigest()


def _good(request: ModelRequest, reply: ModelReply) -> bool:
    if reply.fault:
        return False
    if isinstance(request, ToolsRequest):
        return {call.tool for call in reply.calls} <= {offer.name for offer in request.tools}
    try:
        fulfil(request.given, reply.text)
    except BrokenContract:
        return False
    return not reply.calls


def _read(kept: str | None) -> Kept | None:
    try:
        return None if kept is None else Kept.model_validate_json(kept)
    except ValidationError:  # kept by a later release in another shape: as good as not kept
        return None
