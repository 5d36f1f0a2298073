from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from quaestor.contracts.model import ModelRequest
from quaestor.contracts.ports import Prompts
from quaestor.contracts.price import Price
from quaestor.contracts.provider import OutputMode, Provider
from quaestor.models.chat.asking import Manner
from quaestor.models.chat.exchange import Outcome, Refused, Unaskable
from quaestor.models.chat.line import Line
from quaestor.models.chat.refusing import Simpler
from quaestor.models.chat.served import ServedModel
from quaestor.models.chat.wire import Body
from quaestor.models.native.carrying import Way
from quaestor.models.native.kind import Kind, kind_of
from quaestor.models.native.manner import and_simpler, first_manner, simpler

if TYPE_CHECKING:
    from quaestor.models.native.server import Server


class NativeModel(ServedModel):
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
        line: Line,
        prompts: Prompts,
        price: Price | None,
        seconds: float,
        max_output_tokens: int | None = None,
    ) -> None:
        way = Way(base_url, key, line, provider.seconds or seconds)
        super().__init__(
            name=name,
            server=_Awaited(kind_of(kind), model, provider.output, way),
            provider=provider,
            line=line,
            prompts=prompts,
            price=price,
            max_output_tokens=max_output_tokens,
        )


class _Awaited:
    """The server of a model, which is opened when it is first needed."""

    def __init__(self, kind: Kind, model: str, output: OutputMode, way: Way) -> None:
        self._kind = kind
        self._model = model
        self._output = output
        self._way = way

    @property
    def shown(self) -> str:
        return self._server.shown

    @cached_property
    def first_manner(self) -> Manner:
        return first_manner(self._model, self._output, self._server.profile)

    async def exchange(self, body: Body) -> Outcome:
        return await self._server.exchange(body)

    def and_simpler(self, manner: Manner) -> Iterator[Manner]:
        return and_simpler(manner)

    def simpler(self, request: ModelRequest, body: Body, manner: Manner, no: Refused | Unaskable) -> Simpler | None:
        return simpler(request, body, manner, no)

    @cached_property
    def _server(self) -> "Server":
        from quaestor.models.native.server import Server  # noqa: PLC0415 -- an extra, and slow to import

        return Server(self._kind, self._model, self._way)
