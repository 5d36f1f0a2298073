"""How much a sentence that may tell of a change has to do with a quote that a brief shows: by shared words alone."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from math import log
from typing import NamedTuple

from quaestor.contracts.library import TermFrequencies
from quaestor.contracts.source import Hit, Source
from quaestor.evidence.spelling import COMPOUNDING, SHORTEST_HEAD
from quaestor.evidence.stemming import detect_language
from quaestor.research.brief.later_changes import Release, release_of, without_version
from quaestor.research.brief.marked_sentence import numbers_of
from quaestor.research.brief.named_values import names_day, names_same_day
from quaestor.research.brief.record_items import DAY_TERMS
from quaestor.research.contracts.tools import QuoteContext
from quaestor.research.offline.words.correction_words import PROPOSED
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.office_words import holders, tells_of_office
from quaestor.research.tools.change_sentences import (
    CAPITAL,
    ONE_NAME,
    TELLING,
    TWO_WORDS,
    AskedChange,
    ToldSentence,
    literals_like_code,
    telling_terms,
    terms_of_names,
)

_RARE = 0.4
"""The least weight of one asked word, or of one name, that is shared."""
_NAMED = 0.6
"""The least weight of all words that a sentence shares with the quote, where one is a rare name of both, or code."""
_MENTIONED = 0.3
"""The least weight of the asked words that a sentence of a later record and a quote share."""
_MENTIONED_NAME = 0.5
"""The least weight of one name that both have."""
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
_LONG_NUMBER = 3
"""Digits of a number that is one of few things: 7.650, and not 12."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEW_DAY = 1.5
"""What it counts that it tells a change and names a day that the quote does not, where a day is asked."""
_NOT_THAT_DAY = 1.5
"""What it counts that it says no and names the day of the quote, with a name of that around it."""


class ShownQuote(NamedTuple):
    """A quote: its index terms, those asked for and those of names, its release, numbers, two-word names and code."""

    context: QuoteContext
    source: Source
    terms: frozenset[str]
    asked: frozenset[str]
    named: frozenset[str]
    surely_named: frozenset[str]
    """The terms of names in the paragraph: of words with a capital within its sentences, and of two in a row."""
    release: Release
    numbers: frozenset[str]
    names: frozenset[str]
    code: frozenset[str]
    proposed: frozenset[str]
    """The terms of what it proposes; nothing, where it proposes nothing."""


def read_shown(context: QuoteContext, source: Source, asked: AskedChange) -> ShownQuote:
    """Return what of a quote a change may share, its words compared in the language of the question."""
    # What is asked may stand beside the quote, as the price below the name of what it is of.
    around = telling_terms(context.paragraph.text, asked.language)
    around_plain = " ".join(strip_markup(context.paragraph.text).split())
    has_compounds = detect_language(context.paragraph.text) in COMPOUNDING
    beside = (around | _parts_of_compounds(around, asked.terms) if has_compounds else around) & asked.terms
    terms = telling_terms(f"{context.quote.text} {context.heading}", asked.language) | beside
    said = context.quote.text
    proposing = telling_terms(" ".join(found[0] for found in PROPOSED.finditer(said)), asked.language)
    return ShownQuote(
        context=context,
        source=source,
        terms=terms,
        asked=terms & asked.terms,
        named=terms_of_names(CAPITAL.findall(said)),
        surely_named=terms_of_names((*ONE_NAME.findall(around_plain), *TWO_WORDS.findall(around_plain))),
        code=literals_like_code(said),
        release=release_of(context.heading),
        numbers=numbers_of(said),
        names=frozenset(TWO_WORDS.findall(said)),
        proposed=terms - proposing if proposing else frozenset(),
    )


