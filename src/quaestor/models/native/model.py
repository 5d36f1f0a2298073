from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from quaestor.contracts.cost import Price
from quaestor.contracts.model import ModelRequest, OutputMode, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.models.chat.connection import ProviderConnection
from quaestor.models.chat.error_handling import Downgrade
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body
from quaestor.models.native.native_provider import NativeProvider, native_provider
from quaestor.models.native.request_mode import default_mode, find_downgrade, with_downgrades
from quaestor.models.native.transport import Endpoint

if TYPE_CHECKING:
    from quaestor.models.native.server import SdkServer


class NativeModel(RemoteModel):
    """A model behind the API its provider made for it; a `Model`. It needs the extra `llm`.

    The SDK of the provider is imported by the first call that is prepared, which takes a second or two. Replies are
    never streamed.

    Raises UsageError for a provider that has no such API, MissingExtra when a package is not installed.
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
        line: ProviderConnection,
        prompts: PromptBuilder,
        price: Price | None,
        seconds: float,
        max_output_tokens: int | None = None,
    ) -> None:
        way = Endpoint(base_url, key, line, provider.seconds or seconds)
        super().__init__(
            name=name,
            server=_LazyServer(native_provider(kind), model, provider.output, way),
            provider=provider,
            line=line,
            prompts=prompts,
            price=price,
            max_output_tokens=max_output_tokens,
        )


class _LazyServer:
    """The server of a model, which is opened when it is first needed."""

    def __init__(self, kind: NativeProvider, model: str, output: OutputMode, way: Endpoint) -> None:
        self._kind = kind
        self._model = model
        self._output = output
        self._way = way

    @property
    def shown(self) -> str:
        return self._server.shown

    @cached_property
    def first_manner(self) -> RequestMode:
        return default_mode(self._model, self._output, self._server.profile)

    async def exchange(self, body: Body) -> ExchangeOutcome:
        return await self._server.exchange(body)

    def and_simpler(self, manner: RequestMode) -> Iterator[RequestMode]:
        return with_downgrades(manner)

    def simpler(
        self, request: ModelRequest, body: Body, manner: RequestMode, no: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        return find_downgrade(request, body, manner, no)

    @cached_property
    def _server(self) -> "SdkServer":
        from quaestor.models.native.server import SdkServer  # noqa: PLC0415 -- an extra, and slow to import

        return SdkServer(self._kind, self._model, self._way)
