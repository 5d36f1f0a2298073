"""Sentences that correct, amend or take back what a marked sentence says, in another letter, note or paragraph.

Whether they are right nobody knows here: they are shown beside what they speak of.
"""

import re
from collections.abc import Container, Iterator

from quaestor.evidence.months import month_number
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.announcements import is_erratum, is_list, tells_mistakes
from quaestor.research.brief.corrected_documents import (
    ISSUE,
    Correcting,
    CorrectingText,
    is_called,
    is_of_amendment,
    is_of_document,
    is_of_issue,
    is_of_other_day,
    told_words,
)
from quaestor.research.brief.correction_units import find_units
from quaestor.research.brief.denied_words import denies_word, ends_word, replaces_word
from quaestor.research.brief.disputed_dates import names_day
from quaestor.research.brief.item_names import PLACE
from quaestor.research.brief.marked_sentence import (
    SHORTEST,
    MarkedSentence,
    numbers_of,
    plain_number,
    without_dates,
)
from quaestor.research.brief.named_values import (
    denied_values,
    denies_day,
    denies_only_others,
    named_values,
    names_day_of,
    replaces_value,
)
from quaestor.research.brief.removals import calls_one_of, is_done, removed_literals
from quaestor.research.brief.repeals import takes_back
from quaestor.research.offline.words.correction_words import (
    ABOVE,
    CALLED_OFF,
    CORRECTION,
    DECIDED,
    DENIAL,
    ERRATUM,
    FOR_READ,
    OF_HERE,
    PROPOSED,
    REPLACED,
    SUPPOSED,
    TAKEN_BACK,
    TERMINATED,
)
from quaestor.research.offline.words.dates import find_dates, find_partial_dates
from quaestor.research.offline.words.note_words import CHANGED

_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u2018']([^\"\u201c\u201d\u201e\u00ab\u00bb]{3,}?)[\"\u201d\u201c\u00bb\u2019']"
)
_TELLING = re.compile(r"\d{2,3}|\d+\D.*")
"""A number that is neither a year nor found everywhere."""
_END = re.compile(r"[.!?)\]\"\u201c\u201d]\s*\Z")
_SHORTEST_PART = 5
"""Letters of a word that is a part of another one."""
_BETWEEN = 8
"""Characters between a paragraph and the next one: the blank line, and the end of what sets it apart."""
_SHARED = 2
"""Words that a sentence must share with the one that it corrects; a telling number counts as one of them."""
_FEWEST_WORDS = 4
"""A shorter sentence is a label or a heading."""


def correcting_spans(text: CorrectingText, marked: MarkedSentence) -> Iterator[tuple[int, int]]:
    """Yield where a text has sentences that correct a marked one, or take it back.

    Such a sentence replaces words that are quoted from it; or it sets a number in place of one of its own, or denies
    one where it corrects something; or it names it and takes it back; or it corrects what is told with two of its words
    in the document of a day or a title that is named. A sentence without another number goes on to the next one, which
    tells what is right.
    """
    place_of_marked = text.words.find(marked.text) if text.is_beside else -1
    for unit in find_units(text.words, text.title, text.media_type):
        is_named = any(name in unit.text for name in marked.identifiers)
        if marked.text in unit.text or not (unit.may_correct or is_named):
            continue
        is_next = 0 <= place_of_marked - unit.end <= _BETWEEN
        spans = unit.spans
        for place, sentence in enumerate(unit.sentences):
            one = Correcting(sentence, text, is_next=is_next)
            if _corrects(one, marked) and not is_of_other_day(one, marked):
                goes_on = place + 1 < len(spans) and numbers_of(ISSUE.sub(" ", sentence.text)) <= marked.numbers
                last = -1 if unit.is_of_place else place + 1 if goes_on else place
                # What stands in brackets tells more of the sentence before it.
                first = spans[place - 1][0] if place and sentence.text.startswith("(") else spans[place][0]
                yield unit.start + first, unit.start + spans[last][1]


