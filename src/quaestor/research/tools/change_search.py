"""Sentences of a corpus that tell of a change in words of what a brief shows, whatever it may be a change of.

What is sure to correct a quote stands beside it. What only may have to do with it is told apart from it, since nobody
checked that it has: so a change that is told in words which no rule foresaw is on the page all the same.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import log
from typing import NamedTuple

from quaestor.contracts.library import Library, TermFrequencies
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.spelling import COMPOUNDING, SHORTEST_HEAD
from quaestor.evidence.stemming import detect_language
from quaestor.evidence.tables import DATA_SUFFIXES
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.later_changes import Release, dated_heading, release_of, without_version
from quaestor.research.brief.mail_threads import REPLY_TERMS, answers, bare_subject, is_told_in_reply, place_in_thread
from quaestor.research.brief.marked_sentence import numbers_of
from quaestor.research.brief.record_items import is_before, written_day
from quaestor.research.contracts.tools import QuoteContext, ToldChange
from quaestor.research.offline.words.change_words import CHANGE_TERMS, NOT_CHOSEN
from quaestor.research.offline.words.correction_words import PROPOSED
from quaestor.research.offline.words.office_words import OFFICE_TERMS, tells_of_office
from quaestor.research.offline.words.removal_words import REMOVAL_TERMS
from quaestor.research.tools.change_sentences import (
    RARE,
    TELLING,
    TWO_WORDS,
    WITHOUT_SENTENCES,
    AskedChange,
    ToldSentence,
    is_on_changes,
    literals_like_code,
    read_question,
    read_told_sentences,
    sentences_of,
    telling_terms,
    terms_of_names,
)

_MAX_QUOTES = 8
"""Quotes for which is searched, those first that are shown first."""
_HITS = 12
"""Passages with a word for a change that are read for each."""
_MAX_CHANGES = 12
"""Sentences that are told of; a brief shows the first of them that are not on its page."""
_NOT_SAID = WITHOUT_SENTENCES | {BlockKind.FIELD}
"""Blocks of a letter that tell of it what it does not say."""
_CAPITAL = re.compile(r"(?<![^\W_])[A-ZÀ-ÖØ-Þ][^\W\d_]{3,}")
"""Any word with a capital, which is a name where another text has it within a sentence."""
_NAMED = 0.6
"""The least weight of all words that a sentence shares with the quote, where one is a rare name of both, or code."""
_MOST = 0.5
"""The share of the asked words of the quote, by weight, that the sentence holds."""
_ENOUGH = 1.0
"""The same where it holds most of the asked ones, or a name of two words."""
_MUCH = 2.0
"""The same where it holds but one of them, and no name or code that the quote has too."""
_SURE = 3.0
"""What it counts that the sentence denies a number of the quote, or tells the end of what is asked about."""
_OFFICE = 1.5
"""What it counts that the sentence tells of an office, where it is asked who holds it."""
_SETTLED = 1.5
"""What it counts that the sentence tells what is settled, in a word of what the quote proposes."""
_REPLY = 4.0
"""What it counts that the sentence stands in a later letter of the same thread."""


class _Shown(NamedTuple):
    """A quote: its index terms, those asked for and those of names, its release, numbers, two-word names and code."""

    context: QuoteContext
    source: Source
    terms: frozenset[str]
    asked: frozenset[str]
    named: frozenset[str]
    release: Release
    numbers: frozenset[str]
    names: frozenset[str]
    code: frozenset[str]
    proposed: frozenset[str]
    """The terms of what it proposes; nothing, where it proposes nothing."""


class ChangeSearch:
    """Looks for sentences that tell of a change, in the passages of a corpus."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(
        self, question: str, contexts: Sequence[QuoteContext], cited: Iterable[Source]
    ) -> tuple[ToldChange, ...]:
        """Return the sentences that share most with quotes, those first that share more, each with one quote.

        They stand in what is of a day or a version or on changes, as minutes, letters and notes on upgrading are, and
        not of an earlier day or version than the quote. That what is asked about is at an end any page may tell.
        """
        sources = {one.sha256: one for one in cited}
        asked = read_question(question)
        shown = [_shown(one, sources[one.quote.source], asked.terms) for one in contexts[:_MAX_QUOTES]]
        shown = [one for one in shown if one.asked]
        if not self._corpus or not shown:
            return ()
        weights = _weigh(
            await self._library.frequencies(self._corpus, sorted(asked.terms.union(*(o.terms for o in shown))))
        )
        found: dict[Quote, tuple[float, ToldChange]] = {}
        telling = CHANGE_TERMS + (OFFICE_TERMS if asked.is_on_person else ())
        for hit in await self._hits(asked, shown, weights, telling):
            near = [one for one in shown if not (_is_beside(hit, one) or _is_earlier(hit, one))]
            source = await self._library.source(hit.passage.source) if near else None
            if source is None:
                continue
            named = source.revised(title=hit.title, uri=hit.uri)
            near = [one for one in near if not _is_of_earlier_day(named, one.source)]
            for said in read_told_sentences(hit, asked, weights):
                for one in near:
                    weight = _weight(said, hit, one, weights, is_on_person=asked.is_on_person)
                    if weight > found.get(said.quote, (0.0,))[0]:
                        heading = dated_heading(hit.passage.heading)
                        told = ToldChange(quote=one.context.quote, said=said.quote, source=named, heading=heading)
                        found[said.quote] = (weight, told)
        replies = [one async for one in self._replies(shown)]
        found |= {
            one.said: (_REPLY, one)
            for one in sorted(replies, key=lambda one: place_in_thread(one.source), reverse=True)
        }
        ordered = sorted(found.values(), key=lambda one: -one[0])
        return tuple(one for _, one in ordered[:_MAX_CHANGES])

    async def _replies(self, shown: Sequence[_Shown]) -> AsyncIterator[ToldChange]:
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
        shown: Sequence[_Shown],
        weights: Mapping[str, float],
        telling: Sequence[str],
    ) -> list[Hit]:
        """Return the passages on changes that share words with what is asked or a quote, or all where an end is asked.

        They hold a `telling` word; but not for a quote of a list of changes, in which every entry is one.
        """
        found: dict[tuple[str, int], Hit] = {}
        # A letter may set something right in words that are no sign: "the coach at 7.00 not 7.30".
        searches = [(asked.terms, telling), (asked.terms, ()), *((one.terms, telling) for one in shown)]
        searches += [(one.terms, ()) for one in shown if any(one.release)]
        searches += [(asked.terms, REMOVAL_TERMS)] if asked.is_on_end else []
        for terms, among in searches:
            rarest = sorted(terms, key=lambda term: (-weights.get(term, 0), term))
            for hit in await self._library.search(self._corpus, rarest, _HITS, among, self._dates, only_filters=True):
                if NOT_CHOSEN.search(hit.passage.heading) or hit.uri.casefold().endswith(tuple(DATA_SUFFIXES)):
                    continue
                if asked.is_on_end or is_on_changes(hit):
                    found.setdefault(hit.place, hit)
        return [*found.values()]


