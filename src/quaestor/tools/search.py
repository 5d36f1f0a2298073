"""One query, several searches: what documents are called, what the best passages name, and what is left unsaid."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Library
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchGiven, SearchResults
from quaestor.evidence.retrieval.copies import distinct
from quaestor.evidence.retrieval.fusion import weighed
from quaestor.evidence.retrieval.leads import followed, references
from quaestor.evidence.retrieval.names import Mention, parts
from quaestor.evidence.retrieval.query import Query, take_apart
from quaestor.evidence.retrieval.selection import Candidate, Selection, weight

_POOL = 20
"""Passages of the whole query from which is chosen."""
_BLOCK = 12
"""Passages among which near-copies go to the end, for a query that names nothing."""
_PART_HITS = 8
_NAMED_HITS = 3
_LED_HITS = 6
_SEATS = 8
"""Passages that are chosen one by one; what follows is in the order of its score."""
_HOPS = 2
"""Chosen passages whose names and references are followed."""
_COMMON = 20
"""A name whose rarest word is in more than one of so many passages, and in more than so many, leads nowhere."""
_UNMARKED = 0.5
"""What it counts to bear a name that the query writes as an ordinary word."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the search does beyond BM25; each can be left out, to measure what it is worth."""

    titles: bool = True
    tells: bool = True
    hops: bool = True
    mentions: bool = True
    references: bool = True
    apart: bool = True


class Search:
    """Searches the passages of one corpus; a `Tool`."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = "Finds passages in the documents; give it a few telling words."
    takes: ClassVar[type[Noun]] = SearchGiven
    gives: ClassVar[type[Noun]] = SearchResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, library: Library, corpus: str, choices: Choices = Choices(), before: date | None = None) -> None:
        self._library = library
        self._before = before
        self._corpus = corpus
        self._choices = choices

    async def run(self, given: Noun) -> SearchResults:
        """Give the best passages, those first that together say most of the query; each is in the results once.

        The first results are the same whatever the limit.
        """
        if not isinstance(given, SearchGiven):
            raise ToolFailed(f"search takes a SearchGiven, not a {type(given).__name__}; give it a query")
        query = take_apart(given.query)
        if not query.terms:
            return SearchResults()
        if query.tells and self._choices.tells:
            return SearchResults(hits=tuple((await self._told(query, given.limit))[: given.limit]))
        return SearchResults(hits=tuple((await self._asked(query, given.limit))[: given.limit]))

    async def _told(self, query: Query, limit: int) -> list[Hit]:
        """Search for every part of a text, and for every document it names; the most searched for come first."""
        rankings = [(1.0, await self._find(part.terms, _PART_HITS)) for part in query.parts]
        for mention in await self._mentioned(query):
            hits = await self._find(query.part_at(mention.start), _NAMED_HITS, [mention.key])
            bearing = len({hit.passage.source for hit in hits})
            if bearing:
                rankings.append(((1.0 if mention.marked else _UNMARKED) / bearing, hits))
        best = weighed(rankings)
        if len(best) >= limit:
            return best
        known = {hit.passage.source: hit for hit in best}
        more = (hit for _, hits in rankings for hit in hits if hit != known[hit.passage.source])
        return [*best, *{_place(hit): hit for hit in more if _place(hit) not in set(map(_place, best))}.values()]

    async def _asked(self, query: Query, limit: int) -> list[Hit]:
        """Choose the passages that together say most of a question, following what the first of them lead to."""
        mentioned = [mention for mention in await self._mentioned(query) if mention.marked]
        if not (mentioned or query.names or query.sides):
            return await self._plain(query, limit)
        best = await self._find(query.terms, max(_POOL, limit))
        counts = await self._library.frequencies(self._corpus, query.terms)
        worth = {term: weight(counts.passages, count) for term, count in counts.of.items() if count}
        selection = Selection(worth, (mention.key for mention in mentioned), apart=self._choices.apart)
        selection.offer(best[:_POOL])
        for mention in mentioned:
            selection.offer(await self._find(query.terms, _NAMED_HITS, [mention.key]))
        for side in query.sides:
            selection.offer(await self._find(side, _NAMED_HITS))
        asked = [mention.key for mention in query.candidates]
        for seat in range(_SEATS):
            chosen = selection.choose()
            if chosen and seat < _HOPS and self._choices.hops:
                await self._follow(chosen, selection, asked, query.terms)
        ranked = [each.hit for each in (*selection.chosen, *selection.rest())]
        seen = set(map(_place, ranked))
        return [*ranked, *(hit for hit in best if _place(hit) not in seen)]

    async def _plain(self, query: Query, limit: int) -> list[Hit]:
        """Rank by BM25; of every block of passages the near-copies come last, so that a prefix stays a prefix.

        The rest of the last block is read only if its first part holds copies, which give way to it.
        """
        blocks = _blocks(await self._find(query.terms, limit))
        begun = limit % _BLOCK
        if begun and blocks and blocks[-1][1]:
            blocks = _blocks(await self._find(query.terms, limit - begun + _BLOCK))
        return [hit for said, copies in blocks for hit in (*said, *copies)]

    async def _follow(
        self, chosen: Candidate, selection: Selection, asked: Sequence[str], wanted: Sequence[str]
    ) -> None:
        """Offer the passages that the names and references of a chosen one lead to, for what is still unsaid."""
        text = chosen.hit.passage.text
        own = chosen.called
        referred = references(text, own) if self._choices.references else ()
        said = set(wanted)
        named = [key for key in followed(text, own, asked) if not said.issuperset(parts(key))]
        counts = await self._library.frequencies(
            self._corpus, [*referred, *named, *(term for key in named for term in parts(key))]
        )
        rarest = {key: min(parts(key), key=lambda term: counts.of.get(term, 0)) for key in named}
        few = max(_COMMON, counts.passages // _COMMON)
        most = weight(counts.passages, 0)
        for key in referred:
            selection.lead(key, 1.0, by_mention=False)
        spread: list[str] = []
        for key, term in rarest.items():
            shared = 1 < counts.of.get(term, 0) <= few and self._choices.mentions
            selection.lead(key, weight(counts.passages, counts.of.get(term, 0)) / most, by_mention=shared)
            spread.extend([term] if shared else [])
        unsaid = selection.unsaid()
        for among in ([key for key in (*referred, *named) if counts.of.get(key)], spread):
            if among:
                selection.offer(await self._find(unsaid, _LED_HITS, among))

    async def _mentioned(self, query: Query) -> tuple[Mention, ...]:
        """Give the names of documents that stand in the query."""
        if not self._choices.titles:
            return ()
        counts = await self._library.frequencies(self._corpus, [mention.key for mention in query.candidates])
        return query.mentioned(counts.of)

    async def _find(self, terms: Sequence[str], limit: int, among: Sequence[str] = ()) -> Sequence[Hit]:
        return await self._library.search(self._corpus, terms, limit, among, self._before)


def _blocks(best: Sequence[Hit]) -> list[tuple[list[Hit], list[Hit]]]:
    """Give for every block of passages what says something new, and the copies."""
    return [distinct(best[start : start + _BLOCK]) for start in range(0, len(best), _BLOCK)]


def _place(hit: Hit) -> tuple[str, int]:
    return hit.passage.source, hit.passage.start
