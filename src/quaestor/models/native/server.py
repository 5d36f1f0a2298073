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
from quaestor.http.retry import parse_retry_after
from quaestor.models.chat.api_error import parse_api_error
from quaestor.models.chat.exchange import (
    CompletionReceived,
    ErrorResponse,
    ExchangeOutcome,
    InvalidRequest,
    ResponseLost,
)
from quaestor.models.chat.wire import Body
from quaestor.models.native.adapter import model_settings, request_parameters, to_completion, to_messages
from quaestor.models.native.native_provider import NativeProvider, missing_extra
from quaestor.models.native.sdk import SdkModel
from quaestor.models.native.transport import CallRecord, Endpoint, track_call

_SDK_ERRORS = (
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


class SdkServer:
    """The server of one model.

    Raises UsageError for a base URL or a key that is none, MissingExtra without the SDK, ModelRefused or another
    SetupError for what the SDK does not begin with.
    """

    def __init__(self, kind: NativeProvider, model: str, way: Endpoint) -> None:
        self._sdk = _open_sdk(kind, model, way)
        self.profile: Mapping[str, object] = self._sdk.model.profile
        """What pydantic-ai knows of the model."""
        self._errors: tuple[type[Exception], ...] = (*_SDK_ERRORS, *self._sdk.errors)

    @property
    def shown(self) -> str:
        """Its address without anything secret, for messages."""
        return self._sdk.address.shown

    async def exchange(self, body: Body) -> ExchangeOutcome:
        """Ask for an answer and give what came of it."""
        with track_call() as trip:
            try:
                response = await model_request(
                    self._sdk.model,
                    to_messages(body.messages),
                    model_settings=cast("ModelSettings", {**self._sdk.settings, **model_settings(body)}),
                    model_request_parameters=request_parameters(body),
                )
                answer = to_completion(response)
            except self._errors as error:
                return self._failed(trip, error)
        if not (answer.text or answer.calls or answer.finish or answer.usage):
            return ResponseLost("the reply cannot be read: it says nothing")
        return CompletionReceived(answer, trip.size)

    def _failed(self, trip: CallRecord, error: Exception) -> ExchangeOutcome:
        why = parse_api_error(self._sdk.address.hide(_error_text(error))).message
        match trip.ended:
            case ErrorResponse() as refused:
                return _with_error_code(refused, error)
            case None:
                return ResponseLost(f"the reply cannot be read: {why}") if trip.sent else InvalidRequest(why)
            case ended:
                return ended


def _open_sdk(kind: NativeProvider, model: str, way: Endpoint) -> SdkModel:
    """Import the SDK of a provider and give it a model."""
    try:
        match kind:
            case "anthropic":
                from quaestor.models.native.anthropic import open_sdk  # noqa: PLC0415 -- an extra, and slow to import
            case "bedrock":
                from quaestor.models.native.bedrock import open_sdk  # noqa: PLC0415 -- an extra, and slow to import
            case "google":
                from quaestor.models.native.google import open_sdk  # noqa: PLC0415 -- an extra, and slow to import
            case "mistral":
                from quaestor.models.native.mistral import open_sdk  # noqa: PLC0415 -- an extra, and slow to import
            case "openai-responses":
                from quaestor.models.native.openai import open_sdk  # noqa: PLC0415 -- an extra, and slow to import
    except ImportError as error:
        raise missing_extra(kind) from error
    try:
        return open_sdk(model, way)
    except (UserError, ValueError) as error:
        raise ModelRefused(f"{kind}:{model} cannot be asked: {error}; see to what it names") from error


def _with_error_code(refused: ErrorResponse, error: Exception) -> ErrorResponse:
    """Give a refusal with what only the body says, where pydantic-ai knows to read it: in OpenAI's codes."""
    match error:
        case ModelContextWindowExceededError():
            return replace(refused, said=replace(refused.said, code="context_length_exceeded"))
        case ModelQuotaExceededError():
            return replace(refused, said=replace(refused.said, code="insufficient_quota"))
        case ModelAPIError(retry_after=float() | int() as seconds) if refused.retry_after is None:
            return replace(refused, retry_after=parse_retry_after({"retry-after": str(seconds)}))
        case _:
            return refused


def _error_text(error: Exception) -> str:
    try:
        return str(error) or type(error).__name__
    except TypeError:  # an SDK's error whose message is none
        return type(error).__name__
