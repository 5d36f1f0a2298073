"""Models behind the chat completions API of OpenAI, asked over HTTP."""

from collections.abc import Iterator

from quaestor.contracts.cost import Price
from quaestor.contracts.model import ModelRequest, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.contracts.tokens import TokenListener, ignore_tokens
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Endpoint
from quaestor.models.chat.completion import TextListener
from quaestor.models.chat.error_handling import Downgrade, find_downgrade, may_be_a_refusal, simpler_modes
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest, exchange, provider_endpoint
from quaestor.models.chat.mode_memory import ModeMemory
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body, encode_body

_OPENAI_HOST = "api.openai.com"
"""The only server that refuses the older `max_tokens`."""


class ChatModel(RemoteModel):
    """A model behind an OpenAI chat completions API; a `Model`."""

    def __init__(
        self,
        *,
        name: str,
        model: str,
        provider: Provider,
        base_url: str,
        key: str | None,
        client: HttpClient,
        prompts: PromptBuilder,
        price: Price | None,
        max_output_tokens: int | None = None,
        memory: ModeMemory | None = None,
        on_tokens: TokenListener = ignore_tokens,
        reconnect: bool = True,
    ) -> None:
        endpoint = provider_endpoint(base_url, key)
        mode = RequestMode(
            model=model,
            output=provider.output,
            stream=provider.stream,
            uses_max_completion_tokens=endpoint.base_url.host == _OPENAI_HOST,
        )
        super().__init__(
            name=name,
            server=_ChatServer(client, endpoint, mode),
            provider=provider,
            client=client,
            prompts=prompts,
            price=price,
            max_output_tokens=max_output_tokens,
            memory=memory,
            on_tokens=on_tokens,
            reconnect=reconnect,
        )


class _ChatServer:
    def __init__(self, client: HttpClient, endpoint: Endpoint, default_mode: RequestMode) -> None:
        self.display_url = endpoint.display_url
        self.default_mode = default_mode
        self._client = client
        self._endpoint = endpoint

    async def send(self, body: Body, on_text: TextListener) -> ExchangeOutcome:
        return await exchange(self._client, self._endpoint, encode_body(body), on_text)

    def with_downgrades(self, mode: RequestMode) -> Iterator[RequestMode]:
        return mode.with_downgrades()

    def downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        return find_downgrade(request, body, mode, failure) if isinstance(failure, ErrorResponse) else None

    def simpler_modes(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse
    ) -> Iterator[RequestMode]:
        return simpler_modes(request, body, mode) if may_be_a_refusal(request, failure) else iter(())
