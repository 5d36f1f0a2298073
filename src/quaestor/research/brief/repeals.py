"""Whether a sentence takes back what a marked one says, which it names by an identifier, a place or a day."""

import re
from collections.abc import Iterator

from quaestor.evidence.stopwords import LANGUAGES, function_words_of
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.item_names import (
    PLACE,
    ends_after,
    is_amending,
    places_of,
    places_taken,
    replaces_before,
    replaces_identified,
    taken_back,
    to_place,
)
from quaestor.research.brief.marked_sentence import MarkedSentence, numbers_of, without_dates
from quaestor.research.offline.words.correction_words import CORRECTING_STEMS, REPLACES_ANOTHER, UNSURE
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates

_AMOUNT = re.compile(r"(?<![\w.,:/-])(\d+(?:[.,]\d+)*)\s?(%|[^\W\d_]{2,}|[€$£])")
_OF_EDITION = re.compile(r"v\d+|versions?|editions?|fassung|ausgabe|édition|versión|edición", re.IGNORECASE)
"""What titles have beside what the document is called: "Rules (version 3)"."""
_WORD = re.compile(r"[^\W_]+")
_SMALL_WORDS = frozenset[str]().union(*map(function_words_of, LANGUAGES))
"""Of every language, since a few words show none."""
_ELIDED = re.compile(r"\b[^\W\d_]{1,5}['\u2019](?=\w)")
"""The article of "l'avis", which is no part of the word."""


def takes_back(sentence: str, with_previous: str, title: str, marked: MarkedSentence, *, is_beside: bool) -> bool:
    """Return whether a sentence, which stands behind another one, takes back or amends what it names of a marked one.

    `title` is what its document is called by: the new bill for one flat replaces no bill of that day for another.

    It names it by its identifier (D-03), or replaces its document by that (GEP-12); or in another document by the day
    of its own and its place ("Minutes of 3 May. Item 4 is rescinded.") or a word ("The notice of 3 May is lifted."), or
    replaces what is of that day ("This list replaces the one of 3 May.").
    """
    if any(_ends_identified(sentence, name, marked) for name in marked.identifiers):
        return True
    if not is_beside and any(replaces_identified(sentence, name) for name in marked.called):
        return True
    if is_beside:
        return False
    if marked.edition and _replaces_edition(sentence, title, marked, marked.edition):
        return True
    if not marked.days:
        return False
    if any(_is_of(said, marked) for said in replaces_before(sentence, marked.days[0])):
        return not _is_for_another(title, marked)
    others = marked.days[1:]
    if any(_is_kind_of(said, marked) for day in others for said in replaces_before(sentence, day)):
        return True
    places = [*PLACE.finditer(sentence)]
    if not places:
        return _ends_what_is_of_day(sentence, marked)
    own = (place for place in places if marked.is_at(to_place(place)))
    is_of_day = any(ends_after(with_previous, marked.days[0]))
    return is_of_day and any(taken_back(sentence, place.end()) for place in own)


def _replaces_edition(sentence: str, title: str, marked: MarkedSentence, edition: PartialDate) -> bool:
    """Return whether a sentence of a document that is called as another replaces the one of that month or year."""
    own, its = (
        {word for word in _told_words(without_dates(text)) if not _OF_EDITION.fullmatch(word)}
        for text in (title, marked.title)
    )
    if own != its:
        return False
    named = (
        one
        for one in find_partial_dates(sentence)
        if (one.year, one.month, one.day) == (edition.year, edition.month, 0)
    )
    before = (sentence[: sentence.find(one.text)] for one in named)
    return any(REPLACES_ANOTHER.search(said) is not None and UNSURE.search(said) is None for said in before)


def _is_for_another(title: str, marked: MarkedSentence) -> bool:
    """Return whether two documents are of one kind and each is called by something that the other one lacks."""
    own, its = (frozenset(_told_words(without_dates(text))) for text in (title, marked.title))
    return bool(own & its) and bool(own - its) and bool(its - own)


def _told_words(title: str) -> Iterator[str]:
    """Yield the words of a title but numbers, and those that tell that it corrects; a code as WE07 is one."""
    for word in _WORD.findall(title):
        terms = content_terms(word)
        if terms and not word.isdigit() and CORRECTING_STEMS.isdisjoint(terms):
            yield word.casefold()


def _is_of(said: str, marked: MarkedSentence) -> bool:
    """Return whether what is named of the day of a document is a marked sentence, or the whole of its document."""
    places = places_of(said)
    return not places or any(map(marked.is_at, places))


def _is_kind_of(said: str, marked: MarkedSentence) -> bool:
    """Return whether what is named of some day is called as the document of a marked sentence, which tells that day.

    A document has several days at its top: that of the meeting that agreed it, and that from which on it is valid.
    """
    kind = frozenset(content_terms(REPLACES_ANOTHER.sub(" ", said))) - _SMALL_WORDS
    return bool(kind) and kind <= marked.title_terms


def _ends_identified(sentence: str, name: str, marked: MarkedSentence) -> bool:
    named = [*places_taken(sentence, name)]
    if any(taken_back(sentence, place.end()) for place in named):
        return True
    return any(is_amending(sentence, place) and _sets_amount(sentence[place.end() :], marked) for place in named)


def _sets_amount(said: str, marked: MarkedSentence) -> bool:
    """Return whether words name another amount in a unit of the marked sentence, and none of its own."""
    units = {unit for _, unit in _AMOUNT.findall(marked.text)}
    return marked.numbers.isdisjoint(numbers_of(said)) and any(unit in units for _, unit in _AMOUNT.findall(said))


def _ends_what_is_of_day(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence takes back what is of the day of a document: it is called so, or has a word of it."""
    for end in ends_after(sentence, marked.days[0]):
        if found := taken_back(sentence, end):
            said = _ELIDED.sub(" ", sentence[: found.start()])
            dated = {term for day in find_partial_dates(said) for term in content_terms(day.text)}
            told = {one for one in content_terms(said) if not one[0].isdigit()} - dated
            own = told - marked.title_terms
            return not own.isdisjoint(marked.words) if own else bool(told)
    return False