def weigh_change(
    said: ToldSentence, hit: Hit, shown: ShownQuote, weights: Mapping[str, float], asked: AskedChange
) -> float:
    """Return what a sentence counts as a change of what a quote tells; 0 where it need not have to do with that."""
    terms = said.terms | _parts_of_compounds(said.terms, shown.terms) if said.has_compounds else said.terms
    is_on_asked = _is_rare(terms & shown.asked, weights)
    is_on_person = _is_rare(_shared_names(said, shown), weights, TELLING)
    return max(
        _told(said, hit, shown, weights, terms, is_on_asked=is_on_asked),
        _ENOUGH * (said.tells_change and _is_labelled_so(said, shown, weights)),
        _SURE * (said.ends_asked or _outdates(said, shown, weights, terms) or _removes_code(said, shown)),
        _SETTLED * (said.is_settled and _is_rare(terms & shown.proposed, weights)),
        _NOT_THAT_DAY * _denies_day(said, shown, weights),
        _NEW_DAY * (asked.is_on_day and _moves_day(said, shown, weights, terms)),
        _OFFICE * (asked.is_on_person and (is_on_asked or is_on_person) and tells_of_office(said.text)),
        _OFFICE * (asked.is_on_person and _tells_holder(said, shown, asked)),
    )


def weigh_mention(
    said: ToldSentence, shown: ShownQuote, weights: Mapping[str, float], subject: AbstractSet[str]
) -> float:
    """Return what words of the `subject` of a question count that a sentence of a later record shares with a quote.

    A rare name of the quote counts as well, a long number and its day. 0 where what is shared is all too common.
    """
    terms = said.terms | _parts_of_compounds(said.terms, shown.terms) if said.has_compounds else said.terms
    asked = sum(weights.get(term, 0.0) for term in terms & shown.asked & subject)
    named = max((weights.get(term, 0.0) for term in _shared_names(said, shown)), default=0.0)
    has_number = any(_is_long(one) and not _YEAR.fullmatch(one) for one in said.numbers & shown.numbers)
    is_sure = has_number or names_same_day(said.text, shown.context.quote.text)
    shared = asked + (named if named >= _MENTIONED_NAME else 0.0) + is_sure
    return shared if shared >= _MENTIONED else 0.0


def _shared_names(said: ToldSentence, shown: ShownQuote) -> frozenset[str]:
    """Return the index terms of names of a quote, of one word or two, that a sentence has too."""
    single = (said.named | (said.opening & shown.surely_named)) & shown.named
    return single | terms_of_names(said.names & shown.names)


def _told(
    said: ToldSentence,
    hit: Hit,
    shown: ShownQuote,
    weights: Mapping[str, float],
    terms: frozenset[str],
    *,
    is_on_asked: bool,
) -> float:
    """Return what the words count that a sentence shares with a quote, where it tells a change in a word for one."""
    names = said.named | (said.opening & shown.surely_named)
    has_name = _is_rare(names & shown.named, weights)
    # "The buses are from Mill; Corkfit had none on that day" is told in no word for a change.
    denies_name = said.says_no and has_name and is_on_asked
    if not (said.tells_change or denies_name or (_is_later_release(hit, shown) and not said.only_mends)):
        return 0.0
    is_sure = has_name or said.code & shown.code or (said.differs_from_told and is_on_asked)
    needed = _NAMED if is_sure else _MUCH if said.names.isdisjoint(shown.names) else _ENOUGH
    return _shared(terms, shown, weights, needed=needed) if is_on_asked or needed < _MUCH else 0.0


def _outdates(said: ToldSentence, shown: ShownQuote, weights: Mapping[str, float], terms: frozenset[str]) -> bool:
    """Return whether a sentence says of a number of a quote that it is not, or no longer, the one that is asked for.

    It holds an asked word of it; of a long number it is enough that a name of the quote stands around the sentence.
    """
    own = said.outdated & shown.numbers
    is_long = any(map(_is_long, own))
    is_near = is_long and _is_rare(said.around & shown.named, weights)
    return bool(own) and (is_near or _is_rare((terms & shown.asked) - said.outdated, weights, TELLING))


def _is_long(number: str) -> bool:
    return sum(map(str.isdigit, number)) >= _LONG_NUMBER


