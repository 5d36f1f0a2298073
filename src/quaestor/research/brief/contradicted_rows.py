"""Whether a shown passage may speak against an answer from a table, so that the answer is not given beside it.

A table and the prose of another section or document may disagree, and which of them is right nobody knows here.
"""

import re
from collections.abc import Iterator, Sequence

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.contracts.brief import BriefPassage, CheckedAnswer, ShownRow
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.fields.cell_words import telling_tokens, tokens
from quaestor.research.offline.fields.reserve_words import CHANGED, GONE, RESERVE
from quaestor.research.offline.fields.row_mentions import (
    called,
    find_mention,
    is_common_word,
    is_definite,
    is_telling_name,
)
from quaestor.research.offline.fields.row_numbers import DATE
from quaestor.research.offline.words.past_events import tells_event

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_YEAR = re.compile(r"(?<!\w)(?:1\d{3}|20\d{2})(?!\w)")
_RESULT = re.compile(r"\(([^()]+)\)\Z")
"""The number of an answer that is the largest or the smallest, behind what has it."""
_WORD = re.compile(r"[^\W_]+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_CLAUSE_END = re.compile(r"[,;:]")
_BARS = 2
"""Bars in a line that is a row of a table."""


def find_speaking_against(found: LookedUp, passages: Sequence[BriefPassage]) -> BriefPassage | None:
    """Return the first passage that may say something else of a row that an answer was taken of.

    It names such a row in a sentence that denies or changes something, tells a loss, or holds another number; or in
    its heading or in the sentence before ("Vara is a port. Since May it has twenty berths."). Against an answer of one
    row alone one of another document speaks that lacks the answer, wherever it names the row, if that is no common
    word, or holds all that is asked: how it would say so no list of words holds. Of a largest or a smallest the rows
    that have it answer alike, but what holds all words of such a question mostly tells what the most is good for. One
    of another document also speaks that changes what has a value that was asked for ("the Monday pair").
    """
    of_years = _YEAR.search(found.answer or "") is not None
    rows = [row for row in (*found.rows, *found.counted) if is_telling_name(row.name)]
    return next(
        (
            one
            for one in passages
            if not _is_of_table(one, found)
            and (
                _speaks_elsewhere(one, found)
                or any(_speaks_against(one, row, of_years) or _tells_event(one, row) for row in rows)
            )
        ),
        None,
    )


def _speaks_elsewhere(passage: BriefPassage, found: LookedUp) -> bool:
    """Return whether a passage of another document speaks of what an answer tells, and does not hold the answer."""
    if any(row.quote.source == passage.source for row in found.rows):
        return False
    is_of_one = found.kind is CheckedAnswer.FIELD or (found.kind is CheckedAnswer.LIST and len(found.rows) == 1)
    is_extreme = found.kind is CheckedAnswer.CALCULATION and bool(found.counted)
    if not (is_of_one or is_extreme):
        return _changes_value(passage, found)
    text = passage.context.text
    told = _RESULT.search(found.answer or "") if is_extreme else None
    answer = re.escape(told[1] if told else found.answer or "")
    if re.search(rf"(?<!\w){answer}(?!\w)", text, re.IGNORECASE):
        return _changes_value(passage, found)
    names = [row.name for row in found.rows if is_telling_name(row.name) and not is_common_word(row.name)]
    return (is_of_one and not passage.absent) or any(find_mention(name, text) for name in names)


def _changes_value(passage: BriefPassage, found: LookedUp) -> bool:
    """Return whether a sentence changes something of what has a value that the question and all rows have."""
    if len({row.quote.source for row in found.rows}) != 1:
        return False
    rows = (tokens(row.quote.text) - tokens(row.name) for row in found.rows)
    asked = telling_tokens(passage.part).intersection(*rows) - tokens(found.label)
    return any(
        (CHANGED.search(sentence) and is_definite(sentence, word)) or _tells_event_among(sentence, asked, passage)
        for sentence, _ in (_sentences(passage.context.text) if asked else ())
        for word in _WORD.finditer(sentence)
        if tokens(word[0]) & asked
    )


def _tells_event_among(sentence: str, asked: frozenset[str], passage: BriefPassage) -> bool:
    """Return whether a sentence tells an event of some of the things that are asked for, which all have a value."""
    kind = telling_tokens(passage.part) - asked
    return asked <= tokens(sentence) and bool(kind & tokens(sentence)) and tells_event(sentence)


def _tells_event(passage: BriefPassage, row: ShownRow) -> bool:
    """Return whether a passage of another document tells of a row what came about, and nothing that the row has."""
    if passage.source == row.quote.source:
        return False
    own = tokens(row.quote.text)
    for sentence, _ in _sentences(passage.context.text):
        if (named := find_mention(row.name, sentence)) is not None:
            told = sentence[named.end() :]
            if tells_event(_CLAUSE_END.split(told)[0]) and own.isdisjoint(telling_tokens(told)):
                return True
    return False


def _is_of_table(passage: BriefPassage, found: LookedUp) -> bool:
    """Return whether a passage is of some table, or holds one of the rows."""
    context = passage.context
    return passage.in_table is not None or any(
        row.quote.source == context.source and context.start < row.quote.end and row.quote.start < context.end
        for row in (*found.rows, *found.counted)
    )


def _speaks_against(passage: BriefPassage, row: ShownRow, of_years: bool) -> bool:
    name, text = called(row.name), passage.context.text
    is_named = name.search(passage.heading) is not None
    for sentence, goes_on in _sentences(text):
        was_named, is_named = is_named and goes_on, name.search(sentence) is not None
        if (is_named or was_named) and _changes(name.sub(" ", sentence), row, of_years=of_years):
            return True
    return False


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a text, each with whether it goes on in the paragraph or the item of the one before.

    Rows of tables are left out: their numbers are of other columns.
    """
    before = 0
    for start, end in sentence_spans(text):
        between = text[before:start]
        before = end
        if (sentence := text[start:end]).count("|") < _BARS:
            yield sentence, not between.strip() and _BLANK_LINE.search(between) is None


def _changes(sentence: str, row: ShownRow, *, of_years: bool) -> bool:
    """Return whether a sentence tells a loss, another number or, beside no common word, denies or changes something."""
    told = sentence if of_years else DATE.sub(" ", sentence)
    cells = row.quote.text.replace(",", " ")  # as a comma parts those of some files
    others = set(_NUMBER.findall(told)).difference(_NUMBER.findall(f"{row.quote.text} {cells}"))
    return bool(others or GONE.search(sentence) or (not is_common_word(row.name) and RESERVE.search(sentence)))
