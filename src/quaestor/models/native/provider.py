"""Providers with an API of their own: the request modes they take, and their server."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from quaestor.contracts.immutable import replace
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest, Provider
from quaestor.http.client import HttpClient
from quaestor.models.chat.completion import TextListener
from quaestor.models.chat.error_handling import Downgrade
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body
from quaestor.models.native.sdk_packages import native_provider
from quaestor.models.native.transport import SdkEndpoint

if TYPE_CHECKING:
    from quaestor.models.native.server import SdkServer

_SDK_SERVER: "LazyImport[type[SdkServer]]" = LazyImport("quaestor.models.native.server:SdkServer")

_DOWNGRADES: Mapping[OutputMode, OutputMode] = MappingProxyType({"schema": "tool", "tool": "prompt"})
_MODE_KEYWORDS: Mapping[OutputMode, tuple[str, ...]] = MappingProxyType(
    {
        "schema": ("schema", "output_config", "outputconfig", "output_format", "structured output", "grammar", "mime"),
        "tool": ("tool", "function"),
    }
)
_DOWNGRADE_STATUSES = {400, 404, 422}
_CONTEXT_LENGTH_CODE = "context_length_exceeded"


def default_mode(model: str, preferred: OutputMode, profile: Mapping[str, object]) -> RequestMode:
    """Return the mode to begin with: the preferred one, as far as the model is known to support it.

    `object` becomes `prompt`, because pydantic-ai has no mode for any JSON object.
    """
    output = preferred
    if output == "schema" and not _takes_schema(profile):
        output = "tool"
    if output == "object" or (output == "tool" and not profile.get("supports_tools", True)):
        output = "prompt"
    return RequestMode(
        model=model,
        output=output,
        stream=False,
        uses_max_completion_tokens=False,
        temperature=_takes_temperature(profile),
        accepts_lax_schema=False,
    )


def with_downgrades(mode: RequestMode) -> Iterator[RequestMode]:
    """Return a mode and those it may be downgraded to."""
    yield mode
    if simpler := _DOWNGRADES.get(mode.output):
        yield from with_downgrades(replace(mode, output=simpler))


def find_downgrade(
    request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
) -> Downgrade | None:
    """Return the mode to ask in after this failure; None when the mode is not what was refused."""
    match failure:
        case ErrorResponse(status=status, error=error) if (
            status in _DOWNGRADE_STATUSES and error.code != _CONTEXT_LENGTH_CODE
        ):
            source, text = f"{status}, the server", error.lowercase_text
        case ErrorResponse():
            return None
        case InvalidRequest(reason=reason):
            source, text = "the SDK", reason.lower()
    if body.temperature is not None and "temperature" in text:
        return Downgrade(mode.without_temperature(), f"{source} takes no temperature; asked without one")
    simpler = _DOWNGRADES.get(mode.output)
    if simpler and isinstance(request, OutputRequest) and any(name in text for name in _MODE_KEYWORDS[mode.output]):
        note = f"{source} takes no output mode {mode.output}; asked with {simpler}"
        return Downgrade(replace(mode, output=simpler), note)
    return None


def _takes_schema(profile: Mapping[str, object]) -> bool:
    """Return whether the provider enforces a schema."""
    needs_instructions = profile.get("native_output_requires_schema_in_instructions")
    return bool(profile.get("supports_json_schema_output")) and not needs_instructions


def _takes_temperature(profile: Mapping[str, object]) -> bool:
    """Return whether a model accepts a temperature; those that always think first do not."""
    refusing = profile.get("anthropic_disallows_sampling_settings") or profile.get(
        "bedrock_disallows_sampling_settings"
    )
    thinking = profile.get("thinking_always_enabled") or profile.get("thinking_enabled_by_default")
    return not (refusing or (profile.get("openai_supports_reasoning") and thinking))


class NativeApiServer:
    """A provider's own API behind its SDK; a `ModelServer`. It needs the extra `llm`.

    The SDK is imported by the first call that is prepared, which takes a second or two. Raises UsageError for a
    provider without such an API, MissingExtra when a package is not installed.
    """

    def __init__(
        self, client: HttpClient, provider: Provider, model: str, *, base_url: str | None, key: str | None, kind: str
    ) -> None:
        self._kind = native_provider(kind)
        self._model = model
        self._output = provider.output
        self._endpoint = SdkEndpoint(base_url, key, client)

    @property
    def display_url(self) -> str:
        """Return its address without anything secret, for messages."""
        return self._server.display_url

    @cached_property
    def default_mode(self) -> RequestMode:
        """Return the mode to begin with, which the SDK must be imported for."""
        return default_mode(self._model, self._output, self._server.profile)

    async def send(self, body: Body, on_text: TextListener) -> ExchangeOutcome:  # noqa: ARG002 -- asked for whole
        """Send one request and return its outcome, which is never streamed."""
        return await self._server.send(body)

    def with_downgrades(self, mode: RequestMode) -> Iterator[RequestMode]:
        """Return a mode and those it may be downgraded to."""
        return with_downgrades(mode)

    def downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        """Return the mode to ask in after this failure; None when the mode is not what was refused."""
        return find_downgrade(request, body, mode, failure)

    def simpler_modes(
        self,
        request: ModelRequest,  # noqa: ARG002 -- the port's signature; these APIs name what they refuse
        body: Body,  # noqa: ARG002 -- as above
        mode: RequestMode,  # noqa: ARG002 -- as above
        failure: ErrorResponse,  # noqa: ARG002 -- as above
    ) -> Iterator[RequestMode]:
        """Yield nothing: an error says what it refuses."""
        return iter(())

    @cached_property
    def _server(self) -> "SdkServer":
        return _SDK_SERVER.load()(self._kind, self._model, self._endpoint)