def _shown(context: QuoteContext, source: Source, asked: frozenset[str]) -> _Shown:
    # What is asked may stand beside the quote, as the price below the name of what it is of.
    around = telling_terms(context.paragraph.text)
    has_compounds = detect_language(context.paragraph.text) in COMPOUNDING
    beside = (around | _parts_of_compounds(around, asked) if has_compounds else around) & asked
    terms = telling_terms(f"{context.quote.text} {context.heading}") | beside
    said = context.quote.text
    proposing = telling_terms(" ".join(found[0] for found in PROPOSED.finditer(said)))
    return _Shown(
        context=context,
        source=source,
        terms=terms,
        asked=terms & asked,
        named=terms_of_names(_CAPITAL.findall(said)),
        code=literals_like_code(said),
        release=release_of(context.heading),
        numbers=numbers_of(said),
        names=frozenset(TWO_WORDS.findall(said)),
        proposed=terms - proposing if proposing else frozenset(),
    )


def _weight(said: ToldSentence, hit: Hit, shown: _Shown, weights: Mapping[str, float], *, is_on_person: bool) -> float:
    """Return what a sentence counts as a change of what a quote tells; 0 where it need not have to do with that."""
    terms = said.terms | _parts_of_compounds(said.terms, shown.terms) if said.has_compounds else said.terms
    is_on_asked = _is_on_asked(terms, shown, weights)
    found = 0.0
    has_name = any(weights.get(term, 0.0) >= RARE for term in said.named & shown.named)
    # "The buses are from Mill; Corkfit had none on that day" is told in no word for a change.
    denies_name = said.says_no and has_name and is_on_asked
    if said.tells_change or denies_name or (_is_later_release(hit, shown) and not said.only_mends):
        needed = _MUCH if said.names.isdisjoint(shown.names) else _ENOUGH
        is_sure = has_name or said.code & shown.code or (said.differs_from_told and is_on_asked)
        needed = _NAMED if is_sure else needed
        found = _shared(terms, shown, weights, needed=needed) if is_on_asked or needed < _MUCH else 0.0
    if said.tells_change and _is_labelled_so(said, shown, weights):
        found = max(found, _ENOUGH)
    told = max((weights.get(term, 0.0) for term in (terms & shown.asked) - said.outdated), default=0.0)
    is_outdated = told >= TELLING and not said.outdated.isdisjoint(shown.numbers)
    if said.ends_asked or is_outdated:
        found = max(found, _SURE)
    if said.is_settled and any(weights.get(term, 0.0) >= RARE for term in terms & shown.proposed):
        found = max(found, _SETTLED)
    if is_on_person and is_on_asked and tells_of_office(said.quote.text):
        found = max(found, _OFFICE)
    return found


