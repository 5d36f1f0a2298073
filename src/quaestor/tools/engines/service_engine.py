"""The base class of the engines that ask a web service."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, parse_json
from quaestor.tools.engines.service import Service
from quaestor.tools.engines.service_client import ServiceClient
from quaestor.tools.engines.web_search import filter_hits

ModelT = TypeVar("ModelT", bound=ResponseModel)


class ServiceEngine(ABC):
    """Asks a web service; a `SearchEngine`.

    Raises SetupError for a key or an address that the environment lacks, UsageError for an invalid address.
    """

    name: ClassVar[str]
    service: ClassVar[Service]

    def __init__(self, environment: Mapping[str, str], rate_limit: RateLimit | None = None) -> None:
        self._client = ServiceClient(self.name, self.service, environment, rate_limit)

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return what the service finds, best first.

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
        await self._client.close()

    @abstractmethod
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        """Ask the service; the caller filters the hits."""

    def _parse(self, model: type[ModelT], body: bytes) -> ModelT:
        try:
            return parse_json(model, body)
        except InvalidResponse as error:
            raise self._client.invalid_response(error, body) from error
