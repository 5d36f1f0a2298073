from collections.abc import Iterator

from quaestor.contracts.model import ModelRequest
from quaestor.contracts.ports import Prompts
from quaestor.contracts.price import Price
from quaestor.contracts.provider import Provider
from quaestor.models.chat.address import Address
from quaestor.models.chat.asking import Manner
from quaestor.models.chat.exchange import Outcome, Refused, Unaskable, exchange
from quaestor.models.chat.line import Line
from quaestor.models.chat.refusing import Simpler, simpler
from quaestor.models.chat.served import ServedModel
from quaestor.models.chat.wire import Body, encoded


class ChatModel(ServedModel):
    """A model behind an OpenAI chat completions API; a `Model`."""

    def __init__(
        self,
        *,
        name: str,
        model: str,
        provider: Provider,
        base_url: str,
        key: str | None,
        line: Line,
        prompts: Prompts,
        price: Price | None,
        seconds: float,
        max_output_tokens: int | None = None,
    ) -> None:
        address = Address(base_url, key)
        manner = Manner(model=model, output=provider.output, stream=provider.stream, new_limit=address.is_openai)
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
    def __init__(self, line: Line, address: Address, seconds: float, first_manner: Manner) -> None:
        self.shown = address.shown
        self.first_manner = first_manner
        self._line = line
        self._address = address
        self._seconds = seconds

    async def exchange(self, body: Body) -> Outcome:
        return await exchange(self._line, self._address, encoded(body), self._seconds)

    def and_simpler(self, manner: Manner) -> Iterator[Manner]:
        return manner.and_simpler()

    def simpler(self, request: ModelRequest, body: Body, manner: Manner, no: Refused | Unaskable) -> Simpler | None:
        return simpler(request, body, manner, no) if isinstance(no, Refused) else None
