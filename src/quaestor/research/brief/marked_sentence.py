"""A sentence that a brief shows, and by what another text may name it: its words, its numbers and its place."""

import re
from collections.abc import Collection
from functools import cached_property

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.item_names import Place, identifiers_of, places_of
from quaestor.research.brief.removals import literals_of, removed_literals
from quaestor.research.offline.words.dates import PartialDate, find_dates
from quaestor.research.reports.languages import function_words

NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,:/]\d+)*(?!\d)")
SHORTEST = 3
"""Letters of a word that tells what a sentence is about, and characters of a number that tells which value is meant."""
_NO_FRACTION = re.compile(r"[.,]00?\Z")
_NUMBERED = re.compile(r"(?:\A|> )(\d+(?:\.\d+)*[a-z]?)\b")
_ITEM = re.compile(r"[\s>*_#\u2022-]*(\d{1,3}[a-z]?(?=[.)]\s)|\d+(?:\.\d+)+)")
_PARAGRAPH = re.compile(r"[\s>*_]*\((\d{1,2})\)\s")
"""The mark of a paragraph of a section of rules."""
_CELL = re.compile(r"[|;,\t]")


class MarkedSentence(Immutable, dict=True):
    """A sentence that a brief shows, with what stands above it and the days of its document, its own first."""

    text: str
    heading: str
    title: str
    days: tuple[PartialDate, ...]
    edition: PartialDate | None = None
    """The month or the year that its document is of, where that has no day."""
    is_row: bool = False
    """Whether it is a row of a table, whose few words are what it is about."""
    around: str = ""
    """The paragraph that is shown with it."""
    item: str = ""
    """The words of its list item down to its end, with the mark of the item."""

    @property
    def shown(self) -> str:
        """What is shown of it."""
        return f"{self.around}\n{self.text}"

    @cached_property
    def literals(self) -> frozenset[str]:
        """What it writes as code."""
        return literals_of(self.text)

    @cached_property
    def ending(self) -> frozenset[str]:
        """What it or its paragraph writes as code and tells to be deprecated, or gone in some release to come."""
        return removed_literals(self.shown)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers by which a correction may name what it is about."""
        return numbers_of(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its telling words without numbers."""
        told = (term for term in content_terms(self.text) if len(term) >= SHORTEST and not term[0].isdigit())
        return frozenset(told) - function_words(self.text)

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words that only its document is called by."""
        return self.title_terms - self.words

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """The words that its document is called by."""
        return frozenset(term for term in content_terms(self.title) if not term[0].isdigit())

    @cached_property
    def sections(self) -> frozenset[Place]:
        """The sections that it stands in, or names."""
        return frozenset(one.section for one in (*self._above, *places_of(self.text)))

    @cached_property
    def places(self) -> frozenset[Place]:
        """The places by which a text may name where it stands: its sections, or else its item."""
        item = _ITEM.match(self.item or self.text)
        # Within § 3 an item 4 is not § 4, but 3.4 is a place by itself.
        is_place = item is not None and (not self._above or "." in item[1])
        return self._above | ({Place(item[1])} if item and is_place else set())

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """The identifiers by which it or its item begins, as D-03."""
        return frozenset((*identifiers_of(self.text), *identifiers_of(self.item)))

    @cached_property
    def called(self) -> frozenset[str]:
        """The identifiers by which its document is called."""
        return frozenset(identifiers_of(self.title))

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The first words of its cells, where it is a row: of "Oak board" the oak."""
        cells = ([one for one in content_terms(cell) if one in self.words] for cell in _CELL.split(self.text))
        return frozenset(words[0] for words in cells if words)

    @cached_property
    def _above(self) -> frozenset[Place]:
        """The places in what stands above it, with the paragraph of them that it begins."""
        numbered = (Place(found) for found in _NUMBERED.findall(without_dates(self.heading)))
        mark = _PARAGRAPH.match(self.item or self.text)
        paragraph = mark[1] if mark else ""
        return frozenset(one._replace(paragraph=paragraph) for one in (*places_of(self.heading), *numbered))

    def is_elsewhere(self, sections: Collection[Place]) -> bool:
        """Return whether it stands in sections, and in others than these, where there are any."""
        return bool(sections and self.sections) and not any(map(self.is_in, sections))

    def is_in(self, section: Place) -> bool:
        """Return whether it stands in a section, or names it."""
        return any(section.is_same_or_above(own) for own in self.sections)

    def is_at(self, place: Place) -> bool:
        """Return whether it stands at a place, or below it."""
        return any(map(place.is_same_or_above, self.places))


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of a text without those of its days, of which each alone is no value."""
    return frozenset(map(plain_number, NUMBER.findall(without_dates(text))))


def plain_number(number: str) -> str:
    """Return a number without a fraction of nothing: 50,00 is 50."""
    return _NO_FRACTION.sub("", number)


def without_dates(text: str) -> str:
    """Return a text without its days and months."""
    for date in find_dates(text):
        text = text.replace(date.text, " ") if date.month else text
    return text
