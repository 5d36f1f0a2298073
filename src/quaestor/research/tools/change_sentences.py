"""The sentences of a passage that may tell of a change, with what each says of what was told before."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from quaestor.contracts.source import Hit, Quote
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.front_matter_blocks import front_matter_end
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.spelling import COMPOUNDING
from quaestor.evidence.stemming import detect_language, stemmed_terms
from quaestor.research.brief.item_context import COLONS
from quaestor.research.brief.later_changes import is_of_time
from quaestor.research.brief.marked_sentence import numbers_of
from quaestor.research.brief.named_values import outdated_values
from quaestor.research.brief.record_items import DAY_TERMS
from quaestor.research.brief.removals import calls_one_of, literals_of, literals_to_go, removed_literals
from quaestor.research.brief.thread_replies import holds_letter
from quaestor.research.offline.words.change_words import (
    ABOUT_CHANGES,
    LETTERS,
    NOTES,
    REFUSED,
    SETTLED,
    THAN_TOLD,
    may_tell_change,
    only_mends,
)
from quaestor.research.offline.words.correction_words import DECIDED, DENIAL
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.ending_words import asks_for_now
from quaestor.research.offline.words.language import AnswerKind, answer_kind, stems_of
from quaestor.research.offline.words.light_words import is_everyday
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.removal_words import HAS_ENDED, OF_STEP, TO_BE_ENDED
from quaestor.research.offline.words.wording import asked_language, asked_terms, asked_words
from quaestor.research.tools.passage_sentences import WITHOUT_SENTENCES, find_sentences, quote_of

_SHORTEST = 3
"""Characters of a term that tells a word."""
_MAIL = ".eml"
"""How a file of one letter ends, in which few passages hold its header."""
TWO_WORDS = re.compile(
    r"(?<![^\W_])(?!(?:The|Our|We|Der|Die|Das|Les?|La|El|Los|Las|Il|Lo|Gli|De|Het|Os?|As?) )"
    r"[A-ZÀ-ÖØ-Þ][^\W\d_]+ [A-ZÀ-ÖØ-Þ][^\W\d_]+"
)
"""Two words with capitals: a quote and what shares them are about the same thing, also in words that are not asked."""
CAPITAL = re.compile(r"(?<![^\W_])[A-ZÀ-ÖØ-Þ][^\W\d_]{3,}")
"""Any word with a capital, which is a name where another text has it within a sentence."""
ONE_NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÖØ-Þ][^\W\d_]{3,}")
"""A word with a capital within a sentence, which is a name but in German."""
_FIRST_WORD = re.compile(r"\W*([A-ZÀ-ÖØ-Þ][^\W\d_]{3,})")
_ANCHOR = re.compile(r"\{#[^}]*\}")
"""Behind a heading, how it is linked to."""
_ANYTHING = stems_of("support use usage option options setting settings feature features command commands")
"""Index terms of what may be at an end of anything."""
TELLING = 0.25
"""The least weight of one in what is at an end, or of the label of an item."""


class AskedChange(NamedTuple):
    """A question: its index terms, years and code, and whether it asks for now, yes or no, somebody or a day."""

    text: str
    language: str | None
    """By whose stems words are compared; none of a language with compounds, whose stems do not begin as their parts."""
    terms: frozenset[str]
    subject: frozenset[str]
    """The terms but those of numbers and of words that much else is said of."""
    years: frozenset[int]
    code: frozenset[str]
    is_for_now: bool
    is_yes_no: bool
    is_on_person: bool
    is_on_day: bool

    @property
    def is_on_end(self) -> bool:
        """Whether any passage may tell the end of what is asked about, and not only one on changes."""
        return self.is_for_now or self.is_yes_no or bool(self.code)

    def is_code(self, said: str) -> bool:
        """Return whether a sentence ends code that is asked about: any name in a question for now may be code."""
        removed = removed_literals(said) if self.code or self.is_for_now else frozenset[str]()
        return not self.code.isdisjoint(removed) or (self.is_for_now and calls_one_of(removed, self.text))

    def is_subject(self, said: str, weights: Mapping[str, float], *, may_order: bool) -> bool:
        """Return whether a sentence opens with the end of something, half of whose words are asked, with a rare one.

        Where it `may_order`, it may be the step of a manual: "Remove all lids".
        """
        plain = strip_markup(said) if self.is_for_now or self.is_yes_no else ""
        to_be_ended = TO_BE_ENDED.match(plain)
        is_order = may_order and to_be_ended is not None and OF_STEP.match(to_be_ended["what"]) is not None
        opening = (None if is_order else to_be_ended) or HAS_ENDED.match(plain)
        ended = telling_terms(opening["what"], self.language) - _ANYTHING if opening else frozenset[str]()
        own = ended & self.terms
        return 2 * len(own) >= len(ended) and any(weights.get(term, 0.0) >= TELLING for term in own)

    def is_section(self, heading: str, said: str, weights: Mapping[str, float]) -> bool:
        """Return whether a sentence opens with the end of something below a heading of asked words alone, a rare one.

        That is asked for, as in "Is -- still so?": "The settings for it have been removed".
        """
        if not self.is_on_end or heading == said or HAS_ENDED.match(said) is None:
            return False
        called = telling_terms(_ANCHOR.sub("", heading), self.language)
        return called <= self.terms and any(weights.get(term, 0.0) >= TELLING for term in called)


class ToldSentence(NamedTuple):
    """A sentence that may tell of a change: its index terms and what it says of what was told before."""

    quote: Quote
    """It, with what belongs to it."""
    text: str
    terms: frozenset[str]
    about: frozenset[str]
    """Those of the label of its item, where it stands behind that."""
    named: frozenset[str]
    """Those of names of one word; of none in German."""
    opening: frozenset[str]
    """Those of its first word, which may be a name."""
    around: frozenset[str]
    """Those of words with a capital in its passage."""
    names: frozenset[str]
    """Names of two words."""
    code: frozenset[str]
    has_compounds: bool
    tells_change: bool
    only_mends: bool
    ends_asked: bool
    """Whether it tells the end of what is asked about."""
    says_no: bool
    differs_from_told: bool
    is_settled: bool
    """Whether it tells what a proposal may have become."""
    numbers: frozenset[str]
    outdated: frozenset[str]
    """The numbers that are not, or no longer, the right ones, or that were refused."""
    removed: frozenset[str]
    """What it writes as code and tells to be gone, or to go."""


def read_question(question: str) -> AskedChange:
    """Return what a question asks, as far as a change may tell of it."""
    kind, language = answer_kind(question), asked_language(question)
    asked = asked_terms(question)
    everyday = (word.terms for word in asked_words(question) if is_everyday(word))
    return AskedChange(
        text=question,
        language=None if language in COMPOUNDING else language,
        terms=asked,
        subject=frozenset(term for term in asked.difference(*everyday) if not term[0].isdigit()),
        years=frozenset(one.year for one in find_partial_dates(question) if one.year),
        code=literals_of(question),
        is_for_now=asks_for_now(question),
        is_yes_no=kind is AnswerKind.YES_NO,
        is_on_person=kind is AnswerKind.PERSON,
        is_on_day=kind is AnswerKind.DATE,
    )


def is_on_changes(hit: Hit) -> bool:
    """Return whether a passage is of a day or a version, a letter or a note, or on what is otherwise than before."""
    title, stem, heading = hit.title, file_name(hit.uri), hit.passage.heading
    is_called_so = bool(ABOUT_CHANGES.search(f"{title} {heading}") or NOTES.search(f"{title} {stem}"))
    is_called_letter = hit.uri.casefold().endswith(_MAIL) or LETTERS.search(stem) is not None
    is_letter = is_called_letter or holds_letter(hit.passage.text)
    return is_called_so or is_letter or is_of_time(title, stem, heading)


def read_told_sentences(hit: Hit, asked: AskedChange, weights: Mapping[str, float]) -> Iterator[ToldSentence]:
    """Yield the sentences of a passage; of one that is not on changes those that end what is asked about."""
    language, may_tell_any = detect_language(hit.passage.text), is_on_changes(hit)
    around = terms_of_names(CAPITAL.findall(hit.passage.text))
    heading = hit.passage.heading.rpartition(" > ")[2]
    top = 0 if hit.passage.start else front_matter_end(hit.passage.text)
    for one in find_sentences(hit.passage.text, WITHOUT_SENTENCES - {BlockKind.HEADING}):
        quote = quote_of(hit, one.start, one.end)
        # "status: accepted" is on its own document; "To go back, remove the lids:" says nothing without what is below.
        if one.start < top or strip_markup(quote.text).endswith(COLONS):
            continue
        may_order = one.kind is not BlockKind.HEADING and not may_tell_any
        ends_asked = asked.is_code(quote.text) or asked.is_subject(quote.text, weights, may_order=may_order)
        heading = quote.text if one.kind is BlockKind.HEADING else heading
        is_of_section = asked.is_section(heading, quote.text, weights)
        ends_asked = ends_asked or is_of_section
        # A heading says what is below it: "Remove Support for Claims".
        if not ((may_tell_any and one.kind is not BlockKind.HEADING) or ends_asked):
            continue
        about = telling_terms(one.item.label, asked.language) if one.item else frozenset[str]()
        above = hit.passage.text[one.above.top : one.above.end] if one.above else ""
        first = _FIRST_WORD.match(quote.text)
        yield ToldSentence(
            quote=quote_of(hit, *one.told(hit.passage.text, with_before=is_of_section)),
            text=quote.text,
            terms=telling_terms(f"{above}\n{quote.text}", asked.language) | about,
            about=about,
            named=frozenset() if language == "de" else _terms_of_single_names(quote.text),
            opening=terms_of_names([first[1]] if first and language != "de" else []),
            around=around,
            names=frozenset(TWO_WORDS.findall(quote.text)),
            code=literals_like_code(quote.text),
            has_compounds=language in COMPOUNDING,
            tells_change=may_tell_change(quote.text),
            only_mends=only_mends(quote.text),
            ends_asked=ends_asked,
            says_no=DENIAL.search(quote.text) is not None,
            differs_from_told=THAN_TOLD.search(quote.text) is not None,
            is_settled=bool(SETTLED.search(quote.text) or DECIDED.search(quote.text)),
            numbers=numbers_of(quote.text),
            outdated=outdated_values(quote.text) | _refused_numbers(quote.text),
            removed=(removed_literals(quote.text) | literals_to_go(quote.text)) & literals_like_code(quote.text),
        )


def _refused_numbers(sentence: str) -> frozenset[str]:
    """Return the numbers of what somebody did not want: "The meeting did not approve 18"."""
    return numbers_of(sentence) if REFUSED.search(sentence) else frozenset()


def _terms_of_single_names(text: str) -> frozenset[str]:
    return terms_of_names(ONE_NAME.findall(TWO_WORDS.sub(" ", text)))


def terms_of_names(names: Iterable[str]) -> frozenset[str]:
    """Return the index terms of names, but for those of days and months."""
    return telling_terms(" ".join(names)) - DAY_TERMS


def literals_like_code(text: str) -> frozenset[str]:
    """Return what a text writes as code and no prose would have: `--find-lost`, `boltdb_shipper`, but not `delete`."""
    return frozenset(one for one in literals_of(text) if not (one.isalpha() and one.islower()))


def telling_terms(text: str, language: str | None = None) -> frozenset[str]:
    """Return the index terms of a text that are no mere letters, by the stems of a language."""
    return frozenset(term for term in stemmed_terms(text, language) if len(term) >= _SHORTEST)
