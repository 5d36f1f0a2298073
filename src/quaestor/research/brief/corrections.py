"""Sentences that correct what a marked sentence says, in another letter, note or paragraph.

Whether they are right nobody knows here: they are shown beside what they speak of.
"""

import re
from collections.abc import Iterator

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.disputed_dates import names_day
from quaestor.research.offline.words.correction_words import CORRECTION, DENIAL, ERRATUM
from quaestor.research.offline.words.dates import PartialDate

_PARAGRAPH = re.compile(r"(?:(?!\n[ \t]*\n).)+", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:/]\d+)*(?!\w)")


class MarkedSentence(Immutable):
    """A sentence that a brief shows, with what the document is called and the days that stand above it."""

    text: str
    title: str
    days: tuple[PartialDate, ...]

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers by which a correction may name what it is about."""
        return _numbers(self.text)

    @property
    def words(self) -> frozenset[str]:
        """Its telling words without numbers."""
        return frozenset(term for term in content_terms(self.text) if not term[0].isdigit())

    @property
    def title_words(self) -> frozenset[str]:
        """The words that only its document is called by."""
        return frozenset(term for term in content_terms(self.title) if not term[0].isdigit()) - self.words


def correcting_spans(text: str, marked: MarkedSentence, *, is_beside: bool) -> Iterator[tuple[int, int]]:
    """Yield where a text has sentences that correct a marked one.

    They stand in a paragraph that corrects something. They deny a number of it and hold a word of it; or they hold a
    word of it, and the paragraph names the day of its document, or as an erratum what that is called. `is_beside`: the
    text is of the same document, which need not name itself.
    """
    for paragraph in _PARAGRAPH.finditer(text):
        said = paragraph[0]
        if not CORRECTION.search(said) or marked.text in said:
            continue
        spans = [(start, end) for start, end in sentence_spans(said) if not _repeats(said[start:end], marked)]
        denying = [one for one in spans if _denies_number(said[slice(*one)], marked)]
        named = () if denying or is_beside or not _names(said, marked) else spans
        for start, end in denying or [one for one in named if _shares(said[slice(*one)], marked)]:
            yield paragraph.start() + start, paragraph.start() + end


def _denies_number(sentence: str, marked: MarkedSentence) -> bool:
    denies = DENIAL.search(sentence) or CORRECTION.search(sentence)
    return denies is not None and not marked.numbers.isdisjoint(_numbers(sentence)) and _shares(sentence, marked)


def _names(paragraph: str, marked: MarkedSentence) -> bool:
    if any(names_day(paragraph, day) for day in marked.days):
        return True
    return ERRATUM.search(paragraph) is not None and not marked.title_words.isdisjoint(content_terms(paragraph))


def _shares(sentence: str, marked: MarkedSentence) -> bool:
    return not marked.words.isdisjoint(content_terms(sentence))


def _repeats(sentence: str, marked: MarkedSentence) -> bool:
    return sentence.strip() in marked.text


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))
