"""Models behind a provider's own SDK."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from quaestor.contracts.cost import Price
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.model import ModelRequest, OutputMode, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.http.client import HttpClient
from quaestor.models.chat.completion import TextListener
from quaestor.models.chat.error_handling import Downgrade
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest
from quaestor.models.chat.mode_memory import ModeMemory
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body
from quaestor.models.native.provider import (
    NativeProvider,
    default_mode,
    find_downgrade,
    native_provider,
    with_downgrades,
)
from quaestor.models.native.transport import SdkEndpoint

if TYPE_CHECKING:
    from quaestor.models.native.server import SdkServer

_SDK_SERVER: "LazyImport[type[SdkServer]]" = LazyImport("quaestor.models.native.server:SdkServer")


class NativeModel(RemoteModel):
    """A model behind its provider's own API; a `Model`. It needs the extra `llm`.

    The SDK of the provider is imported by the first call that is prepared, which takes a second or two. Replies are
    never streamed.

    Raises UsageError for a provider without such an API, MissingExtra when a package is not installed.
    """

    def __init__(
        self,
        *,
        name: str,
        kind: str,
        model: str,
        provider: Provider,
        base_url: str | None,
        key: str | None,
        client: HttpClient,
        prompts: PromptBuilder,
        price: Price | None,
        max_output_tokens: int | None = None,
        memory: ModeMemory | None = None,
        reconnect: bool = True,
    ) -> None:
        endpoint = SdkEndpoint(base_url, key, client)
        super().__init__(
            name=name,
            server=_LazyServer(native_provider(kind), model, provider.output, endpoint),
            provider=provider,
            client=client,
            prompts=prompts,
            price=price,
            max_output_tokens=max_output_tokens,
            memory=memory,
            reconnect=reconnect,
        )


class _LazyServer:
    """The server of a model, opened at its first use."""

    def __init__(self, kind: NativeProvider, model: str, output: OutputMode, endpoint: SdkEndpoint) -> None:
        self._kind = kind
        self._model = model
        self._output = output
        self._endpoint = endpoint

    @property
    def display_url(self) -> str:
        return self._server.display_url

    @cached_property
    def default_mode(self) -> RequestMode:
        return default_mode(self._model, self._output, self._server.profile)

    async def send(self, body: Body, on_text: TextListener) -> ExchangeOutcome:  # noqa: ARG002 -- asked for whole
        return await self._server.send(body)

    def with_downgrades(self, mode: RequestMode) -> Iterator[RequestMode]:
        return with_downgrades(mode)

    def downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        return find_downgrade(request, body, mode, failure)

    def simpler_modes(
        self,
        request: ModelRequest,  # noqa: ARG002 -- the port's signature; these APIs name what they refuse
        body: Body,  # noqa: ARG002 -- as above
        mode: RequestMode,  # noqa: ARG002 -- as above
        failure: ErrorResponse,  # noqa: ARG002 -- as above
    ) -> Iterator[RequestMode]:
        return iter(())

    @cached_property
    def _server(self) -> "SdkServer":
        return _SDK_SERVER.load()(self._kind, self._model, self._endpoint)
