"""The words and names of a question, and which of them a text does not hold."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.source import Source, TablePlace
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.retrieval.query import DURATION_WORD
from quaestor.evidence.spelling import replace_words
from quaestor.evidence.stemming import added_stems, detect_language, held_stems, stemmed_terms
from quaestor.evidence.stopwords import function_words_of
from quaestor.evidence.tokenization import Word, content_terms, sentence_spans, terms, words
from quaestor.research.offline.words.aliases import Alias
from quaestor.research.offline.words.courtesy_titles import courtesy_title_starts
from quaestor.research.offline.words.dates import holds_month, parse_date
from quaestor.research.offline.words.language import ACTION_WORDS, stems_of
from quaestor.research.offline.words.measures import measure_stems, measures_asked
from quaestor.research.offline.words.names import find_names, mask_quotes, name_parts, quoted_spans
from quaestor.research.offline.words.question import ASKS_FOR_LEAVE, asking_spans, parse_question
from quaestor.research.reports.languages import elided_length, function_words, report_language, without_joined_words

_ASKING_WORDS = """
    kind sort type example mean meaning explain describe list name show summarize summarise outline discuss define
    difference differ different compare comparison compared reason happen called used said told mention mentioned
    unterschied unterschiede différence différences diferencia diferencias diferença diferenças differenza
    verschil verschillen różnica разница versus vs
    funktioniert funktionieren fonctionne fonctionnent funciona funcionan работает
    когда кто что где почему зачем как какой какая какие сколько чей был была было были
