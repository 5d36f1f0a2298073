"""What the engines that ask a service have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.tools.engines.endpoint import RateLimit, Service, resolve_endpoint
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, parse_json
from quaestor.tools.engines.service_client import ServiceClient
from quaestor.tools.engines.web_search import filter_hits

S = TypeVar("S", bound=ResponseModel)


class ServiceEngine(ABC):
    """Asks a service over HTTP; an `Engine`.

    Raises SetupError for a key or an address that the environment does not have, UsageError for an address that is
    none.
    """

    name: ClassVar[str]
    service: ClassVar[Service]

    def __init__(self, environment: Mapping[str, str], pace: RateLimit | None = None) -> None:
        self._exchange = ServiceClient(
            self.name, resolve_endpoint(self.name, self.service, environment), pace or self.service.pace
        )

    async def search(self, given: WebSearchInput) -> WebResults:
        """Give what the service finds, best first.

        Raises ToolFailed when it gives no answer that can be read, SetupError when it refuses the key.
        """
        hits = await self._find(given)
        if hits and not any(hit.url for hit in hits):
            raise ToolFailed(
                f"{self.name} gave {len(hits)} hits and no address of any; see whether its API has changed"
            )
        return filter_hits(hits, given)

    async def close(self) -> None:
        """Close the connections."""
        await self._exchange.close()

    @abstractmethod
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        """Ask the service; what is not wanted is left out later."""

    def _read(self, shape: type[S], body: bytes) -> S:
        try:
            return parse_json(shape, body)
        except InvalidResponse as misshapen:
            raise self._exchange.invalid_response(misshapen, body) from misshapen
