"""A provider as its SDK reaches it: one call and what came of it.

Whoever imports this module needs the extra `llm`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import httpx2
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelContextWindowExceededError,
    ModelQuotaExceededError,
    UserError,
)
from pydantic_ai.settings import ModelSettings

from quaestor.models.chat.complaint import complaint
from quaestor.models.chat.exchange import Answered, Lost, Outcome, Refused
from quaestor.models.chat.wire import Body
from quaestor.models.native.asking import conversation, limits, parameters
from quaestor.models.native.carrying import Trip, Unaskable, Way, travelling
from quaestor.models.native.kind import Kind
from quaestor.models.native.reading import completion
from quaestor.models.native.sdk import opened

_RAISED = (
    AgentRunError,
    UserError,
    httpx2.HTTPError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What is raised on the way. The last five: an SDK believes that a body has the shape it should have."""


class Server:
    """The server of one model. Raises UsageError for a base URL, a key or a region that is none."""

    def __init__(self, kind: Kind, model: str, way: Way) -> None:
        self._sdk = opened(kind, model, way)
        self._raised: tuple[type[Exception], ...] = (*_RAISED, *self._sdk.errors)

    @property
    def shown(self) -> str:
        """Its address without anything secret, for messages."""
        return self._sdk.address.shown

    @property
    def profile(self) -> Mapping[str, object]:
        """What pydantic-ai knows of the model."""
        return self._sdk.model.profile

    async def exchange(self, body: Body) -> Outcome | Unaskable:
        """Ask for an answer and give what came of it."""
        with travelling() as trip:
            try:
                response = await model_request(
                    self._sdk.model,
                    conversation(body.messages),
                    model_settings=cast("ModelSettings", {**self._sdk.settings, **limits(body)}),
                    model_request_parameters=parameters(body),
                )
            except self._raised as error:
                return self._failed(trip, error)
        answer = completion(response)
        if not (answer.text or answer.calls or answer.finish or answer.usage):
            return Lost("the reply cannot be read: it says nothing")
        return Answered(answer, trip.size)

    def _failed(self, trip: Trip, error: Exception) -> Outcome | Unaskable:
        why = complaint(self._sdk.address.hide(str(error) or type(error).__name__)).message
        match trip.ended:
            case Refused() as refused:
                return _understood(refused, error)
            case None:
                return Lost(f"the reply cannot be read: {why}") if trip.sent else Unaskable(why)
            case ended:
                return ended


def _understood(refused: Refused, error: Exception) -> Refused:
    """Give a refusal with what only the body says, where pydantic-ai knows to read it: in OpenAI's codes."""
    match error:
        case ModelContextWindowExceededError():
            return replace(refused, said=replace(refused.said, code="context_length_exceeded"))
        case ModelQuotaExceededError():
            return replace(refused, said=replace(refused.said, code="insufficient_quota"))
        case ModelAPIError(retry_after=seconds) if refused.retry_after is None:
            return replace(refused, retry_after=seconds)
        case _:
            return refused
