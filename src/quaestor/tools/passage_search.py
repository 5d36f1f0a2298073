"""One query, several searches: what documents are called, what the best passages name, and what is left unsaid."""

import re
from collections.abc import Sequence

from typing_extensions import override

from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.library import Library
from quaestor.contracts.source import ANY_DATE, DateRange, Hit
from quaestor.contracts.tools import SearchInput, SearchResults, SimilarWord, Tool
from quaestor.evidence.ranking import fuse_by_source, fuse_rankings, idf
from quaestor.evidence.retrieval.document_names import Mention, key_terms, lead_keys, referenced_keys
from quaestor.evidence.retrieval.query import Query, parse_query, without_asking_words
from quaestor.evidence.retrieval.selection import Candidate, PassageSelector, split_duplicates
from quaestor.evidence.spelling import replace_words
from quaestor.evidence.stemming import LANGUAGE_KEYS, plain_terms_of_unheld, query_language
from quaestor.tools.similar_words import find_similar_words

MERGED_DEPTH = 50
"""Passages of the ranking by words and of that by meaning, whatever the limit."""
_CANDIDATES = 20
"""Passages of the whole query from which is chosen."""
_DEDUPLICATION_BLOCK = 12
"""Passages among which near-copies go to the end, for a query that names nothing."""
_HITS_PER_PART = 8
_HITS_PER_NAME = 3
_PASSAGES_OF_NAMED = 60
"""Passages of a document that is called by its name, of which the best are taken."""
_HITS_PER_LEAD = 6
_GREEDY_CHOICES = 8
"""Passages that are chosen one by one; what follows is in the order of its score."""
_SEATS = 10
"""Passages that together hold most of a query; what follows them are first those that hold most of it alone."""
_WHOLE = 2
_MAX_HOPS = 2
"""Chosen passages whose names and references are followed."""
_COMMON_NAME_PASSAGES = 20
"""A name whose rarest word is in more than one of so many passages, and in more than so many, leads nowhere."""
_UNMARKED_NAME_WEIGHT = 0.5
"""What it counts to bear a name that the query writes as an ordinary word."""


class SearchFeatures(Immutable):
    """What the search does beyond BM25; each can be left out, to measure what it is worth."""

    titles: bool = True
    tells: bool = True
    hops: bool = True
    mentions: bool = True
    references: bool = True
    apart: bool = True
    stems: bool = True
    spelling: bool = True


