"""The words and names of a question, and which of them a text does not hold."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.retrieval.query import DURATION_WORD, SAID_IN_PASSING, SPENT_TIME, TAKES_PLACE, TOTAL_NUMBER
from quaestor.evidence.spelling import is_misspelt, replace_words
from quaestor.evidence.stemming import added_stems, detect_language, stemmed_terms
from quaestor.evidence.tokenization import Word, content_terms, terms, words
from quaestor.research.offline.words.courtesy_titles import courtesy_title_starts
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.language import ACTION_WORDS, stems_of
from quaestor.research.offline.words.measures import measure_stems, measures_asked
from quaestor.research.offline.words.names import (
    find_names,
    mask_quotes,
    name_parts,
    parted_from_year,
    quoted_spans,
    without_initials,
)
from quaestor.research.offline.words.question import ASKS_FOR_LEAVE, asking_spans, parse_question
from quaestor.research.reports.languages import elided_length, function_words, report_language, without_joined_words

_ASKING_WORDS = """
    kind sort type example mean meaning explain describe list name show summarize summarise outline discuss define
    difference differ different compare comparison compared reason happen called used said told mention mentioned
    let lets
    unterschied unterschiede différence différences diferencia diferencias diferença diferenças differenza
    verschil verschillen różnica разница versus vs
    funktioniert funktionieren fonctionne fonctionnent funciona funcionan работает
    когда кто что где почему зачем как какой какая какие сколько чей был была было были
