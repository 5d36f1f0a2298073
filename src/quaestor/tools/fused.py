from datetime import date
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Library
from quaestor.contracts.tools import SearchGiven, SearchResults
from quaestor.evidence.recall import fused
from quaestor.tools.nearness import Nearness
from quaestor.tools.search import Search

_POOL = 50
"""Passages of either ranking, whatever the limit, so that the first results are the same for every limit."""


class FusedSearch:
    """The search by words and the search by meaning as one; a `Tool`.

    Where there are no vectors it is the search by words alone, and the results say why.
    """

    name: ClassVar[str] = Search.name
    description: ClassVar[str] = Search.description
    takes: ClassVar[type[Noun]] = SearchGiven
    gives: ClassVar[type[Noun]] = SearchResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Search.spend

    def __init__(self, library: Library, corpus: str, nearness: Nearness, before: date | None = None) -> None:
        self._search = Search(library, corpus, before=before)
        self._corpus = corpus
        self._nearness = nearness
        self._before = before

    async def run(self, given: Noun) -> SearchResults:
        """Give the best passages of both searches, merged by reciprocal rank; each is in the results once.

        Raises SetupError when the embedding model refuses the key.
        """
        if not isinstance(given, SearchGiven):
            raise ToolFailed(f"search takes a SearchGiven, not a {type(given).__name__}; give it a query")
        worded = (await self._search.run(SearchGiven(query=given.query, limit=_POOL))).hits
        try:
            near = await self._nearness.nearest(self._corpus, given.query, _POOL, self._before)
        except ToolFailed as error:
            return SearchResults(hits=worded[: given.limit], notes=(f"searched without embeddings: {error}",))
        return SearchResults(hits=fused([worded, near])[: given.limit])
