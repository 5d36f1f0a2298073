"""What documents say of the rows of a table outside it: that one is gone, or that another value holds now.

A table and the prose of another document may disagree, and which of them is right nobody knows here.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.evidence.stemming import detect_language
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.cell_words import tokens
from quaestor.research.offline.fields.reserve_words import (
    ABOLISHED,
    ALL_CHANGED,
    CHANGED,
    CURRENCY,
    DENIED_BEFORE,
    EMPTIED,
    FOR_SALE,
    FROM_DAY,
    GONE,
    GONE_STATE,
    LAST,
    LOST_BEFORE,
    NUMBER_WORD,
    PRICE,
    RESERVE,
    STANDS_IN,
)
from quaestor.research.offline.fields.row_mentions import (
    Call,
    called,
    find_mention,
    is_definite,
    is_person,
    is_telling_name,
)
from quaestor.research.offline.fields.row_numbers import (
    amounts,
    is_like,
    is_like_amount,
    tells_other_year,
)
from quaestor.research.offline.fields.row_prices import tells_price
from quaestor.research.offline.fields.row_watch import RowWatch, WatchedRow
from quaestor.research.offline.words.dates import holds_day

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
_BARS = 2
"""Bars in a line that is a row of a table."""


class RowChange(NamedTuple):
    """The name of a row, and the sentence that may tell otherwise of it."""

    name: str
    said: str


def find_changed(text: str, watch: RowWatch) -> RowChange | None:
    """Return a row of which prose tells that it is gone, or something else than its table, with what it says.

    Prose does so in a sentence that calls the row, or that tells another number of what is counted, by whose word it is
    then called. Where an e-mail says "me", it calls who sent it.
    """
    body, sender = _parse_letter(text)
    if watch.has_prices and (said := _change_of_all(body, watch)):
        return RowChange(watch.rows[0].name, said)
    counting = _sentences(body) if watch.kind.is_named(body) else ()
    if said := next(filter(watch.kind.is_denied, counting), ""):
        return RowChange(watch.kind.word, said)
    words = frozenset(_WORD.findall(_with_sender(body, sender)))
    for before, said in pairwise(("", *_sentences(body))) if watch.calls_in(words) else ():
        if name := _contradicted(_with_sender(said, sender), words, watch):
            return RowChange(name, said)  # in its own words: it is quoted
        if STANDS_IN.search(said) and (name := _contradicted(f"{before} {said}", words, watch)):
            return RowChange(name, f"{before} {said}")
    return None


def _contradicted(sentence: str, words: AbstractSet[str], watch: RowWatch) -> str:
    """Return the name of a row that a sentence calls and contradicts; `words` are those of its whole text."""
    for row, call in watch.calls_in(_WORD.findall(sentence)):
        is_word = call.is_part and call.text.casefold() in words
        if not is_word and _contradicts(sentence, call, row, watch):
            return row.name
    return ""


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


def _contradicts(sentence: str, call: Call, row: WatchedRow, watch: RowWatch) -> bool:
    """Return whether a sentence that calls a row tells its loss, or something else of the columns that are asked for.

    One that names another column is about that one.
    """
    found = call.find(sentence)
    if found is None:
        return False
    if call.is_value and not (call.is_part or is_person(call.text)):
        is_gone = is_definite(sentence, found) and GONE_STATE.match(sentence, found.end()) is not None
        return (is_gone and not call.is_shared) or _is_moved(sentence, found, row, watch)
    if _tells_loss(sentence, found, is_goods=call.is_goods and _is_plain_noun(sentence, found)):
        return True
    rest = f"{sentence[: found.start()]} {sentence[found.end() :]}"
    if not watch.is_of_columns or not watch.is_about(rest) or (call.is_value and watch.names_other(sentence, row)):
        return False
    names_column = not watch.columns.isdisjoint(tokens(rest))
    is_of_price = watch.has_prices and PRICE.search(rest) is not None
    numbers = [number for number in amounts(rest, watch.columns) if number not in row.known]
    is_new = CHANGED.search(rest) or any(holds_day(start[0]) for start in FROM_DAY.finditer(rest))
    if tells_other_year(rest, row.years, names_column=names_column):
        return True
    if call.is_beside and not names_column:
        return False  # it may be said of another thing with that value
    is_reserved = names_column or RESERVE.search(rest) is not None
    spelled = find_spelled_numbers(rest, detect_language(rest) or "en") if is_reserved and row.numbers else ()
    others = {value for value, one in watch.values if value not in row.known and called(one.text).search(rest)}
    if call.is_goods and not (is_new or is_of_price or CURRENCY.search(rest) or find_mention(call.text, sentence)):
        numbers = []  # "two cups of tea for 12 guests"
    return bool(
        (is_new and (names_column or is_of_price or numbers or not row.numbers or NUMBER_WORD.search(rest)))
        or (watch.has_prices and tells_price(sentence[found.end() : found.end() + _NEAR], row.numbers))
        or any(is_like(number, own) for number in numbers for own in row.numbers)
        or any(is_like_amount(Decimal(told), own) for told in spelled for own in row.numbers)
        or len(others) == 1  # with several it lists who was there
        or (names_column and (numbers or RESERVE.search(rest)))
    )


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
        yield from (one for one in (lines if are_notes else [" ".join(lines)]) if one.count("|") < _BARS)