def _moves_day(said: ToldSentence, shown: ShownQuote, weights: Mapping[str, float], terms: frozenset[str]) -> bool:
    """Return whether a sentence tells a change to another day than a quote names, if any, with an asked word of it.

    Any rare word of a quote is enough where the day of that is one from which it is moved: "from the 14th to the 21st".
    """
    is_other = names_day(said.text) and not names_same_day(said.text, shown.context.quote.text)
    days = {str(one.day) for one in find_partial_dates(shown.context.quote.text) if one.day}
    is_from = not days.isdisjoint(re.findall(r"\d+", said.text))
    own = frozenset(term for term in shown.terms - DAY_TERMS if term.isalpha()) if is_from else shown.asked
    return said.tells_change and is_other and _is_rare(terms & own, weights, TELLING)


def _removes_code(said: ToldSentence, shown: ShownQuote) -> bool:
    """Return whether a sentence tells the end of code that stands in the paragraph of a quote, in whatever form."""
    text = shown.context.paragraph.text
    return any(re.search(rf"(?<![\w.-]){re.escape(one)}(?![\w-])", text) for one in said.removed)


def _tells_holder(said: ToldSentence, shown: ShownQuote, asked: AskedChange) -> bool:
    """Return whether a quote and a sentence have different names with an asked office: "Bo Lee (Chair)"."""
    own, told = (
        {name.split()[-1] for name, office in holders(text) if telling_terms(office, asked.language) & asked.subject}
        for text in (shown.context.quote.text, said.text)
    )
    return bool(own and told - own)


def _denies_day(said: ToldSentence, shown: ShownQuote, weights: Mapping[str, float]) -> bool:
    """Return whether a sentence says no and names the day of a quote, and a name of that stands around it."""
    is_near = said.says_no and _is_rare(said.around & shown.surely_named, weights)
    return is_near and names_same_day(said.text, shown.context.quote.text)


def _parts_of_compounds(terms: AbstractSet[str], among: AbstractSet[str]) -> frozenset[str]:
    """Return those of some terms that begin or end with one, or with which one does: Buffet and Buffetpreis."""
    return frozenset(other for other in among - terms if any(_is_part(one, other) for one in terms))


def _is_part(one: str, other: str) -> bool:
    part, whole = sorted((one, other), key=len)
    return len(part) >= SHORTEST_HEAD and (whole.startswith(part) or whole.endswith(part))


def weigh_terms(counts: TermFrequencies) -> Mapping[str, float]:
    """Return how much each term tells: 1 for what one passage holds, 0 for what all do, or none."""
    most = log(max(counts.passages, 2))
    return {term: log(counts.passages / held) / most if held else 0.0 for term, held in counts.of.items()}


def _shared(terms: frozenset[str], shown: ShownQuote, weights: Mapping[str, float], *, needed: float) -> float:
    """Return the weight of the words that a sentence shares with a quote; 0 where these are too few or too common.

    Where it holds most of the asked ones, less than the `needed` weight is enough.
    """
    named = [weights.get(term, 0.0) for term in terms & shown.asked]
    shared = sum(weights.get(term, 0.0) for term in terms & shown.terms)
    is_on_asked = sum(named) >= _MOST * sum(weights.get(term, 0.0) for term in shown.asked)
    return shared if shared >= (min(needed, _ENOUGH) if is_on_asked else needed) else 0.0


def _is_rare(shared: AbstractSet[str], weights: Mapping[str, float], least: float = _RARE) -> bool:
    """Return whether one of some shared terms is not all too common."""
    return max((weights.get(term, 0.0) for term in shared), default=0.0) >= least


def _is_labelled_so(said: ToldSentence, shown: ShownQuote, weights: Mapping[str, float]) -> bool:
    """Return whether a sentence stands in an item that is called by asked words of a quote: "Pool: it opens later"."""
    return said.about <= shown.asked and _is_rare(said.about, weights, TELLING)


def _is_later_release(hit: Hit, shown: ShownQuote) -> bool:
    """Return whether a passage tells of the changes of a later version, in the same document or one of the same series.

    What is only of a later day may be an entry of minutes, where not every line is a change.
    """
    if hit.passage.source == shown.source.sha256:
        return bool(shown.release.version) and release_of(hit.passage.heading).is_after(shown.release)
    own, its = release_of(shown.source.title), release_of(hit.title)
    is_series = without_version(hit.title) == without_version(shown.source.title)
    return bool(own.version and its.version) and is_series and its.is_after(own)
