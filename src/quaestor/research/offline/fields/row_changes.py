"""What documents say of the rows of a table outside it: that one is gone, or that another value holds now.

A table and the prose of another document may disagree, and which of them is right nobody knows here.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.cell_words import telling_tokens, tokens
from quaestor.research.offline.fields.reserve_words import (
    ABOLISHED,
    ALL_CHANGED,
    CHANGED,
    DENIED_BEFORE,
    EMPTIED,
    FOR_SALE,
    GONE,
    GONE_STATE,
    LAST,
    LOST_BEFORE,
    RESERVE,
    STANDS_IN,
)
from quaestor.research.offline.fields.row_mentions import (
    Call,
    find_mention,
    is_definite,
    is_person,
    is_telling_name,
)
from quaestor.research.offline.fields.row_numbers import amounts, years_in
from quaestor.research.offline.fields.row_watch import RowWatch, WatchedRow
from quaestor.research.offline.words.past_events import tells_event

_NEAR = 40
"""Characters after a name in which its loss is told: further on it may be that of something else."""
_WORD = re.compile(r"[^\W_]+")
_MIN_COMPOUND = 5
"""Letters of a word that other words begin with in German and Dutch: Aufnahme, Aufnahmegebühr."""
_SENDER = re.compile(r"(?:\A|\n)From: *([^\n<]+)")
_FIRST_PERSON = re.compile(r"\b(?:I|[Ii]ch|[Mm]ich|[Mm]ir|[Mm]e|myself|moi|ik|mij)\b")
_MAX_HEADER = 300
_MAX_NOTE = 60
"""Characters of the lines of notes: longer ones are those of prose that is wrapped."""
_DATED = re.compile(r"[\s\[(*-]*\d{1,4}[-:./]\d")
"""Beginning of a line of a log or a chat, with its day or its time."""
_NAME_BEHIND = re.compile(r" (?!I )[A-ZÀ-Þ]")
_CLAUSE_END = re.compile(r"[,;:]")
_VALUE = 2
"""The rank of what calls a row by a value, as a part of its name has 1 and its name 0."""
_UNCHANGED = 2
"""What is added to the rank of a sentence that has no word for a change."""
_BARS = 2
"""Bars in a line that is a row of a table."""


class RowChange(NamedTuple):
    """The name of a row, and the sentence that may tell otherwise of it."""

    name: str
    said: str
    rank: int = 0
    """The least is quoted: by how the sentence calls the row, and two more where it has no word for a change."""


def find_changed(text: str, watch: RowWatch, *, is_own: bool = False) -> RowChange | None:
    """Return a row of which prose tells that it is gone, or something else than its table, with what it says.

    Of several sentences one that calls a row by its name and changes something comes first. `is_own`: it is the prose
    of the document of the table, which speaks of the rows for other reasons.

    Prose does so in a sentence that calls the row, or that tells another number of what is counted, by whose word it is
    then called. Where an e-mail says "me", it calls who sent it.
    """
    return min(_changes(text, watch, is_own=is_own), key=lambda one: one.rank, default=None)


def _changes(text: str, watch: RowWatch, *, is_own: bool) -> Iterator[RowChange]:
    body, sender = _parse_letter(text)
    if watch.has_prices and (said := _change_of_all(body, watch)):
        yield RowChange(watch.rows[0].name, said)
    counting = _sentences(body) if watch.kind.is_named(body) else ()
    if said := next(filter(watch.kind.is_denied, counting), ""):
        yield RowChange(watch.kind.word, said)
    words = frozenset(_WORD.findall(_with_sender(body, sender)))
    for before, said in pairwise(("", *_sentences(body))) if watch.calls_in(words) else ():
        # Who speaks of himself is quoted in his own words.
        for name, rank in _contradicted(_with_sender(said, sender), words, watch, is_own=is_own):
            yield RowChange(name, said, rank)
        if STANDS_IN.search(said):
            for name, rank in _contradicted(f"{before} {said}", words, watch, is_own=is_own):
                yield RowChange(name, f"{before} {said}", rank)


def _contradicted(
    sentence: str, words: AbstractSet[str], watch: RowWatch, *, is_own: bool
) -> Iterator[tuple[str, int]]:
    """Yield the rows that a sentence calls and contradicts, by name and rank; `words` are those of its whole text."""
    for row, call in watch.calls_in(_WORD.findall(sentence)):
        is_word = call.is_part and call.text.casefold() in words
        if not is_word and _contradicts(sentence, call, row, watch, is_own=is_own):
            called_by = _VALUE if call.is_value or call.is_beside else int(call.is_part)
            yield row.name, called_by + (0 if RESERVE.search(sentence) else _UNCHANGED)


def _change_of_all(text: str, watch: RowWatch) -> str:
    """Return the sentence of a text that tells that all prices have changed, or that none is asked; or nothing."""
    sentences = _sentences(text) if ALL_CHANGED.search(text) or ABOLISHED.search(text) else ()
    return next(
        (one for one in sentences if (ALL_CHANGED.search(one) and watch.is_about(one)) or _abolishes(one, watch)), ""
    )


def _abolishes(sentence: str, watch: RowWatch) -> bool:
    """Return whether a sentence tells that a column is no more of any row: "die Aufnahmegebühr entfällt"."""
    if any(find_mention(name, sentence) for name in watch.names if is_telling_name(name)):
        return False
    compounds = tuple(one for one in watch.columns if len(one) >= _MIN_COMPOUND)
    words = _WORD.finditer(sentence)
    named = (one for one in words if tokens(one[0]) & watch.columns or one[0].casefold().startswith(compounds))
    return any(ABOLISHED.search(sentence[one.end() : one.end() + _NEAR]) for one in named)


def _contradicts(sentence: str, call: Call, row: WatchedRow, watch: RowWatch, *, is_own: bool) -> bool:
    """Return whether a sentence that calls a row tells its loss, or something else of the columns that are asked for.

    One that names another column is about that one.
    """
    found = call.find(sentence)
    is_of_much = watch.lists_documents and call.is_value  # "accepted" is said of any proposal
    if found is None or is_of_much or _is_of_longer_name(sentence, found):
        return False
    if call.is_value and not (call.is_part or is_person(call.text)):
        is_gone = is_definite(sentence, found) and GONE_STATE.match(sentence, found.end()) is not None
        return (is_gone and not call.is_shared) or _is_moved(sentence, found, row, watch)
    is_of_person = call.is_beside and (call.is_part or is_person(call.text))
    if _tells_loss(sentence, found, is_goods=call.is_goods and _is_plain_noun(sentence, found)):
        return watch.is_of_columns or not is_of_person
    if watch.lists_documents:
        return watch.states_other(sentence, row)
    rest = f"{sentence[: found.start()]} {sentence[found.end() :]}"
    if not watch.is_of_columns:
        # What becomes of a person or a place that a row has tells nothing of whether there is the row.
        return not (is_own or call.is_beside) and _tells_event(sentence[found.end() :], row)
    if not watch.is_about(rest) or (call.is_value and watch.names_other(sentence, row)):
        return False
    if call.is_beside and len(watch.rows) > 1 and watch.columns.isdisjoint(tokens(rest)):
        return False  # who has a thing, as the sender of a letter, speaks of much else
    if RESERVE.search(rest):
        return True
    if is_own or row.states(sentence) or not telling_tokens(rest):
        return False
    # Of one row alone whatever lacks its value may tell another one: how it would say so no list of words holds.
    is_of_one = len(watch.rows) == 1 and not call.is_beside
    others = {*amounts(rest, watch.columns), *(years_in(rest) if any(map(years_in, row.values)) else ())} - row.words
    return is_of_one or tells_event(rest) or bool(others)


def _is_of_longer_name(sentence: str, found: re.Match[str]) -> bool:
    """Return whether one word that is called is the first one of a longer name: Ida Blom is not the boat Ida."""
    return " " not in found[0] and found[0][0].isupper() and _NAME_BEHIND.match(sentence, found.end()) is not None


def _tells_event(behind: str, row: WatchedRow) -> bool:
    """Return whether a sentence tells behind a name what came about, and nothing that the row has."""
    return tells_event(_CLAUSE_END.split(behind)[0]) and telling_tokens(behind).isdisjoint(row.words)


def _is_moved(sentence: str, value: re.Match[str], row: WatchedRow, watch: RowWatch) -> bool:
    """Return whether a sentence changes who has a value: of a code anything, of a word only what names its column."""
    rest = f"{sentence[: value.start()]} {sentence[value.end() :]}"
    is_code = any(map(str.isdigit, value[0]))
    if watch.names_other(sentence, row) or not (is_code or not watch.columns.isdisjoint(tokens(rest))):
        return False
    is_empty = is_code and EMPTIED.match(sentence, value.end()) is not None
    return is_empty or (CHANGED.search(rest) is not None and watch.is_about(rest))


def _is_plain_noun(sentence: str, found: re.Match[str]) -> bool:
    """Return whether a name is written as any noun is: small, or with the capital of the sentence that it begins."""
    return found[0][0].islower() or not sentence[: found.start()].strip(" \t-*\u2022")


def _tells_loss(sentence: str, found: re.Match[str], *, is_goods: bool) -> bool:
    """Return whether a sentence tells the loss of what it calls; goods that are sold are none unless it is the last."""
    before, near = sentence[: found.start()], sentence[found.end() : found.end() + _NEAR]
    gone = any(not (is_goods and FOR_SALE.fullmatch(one[0])) for one in GONE.finditer(near))
    lost = LOST_BEFORE.search(before) and (not is_goods or LAST.search(before))
    return gone or bool(lost) or DENIED_BEFORE.search(before) is not None


def _parse_letter(text: str) -> tuple[str, str]:
    """Return what an e-mail says below its sender, and the sender; of another text all of it, and nobody."""
    sent = _SENDER.search(text, 0, _MAX_HEADER)
    return (text[sent.end() :], sent[1].strip().replace("\\", "")) if sent else (text, "")


def _with_sender(text: str, sender: str) -> str:
    """Return words of an e-mail with the name of its sender, if there is one, in place of "I" and "me"."""
    return _FIRST_PERSON.sub(sender, text) if sender else text


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text and the lines of its notes, without the rows of its tables."""
    for start, end in sentence_spans(text):
        lines = text[start:end].split("\n")
        are_notes = all(len(line) <= _MAX_NOTE and not line[:1].islower() for line in lines)
        are_notes = are_notes or all(map(_DATED.match, lines))
        yield from (one for one in (lines if are_notes else [" ".join(lines)]) if one.count("|") < _BARS)
