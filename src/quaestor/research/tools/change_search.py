"""Sentences of a corpus that tell of a change in words of what a brief shows, whatever it may be a change of.

What is sure to correct a quote stands beside it. What only may have to do with it is told apart from it, since nobody
checked that it has: so a change that is told in words which no rule foresaw is on the page all the same.
"""

import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.tables import DATA_SUFFIXES
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.document_status import is_draft
from quaestor.research.brief.later_changes import dated_heading, release_of
from quaestor.research.brief.mail_threads import REPLY_TERMS, answers, bare_subject, is_told_in_reply, place_in_thread
from quaestor.research.brief.record_items import is_before, tells_attendance, written_day
from quaestor.research.contracts.tools import QuoteContext, ToldChange
from quaestor.research.offline.words.change_words import CHANGE_TERMS, NOT_CHOSEN
from quaestor.research.offline.words.office_words import OFFICE_TERMS
from quaestor.research.offline.words.removal_words import REMOVAL_TERMS
from quaestor.research.tools.change_sentences import (
    AskedChange,
    ToldSentence,
    is_on_changes,
    read_question,
    read_told_sentences,
)
from quaestor.research.tools.change_weights import ShownQuote, read_shown, weigh_change, weigh_mention, weigh_terms
from quaestor.research.tools.passage_sentences import WITHOUT_SENTENCES, sentences_of

_MAX_QUOTES = 8
"""Quotes for which is searched, those first that are shown first."""
_FIRST = 2
"""Quotes that a reader sees first: a change of these may be told in any words."""
_HITS = 12
"""Passages with a word for a change that are read for each."""
_MAX_CHANGES = 12
"""Sentences that are told of; a brief shows the first of them that are not on its page."""
_MAX_MENTIONS = 6
"""Later records of which a sentence is told that has no word for a change; a brief shows two that are not on it."""
_QUOTES_OF_EACH = 3
"""Quotes with which each is told, as a brief may not show the one that it shares most with."""
_NOT_SAID = WITHOUT_SENTENCES | {BlockKind.FIELD}
"""Blocks of a letter that tell of it what it does not say."""
_MINUTES = re.compile(
    r"minutes|protokoll|niederschrift|procès-verbal|compte[-_ ]?rendu|(?<![^\W_])acta|verbale|notulen", re.IGNORECASE
)
_REPLY = 4.0
"""What it counts that the sentence stands in a later letter of the same thread."""


