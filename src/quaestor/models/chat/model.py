from collections.abc import Iterator

from quaestor.contracts.cost import Price
from quaestor.contracts.model import ModelRequest, Provider
from quaestor.contracts.ports import PromptBuilder
from quaestor.models.chat.connection import Address, ProviderConnection
from quaestor.models.chat.error_handling import Downgrade, find_downgrade
from quaestor.models.chat.exchange import ErrorResponse, ExchangeOutcome, InvalidRequest, exchange
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.chat.request import RequestMode
from quaestor.models.chat.wire import Body, encode_body


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
        line: ProviderConnection,
        prompts: PromptBuilder,
        price: Price | None,
        seconds: float,
        max_output_tokens: int | None = None,
    ) -> None:
        address = Address(base_url, key)
        manner = RequestMode(
            model=model, output=provider.output, stream=provider.stream, uses_max_completion_tokens=address.is_openai
        )
        super().__init__(
            name=name,
            server=_ChatServer(line, address, provider.seconds or seconds, manner),
            provider=provider,
            line=line,
            prompts=prompts,
            price=price,
            max_output_tokens=max_output_tokens,
        )


class _ChatServer:
    def __init__(self, line: ProviderConnection, address: Address, seconds: float, first_manner: RequestMode) -> None:
        self.shown = address.shown
        self.first_manner = first_manner
        self._line = line
        self._address = address
        self._seconds = seconds

    async def exchange(self, body: Body) -> ExchangeOutcome:
        return await exchange(self._line, self._address, encode_body(body), self._seconds)

    def and_simpler(self, manner: RequestMode) -> Iterator[RequestMode]:
        return manner.and_simpler()

    def simpler(
        self, request: ModelRequest, body: Body, manner: RequestMode, no: ErrorResponse | InvalidRequest
    ) -> Downgrade | None:
        return find_downgrade(request, body, manner, no) if isinstance(no, ErrorResponse) else None
