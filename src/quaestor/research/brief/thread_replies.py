"""What the later letters of a thread say to a sentence of an earlier one, where they stand in one document.

A program puts what is answered below the answer, with its sender and its day above it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.offline.words.correction_words import PROPOSED
from quaestor.research.offline.words.dates import find_dates

_SENDER = r"(?:from|von|de|da|van|expéditeur|remitente|mittente|afzender)"
_SENT = r"(?:date|sent|datum|gesendet|envoyé|enviado(?: el)?|fecha|data|inviato|verzonden)"
_HEADER = re.compile(
    rf"^[*_ \t]*{_SENDER}[*_]*[ \t]*:[^\n]*\n(?:[*_ \t]*[^\W\d_][\w -]{{0,20}}[*_]*[ \t]*:[^\n]*\n){{0,5}}?"
    rf"[*_ \t]*{_SENT}[*_]*[ \t]*:(?P<sent>[^\n]*)\n(?:[*_ \t]*[^\W\d_][\w -]{{0,20}}[*_]*[ \t]*:[^\n]*(?:\n|\Z))*",
    re.IGNORECASE | re.MULTILINE,
)
"""The fields above a letter: who it is from, and when it was sent."""
_DOTTED = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
_TIME = re.compile(r"\b(\d{1,2})[:.h](\d{2})\b")
_WORD = re.compile(r"[^\W\d_]{4,}")
_OWN_LINES = re.compile(r"(?:^(?![ \t]*+>)(?=[ \t]*+\S)[^\n]++(?:\n|\Z))++", re.MULTILINE)
"""Lines of a paragraph that are not quoted from what is answered."""
_SHARED = 2
"""Words that tell what a sentence answers."""


class _Letter(NamedTuple):
    """Where the words of a letter stand, and when it was sent: its day and time."""

    start: int
    end: int
    sent: tuple[int, ...]


def replies_to(text: str, place: int, marked: MarkedSentence) -> Iterator[tuple[int, int]]:
    """Yield where later letters in a document say most of what a sentence of an earlier one at a place tells.

    It is the sentence that shares most words with it, two at least; of equals that of the last letter. What answers a
    proposal may share small words alone: "Give her all of it back" to "I propose to give her back the fee".
    """
    letters = _letters(text)
    own = next((one for one in letters if one.start <= place < one.end), None)
    if own is None or not own.sent or not marked.words:
        return
    later = sorted((one for one in letters if one.sent > own.sent), key=lambda one: one.sent)
    is_proposal = PROPOSED.search(marked.text) is not None
    asked = marked.words.union(_WORD.findall(marked.text.casefold()) if is_proposal else ())
    said = [
        (len(asked.intersection((*content_terms(words), *_WORD.findall(words.casefold())))), start, end)
        for letter in later
        for start, end in _sentences(text, letter)
        for words in [text[start:end]]
        if words not in marked.shown
    ]
    most = max((shared for shared, _, _ in said), default=0)
    if most >= _SHARED:
        yield next((start, end) for shared, start, end in reversed(said) if shared == most)


def holds_letter(text: str) -> bool:
    """Return whether the fields of a letter stand in a text: who it is from, and when it was sent."""
    return _HEADER.search(text) is not None


def _letters(text: str) -> Sequence[_Letter]:
    headers = [*_HEADER.finditer(text)]
    ends = [*(one.start() for one in headers), len(text)][1:]
    return [_Letter(one.end(), end, _sent(one["sent"])) for one, end in zip(headers, ends, strict=True)]


def _sent(field: str) -> tuple[int, ...]:
    """Return the year, the month, the day and where it is told the time of a field; nothing without a day."""
    if numeric := _DOTTED.search(field):
        day, end = tuple(map(int, reversed(numeric.groups()))), numeric.end()
    elif named := next((one for one in find_dates(field) if one.day), None):
        day, end = (named.year, named.month, named.day), field.find(named.text) + len(named.text)
    else:
        return ()
    time = _TIME.search(field, end)
    return (*day, *map(int, time.groups())) if time else day


def _sentences(text: str, letter: _Letter) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a letter stand, but those that it quotes."""
    for paragraph in _OWN_LINES.finditer(text, letter.start, letter.end):
        for start, end in sentence_spans(paragraph[0]):
            yield paragraph.start() + start, paragraph.start() + end
