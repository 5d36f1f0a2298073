"""Whether a text may dispute a date that another sentence states: it corrects, denies or dates the same otherwise.

Which of two statements is right nobody knows here, so that the date is no direct answer beside such a sentence.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.spelling import COMPOUNDING
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.offline.words.correction_words import (
    AGE,
    CORRECTION,
    DENIAL,
    FAILED,
    OTHER_YEAR,
    OTHERWISE,
    REMARK,
    SINCE,
)
from quaestor.research.offline.words.dates import PartialDate, find_dates, find_partial_dates, holds_day
from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.statement_words import statement_words
from quaestor.research.offline.words.wording import AskedWord, asked_language, event_words

_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?\u2026][\"'\u2019\u201d)\]]*\Z")
_MAX_NAME = 5
"""Words of a line that is a name, and no note."""
_AGE_NUMBER = re.compile(r"(?<![\w.,])[1-9]\d{1,2}(?=(?:st|nd|rd|th|\.|e|º)?(?!\w))")
_NEAR_YEARS = 10
"""Years by which one of two accounts of the same may be off."""
_VERB_FIRST = frozenset({"es", "it", "pt"})
"""Languages whose questions have the verb before what it is about: "¿Cuándo se construyó el faro?"."""


class AskedEvent(Immutable):
    """What a question asks the date of."""

    words: tuple[AskedWord, ...]
    """All its telling words."""
    subject: tuple[AskedWord, ...]
    """These without the one for what came about."""
    language: str | None

    def is_told(self, held: frozenset[str]) -> bool:
        """Return whether a text with these index terms holds the whole subject."""
        return bool(self.subject) and all(word.stands_in(held) for word in self.subject)

    def is_whole(self, held: frozenset[str]) -> bool:
        """Return whether a text with these index terms holds the subject and what came about."""
        return bool(self.words) and all(word.stands_in(held) for word in self.words)

    def is_touched(self, held: frozenset[str]) -> bool:
        """Return whether a text with these index terms holds a word of the subject."""
        return any(word.stands_in(held) for word in self.subject)

    def is_spoken_of(self, held: frozenset[str]) -> bool:
        """Return whether a text with these index terms holds a word of the subject or of what came about."""
        return any(word.stands_in(held) for word in self.words)

    @property
    def noun(self) -> AskedWord | None:
        """What is asked about where it is one word and no name, as "the mill"; German writes all nouns as names."""
        is_single = len(self.subject) == 1 and self.subject[0].is_single
        return self.subject[0] if is_single and (self.language == "de" or not self.subject[0].is_name) else None

    def kinds_named(self, name: str) -> Iterator[str]:
        """Yield what tells a thing from others of its kind, if a line is its name: the Upper of "Upper Mill"."""
        *before, last = name.split() or [""]
        is_name = name[:1].isupper() and len(before) < _MAX_NAME and not _END.search(name)
        if self.noun is None or not is_name:
            return
        kind, own = self.noun.text.casefold(), last.casefold()
        if self.language in COMPOUNDING and own.endswith(kind) and own != kind:
            yield own
        elif before and self.noun.stands_in(held_stems(last, self.language)):
            yield from content_terms(before[-1])[:1]


def asked_event(question: str) -> AskedEvent:
    """Return what a question for a date is about."""
    asked = tuple(word for word in event_words(question) if not word.terms <= stems_of("year date day month time"))
    language = asked_language(question)
    plain = [word for word in asked if not word.is_name]
    verb = plain[0 if language in _VERB_FIRST else -1] if plain else None
    return AskedEvent(words=asked, subject=tuple(word for word in asked if word is not verb), language=language)


def may_dispute(sentence: str, event: AskedEvent, titles: Collection[str] = ()) -> bool:
    """Return whether a sentence may dispute some date of an event, or of all that documents with such titles tell.

    So does a line that is the name of one of several such things, as it may be that one's.
    """
    if any(event.kinds_named(sentence)):
        return True
    corrects = _corrects(sentence)
    is_dated = holds_day(sentence) or OTHER_YEAR.search(sentence) is not None
    held = held_stems(sentence, event.language) if corrects or is_dated else frozenset[str]()
    is_named = event.is_touched(held) or _names(held, titles)
    if OTHER_YEAR.search(sentence) and event.is_spoken_of(held):
        return True
    if (corrects and (is_dated or is_named)) or (is_dated and (event.is_told(held) or _denies_date(sentence))):
        return True
    return FAILED.search(sentence) is not None and event.is_whole(held_stems(sentence, event.language))


def _denies_date(sentence: str) -> bool:
    return DENIAL.search(sentence) is not None and any(find_dates(sentence))


def disputes_date(
    sentence: str, when: PartialDate, event: AskedEvent, title: str, *, is_beside: bool, behind: str = ""
) -> bool:
    """Return whether a sentence disputes that an event is of a date, which a document with a title says.

    It corrects a word of the subject or the other document, denies the day or the year, or holds the whole subject
    beside another date and a word that takes back, doubts or repeats, tells that it failed, or its age. `is_beside`: it
    stands in the same document, and names what it corrects there. One of another document, with the sentence `behind`
    it, also disputes a date that it repeats of the subject, not of what came about, before another one, and one that is
    a few years from its own, or that it tells by another year ("the year after").
    """
    held = held_stems(sentence, event.language)
    is_about = event.is_touched(held)
    corrects = _corrects(sentence)
    if corrects and (is_about or (not is_beside and _names(held, (title,)))):
        return True
    if not is_beside and event.is_spoken_of(held) and OTHER_YEAR.search(sentence):
        return True
    is_repeated = names_day(sentence, when) if when.day and not corrects else _names_year(sentence, when)
    if (is_about or is_beside) and is_repeated and (corrects or DENIAL.search(sentence)):
        return True
    if FAILED.search(sentence) and event.is_whole(held):
        return True
    others = other_days(sentence, when)
    if not event.is_told(held):
        return False
    if is_repeated and not is_beside and not event.is_whole(held) and other_days(f"{sentence} {behind}", when):
        return True
    if not is_beside and any(abs(when.year - one.year) <= _NEAR_YEARS for one in others if one.year):
        return True
    if not others:
        return False
    if AGE.search(sentence) and any(map(partial(_is_near, when.year), _founding_years(sentence, others))):
        return True
    reserves = statement_words(event.language).reserves
    is_earlier = SINCE.search(sentence) is not None and any(0 < one.year < when.year for one in others)
    return is_earlier or bool(OTHERWISE.search(sentence)) or not reserves.isdisjoint(_WORD.findall(sentence.casefold()))


def is_remark(sentence: str, when: PartialDate) -> bool:
    """Return whether a sentence remarks on the one beside it, with another date or a denial: "Correction: 1971."."""
    others = other_days(sentence, when)
    return REMARK.match(sentence) is not None and (DENIAL.search(sentence) is not None or bool(others))


def other_days(sentence: str, when: PartialDate) -> tuple[PartialDate, ...]:
    """Return the years, months and days of a sentence that are not a date; of those without a year the days alone."""
    found = (one for one in find_partial_dates(sentence) if one.year or one.day)
    return tuple(one for one in found if not is_same_day(one, when))


def is_same_day(one: PartialDate, other: PartialDate) -> bool:
    """Return whether two dates agree in all that both of them say."""
    pairs = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
    return all(a == b for a, b in pairs if a and b)


def names_day(text: str, when: PartialDate) -> bool:
    """Return whether a text names the day of a date in any language, with its year or without one."""
    if not when.day or str(when.day) not in text:  # most have no such number, and need not be searched for dates
        return False
    return any(one.day and one.month and is_same_day(one, when) for one in find_partial_dates(text))


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text."""
    return (text[start:end] for start, end in sentence_spans(text))


def _corrects(sentence: str) -> bool:
    """Return whether a sentence corrects something; a heading only says that what is below it does."""
    return CORRECTION.search(sentence) is not None and _END.search(sentence) is not None


def _names_year(text: str, when: PartialDate) -> bool:
    return re.search(rf"(?<!\w){when.year}(?!\w)", text) is not None


def _founding_years(sentence: str, years: Iterable[PartialDate]) -> Iterator[int]:
    """Yield the years from which on something is of the ages that a sentence tells in these years."""
    ages = [int(number) for number in _AGE_NUMBER.findall(sentence)]
    yield from (one.year - age for one in years if one.year for age in ages)


def _is_near(year: int, other: int) -> bool:
    """Return whether another year may be told in place of one; the hundredth year is the one before the anniversary."""
    return 1 < abs(year - other) <= _NEAR_YEARS


def _names(held: frozenset[str], titles: Collection[str]) -> bool:
    """Return whether a text with these index terms holds a word that a document is called by."""
    return any(term in held for title in titles for term in content_terms(title) if not term.isdigit())