"""
"""Words that say what a question wants, not what it is about; a text that answers need not hold them."""
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
    r"\bwie (?P<lange>lange|oft)\b|\bcombien de (?P<temps>temps)\b"
    r"|\bquelle (?P<heure>heure)\b|\bcuánto (?P<tiempo>tiempo)\b|\bqué (?P<hora>hora)\b|\bquanto (?P<tempo>tempo)\b"
    r"|\b(?:a|che) (?P<ora>ora)\b|\bque (?P<horas>horas?)\b|\bhoe (?P<laat>laat|vaak)\b|\bjak (?P<dlugo>długo|często)\b"
    r"|\bktórej (?P<godzinie>godzinie)\b|\bкак (?P<dolgo>долго|часто)\b|\bсколько (?P<vremeni>времени)\b",  # noqa: RUF001 (Russian)
    re.IGNORECASE,
)
"""As "how long" and "how often" in English: a text that tells a time seldom has the word."""
_WITHIN_WORD = re.compile(r"(?<=[^\W\d_])[.\u2010\u2011-](?=[^\W\d_])")
_SPOKEN_NAME = re.compile(r"[^\W\d_](?:[^\W\d_]|[-'\u2019])*(?: [^\W\d_](?:[^\W\d_]|[-'\u2019])*){1,2}")
"""A name of two or three words of letters, as people have."""
_PARTING = re.compile(r"[,;:()|\n\u2013\u2014]|\b(?:and|et|y|e|en|i|or)\b")
"""What stands between two names."""
_NEAR_WORDS = 2
"""A word may stand between two of a name: "Ann M. Lee"."""
_NAME_PART = re.compile(r"[A-Z][a-z]+")
_JOINED_NAME = re.compile(r"(?:[A-Z][a-z]+){2,}")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)+")
_WORD = re.compile(r"\w+")
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
        """Return whether a text with these index terms holds it: a name by all of its words, a word by each piece."""
        if self.is_name:
            return self.terms <= held
        return all(piece & held for piece in self.pieces or (self.terms,))


def asked_words(text: str, similar: Sequence[SimilarWord] = ()) -> tuple[AskedWord, ...]:
    """Return the titles, the names and the other telling words of a question, each once, in their order.

    Of a text that tells many things before it asks, the other words are those of the sentences that ask.
    What was done to a subject is none of them where a side of it is asked for: why it was added. A word in whose place
    a similar one was searched is held by what holds that one.
    """
    has_sides = bool(parse_question(text).facets)
    found: dict[frozenset[str], AskedWord] = {}
    for _, word in sorted(_located(text), key=lambda one: one[0]):
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


def _as_searched(word: AskedWord, similar: Sequence[SimilarWord], language: str | None) -> AskedWord:
    spelt = replace_words(word.text, (one.pair for one in similar))
    if spelt == word.text:
        return word
    searched = frozenset(stemmed_terms(spelt, language))
    return replace(word, terms=searched if word.is_name else word.terms | searched, pieces=())


def absent_words(asked: Iterable[AskedWord], held: frozenset[str]) -> tuple[str, ...]:
    """Return those words that a text with these index terms does not hold."""
    return tuple(word.text for word in asked if not word.stands_in(held))


def held_terms(
    source: Source,
    heading: str,
    text: str,
    language: str | None,
    in_table: TablePlace | None = None,
    *,
    asked: Sequence[AskedWord] = (),
) -> frozenset[str]:
    """Return the terms of a text, of the heading above it and of what its document is called, with their stems.

    A row of a table holds what its columns are called. A measure that is asked for is held only where its sentence
    holds something else that is asked: else it is the measure of another thing. A name that is asked in one word is
    held where it is written in several, and a month where it is a number. One of several words is none of two others:
    Ann Lee is not held by Ann Berg and Bo Lee. A small word of another language is no word of the question: in German
    "die" is an article.
    """
    name = re.split(r"[/\\]", source.uri)[-1]
    columns = "\n".join(cell.column for cell in in_table.cells) if in_table else ""
    around = held_stems(f"{source.title}\n{name}\n{heading}\n{columns}", language)
    stray = _stray_measures(text, asked, language) | _parts_of_other_names(text, asked, language, around)
    stray |= _small_elsewhere(text, asked, language)
    own = held_stems(text, language) - stray
    return around.union(own, *(word.terms for word in asked if _is_written_otherwise(word, text)))


def _parts_of_other_names(
    text: str, asked: Sequence[AskedWord], language: str | None, around: frozenset[str]
) -> frozenset[str]:
    """Return the last words of names that a text holds piece by piece, and nowhere with their pieces near each other.

    Of a name whose last word also stands around the text, which holds it then, it is the one before. In German every
    noun is written as a name, and those of a question need not stand together.
    """
    spoken = [word for word in asked if word.is_name and _SPOKEN_NAME.fullmatch(word.text)]
    if not spoken or language == "de":
        return frozenset()
    found = words(text)
    said = [held_stems(word.text, language) for word in found]
    lone: set[str] = set()
    for name in spoken:
        parts = [frozenset(stemmed_terms(part, language)) for part in name.text.split()]
        places = [[place for place, held in enumerate(said) if part <= held] for part in parts]
        is_near = (any(_are_one_name(text, found, a, b) for a in one for b in other) for one, other in pairwise(places))
        if all(places) and not all(is_near):
            lone |= next((part for part in reversed(parts) if not part <= around), frozenset())
    return frozenset(lone).difference(*(word.terms for word in asked if word not in spoken))


def _are_one_name(text: str, found: Sequence[Word], one: int, other: int) -> bool:
    """Return whether the words at two places are parts of one name in their order, or in that of a list: "Lee, Ann".

    In "Bo Lee, Ann Berg" they are of two.
    """
    if 0 < other - one <= _NEAR_WORDS:
        return _PARTING.search(text, found[one].end, found[other].start) is None
    if one - other != 1 or text[found[other].end : found[one].start].strip() != ",":
        return False
    before = text[found[other - 1].start : found[other].start] if other else ""
    after = text[found[one].end : found[one + 1].end] if one + 1 < len(found) else ""
    return not any(_PARTING.search(beside) is None and beside.strip()[:1].isupper() for beside in (before, after))


def _small_elsewhere(text: str, asked: Sequence[AskedWord], language: str | None) -> frozenset[str]:
    """Return the index terms of words that are small ones in the language of a text, if that is another one."""
    spoken = detect_language(text)
    if spoken in {None, language}:
        return frozenset()
    small = function_words_of(spoken)
    return frozenset[str]().union(*(word.terms for word in asked if not word.is_name and word.terms <= small))


def _is_written_otherwise(word: AskedWord, text: str) -> bool:
    """Return whether a text writes a word otherwise: Fitz Roy and FitzRoy, call-out and callout, 2025-05 and May."""
    if (when := parse_date(word.text)) and holds_month(text, when):
        return True
    if _is_joined_otherwise(word.text.casefold(), text.casefold()):
        return True
    if not _JOINED_NAME.fullmatch(word.text):
        return False
    return re.search(rf"\b{'[ -]'.join(_NAME_PART.findall(word.text))}\b", text) is not None


def _is_joined_otherwise(word: str, text: str) -> bool:
    """Return whether a text writes a word with hyphens that has none, or without those that it has."""
    if bare := _HYPHEN.search(word) and _HYPHEN.sub("", word):
        return bare in _WORD.findall(text)
    return word in {_HYPHEN.sub("", joined) for joined in _HYPHENATED.findall(text)}


def _stray_measures(text: str, asked: Sequence[AskedWord], language: str | None) -> frozenset[str]:
    """Return the measures asked for that stand in no sentence with another word that is asked."""
    others = frozenset[str]().union(*(word.terms - word.measures for word in asked))
    measures = frozenset[str]().union(*(word.measures for word in asked)) - others
    sentences = (held_stems(text[start:end], language) for start, end in (sentence_spans(text) if measures else ()))
    return measures.difference(*(held for held in sentences if held & others))


def add_other_names(held: frozenset[str], task: str, others: Iterable[Alias]) -> frozenset[str]:
    """Return the terms of a text, with those of the names in a task for which it holds another one."""
    language = asked_language(task)
    return held.union(*(stemmed_terms(one.name, language) for one in others if held.issuperset(terms(one.other))))


def asked_language(text: str) -> str | None:
    """Return the language in whose stems the words of a question are compared, or None."""
    return detect_language(text, is_question=True)


def _located(text: str) -> Iterator[tuple[int, AskedWord]]:
    named: set[str] = set()
    language = asked_language(text)
    bare = mask_quotes(text)
    titles = [(start + 1, text[start + 1 : end - 1].strip()) for start, end in quoted_spans(text)]
    spoken = report_language(text)
    found = (name[elided_length(name, spoken) :] for name in find_names(bare))
    parts = (part for name in found for part in name_parts(name, language))
    names = [(max(bare.find(name), 0), name) for name in parts]
    for place, name in (*titles, *names):
        held = frozenset(stemmed_terms(name, language))
        if held and not held <= _asking_stems():
            named |= held
            yield place, AskedWord(name, held, is_name=True)
    small = function_words(text) | {"none"}  # which no text that answers need hold; None may be a name
    wanted = {
        match.start(group)
        for asking in (_HOW_IT_WORKS, _IS_IT_TRUE, _ASKS_FOR_TIME, ASKS_FOR_LEAVE)
        for match in asking.finditer(bare)
        for group, found in match.groupdict().items()
        if found
    }
    wanted |= {match.start() for match in DURATION_WORD.finditer(bare)}
    wanted |= courtesy_title_starts(bare)
    measured = measures_asked(bare)
    asking = asking_spans(text)
    for word in (_bare_word(word, spoken) for word in words(bare) if word.text not in small):
        held = frozenset(stemmed_terms(word.text, language)) if content_terms(word.text) else frozenset()
        is_telling = not (_UNSPACED.search(word.text) or word.start in wanted)
        is_telling &= any(start <= word.start < end for start, end in asking)
        if held and not held & (named | _asking_stems()) and is_telling:
            told = measure_stems(measured[word.start], language) if word.start in measured else frozenset[str]()
            pieces = _pieces(word.text, language)
            yield word.start, AskedWord(word.text, held | told, is_name=False, pieces=pieces, measures=told - held)


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