class SearchPassages(Tool[SearchInput, SearchResults]):
    """A `Tool` that searches the passages of one corpus."""

    name = "search"
    description = "Finds passages in the documents; give it a few telling words."
    repeatable = True
    computes = True

    def __init__(
        self,
        library: Library,
        corpus: str,
        choices: SearchFeatures = SearchFeatures(),  # noqa: B008 -- frozen
        dates: DateRange = ANY_DATE,
    ) -> None:
        self._library = library
        self._dates = dates
        self._corpus = corpus
        self._choices = choices

    @override
    async def run(self, given: SearchInput) -> SearchResults:
        """Return the best passages, those first that together cover most of the query; each is in the results once.

        The first results are the same whatever the limit.
        """
        return await self.find(given, ())

    async def find(self, given: SearchInput, near: Sequence[Hit]) -> SearchResults:
        """Return the best passages, and the rare words that were searched in place of those that no passage holds.

        `near` are the passages nearest to the query in meaning, best first. Where it names something they are chosen
        from with the others, so that they start and end chains but push out nothing that a name leads to. Where it
        names nothing the two rankings are merged. One vector says little of a text about many things: there near
        passages come last.
        """
        language = await self._language(given.query)
        similar: tuple[SimilarWord, ...] = ()
        if self._choices.spelling:
            similar = await find_similar_words(self._library, self._corpus, given.query, language)
        text = replace_words(given.query, (one.pair for one in similar))
        query = await self._in_other_languages(parse_query(text, await self._language(text) if similar else language))
        return SearchResults(hits=await self._search(query, given.limit, near), similar=similar)

    async def _in_other_languages(self, query: Query) -> Query:
        """Return a query with the plain terms of words of which no passage holds a stem: they may stand in other texts.

        A German name is stemmed as German where it is searched, and not where an English text has it.
        """
        if query.language is None:
            return query
        counts = await self._library.frequencies(self._corpus, [*query.terms, *query.plain])
        held = {term for term, count in counts.of.items() if count}
        told = without_asking_words(query.text)
        plain = (term for term in plain_terms_of_unheld(told, query.language, held) if term in held)
        return replace(query, terms=tuple(dict.fromkeys((*query.terms, *(one for one in plain if one in query.plain)))))

    async def _search(self, query: Query, limit: int, near: Sequence[Hit]) -> tuple[Hit, ...]:
        if not query.terms:
            return tuple(near[:limit])
        if query.tells and self._choices.tells:
            found = await self._search_parts(query, limit)
            return _without_repeats([*found, *near])[:limit]
        return tuple((await self._asked(query, limit, near))[:limit])

    async def _search_parts(self, query: Query, limit: int) -> list[Hit]:
        """Search for every part of a text, and for every document it names; the most searched for come first."""
        rankings = [(1.0, await self._find(part.terms, _HITS_PER_PART)) for part in query.parts]
        counts = await self._library.frequencies(self._corpus, self._possible_names(query))
        for mention in query.known_names(counts.of):
            hits = await self._find(query.part_terms_at(mention.start), _HITS_PER_NAME, [mention.key])
            bearing = len({hit.passage.source for hit in hits})
            if bearing:
                rankings.append(((1.0 if mention.is_proper_name else _UNMARKED_NAME_WEIGHT) / bearing, hits))
        best = fuse_by_source(rankings)
        if len(best) >= limit:
            return best
        known = {hit.passage.source: hit for hit in best}
        more = (hit for _, hits in rankings for hit in hits if hit != known[hit.passage.source])
        taken = {hit.place for hit in best}
        return [*best, *{hit.place: hit for hit in more if hit.place not in taken}.values()]

    async def _asked(self, query: Query, limit: int, near: Sequence[Hit]) -> list[Hit]:
        """Choose the passages that together cover most of a question, following what the first of them lead to.

        A statement to be checked is one step, whatever it names: passages about it are nearly the same.
        """
        if query.states:
            return await self._merged(query, limit, near)
        counts = await self._library.frequencies(self._corpus, [*self._possible_names(query), *query.terms])
        mentioned = [one for one in query.known_names(counts.of) if await self._is_name(one, query)]
        if not (mentioned or query.names or query.sides):
            return await self._merged(query, limit, near)
        best = await self._find(query.terms, max(_CANDIDATES, limit))
        worth = {term: idf(counts.passages, count) for term in query.terms if (count := counts.of.get(term))}
        named = (mention.key for mention in mentioned)
        selection = PassageSelector(worth, named, apart=self._choices.apart, language=query.language)
        selection.add_candidates(best[:_CANDIDATES])
        for mention in mentioned:
            # Every passage of a document bears its name, which weighs most in a short one: so not the index ranks them.
            borne = await self._find(query.terms, _PASSAGES_OF_NAMED, [mention.key])
            selection.add_candidates(borne, _HITS_PER_NAME)
        for side in query.sides:
            selection.add_candidates(await self._find(side, _HITS_PER_NAME))
        selection.add_near(near)
        asked = [mention.key for mention in query.candidates]
        for seat in range(_GREEDY_CHOICES):
            chosen = selection.choose()
            if chosen and seat < _MAX_HOPS and self._choices.hops:
                await self._follow(chosen, selection, asked, query.plain)
        rest = selection.remaining()
        first = [*selection.chosen, *rest][:_SEATS]
        places = {each.place for each in first}
        alone = selection.holding_most() if limit > _SEATS else ()
        whole = [each for each in alone if each.place not in places][:_WHOLE]
        return [*_without_repeats([*(each.hit for each in (*first, *whole, *rest)), *best])]

    async def _merged(self, query: Query, limit: int, near: Sequence[Hit]) -> list[Hit]:
        """Merge the ranking by words with that by meaning; the depth of both is fixed, so that a prefix stays one."""
        if not near:
            return await self._search_by_terms(query, limit)
        return list(fuse_rankings([await self._search_by_terms(query, MERGED_DEPTH), near]))

    async def _search_by_terms(self, query: Query, limit: int) -> list[Hit]:
        """Rank by BM25; of every block of passages the near-copies come last, so that a prefix stays a prefix.

        The rest of the last block is read only if its first part holds copies, which give way to it.
        """
        blocks = _deduplicated_blocks(await self._find(query.terms, limit))
        begun = limit % _DEDUPLICATION_BLOCK
        if begun and blocks and blocks[-1][1]:
            blocks = _deduplicated_blocks(await self._find(query.terms, limit - begun + _DEDUPLICATION_BLOCK))
        return [hit for new_hits, copies in blocks for hit in (*new_hits, *copies)]

    async def _follow(
        self, chosen: Candidate, selection: PassageSelector, asked: Sequence[str], missing: Sequence[str]
    ) -> None:
        """Offer the passages that the names and references of a chosen one lead to, for what is still unsaid."""
        text = chosen.hit.passage.text
        own = chosen.called
        referred = referenced_keys(text, own) if self._choices.references else ()
        missing_terms = set(missing)
        named = [key for key in lead_keys(text, own, asked) if not missing_terms.issuperset(key_terms(key))]
        counts = await self._library.frequencies(
            self._corpus, [*referred, *named, *(term for key in named for term in key_terms(key))]
        )
        rarest = {key: min(key_terms(key), key=lambda term: counts.of.get(term, 0)) for key in named}
        few = max(_COMMON_NAME_PASSAGES, counts.passages // _COMMON_NAME_PASSAGES)
        most = idf(counts.passages, 0)
        for key in referred:
            selection.add_lead(key, 1.0, by_mention=False)
        spread: list[str] = []
        for key, term in rarest.items():
            shared = 1 < counts.of.get(term, 0) <= few and self._choices.mentions
            selection.add_lead(key, idf(counts.passages, counts.of.get(term, 0)) / most, by_mention=shared)
            spread.extend([term] if shared else [])
        unsaid = selection.uncovered_terms()
        for among in ([key for key in (*referred, *named) if counts.of.get(key)], spread):
            if among:
                selection.add_candidates(await self._find(unsaid, _HITS_PER_LEAD, among))

    def _possible_names(self, query: Query) -> Sequence[str]:
        """Return the index terms of the runs of words in a query that name a document if one is called so."""
        return [mention.key for mention in query.candidates] if self._choices.titles else ()

    async def _is_name(self, mention: Mention, query: Query) -> bool:
        """Return whether a name of a document stands in a query as one: with a capital, or small as in its title."""
        if mention.is_proper_name:
            return True
        word = re.compile(rf"(?<!\w){re.escape(query.text[mention.start : mention.end])}(?!\w)")
        hits = await self._find(query.terms, 1, [mention.key])
        return bool(hits) and all(word.search(hit.title) for hit in hits)

    async def _language(self, text: str) -> str | None:
        """Return the language by whose stems a text is searched; None where the passages were not stemmed in it."""
        if not self._choices.stems:
            return None
        counts = await self._library.frequencies(self._corpus, LANGUAGE_KEYS.values())
        held = {code: counts.of.get(key, 0) for code, key in LANGUAGE_KEYS.items()}
        return query_language(text, held, counts.passages)

    async def _find(self, terms: Sequence[str], limit: int, among: Sequence[str] = ()) -> Sequence[Hit]:
        return await self._library.search(self._corpus, terms, limit, among, self._dates)


def _deduplicated_blocks(best: Sequence[Hit]) -> list[tuple[list[Hit], list[Hit]]]:
    """Return for every block of passages those with new text, and the copies."""
    return [
        split_duplicates(best[start : start + _DEDUPLICATION_BLOCK])
        for start in range(0, len(best), _DEDUPLICATION_BLOCK)
    ]


def _without_repeats(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return each passage once, as it was found first."""
    first: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        first.setdefault(hit.place, hit)
    return tuple(first.values())