def _corrects(one: Correcting, marked: MarkedSentence) -> bool:
    sentence = one.said.text.strip()
    places = one.said.places
    sections = frozenset(place.section for place in places)
    is_announcement = bool(one.said.announced) and (
        one.said.announced.strip().startswith(sentence) or one.said.announced.strip() in sentence
    )
    only_announces = is_announcement and ":" not in sentence
    if only_announces or sentence in marked.shown or marked.is_elsewhere(sections):
        return False
    if one.of.is_earlier and not any(
        names_day(f"{one.said.announced}\n{one.said.with_previous}", day) for day in marked.days
    ):
        return False
    is_of_section = any(map(marked.is_in, sections))
    # "Your virtual environment is removed" in a manual tells what a command does.
    is_gone = one.of.is_of_time and calls_one_of(one.said.ended_names, marked.text)
    if is_gone or _replaces(sentence, marked, is_of_section=is_of_section):
        return True
    if (
        _calls_off(one, marked)
        or _ends_what_is_below(one)
        or takes_back(sentence, one.said.with_previous, one.of.title, marked, is_beside=one.of.is_beside)
    ):
        return True
    if _END.search(sentence) is None or len(sentence.split()) < _FEWEST_WORDS:
        return False
    is_named = any(marked.is_at(place) for place in places)
    if is_named and is_of_amendment(one, marked) and _may_amend(sentence, marked):
        return True
    if one.of.is_beside and marked.numbers and CORRECTION.search(sentence) and ABOVE.search(sentence):
        return True
    if _denies_day(one, marked) or (_may_deny(one, marked) and denies_word(sentence, marked)):
        return True
    if _decides(one, marked) or _ends_contract(one, marked) or _replaces_word(one, marked):
        return True
    return _denies_value(one, marked) or _is_about(one, marked, is_of_section=is_of_section)