def _parts_of_compounds(terms: AbstractSet[str], among: AbstractSet[str]) -> frozenset[str]:
    """Return those of some terms that begin or end with one, or with which one does: Buffet and Buffetpreis."""
    return frozenset(other for other in among - terms if any(_is_part(one, other) for one in terms))


def _is_part(one: str, other: str) -> bool:
    part, whole = sorted((one, other), key=len)
    return len(part) >= SHORTEST_HEAD and (whole.startswith(part) or whole.endswith(part))


def _weigh(counts: TermFrequencies) -> Mapping[str, float]:
    """Return how much each term tells: 1 for what one passage holds, 0 for what all do, or none."""
    most = log(max(counts.passages, 2))
    return {term: log(counts.passages / held) / most if held else 0.0 for term, held in counts.of.items()}


def _shared(terms: frozenset[str], shown: _Shown, weights: Mapping[str, float], *, needed: float) -> float:
    """Return the weight of the words that a sentence shares with a quote; 0 where these are too few or too common.

    Where it holds most of the asked ones, less than the `needed` weight is enough.
    """
    named = [weights.get(term, 0.0) for term in terms & shown.asked]
    shared = sum(weights.get(term, 0.0) for term in terms & shown.terms)
    is_on_asked = sum(named) >= _MOST * sum(weights.get(term, 0.0) for term in shown.asked)
    return shared if shared >= (min(needed, _ENOUGH) if is_on_asked else needed) else 0.0


def _is_on_asked(terms: AbstractSet[str], shown: _Shown, weights: Mapping[str, float]) -> bool:
    """Return whether a sentence shares an asked word with a quote that is not all too common."""
    return max((weights.get(term, 0.0) for term in terms & shown.asked), default=0.0) >= RARE


def _is_labelled_so(said: ToldSentence, shown: _Shown, weights: Mapping[str, float]) -> bool:
    """Return whether a sentence stands in an item that is called by asked words of a quote: "Pool: it opens later"."""
    return said.about <= shown.asked and max((weights.get(term, 0.0) for term in said.about), default=0.0) >= TELLING


def _is_later_release(hit: Hit, shown: _Shown) -> bool:
    """Return whether a passage tells of the changes of a later version, in the same document or one of the same series.

    What is only of a later day may be an entry of minutes, where not every line is a change.
    """
    if hit.passage.source == shown.source.sha256:
        return bool(shown.release.version) and release_of(hit.passage.heading).is_after(shown.release)
    own, its = release_of(shown.source.title), release_of(hit.title)
    is_series = without_version(hit.title) == without_version(shown.source.title)
    return bool(own.version and its.version) and is_series and its.is_after(own)


def _is_beside(hit: Hit, shown: _Shown) -> bool:
    """Return whether a passage has words of the paragraph that is shown with a quote."""
    passage, paragraph = hit.passage, shown.context.paragraph
    return passage.source == paragraph.source and passage.start < paragraph.end and paragraph.start < passage.end


def _is_earlier(hit: Hit, shown: _Shown) -> bool:
    """Return whether a passage is of an earlier version than a quote, or under an earlier day of the same text."""
    source = shown.source
    release = release_of(f"{hit.title} {hit.passage.heading}")
    return release_of(f"{source.title} {shown.context.heading}").is_after(release)


def _is_of_earlier_day(one: Source, shown: Source) -> bool:
    """Return whether a document was written before another one, as far as that is known of both."""
    when, own = written_day(one), written_day(shown)
    return when is not None and own is not None and is_before(when, own)
