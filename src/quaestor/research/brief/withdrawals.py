"""What one passage says of another: that the motion, rule or version it is about has been taken back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from quaestor.evidence.tokenization import content_terms, sentence_spans, shorten
from quaestor.research.brief.disputed_dates import names_day
from quaestor.research.brief.item_names import identifiers_of, taken_back
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.correction_words import TAKEN_BACK
from quaestor.research.offline.words.dates import find_dates
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.status_words import NOT_IN_FORCE

_BESIDE = 60
"""Characters between an identifier and the words that take it back."""
_TAKES_BACK = re.compile(
    r"\b(?:rescind|repeal|revok|supersed|withdraw|replac|annul|aufheb|widerruf|ersetz|abrog|remplac|derog|sustitu)\w*"
    rf"[^.;]{{0,{_BESIDE}}}\Z",
    re.IGNORECASE,
)


class Withdrawal(NamedTuple):
    """The sentence of a passage that takes back what another is about."""

    number: int
    """Of the passage that says so."""
    text: str


def find_withdrawals(passages: Sequence[BriefPassage]) -> Mapping[int, Withdrawal]:
    """Return of passages that are about something with a number, by their own, the first that takes it back."""
    found: dict[int, Withdrawal] = {}
    for one, other in permutations(passages, 2):
        if one.number not in found and (said := _taken_back(one, other)):
            found[one.number] = Withdrawal(other.number, shorten(strip_markup(said), 200))
    return found


def _taken_back(one: BriefPassage, other: BriefPassage) -> str | None:
    subjects = tuple(identifiers_of(one.text))
    sentences = (other.text[start:end] for start, end in sentence_spans(other.text)) if subjects else ()
    numbered = (each for each in sentences if any(_takes_back(each, subject) for subject in subjects))
    return next(numbered, None) or next(_taking_back_of_day(one, other), None)


def _taking_back_of_day(one: BriefPassage, other: BriefPassage) -> Iterator[str]:
    """Yield the sentences that take back what was decided on the day that stands above a passage, and share a word.

    They name that day, or the sentence before them does: "Minutes of 7 October. Item 4 (dogs) is taken back."
    """
    days = [when for when in find_dates(one.heading) if when.day]
    if not days or one.source == other.source or other.in_table is not None:
        return  # what a row tells is of itself alone
    own, before = frozenset(content_terms(one.text)), ""
    for start, end in sentence_spans(other.context.text):
        each = other.context.text[start:end]
        is_of_day = any(names_day(f"{before} {each}", day) for day in days)
        if is_of_day and TAKEN_BACK.search(each) and not own.isdisjoint(content_terms(each)):
            yield each
        before = each


def _takes_back(sentence: str, subject: str) -> bool:
    place = sentence.find(subject)
    if place < 0:
        return False
    end = place + len(subject)
    is_ended = NOT_IN_FORCE.search(sentence[end : end + _BESIDE]) or taken_back(sentence, end)
    return bool(is_ended or _TAKES_BACK.search(sentence[:place]))
