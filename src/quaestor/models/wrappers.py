"""Calls that an earlier session has paid for are answered from what it kept."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from pydantic import ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall, ToolsRequest
from quaestor.contracts.ports import Model, ReplyCache
from quaestor.replies.parsing import ContractViolation, validate_reply


class CachedReply(Contract):
    """What is kept of a reply."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class CachedModel:
    """Asks another model only what was never answered before; a `Model`. Only good replies are kept."""

    def __init__(self, model: Model, replies: ReplyCache) -> None:
        self.name = model.name
        self._model = model
        self._replies = replies

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Say what the call will be, should it be made."""
        return self._model.prepare(request)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Give the kept reply to an equal call, at no cost; else ask, and keep what fulfils its contract."""
        call = cache_key(request, prepared)
        if kept := _parse_cached(await self._replies.recall(call)):
            return ModelReply(text=kept.text, calls=kept.calls, spend=Spend(), cached=True)
        reply = await self._model.answer(request, prepared)
        if _is_cacheable(request, reply):
            await self._replies.put(call, CachedReply(text=reply.text, calls=reply.calls).model_dump_json())
        return reply


def cache_key(request: ModelRequest, prepared: PreparedCall) -> str:
    """Give the key that equal calls share: a SHA-256 of who is asked, what they are told and what they may answer."""
    match request:
        case OutputRequest(given=given):
            wanted: object = given.gives.model_json_schema()
        case ToolsRequest(tools=tools):
            wanted = [offer.model_dump(mode="json") for offer in tools]
    told = prepared.prompt.model_dump(mode="json") if prepared.prompt else request.given.model_dump(mode="json")
    return sha256(json.dumps([prepared.model, told, wanted], sort_keys=True).encode()).hexdigest()


def _is_cacheable(request: ModelRequest, reply: ModelReply) -> bool:
    if reply.fault:
        return False
    if isinstance(request, ToolsRequest):
        return {call.tool for call in reply.calls} <= {offer.name for offer in request.tools}
    try:
        validate_reply(request.given, reply.text)
    except ContractViolation:
        return False
    return not reply.calls


def _parse_cached(kept: str | None) -> CachedReply | None:
    try:
        return None if kept is None else CachedReply.model_validate_json(kept)
    except ValidationError:  # kept by a later release in another shape: as good as not kept
        return None


class RoutedModel:
    """Asks the first model of a role's chain, and the next one when it gave no reply; a `Model`.

    Every try is a call of its own with its own reservation, so each event names the model that was asked.
    """

    def __init__(self, default: Sequence[Model], by_role: Mapping[str, Sequence[Model]]) -> None:
        self.name = default[0].name
        self._default = default
        self._by_role = by_role

    @property
    def longest_chain(self) -> int:
        """How many models the longest chain has."""
        return max(len(chain) for chain in (self._default, *self._by_role.values()))

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Say what the call will be with the model whose turn it is."""
        model, own = self._turn(request)
        return model.prepare(own)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Answer by the model whose turn it is; one that refuses leaves the turn to the next one, if there is one."""
        model, own = self._turn(request)
        try:
            return await model.answer(own, prepared)
        except ModelRefused as error:
            if model is self._chain(request)[-1]:
                raise
            raise ModelFailed(str(error), Spend(model_calls=1)) from error

    def _turn(self, request: ModelRequest) -> tuple[Model, ModelRequest]:
        """Give the model whose turn it is, and the request with the failures that are its own."""
        chain = self._chain(request)
        place = min(request.failures, len(chain) - 1)
        return chain[place], request.model_copy(update={"failures": request.failures - place})

    def _chain(self, request: ModelRequest) -> Sequence[Model]:
        return self._by_role.get(request.role, self._default)
