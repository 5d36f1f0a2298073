"""Sentences that correct or amend what a marked sentence says, in another letter, note or paragraph.

Whether they are right nobody knows here: they are shown beside what they speak of.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.disputed_dates import names_day
from quaestor.research.offline.words.correction_words import (
    ABOVE,
    AMENDMENT,
    CORRECTION,
    DENIAL,
    ERRATUM,
    INSTEAD,
    MAY_CORRECT,
    REMOVED,
    REPLACED,
)
from quaestor.research.offline.words.dates import PartialDate, find_dates

_UNIT = re.compile(r"(?:(?!\n[ \t]*\n|\n[ \t]*(?:[-*+\u2022#|>]|\w{1,3}[.)])[ \t]).)+", re.DOTALL)
"""A paragraph, or an item of a list: what corrects one item says nothing of the next."""
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:/]\d+)*(?!\d)")
_LITERAL = re.compile(r"`+(?P<code>[\w.-]{3,}(?:\(\))?)`+|(?<![\w`-])(?P<option>--[a-z][\w-]+)")
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u2018']([^\"\u201c\u201d\u201e\u00ab\u00bb]{3,}?)[\"\u201d\u201c\u00bb\u2019']"
)
_SECTION = re.compile(
    r"(?:§+|\b(?:art(?:icle|ikel|[íi]culo|\.)|section|sec\.|clause|rule|top|item|punkt))\s*(\d+[a-z]?)\b", re.IGNORECASE
)
_NO_WORD = re.compile(r"\A[\W\d_]+")
_TELLS = re.compile(r":\s*\S")
_NUMBERED = re.compile(r"(?:\A|> )(\d+[a-z]?)\b")
_END = re.compile(r"[.!?)\]\"\u201c\u201d]\s*\Z")
_BEFORE = 30
"""Characters before a number that say that it is no longer the one."""
_SHORTEST = 3
"""Letters of a word that tells what a sentence is about, and characters of a number that tells which value is meant."""
_SHARED = 2
"""Words that a sentence must share with the one that it corrects; a telling number counts as one of them."""
_OPENING = 3
"""Lines with words in which a text says what it is."""
_FEWEST_WORDS = 4
"""A shorter sentence is a label or a heading."""


class MarkedSentence(Immutable, dict=True):
    """A sentence that a brief shows, with what stands above it and the days of its document."""

    text: str
    heading: str
    title: str
    days: tuple[PartialDate, ...]
    is_row: bool = False
    """Whether it is a row of a table, whose few words are what it is about."""

    @cached_property
    def literals(self) -> frozenset[str]:
        """What it writes as code."""
        return _literals(self.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers by which a correction may name what it is about."""
        return _numbers(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its telling words without numbers."""
        return frozenset(term for term in content_terms(self.text) if len(term) >= _SHORTEST and not term[0].isdigit())

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words that only its document is called by."""
        return frozenset(term for term in content_terms(self.title) if not term[0].isdigit()) - self.words

    @cached_property
    def sections(self) -> frozenset[str]:
        """The numbers of the sections that it stands in."""
        return frozenset((*_SECTION.findall(f"{self.heading}\n{self.text}"), *_NUMBERED.findall(self.heading)))

    def is_elsewhere(self, sections: frozenset[str]) -> bool:
        """Return whether it stands in other sections than these."""
        return bool(self.sections) and self.sections.isdisjoint(sections)


def correcting_spans(text: str, title: str, marked: MarkedSentence, *, is_beside: bool) -> Iterator[tuple[int, int]]:
    """Yield where a text with a title has sentences that correct a marked one.

    Such a sentence replaces words that are quoted from it; or it sets a number in place of one of its own, or denies
    one where it corrects something; or it corrects what is told with two of its words in the document of a day or a
    title that is named. `is_beside`: the text is of the same document. A sentence without another number goes on to the
    next one, which tells what is right.
    """
    announced = announcement(text, title)
    for unit in _UNIT.finditer(text):
        said = unit[0]
        if marked.text in said or not (announced or MAY_CORRECT.search(said)):
            continue
        spans = [*sentence_spans(said)]
        # A line that says at once what is right, as an item of minutes does, speaks of nothing below it.
        of_unit = announced if announced in said or not _TELLS.search(announced) else ""
        for place, (start, end) in enumerate(spans):
            corrected = _Correcting(said[start:end], said[spans[max(place - 1, 0)][0] : end], of_unit, is_beside)
            if _corrects(corrected, marked):
                goes_on = place + 1 < len(spans) and _numbers(said[start:end]) <= marked.numbers
                yield unit.start() + start, unit.start() + (spans[place + 1][1] if goes_on else end)


def announcement(text: str, title: str) -> str:
    """Return the line by which a text says that it corrects or amends another one as a whole; else nothing.

    An erratum begins with the word for it: "Error correction" is a subject.
    """
    lines = (*[line for line in text.splitlines() if line.strip()][:_OPENING], title)
    return next((one for one in lines if ERRATUM.match(_NO_WORD.sub("", one)) or AMENDMENT.search(one)), "")


class _Correcting(NamedTuple):
    """A sentence, with the one before it, of a text that may announce itself as a correction."""

    sentence: str
    with_previous: str
    announced: str
    is_beside: bool


def _corrects(one: _Correcting, marked: MarkedSentence) -> bool:
    sentence = one.sentence.strip()
    sections = frozenset(_SECTION.findall(sentence))
    is_announcement = bool(one.announced) and (sentence in one.announced or one.announced.strip() in sentence)
    only_announces = is_announcement and ":" not in sentence
    if only_announces or sentence in marked.text or (sections and marked.is_elsewhere(sections)):
        return False
    if _replaces(sentence, marked, is_of_section=bool(sections & marked.sections)):
        return True
    if _END.search(sentence) is None or len(sentence.split()) < _FEWEST_WORDS:
        return False
    if one.is_beside and marked.numbers and CORRECTION.search(sentence) and ABOVE.search(sentence):
        return True
    shared = len(marked.words & frozenset(content_terms(sentence)))
    repeated = marked.numbers & _numbers(sentence)
    is_of_document = not one.is_beside and _is_of_document(one, marked)
    telling = shared + any(len(number) >= _SHORTEST for number in repeated) + bool(is_of_document and repeated)
    if shared and telling >= _SHARED and _denies(one, repeated):
        return True
    if one.announced and not ERRATUM.search(one.announced) and not sections & marked.sections:
        return False  # an amendment names the section that it changes
    return is_of_document and (shared >= _SHARED or (marked.is_row and shared > 0 and bool(one.announced)))


def _denies(one: _Correcting, repeated: frozenset[str]) -> bool:
    """Return whether a sentence sets something in place of one of these numbers, or denies it in a correction."""
    own = (number for number in _NUMBER.finditer(one.sentence) if number[0] in repeated)
    if any(INSTEAD.search(one.sentence[max(number.start() - _BEFORE, 0) : number.start()]) for number in own):
        return True
    is_correcting = bool(one.announced) or CORRECTION.search(one.with_previous) is not None
    return bool(repeated) and is_correcting and DENIAL.search(one.sentence) is not None


def _is_of_document(one: _Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence corrects the document of a marked one, which is named by its day or its title."""
    if one.announced:
        return _is_called(one.announced, marked)
    return CORRECTION.search(one.with_previous) is not None and any(
        names_day(one.with_previous, day) for day in marked.days
    )


def _is_called(announced: str, marked: MarkedSentence) -> bool:
    """Return whether an announcement names a document: by its day, or where it names none, by its title."""
    if any(names_day(announced, day) for day in marked.days):
        return True
    is_dated = ERRATUM.search(announced) is not None and any(day.day for day in find_dates(announced))
    return not is_dated and not marked.title_words.isdisjoint(content_terms(announced))


def _replaces(sentence: str, marked: MarkedSentence, *, is_of_section: bool) -> bool:
    """Return whether a sentence replaces words that it quotes from a marked one, or tells of the end of what it names.

    A single word that is quoted may be from anywhere, unless its section is named; what is written as code is one thing
    wherever it stands.
    """
    if REMOVED.search(sentence) and not marked.literals.isdisjoint(_literals(sentence)):
        return True
    quoted = [said.strip() for said in _QUOTED.findall(sentence) if is_of_section or " " in said.strip()]
    return REPLACED.search(sentence) is not None and any(said in marked.text for said in quoted)


def _literals(text: str) -> frozenset[str]:
    """Return what a text writes as code: in backticks, or as an option."""
    return frozenset(found["code"] or found["option"] for found in _LITERAL.finditer(text))


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text without those of its days, of which each alone is no value."""
    for date in find_dates(text):
        text = text.replace(date.text, " ") if date.month else text
    return frozenset(_NUMBER.findall(text))
