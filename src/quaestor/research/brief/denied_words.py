"""Whether a sentence of a correction denies a word of another one: "He was not a dentist but a vet"."""

from collections.abc import Iterator

from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.marked_sentence import SHORTEST, MarkedSentence, numbers_of
from quaestor.research.offline.words.correction_words import NOT_BUT, NOT_SO
from quaestor.research.reports.languages import function_words, report_language


def denies_word(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence denies a word or a number of a marked one, and shares another word with it."""
    denied = frozenset(_denied(sentence))
    shared = marked.words.intersection(content_terms(sentence)) - denied
    told = marked.words | marked.numbers | frozenset(_spelled(marked.text))
    return bool(shared) and not denied.isdisjoint(told)


def _denied(sentence: str) -> Iterator[str]:
    """Yield the words that a sentence denies, and the numbers that they spell."""
    for found in NOT_BUT.finditer(sentence):
        yield from _telling(found["denied"], sentence)
    for found in NOT_SO.finditer(sentence):
        yield from [*_telling(found["denied"], sentence)][:1]


def _telling(said: str, sentence: str) -> Iterator[str]:
    small = function_words(sentence)
    for word in said.split():
        number = [*numbers_of(word), *_spelled(word)]
        yield from number or [term for term in content_terms(word) if len(term) >= SHORTEST and term not in small]


def _spelled(text: str) -> Iterator[str]:
    return map(str, find_spelled_numbers(text, report_language(text)))