"""
"""Words that say what a question wants, not what it is about; a text that answers need not hold them."""
_QUESTIONS = 256
"""Questions and parts of them that are remembered taken apart: rule after rule asks for the words of the same ones."""
_ASKING_LANGUAGES = ("de", "es", "fr", "ru")
_HOW_IT_WORKS = re.compile(
    r"\bhow (?:do|does|did|can|could|will|would|should)\b.+ (?P<wanted>works?|functions?|operates?)\b(?= *[?.!]?\s*\Z)",
    re.IGNORECASE,
)
"""Of such questions one word says what is wanted: a text that explains how a thing works seldom has the word."""
_IS_IT_TRUE = re.compile(
    r"\bis it (?P<wanted>true|correct|right) that\b|\b(?:(?P<stimmt>stimmt) es|ist es (?P<wahr>wahr|richtig)),? dass\b"
    r"|\best-il (?P<vrai>vrai|exact) qu|\bes (?P<verdad>verdad|cierto) que\b|\b(?P<pravda>правда) ли\b",
    re.IGNORECASE,
)
_ASKS_FOR_TIME = re.compile(
    r"\bwie (?P<lange>lange|oft|viele?[nrs]?)\b|\bhoe (?P<veel>veel)\b|\bcombien de (?P<temps>temps)\b"
    r"|\bquelle (?P<heure>heure)\b|\bcuánto (?P<tiempo>tiempo)\b|\bqué (?P<hora>hora)\b|\bquanto (?P<tempo>tempo)\b"
    r"|\b(?:a|che) (?P<ora>ora)\b|\bque (?P<horas>horas?)\b|\bhoe (?P<laat>laat|vaak)\b|\bjak (?P<dlugo>długo|często)\b"
    r"|\bktórej (?P<godzinie>godzinie)\b|\bкак (?P<dolgo>долго|часто)\b|\bсколько (?P<vremeni>времени)\b",  # noqa: RUF001 (Russian)
    re.IGNORECASE,
)
"""As "how long" and "how often" in English: a text that tells a time seldom has the word."""
_UNSAID = (_HOW_IT_WORKS, SPENT_TIME, _IS_IT_TRUE, _ASKS_FOR_TIME, ASKS_FOR_LEAVE, TOTAL_NUMBER, SAID_IN_PASSING)
"""What asks and stands in no text that answers."""
_QUESTION_WORDS = ("which", "what", "when", "where", "who", "why", "how")
_LONG_SMALL_WORDS = ("because", "between", "through", "without", "should", "against", "whether", "although")
"""Small words long enough that what is nearly one of them is no other word: becuase, betwen."""
_WITHIN_WORD = re.compile(r"(?<=[^\W\d_])[.\u2010\u2011-](?=[^\W\d_])")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


class AskedWord(Immutable):
    """A word, a name or a quoted title of a question, with its index terms."""

    text: str
    terms: frozenset[str]
    is_name: bool
    pieces: tuple[frozenset[str], ...] = ()
    """The index terms of each piece of a word with hyphens or full stops within it, as "opt-level"."""
    measures: frozenset[str] = frozenset()
    """Those of its index terms that tell the measure it asks for, as metres of "deep"."""

    @property
    def is_single(self) -> bool:
        """Whether it is one word, so that what holds its terms holds it; several may stand apart."""
        return not self.pieces and not self.text.count(" ")

    @property
    def is_act(self) -> bool:
        """Whether it says what was done to something, as added or raised, and not what it is."""
        return not self.is_name and self.terms <= stems_of(ACTION_WORDS)

    def stands_in(self, held: frozenset[str]) -> bool:
        """Return whether a text with these index terms holds it: a name by all of its words, a word by each piece.

        What has a capital within, as PowerShell, is also written without it.
        """
        if self.is_name:
            return self.terms <= held or (self.text.isalpha() and not held.isdisjoint(terms(self.text)[:1]))
        return all(piece & held for piece in self.pieces or (self.terms,))


def asked_words(text: str, similar: Sequence[SimilarWord] = ()) -> tuple[AskedWord, ...]:
    """Return the titles, the names and the other telling words of a question, each once, in their order.

    Of a text that tells many things before it asks, the other words are those of the sentences that ask.
    What was done to a subject is none of them where a side of it is asked for: why it was added. A word in whose place
    a similar one was searched is held by what holds that one.
    """
    return _asked_words(text, tuple(similar), is_event=False)


def event_words(text: str) -> tuple[AskedWord, ...]:
    """Return the words of a question that a sentence has which says when that was: also that it took place."""
    return _asked_words(text, (), is_event=True)


@lru_cache(maxsize=_QUESTIONS)
def _asked_words(text: str, similar: Sequence[SimilarWord], *, is_event: bool) -> tuple[AskedWord, ...]:
    has_sides = bool(parse_question(text).facets)
    found: dict[frozenset[str], AskedWord] = {}
    for _, word in sorted(_located(text, is_event=is_event), key=lambda one: one[0]):
        if not (word.is_act and has_sides):
            found.setdefault(word.terms, _as_searched(word, similar, asked_language(text)))
    return tuple(found.values())


def asked_terms(text: str) -> frozenset[str]:
    """Return the index terms of the words and names of a question, each as it is and by its stem."""
    return frozenset((*content_terms(text), *stemmed_terms(text, asked_language(text))))


def without_common_names(asked: Iterable[AskedWord], common: AbstractSet[str]) -> list[AskedWord]:
    """Return words in which a name whose index terms are all common ones is a word like others.

    What all documents are about names none of them, and few of their passages repeat it.
    """
    return [
        replace(word, is_name=False, pieces=tuple(frozenset([term]) for term in sorted(word.terms)))
        if word.is_name and word.terms <= common
        else word
        for word in asked
    ]


def with_bare_versions(asked: Iterable[AskedWord], common: AbstractSet[str]) -> list[AskedWord]:
    """Return words in which a version of what all documents are about is held by the version: Flask 3.1.2 by 3.1.2.

    Its own list of changes seldom says of what they are.
    """
    bare = ((word, word.terms - common if word.is_name else frozenset[str]()) for word in asked)
    return [
        replace(word, terms=rest)
        if len(rest) == 1 and rest < word.terms and all(map(_VERSION.fullmatch, rest))
        else word
        for word, rest in bare
    ]


def _as_searched(word: AskedWord, similar: Sequence[SimilarWord], language: str | None) -> AskedWord:
    # Two words that were searched as one, as boy bands, are asked one by one.
    joined = [one.found for one in similar if word.text in one.word.split()]
    spelt = joined[0] if joined else replace_words(word.text, (one.pair for one in similar))
    if spelt == word.text:
        return word
    searched = frozenset(stemmed_terms(spelt, language))
    # "ausgaben" as it was found may be a noun, which has another stem than the verb in small letters.
    return replace(word, terms=searched if word.is_name else word.terms.union(searched, terms(spelt)), pieces=())


def absent_words(asked: Iterable[AskedWord], held: frozenset[str]) -> tuple[str, ...]:
    """Return those words that a text with these index terms does not hold."""
    return tuple(word.text for word in asked if not word.stands_in(held))


@lru_cache(maxsize=_QUESTIONS)
def asked_language(text: str) -> str | None:
    """Return the language in whose stems the words of a question are compared, or None."""
    return detect_language(text, is_question=True)


def _located(text: str, *, is_event: bool) -> Iterator[tuple[int, AskedWord]]:
    named: set[str] = set()
    language = asked_language(text)
    bare = mask_quotes(text)
    titles = [(start + 1, text[start + 1 : end - 1].strip()) for start, end in quoted_spans(text)]
    spoken = report_language(text)
    found = (name[elided_length(name, spoken) :] for name in find_names(bare))
    wholes = (whole for name in found for whole in name_parts(name, language))
    parts = (part for whole in wholes for part in parted_from_year(whole, language))
    names = [(max(bare.find(name), 0), name) for name in parts]
    days = [(bare.find(day), day) for day in _days_in_small_letters(bare)]
    names = [*days, *(one for one in names if not any(at <= one[0] < at + len(day) for at, day in days))]
    wanted = _asking_places(bare, is_event=is_event)
    for place, name in (*titles, *(one for one in names if one[0] not in wanted)):
        held = frozenset(stemmed_terms(without_initials(name), language))
        if held and not held <= _asking_stems():
            named.update(held, stemmed_terms(name, language))
            yield place, AskedWord(name, held, is_name=True)
    small = function_words(text) | {"none"}  # which no text that answers need hold; None may be a name
    wanted |= courtesy_title_starts(bare)
    measured = measures_asked(bare)
    asking = asking_spans(text)
    asked = (
        word
        for word in words(bare)
        if word.text not in small and not is_misspelt(word.text, (*_QUESTION_WORDS, *_LONG_SMALL_WORDS))
    )
    for word in (_bare_word(word, spoken) for word in asked):
        held = frozenset(stemmed_terms(word.text, language)) if content_terms(word.text) else frozenset()
        is_telling = not (_UNSPACED.search(word.text) or word.start in wanted)
        is_telling &= any(start <= word.start < end for start, end in asking)
        is_telling &= len(word.text) > 1 or not word.text.islower()  # 401(k)
        if held and not held & (named | _asking_stems()) and is_telling:
            told = measure_stems(measured[word.start], language) if word.start in measured else frozenset[str]()
            pieces = _pieces(word.text, language)
            yield word.start, AskedWord(word.text, held | told, is_name=False, pieces=pieces, measures=told - held)


def _days_in_small_letters(bare: str) -> Iterator[str]:
    """Yield the days whose month is written small, as in French, so that they are no names by a capital."""
    yield from (one.text for one in find_partial_dates(bare) if one.month and one.day and one.text.islower())


def _asking_places(bare: str, *, is_event: bool) -> set[int]:
    """Return where words begin that only ask, as "work" in "how does it work"."""
    unsaid = _UNSAID if is_event else (*_UNSAID, TAKES_PLACE)
    found = (match for asking in unsaid for match in asking.finditer(bare))
    said = {match.start(group) for match in found for group, word in match.groupdict().items() if word}
    return said | {match.start() for match in DURATION_WORD.finditer(bare)}


def _bare_word(word: Word, language: str) -> Word:
    """Return a word without the small ones that are joined to it: "usine" of "l'usine"."""
    bare = without_joined_words(word.text, language)
    start = word.start + word.text.index(bare)
    return Word(start, start + len(bare), bare)


def _pieces(word: str, language: str | None) -> tuple[frozenset[str], ...]:
    """Return the index terms of the pieces of a word, if it has several; e-mail, with a single letter, is whole."""
    pieces = _WITHIN_WORD.split(word)
    if len(pieces) == 1 or len(pieces[0]) == 1:
        return ()
    return tuple(frozenset(stemmed_terms(piece, language)) for piece in pieces if content_terms(piece))


@cache
def _asking_stems() -> frozenset[str]:
    stems = (stem for language in _ASKING_LANGUAGES for stem in added_stems(_ASKING_WORDS, language))
    return frozenset((*terms(_ASKING_WORDS), *stems))
