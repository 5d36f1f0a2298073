"""The chat completions API of OpenAI, asked over HTTP."""

from collections.abc import Iterator

from quaestor.contracts.model import ModelRequest, Provider
from quaestor.http.client import HttpClient
from quaestor.models.chat.completion import TextListener
from quaestor.models.chat.error_handling import Downgrade, find_downgrade, may_be_a_refusal, simpler_modes
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest, exchange, provider_endpoint
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body, encode_body

_OPENAI_HOST = "api.openai.com"
"""The only server that refuses the older `max_tokens`."""


class ChatServer:
    """A server behind an OpenAI chat completions API; a `ModelServer`. Raises UsageError for an invalid URL or key."""

    def __init__(self, client: HttpClient, provider: Provider, model: str, base_url: str, key: str | None) -> None:
        self._client = client
        self._endpoint = provider_endpoint(base_url, key)
        self.display_url = self._endpoint.display_url
        self.default_mode = RequestMode(
            model=model,
            output=provider.output,
            stream=provider.stream,
            uses_max_completion_tokens=self._endpoint.base_url.host == _OPENAI_HOST,
        )

    async def send(self, body: Body, on_text: TextListener) -> ExchangeOutcome:
        """Send one request and return its outcome; `on_text` is called with the text of a stream as it comes."""
        return await exchange(self._client, self._endpoint, encode_body(body), on_text)

    def with_downgrades(self, mode: RequestMode) -> Iterator[RequestMode]:
        """Return a mode and those it may be downgraded to."""
        return mode.with_downgrades()

    def downgrade(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        """Return the mode to ask in after this failure; None when the mode is not what was refused."""
        return find_downgrade(request, body, mode, failure) if isinstance(failure, ErrorResponse) else None

    def simpler_modes(
        self, request: ModelRequest, body: Body, mode: RequestMode, failure: ErrorResponse
    ) -> Iterator[RequestMode]:
        """Yield the modes to try after an error that names no reason for it."""
        return simpler_modes(request, body, mode) if may_be_a_refusal(request, failure) else iter(())
