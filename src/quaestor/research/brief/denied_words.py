"""Whether a sentence of a correction denies a word of another one: "He was not a dentist but a vet"."""

from collections.abc import Iterator

from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.marked_sentence import SHORTEST, MarkedSentence, numbers_of
from quaestor.research.offline.words.correction_words import INSTEAD_OF, NO_MORE, NOT_BUT, NOT_SO
from quaestor.research.reports.languages import function_words, report_language

_SHARED = 2
"""Words that it must share where it denies a number, which may be of anything."""


def denies_word(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence denies a word of a marked one and shares another, or a number of it and shares two."""
    language = report_language(marked.text)
    denied = frozenset(_denied(sentence))
    both = marked.words.intersection(content_terms(sentence)) - denied
    shared = [one for one in both if not any(find_spelled_numbers(one, language))]
    if not denied.isdisjoint(marked.words):
        return bool(shared)
    numbers = marked.numbers.union(map(str, find_spelled_numbers(marked.text, language)))
    return len(shared) >= _SHARED and not denied.isdisjoint(numbers)


def replaces_word(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence puts something in the place of a word of a marked one: "clothes instead of uniform"."""
    return any(
        term in marked.words
        for found in INSTEAD_OF.finditer(sentence)
        for term in [*_telling(found["denied"], sentence)][:1]
    )


def ends_word(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence says that a marked one is so no more, in a word of it, and shares two others.

    As "Assembly point is not the war memorial any more".
    """
    ended = {
        term
        for found in NO_MORE.finditer(sentence)
        for term in [*_telling(found["english"] or found["behind"], sentence)][:1]
    }
    shared = marked.words.intersection(content_terms(sentence)) - ended
    return not ended.isdisjoint(marked.words) and len(shared) >= _SHARED


def _denied(sentence: str) -> Iterator[str]:
    """Yield the words that a sentence denies; of a number in words the number."""
    for found in NOT_BUT.finditer(sentence):
        yield from _telling(found["denied"], sentence)
    for found in NOT_SO.finditer(sentence):
        yield from [*_telling(found["denied"], sentence)][:1]


def _telling(said: str, sentence: str) -> Iterator[str]:
    small, language = function_words(sentence), report_language(sentence)
    for word in said.split():
        number = [*numbers_of(word), *map(str, find_spelled_numbers(word, language))]
        yield from number or [term for term in content_terms(word) if len(term) >= SHORTEST and term not in small]
