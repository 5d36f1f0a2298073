"""A provider as its SDK reaches it: one call and what came of it.

Whoever imports this module needs the extra `llm`; each SDK is imported when a model of its provider is first asked.
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

from quaestor.contracts.errors import ModelRefused
from quaestor.models.chat.complaint import complaint
from quaestor.models.chat.exchange import Answered, Lost, Outcome, Refused, Unaskable
from quaestor.models.chat.wire import Body
from quaestor.models.native.asking import conversation, limits, parameters
from quaestor.models.native.carrying import Trip, Way, travelling
from quaestor.models.native.kind import Kind, missing_extra
from quaestor.models.native.reading import completion
from quaestor.models.native.sdk import Sdk
from quaestor.patience import asked_to_wait

_RAISED = (
    AgentRunError,
    UserError,
    httpx2.HTTPError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What is raised on the way by every SDK. The last eight: an SDK believes that a body has the shape it should have."""


class Server:
    """The server of one model.

    Raises UsageError for a base URL or a key that is none, MissingExtra without the SDK, ModelRefused or another
    SetupError for what the SDK does not begin with.
    """

    def __init__(self, kind: Kind, model: str, way: Way) -> None:
        self._sdk = _opened(kind, model, way)
        self.profile: Mapping[str, object] = self._sdk.model.profile
        """What pydantic-ai knows of the model."""
        self._raised: tuple[type[Exception], ...] = (*_RAISED, *self._sdk.errors)

    @property
    def shown(self) -> str:
        """Its address without anything secret, for messages."""
        return self._sdk.address.shown

    async def exchange(self, body: Body) -> Outcome:
        """Ask for an answer and give what came of it."""
        with travelling() as trip:
            try:
                response = await model_request(
                    self._sdk.model,
                    conversation(body.messages),
                    model_settings=cast("ModelSettings", {**self._sdk.settings, **limits(body)}),
                    model_request_parameters=parameters(body),
                )
                answer = completion(response)
            except self._raised as error:
                return self._failed(trip, error)
        if not (answer.text or answer.calls or answer.finish or answer.usage):
            return Lost("the reply cannot be read: it says nothing")
        return Answered(answer, trip.size)

    def _failed(self, trip: Trip, error: Exception) -> Outcome:
        why = complaint(self._sdk.address.hide(_said(error))).message
        match trip.ended:
            case Refused() as refused:
                return _understood(refused, error)
            case None:
                return Lost(f"the reply cannot be read: {why}") if trip.sent else Unaskable(why)
            case ended:
                return ended


def _opened(kind: Kind, model: str, way: Way) -> Sdk:
    """Import the SDK of a provider and give it a model."""
    try:
        match kind:
            case "anthropic":
                from quaestor.models.native.anthropic import opened  # noqa: PLC0415 -- an extra, and slow to import
            case "bedrock":
                from quaestor.models.native.bedrock import opened  # noqa: PLC0415 -- an extra, and slow to import
            case "google":
                from quaestor.models.native.google import opened  # noqa: PLC0415 -- an extra, and slow to import
            case "mistral":
                from quaestor.models.native.mistral import opened  # noqa: PLC0415 -- an extra, and slow to import
            case "openai-responses":
                from quaestor.models.native.openai import opened  # noqa: PLC0415 -- an extra, and slow to import
    except ImportError as error:
        raise missing_extra(kind) from error
    try:
        return opened(model, way)
    except (UserError, ValueError) as error:
        raise ModelRefused(f"{kind}:{model} cannot be asked: {error}; see to what it names") from error


def _understood(refused: Refused, error: Exception) -> Refused:
    """Give a refusal with what only the body says, where pydantic-ai knows to read it: in OpenAI's codes."""
    match error:
        case ModelContextWindowExceededError():
            return replace(refused, said=replace(refused.said, code="context_length_exceeded"))
        case ModelQuotaExceededError():
            return replace(refused, said=replace(refused.said, code="insufficient_quota"))
        case ModelAPIError(retry_after=float() | int() as seconds) if refused.retry_after is None:
            return replace(refused, retry_after=asked_to_wait({"retry-after": str(seconds)}))
        case _:
            return refused


def _said(error: Exception) -> str:
    try:
        return str(error) or type(error).__name__
    except TypeError:  # an SDK's error whose message is none
        return type(error).__name__
