"""Whether a text corrects the document of a marked sentence, which it names by a day, a title or a number."""

import re
from functools import cached_property
from typing import NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.months import month_number
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.announcements import is_erratum, tells_mistakes
from quaestor.research.brief.disputed_dates import is_same_day, names_day
from quaestor.research.brief.item_names import Place, places_of
from quaestor.research.brief.marked_sentence import NUMBER, MarkedSentence, without_dates
from quaestor.research.brief.removals import ended_names
from quaestor.research.offline.words.correction_words import CHANGES, CORRECTING_STEMS, CORRECTION, MISTAKES
from quaestor.research.offline.words.dates import find_dates, is_date
from quaestor.research.offline.words.text_dates import day_of_named_text

ISSUE = re.compile(
    r"\b(?:no|nr|issue|number|nummer|heft|ausgabe|numéro|número|post)[.\u00b0 _-]{1,2}(\d{1,4})\b", re.IGNORECASE
)
"""What a number of a series is called by."""
_AMENDED = re.compile(r"\b([^\W\d_]{4,}?)s?(?=änderung)", re.IGNORECASE)
"""What a German amendment is of, within its name: Satzungsänderung."""


class CorrectingText(NamedTuple):
    """A text that may correct another one, and how it stands to it."""

    words: str
    title: str
    media_type: str
    is_beside: bool = False
    """Whether it is of the same document."""
    is_near: bool = False
    """Whether its document is in the same folder."""
    is_earlier: bool = False
    """Whether its document is dated before the other one, of which it then knows nothing but what it calls by a day."""
    is_of_time: bool = False
    """Whether it is of a day or a version, as minutes and lists of changes are."""


class TextSentence(Immutable, dict=True):
    """A sentence of a text that may correct others, which is held against each sentence that is shown."""

    text: str
    with_previous: str
    """With the one before it."""
    with_all_before: str
    """Down from the beginning of its paragraph or item."""
    announced: str
    """The line that says that it is of a correction, or nothing."""
    under: str = ""
    """The line above it that names a place, as "§ 6 sentence 3" does."""
    label: str = ""
    """The few words that its paragraph or item begins with as a sentence, which say what it is about: "Deposit."."""

    @cached_property
    def places(self) -> frozenset[Place]:
        """The places that it names, or what is above it, where it is of an amendment."""
        return places_of(self.text) or places_of(self.under if self.announced else "")

    @cached_property
    def is_called_correction(self) -> bool:
        """Whether it, or the one before it, has a word for a correction."""
        return CORRECTION.search(self.with_previous) is not None

    @cached_property
    def issues(self) -> frozenset[str]:
        """The numbers of a series that it, or the one before it, names."""
        return frozenset(ISSUE.findall(self.with_previous))

    @cached_property
    def ended_names(self) -> tuple[str, ...]:
        """What it tells to be gone."""
        return ended_names(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its telling words, and those of the label before it."""
        return frozenset(content_terms(f"{self.label} {self.text}"))


class Correcting(NamedTuple):
    """A sentence of a text that may correct a marked one."""

    said: TextSentence
    of: CorrectingText
    is_next: bool = False
    """Whether it stands right above the marked sentence."""


def is_of_document(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence corrects the document of a marked one, which is named by its day or its title.

    One of a series is named by its number too: "In no. 14".
    """
    if is_of_issue(one, marked):
        return True
    if one.said.announced:
        return is_called(one.said.announced, marked)
    return one.said.is_called_correction and any(names_day(one.said.with_previous, day) for day in marked.days)


def is_of_issue(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a correction names the number that the document of a marked sentence has in a series."""
    if not (one.said.announced or one.said.is_called_correction):
        return False
    return not one.said.issues.isdisjoint(ISSUE.findall(marked.title))


def is_of_other_day(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether what stands before a sentence calls a text by a day that the document of a marked one has not."""
    named = day_of_named_text(one.said.with_all_before) if marked.days else None
    return named is not None and not any(is_same_day(named, day) for day in marked.days)


def is_of_amendment(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence is of an amendment to the document of a marked one, or to an unnamed one beside it."""
    if not one.said.announced or one.of.is_beside:
        return False
    is_unnamed = one.of.is_near and not told_words(one.said.announced)
    return is_unnamed or is_called(one.said.announced, marked)


def is_called(announced: str, marked: MarkedSentence) -> bool:
    """Return whether an announcement names a document: by its day, or where it names none, by its title.

    The lease of unit 7 is not that of unit 8, an erratum of the prices of 2023 is none of 2019, and changes in a part
    of what a document tells are none of it. What only tells of mistakes must name no more than the document and its
    date: "Errors in ..." may be of anything.
    """
    if tells_mistakes(announced):
        told = told_words(MISTAKES.sub(" ", announced))
        if not told or not told <= marked.title_terms:
            return False
    if any(names_day(announced, day) for day in marked.days):
        return True
    if is_erratum(announced) and _is_of_other_date(announced, marked):
        return False
    years, its = ({date.year for date in find_dates(text) if not date.month} for text in (announced, marked.title))
    if is_erratum(announced) and years and its and years.isdisjoint(its):
        return False
    numbers, own = (
        {number for number in NUMBER.findall(without_dates(text)) if not is_date(number)}
        for text in (announced, marked.title)
    )
    told = told_words(announced)
    is_whole = (
        CHANGES.match(announced.lstrip("#=*_ ")) is None or told <= marked.title_terms or marked.title_terms <= told
    )
    is_numbered = bool(numbers and own) and numbers.isdisjoint(own)
    return is_whole and not is_numbered and not marked.title_words.isdisjoint(told)


def _is_of_other_date(announced: str, marked: MarkedSentence) -> bool:
    """Return whether an erratum names a day, or behind a word a month, and the document of a marked sentence has none.

    Behind a dash or a comma a month may be that of the erratum.
    """
    dates = [date for date in find_dates(announced) if date.month]
    months = [date for date in dates if announced[: announced.find(date.text)].rstrip()[-1:].isalnum()]
    own = [date for date in (*find_dates(marked.title), *marked.days) if date.month]
    is_other_month = bool(months and own) and not any(is_same_day(a, b) for a in months for b in own)
    return any(date.day for date in dates) or is_other_month


def told_words(text: str) -> frozenset[str]:
    """Return what a text speaks of without words that correct or take back, numbers and months."""
    opened = _AMENDED.sub(r"\1 ", without_dates(text))
    told = (one for one in content_terms(opened) if not (one[0].isdigit() or month_number(one)))
    return frozenset(told) - CORRECTING_STEMS