def _calls_off(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence of another document calls off what a marked one tells of the same day, in a word of it.

    The word may be the beginning of a longer one, as those of German are.
    """
    if one.of.is_beside or CALLED_OFF.search(one.said.text) is None:
        return False
    days = (day for day in find_partial_dates(marked.text) if day.day and day.month)
    if not any(names_day(one.said.text, day) for day in days):
        return False
    own = tuple(word for word in marked.words if month_number(word) is None and len(word) >= _SHORTEST_PART)
    return any(term.startswith(own) for term in one.said.terms)


def _ends_what_is_below(one: Correcting) -> bool:
    """Return whether a note right above a marked sentence tells that what is described there no longer holds."""
    said = one.said.text
    return one.is_next and OF_HERE.search(said) is not None and bool(TAKEN_BACK.search(said) or CHANGED.search(said))


def _decides(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence tells what became of a value that a marked one tells as proposed, and no more."""
    is_open = PROPOSED.search(marked.text) is not None and DECIDED.search(marked.text) is None
    if not is_open or DECIDED.search(one.said.text) is None:
        return False
    proposing = content_terms(" ".join(found[0] for found in PROPOSED.finditer(marked.text)))
    return bool(named_values(one.said.text, marked)) and bool(_shared(one, marked).difference(proposing))


def _ends_contract(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence of another document ends what that of a marked one is called by, in two words of it."""
    if one.of.is_beside or TERMINATED.search(one.said.text) is None:
        return False
    return len(marked.title_terms & one.said.terms) >= _SHARED


def _replaces_word(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence of another document says that a word of a marked one is so no more.

    Where it puts something in its place the document of the marked one is dated, and both stand together and are called
    alike.
    """
    if one.of.is_beside:
        return False
    if ends_word(one.said.text, marked):
        return True
    if not (marked.days and one.of.is_near and replaces_word(one.said.text, marked)):
        return False
    return not marked.title_terms.isdisjoint(content_terms(one.of.title))


def _may_deny(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence is of an erratum of the document of a marked one, or of one that names none."""
    names_none = not (told_words(one.said.announced) or any(day.day for day in find_dates(one.said.announced)))
    names_none &= not tells_mistakes(one.said.announced)
    return is_erratum(one.said.announced) and (names_none or is_called(one.said.announced, marked))


def _denies_value(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a sentence denies a number of a marked one, and shares a word that tells what it is of.

    In an erratum another number does, which is a word in every language: "12-17: 53 (not 50)".
    """
    if SUPPOSED.search(one.said.text) and not one.said.announced:
        return False
    numbers, gone = named_values(one.said.text, marked), denied_values(one.said.text)
    denied = {plain_number(found[0]) for found in numbers if found.span() in [each.span() for each in gone]}
    if gone and not denied:
        return False  # it has what is right already: "120, not 100"
    valued = {plain_number(found[0]): found[0] for found in numbers if found[0] in without_dates(one.said.text)}
    shared = sum(month_number(word) is None for word in _shared(one, marked))
    is_exact = any(len(value) >= SHORTEST for value in valued.values()) or names_day_of(one.said.text, marked)
    is_its_own = not one.of.is_beside and is_of_document(one, marked)
    is_subject = not marked.words.isdisjoint(content_terms(one.said.label))
    telling = shared + is_exact + is_subject + bool(is_its_own and valued)
    if shared and telling >= _SHARED and (replaces_value(one.said.text, numbers) or _denies(one, valued)):
        return True
    if shared and valued and not one.of.is_beside and is_of_issue(one, marked):
        return True  # "In no. 14 we gave the fee as 54. It is 52."
    named = (value for value in valued if value not in denied and _TELLING.fullmatch(value))
    return not one.of.is_beside and ERRATUM.search(one.said.announced) is not None and bool(denied) and any(named)


def _denies_day(one: Correcting, marked: MarkedSentence) -> bool:
    """Return whether a correction denies the day of a marked sentence: "on the 12th, not the 5th"."""
    if not (one.said.announced or one.said.is_called_correction) or not _shared(one, marked):
        return False
    return denies_day(one.said.text, marked.text)


def _denies(one: Correcting, valued: Container[str]) -> bool:
    is_correcting = bool(one.said.announced) or one.said.is_called_correction
    return bool(valued) and is_correcting and DENIAL.search(one.said.text) is not None


def _is_about(one: Correcting, marked: MarkedSentence, *, is_of_section: bool) -> bool:
    """Return whether a sentence corrects a document and is about what a marked one of it tells."""
    if one.said.announced and not is_list(one.said.announced) and not is_of_section:
        return False  # an amendment names the section that it changes
    if one.of.is_beside or not is_of_document(one, marked) or denies_only_others(one.said.text, marked.shown):
        return False
    shared = _shared(one, marked)
    if marked.is_row and one.said.announced:
        return not shared.isdisjoint(marked.subjects)
    is_all = bool(one.said.announced) and told_words(one.said.text) <= marked.words and not numbers_of(one.said.text)
    is_item = not one.said.announced and any(map(marked.is_at, one.said.places))
    return is_item or len(shared) >= _SHARED or (is_all and bool(shared))


def _shared(one: Correcting, marked: MarkedSentence) -> frozenset[str]:
    return marked.words & one.said.terms


def _may_amend(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence that names a place may change what a marked one there says, and not another of it.

    It tells little but the place, or has a word of the marked sentence, and replaces no other words or numbers.
    """
    told, read = told_words(PLACE.sub(" ", sentence)), FOR_READ.search(sentence)
    old = numbers_of(read[0]) if read else frozenset()
    is_of_other = len(_QUOTED.findall(sentence)) > 1 or (bool(old) and old.isdisjoint(marked.numbers))
    return not is_of_other and (len(told) < _SHARED or not told.isdisjoint(marked.words))


def _replaces(sentence: str, marked: MarkedSentence, *, is_of_section: bool) -> bool:
    """Return whether a sentence replaces words that it quotes from a marked one, or tells of the end of what it names.

    A single word that is quoted may be from anywhere, unless its section is named; what is written as code is one thing
    wherever it stands.
    """
    named = marked.literals | marked.ending if is_done(sentence) else marked.literals - marked.ending
    if named and not named.isdisjoint(removed_literals(sentence)):
        return True
    quoted = [said.strip() for said in _QUOTED.findall(sentence) if is_of_section or " " in said.strip()]
    return REPLACED.search(sentence) is not None and any(said in marked.text for said in quoted)
