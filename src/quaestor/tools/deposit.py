from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.deposit import DepositGiven
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Clock, Document, Library
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.web import PickGiven
from quaestor.tools.pick import Pick

SCHEME = "quaestor:"
"""How the address of such a source begins; the key of the run follows, as it stands in the log."""


class Deposit:
    """Stores what programs printed as sources, and chooses passages of them; a `Tool` that reaches nothing outside."""

    name: ClassVar[str] = "deposit"
    description: ClassVar[str] = "Makes sources of what programs printed."
    takes: ClassVar[type[Noun]] = DepositGiven
    gives: ClassVar[type[Noun]] = SearchResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend()

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock

    async def run(self, given: Noun) -> SearchResults:
        """Give the best passages of the outputs, best first; where no word fits the first ones."""
        if not isinstance(given, DepositGiven):
            raise ToolFailed(f"deposit takes a DepositGiven, not a {type(given).__name__}; give it outputs")
        kept = [
            await self._library.keep(
                Document(uri=f"{SCHEME}{one.key}", title=one.title, media_type="text/plain", text=one.text),
                self._clock.now(),
            )
            for one in given.outputs
        ]
        sources = tuple(dict.fromkeys(source.sha256 for source in kept))
        pick = Pick(self._library)
        found = await pick.run(PickGiven(query=given.query, sources=sources, limit=given.limit))
        if found.hits or not sources:
            return found
        return SearchResults(hits=tuple((await pick.passages(sources[0]))[: given.limit]))
