"""Models around other models: one answers repeated calls from a cache, one falls back along a chain."""

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
    """A reply in the cache."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class CachedModel:
    """A model that asks another one only what was never answered before; a `Model`. Only valid replies are cached."""

    def __init__(self, model: Model, replies: ReplyCache) -> None:
        self.name = model.name
        self._model = model
        self._replies = replies

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Prepare the call, in case it must be made."""
        return self._model.prepare(request)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Return the cached reply to an equal call, at no cost; else ask, and cache a valid reply."""
        call = cache_key(request, prepared)
        if cached := _parse_cached(await self._replies.recall(call)):
            return ModelReply(text=cached.text, calls=cached.calls, spend=Spend(), cached=True)
        reply = await self._model.answer(request, prepared)
        if _is_cacheable(request, reply):
            await self._replies.put(call, CachedReply(text=reply.text, calls=reply.calls).model_dump_json())
        return reply


def cache_key(request: ModelRequest, prepared: PreparedCall) -> str:
    """Return the key that equal calls share: a SHA-256 of the model, the prompt and the answers it allows."""
    match request:
        case OutputRequest(given=given):
            expected: object = given.gives.model_json_schema()
        case ToolsRequest(tools=tools):
            expected = [offer.model_dump(mode="json") for offer in tools]
    prompt = prepared.prompt.model_dump(mode="json") if prepared.prompt else request.given.model_dump(mode="json")
    return sha256(json.dumps([prepared.model, prompt, expected], sort_keys=True).encode()).hexdigest()


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


def _parse_cached(text: str | None) -> CachedReply | None:
    try:
        return None if text is None else CachedReply.model_validate_json(text)
    except ValidationError:  # cached by a later release with other fields
        return None


class RoutedModel:
    """A model that asks the first one of a role's chain, and the next one after a failure; a `Model`.

    Every attempt is a call of its own with its own reservation, so each event names the model that was asked.
    """

    def __init__(self, default: Sequence[Model], by_role: Mapping[str, Sequence[Model]]) -> None:
        self.name = default[0].name
        self._default = default
        self._by_role = by_role

    @property
    def longest_chain(self) -> int:
        """Return the number of models in the longest chain."""
        return max(len(chain) for chain in (self._default, *self._by_role.values()))

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Prepare the call with the model whose turn it is."""
        model, own_request = self._select(request)
        return model.prepare(own_request)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Answer by the model whose turn it is; a refusal is a failure while the chain has another model."""
        model, own_request = self._select(request)
        try:
            return await model.answer(own_request, prepared)
        except ModelRefused as error:
            if model is self._chain(request)[-1]:
                raise
            # Counted as a failure it moves the request on to the next model.
            raise ModelFailed(str(error), Spend(model_calls=1)) from error

    def _select(self, request: ModelRequest) -> tuple[Model, ModelRequest]:
        """Return the model whose turn it is, and the request with the failures of this model alone."""
        chain = self._chain(request)
        # Each model but the last has one attempt; all further failures are those of the last one.
        place = min(request.failures, len(chain) - 1)
        return chain[place], request.revised(failures=request.failures - place)

    def _chain(self, request: ModelRequest) -> Sequence[Model]:
        return self._by_role.get(request.role, self._default)