class ChangeSearch:
    """Looks for sentences that tell of a change, in the passages of a corpus."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(
        self, question: str, contexts: Sequence[QuoteContext], cited: Iterable[Source]
    ) -> tuple[ToldChange, ...]:
        """Return the sentences that share most with quotes, those first that share more, each with a few quotes.

        They stand in what is of a day or a version or on changes, as minutes, letters and notes on upgrading are, and
        not of an earlier day or version than the quote. That what is asked about is at an end any page may tell. Behind
        these stand sentences of records of a later day that only share words with a quote.
        """
        sources = {one.sha256: one for one in cited}
        asked = read_question(question)
        shown = [read_shown(one, sources[one.quote.source], asked) for one in contexts[:_MAX_QUOTES]]
        shown = [one for one in shown if one.asked]
        if not self._corpus or not shown:
            return ()
        known = asked.terms.union(*(one.terms | one.named | one.surely_named for one in shown))
        weights = weigh_terms(await self._library.frequencies(self._corpus, sorted(known)))
        found: dict[Quote, list[tuple[float, ToldChange]]] = defaultdict(list)
        mentioned: dict[Quote, list[tuple[float, ToldChange]]] = defaultdict(list)
        telling = CHANGE_TERMS + (OFFICE_TERMS if asked.is_on_person else ())
        for hit in await self._hits(asked, shown, weights, telling):
            near = [one for one in shown if not _is_earlier(hit, one)]
            source = await self._library.source(hit.passage.source) if near else None
            if source is None:
                continue
            named = source.revised(title=hit.title, uri=hit.uri)
            near = [one for one in near if not _is_of_earlier_day(named, one.source)]
            for said in (one for one in read_told_sentences(hit, asked, weights) if not _is_title(one)):
                for one in (one for one in near if not _is_beside(said.quote, one)):
                    weight = weigh_change(said, hit, one, weights, asked)
                    only_later = not weight and _is_of_later_day(named, one.source, asked.years)
                    if only_later and not tells_attendance(said.text):
                        weight = weigh_mention(said, one, weights, asked.subject)
                    if weight:
                        told = ToldChange(
                            quote=one.context.quote,
                            said=said.quote,
                            source=named,
                            heading=dated_heading(hit.passage.heading),
                            only_later=only_later,
                        )
                        (mentioned if only_later else found)[said.quote].append((weight, told))
        replies = [one async for one in self._replies(shown)]
        for reply in sorted(replies, key=lambda one: place_in_thread(one.source), reverse=True):
            found[reply.said] = [(_REPLY, reply)]
        best = _best_of_each([told for said, told in mentioned.items() if said not in found])
        later = [told for told in islice(best, 2 * _MAX_MENTIONS) if not await self._is_draft(told[0][1].source)]
        return (*_most(found.values(), _MAX_CHANGES), *_most(later, _MAX_MENTIONS))

    async def _is_draft(self, source: Source) -> bool:
        """Return whether a document is a draft; that of minutes tells what was agreed."""
        called = f"{source.title} {file_name(source.uri)}"
        is_of_meeting = _MINUTES.search(called) is not None
        return not is_of_meeting and is_draft(await self._library.text(source.sha256) or "", called)

    async def _replies(self, shown: Sequence[ShownQuote]) -> AsyncIterator[ToldChange]:
        """Yield what later letters of the thread of one that is shown tell: "Fine, then on the 16th"."""
        for one in {one.source.sha256: one for one in reversed(shown)}.values():
            about = content_terms(bare_subject(one.source.title))
            for hit in await self._library.search(
                self._corpus, about, _HITS, REPLY_TERMS, self._dates, only_filters=True
            ):
                source = await self._library.source(hit.passage.source)
                letter = source and source.revised(title=hit.title, uri=hit.uri)
                if letter is None or not answers(letter, one.source):
                    continue
                for said in sentences_of(hit, _NOT_SAID):
                    if is_told_in_reply(said.text, hit.passage.text, said.start - hit.passage.start):
                        yield ToldChange(quote=one.context.quote, said=said, source=letter)

    async def _hits(
        self,
        asked: AskedChange,
        shown: Sequence[ShownQuote],
        weights: Mapping[str, float],
        telling: Sequence[str],
    ) -> list[Hit]:
        """Return the passages on changes that share words with what is asked or a quote, or all where an end is asked.

        They hold a `telling` word; but not for a quote of a list of changes, in which every entry is one.
        """
        found: dict[tuple[str, int], Hit] = {}
        # A letter may set something right in words that are no sign: "the coach at 7.00 not 7.30".
        searches = [(asked.terms, telling), (asked.terms, ()), *((one.terms, telling) for one in shown)]
        searches += [(one.terms, ()) for place, one in enumerate(shown) if place < _FIRST or any(one.release)]
        searches += [(asked.terms, REMOVAL_TERMS)] if asked.is_on_end else []
        for terms, among in searches:
            rarest = sorted(terms, key=lambda term: (-weights.get(term, 0), term))
            for hit in await self._library.search(self._corpus, rarest, _HITS, among, self._dates, only_filters=True):
                if NOT_CHOSEN.search(hit.passage.heading) or hit.uri.casefold().endswith(tuple(DATA_SUFFIXES)):
                    continue
                if asked.is_on_end or is_on_changes(hit):
                    found.setdefault(hit.place, hit)
        return [*found.values()]


def _best_of_each(mentioned: Iterable[list[tuple[float, ToldChange]]]) -> Iterable[list[tuple[float, ToldChange]]]:
    """Return of each document the sentence that counts most, the first of those that count as much."""
    best: dict[str, list[tuple[float, ToldChange]]] = {}
    for told in sorted(mentioned, key=lambda told: -max(weight for weight, _ in told)):
        best.setdefault(told[0][1].said.source, told)
    return best.values()


def _most(found: Iterable[Sequence[tuple[float, ToldChange]]], most: int) -> Iterator[ToldChange]:
    """Yield what counts most of what was found, the sentences that count most first, each with the best quotes."""
    of_each = [sorted(told, key=lambda one: -one[0])[:_QUOTES_OF_EACH] for told in found]
    for told in sorted(of_each, key=lambda told: -told[0][0])[:most]:
        yield from (one for _, one in told)


def _is_beside(said: Quote, shown: ShownQuote) -> bool:
    """Return whether a sentence stands in the paragraph that is shown with a quote."""
    paragraph = shown.context.paragraph
    return said.source == paragraph.source and said.start < paragraph.end and paragraph.start < said.end


def _is_earlier(hit: Hit, shown: ShownQuote) -> bool:
    """Return whether a passage is of an earlier version than a quote, or under an earlier day of the same text."""
    source = shown.source
    release = release_of(f"{hit.title} {hit.passage.heading}")
    return release_of(f"{source.title} {shown.context.heading}").is_after(release)


def _is_of_earlier_day(one: Source, shown: Source) -> bool:
    """Return whether a document was written before another one, as far as that is known of both."""
    when, own = written_day(one), written_day(shown)
    return when is not None and own is not None and is_before(when, own)


def _is_title(said: ToldSentence) -> bool:
    """Return whether a line is what its document is called: "Opening hours (from 1 September 2022)"."""
    return said.quote.start == 0 and not said.text.rstrip().endswith((".", "!", "?"))


def _is_of_later_day(one: Source, shown: Source, years: AbstractSet[int]) -> bool:
    """Return whether a record was written after another one, and not after the years that are asked for."""
    when, own = written_day(one), written_day(shown)
    return when is not None and own is not None and is_before(own, when) and when[0] <= max(years, default=when[0])
