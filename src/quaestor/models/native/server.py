"""A provider behind its SDK: one call and its outcome.

Importing this module needs the extra `llm`; each SDK is imported with the first call to a model of its provider.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
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
from quaestor.contracts.immutable import replace
from quaestor.contracts.lazy import LazyImport
from quaestor.http.retry import parse_retry_after
from quaestor.models.chat.exchange import (
    CompletionReceived,
    ErrorResponse,
    ExchangeOutcome,
    InvalidRequest,
    ResponseLost,
)
from quaestor.models.chat.wire import Body, parse_api_error
from quaestor.models.native.adapter import SdkModel, model_settings, request_parameters, to_completion, to_messages
from quaestor.models.native.sdk_packages import NativeProvider, missing_extra
from quaestor.models.native.transport import CallRecord, SdkEndpoint, track_call

_OpenSdk = Callable[[str, SdkEndpoint], SdkModel]
_SDKS: Mapping[NativeProvider, LazyImport[_OpenSdk]] = MappingProxyType(
    {
        "anthropic": LazyImport("quaestor.models.native.anthropic:open_sdk"),
        "bedrock": LazyImport("quaestor.models.native.bedrock:open_sdk"),
        "google": LazyImport("quaestor.models.native.google:open_sdk"),
        "mistral": LazyImport("quaestor.models.native.mistral:open_sdk"),
        "openai-responses": LazyImport("quaestor.models.native.openai:open_sdk"),
    }
)
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
"""Raised by every SDK. The last eight come from bodies of an unexpected shape, which SDKs do not validate."""


class SdkServer:
    """The server of one model.

    Raises UsageError for an invalid base URL or key, MissingExtra without the SDK, ModelRefused or another SetupError
    for settings that the SDK refuses.
    """

    def __init__(self, kind: NativeProvider, model: str, endpoint: SdkEndpoint) -> None:
        self._sdk = _open_sdk(kind, model, endpoint)
        self.profile: Mapping[str, object] = self._sdk.model.profile
        """The capabilities of the model, as pydantic-ai knows them."""
        self._errors: tuple[type[Exception], ...] = (*_SDK_ERRORS, *self._sdk.errors)

    @property
    def display_url(self) -> str:
        """Return its address without anything secret, for messages."""
        return self._sdk.endpoint.display_url

    async def send(self, body: Body) -> ExchangeOutcome:
        """Send one request and return its outcome."""
        with track_call() as record:
            try:
                response = await model_request(
                    self._sdk.model,
                    to_messages(body.messages),
                    model_settings=cast("ModelSettings", {**self._sdk.settings, **model_settings(body)}),
                    model_request_parameters=request_parameters(body),
                )
                answer = to_completion(response)
            except self._errors as error:
                return self._failed(record, error)
        if not (answer.text or answer.calls or answer.finish or answer.credible_usage):
            return ResponseLost("the reply cannot be read: it says nothing")
        return CompletionReceived(answer, record.size)

    def _failed(self, record: CallRecord, error: Exception) -> ExchangeOutcome:
        reason = parse_api_error(self._sdk.endpoint.redaction.redact(_error_text(error))).message
        match record.failure:
            case ErrorResponse() as failure:
                return _with_error_code(failure, error)
            case None:
                return ResponseLost(f"the reply cannot be read: {reason}") if record.sent else InvalidRequest(reason)
            case failure:
                return failure


def _open_sdk(kind: NativeProvider, model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Import the SDK of a provider and open a model with it."""
    try:
        open_sdk = _SDKS[kind].load()
    except ImportError as error:
        raise missing_extra(kind) from error
    try:
        return open_sdk(model, endpoint)
    except (UserError, ValueError) as error:
        raise ModelRefused(f"{kind}:{model} cannot be asked: {error}; see to what it names") from error


def _with_error_code(failure: ErrorResponse, error: Exception) -> ErrorResponse:
    """Return a failure with what pydantic-ai finds in the provider's body, in the codes of OpenAI."""
    match error:
        case ModelContextWindowExceededError():
            return replace(failure, error=replace(failure.error, code="context_length_exceeded"))
        case ModelQuotaExceededError():
            return replace(failure, error=replace(failure.error, code="insufficient_quota"))
        case ModelAPIError(retry_after=float() | int() as seconds) if failure.retry_after is None:
            return replace(failure, retry_after=parse_retry_after({"retry-after": str(seconds)}))
        case _:
            return failure


def _error_text(error: Exception) -> str:
    try:
        return str(error) or type(error).__name__
    except TypeError:  # the message of an SDK's error is not always text
        return type(error).__name__
