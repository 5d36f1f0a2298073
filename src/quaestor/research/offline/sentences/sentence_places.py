"""Where sentences begin and end as they are quoted: with what they lean on, and a question with its answer."""

import re
from collections.abc import Iterator, Sequence

from quaestor.evidence.blocks import is_signature
from quaestor.evidence.quote_rules import find_quote_fault
from quaestor.evidence.tokenization import sentence_spans, words
from quaestor.research.offline.sentences.readability import (
    MAX_CHARACTERS,
    MIN_WORDS,
    SENTENCE_END,
    is_denied,
    leans_on_previous,
    standalone_score,
)
from quaestor.research.offline.words.markup import strip_markup

_QUESTION_END = re.compile(r"[?\uff1f\u061f][\"'”\u2019」』)\]*_`\s]*$")
_BEFORE_QUESTION = " \t\n*_>#-QqFf.:0123456789"
"""What stands before a question that is a paragraph alone: marks of Markdown, "Q:", a number."""
_PARAGRAPH_END = re.compile(r"\n[ \t|]*\n")
_RUN_IN_HEADING = re.compile(r"(\*\*|__|[*_])[^\s*_][^*_\n]*\1[.:]?")
"""What an item or a paragraph is about, in bold letters at its beginning: "**Jar fair.** It made 210 crowns."."""
_ITEM_START = re.compile(r"[ \t]*(?:[-*+\u2022]|\(?(?:\d{1,3}|[a-zA-Z])[.)])[ \t]+")
"""Before the first words of an item; a few that end in a full stop say what it is about: "3. Cellar. It is dry."."""
_CUT_LENGTH = 240
"""Characters of a piece of what has no sentences."""


def join_short(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join two sentences of a few words in one paragraph, and what an item is about with the sentence behind it.

    Each alone is taken for a fragment, and what a manual says first of a thing is often so short.
    """
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        between = text[joined[-1][1] : start] if joined else ""
        beside = joined and not between.strip() and "\n\n" not in between
        before = text[slice(*joined[-1])] if beside else ""
        is_led = beside and _is_run_in_heading(text, *joined[-1])
        if is_led or (_is_short(before) and _is_short(text[start:end])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _is_short(sentence: str) -> bool:
    return 1 < len(words(sentence)) < MIN_WORDS and SENTENCE_END.search(sentence) is not None


def _is_run_in_heading(text: str, start: int, end: int) -> bool:
    """Return whether a few words in bold letters, or at the beginning of an item, say what the next sentence is of."""
    heading, before = text[start:end], text[text.rfind("\n", 0, start) + 1 : start]
    if not (_RUN_IN_HEADING.fullmatch(heading) or _ITEM_START.fullmatch(before)):
        return False
    return 0 < len(words(heading)) < MIN_WORDS and SENTENCE_END.search(heading) is not None


def first_place(text: str, spans: Sequence[tuple[int, int]], place: int, told: frozenset[int] | None) -> int:
    """Return where a sentence begins or, if it leans on the one before it in its paragraph, where that begins.

    The first sentence of what a reference says of a function leans on the line that names the function, and one that
    says too little to be quoted alone on any before it: "Do not use vinegar."
    """
    start, end = spans[place]
    leans = (told is None or place - 1 in told) and (
        leans_on_previous(plain := strip_markup(text[start:end])) or find_quote_fault(text, start, end, plain)
    )
    if not place or not (leans or is_signature(text[slice(*spans[place - 1])])):
        return start
    before, between = spans[place - 1][0], text[spans[place - 1][1] : start]
    too_far = _PARAGRAPH_END.search(between) or between.strip(" \t\n|") or end - before > 2 * MAX_CHARACTERS
    return start if too_far else before


def last_place(text: str, spans: Sequence[tuple[int, int]], place: int) -> int:
    """Return where a sentence ends or, of a question that the text answers, where the answer right behind it ends.

    That is the next sentence of its paragraph, or of the next one where the question is a paragraph alone, and one more
    if it has a single word ("No."). What others say ends with the sentence that speaks against it.
    """
    start, end = spans[place]
    if not _QUESTION_END.search(text[start:end]):
        after, until = spans[min(place + 1, len(spans) - 1)]
        is_near = not text[end:after].strip(" \t\n") and "\n\n" not in text[end:after]
        return until if is_near and is_denied(text[start:end], text[after:until]) else end
    is_alone = not text[:start].rpartition("\n\n")[2].strip(_BEFORE_QUESTION)
    for answer_start, answer_end in spans[place + 1 : place + 3]:
        between = text[end:answer_start]
        too_far = _PARAGRAPH_END.search(between) and not is_alone
        if too_far or answer_end - start > 2 * MAX_CHARACTERS or _QUESTION_END.search(text[answer_start:answer_end]):
            break
        end, is_alone = answer_end, False
        if len(words(text[answer_start:answer_end])) > 1:
            break
    return end


def is_open_question(text: str) -> bool:
    """Return whether a text only asks: every sentence of it is a question, so that none answers another."""
    spans = sentence_spans(text)
    return bool(spans) and all(_QUESTION_END.search(text[start:end]) for start, end in spans)


def quoted_standing(plain: str, quoted: str) -> float:
    """Return how well a sentence can be read alone; a question does not at all, unless its answer is quoted with it."""
    return 0.0 if is_open_question(quoted) else standalone_score(plain)


def cut_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what is too long for a sentence, as speech without marks is, at its lines, else after so many words.

    No piece begins with a blank, which is none of its words. The addresses of links are not counted.
    """
    if end - start <= MAX_CHARACTERS or len(strip_markup(text[start:end])) <= MAX_CHARACTERS:
        yield start, end
        return
    last = start
    cuts = [start + place.end() for place in re.finditer(r"\n|[;,:\u2014] ", text[start:end])]
    for word in words(text[start:end]):
        here = start + word.end
        if here - last < _CUT_LENGTH:
            continue
        cut = max((place for place in cuts if last + _CUT_LENGTH // 2 < place <= here), default=here)
        yield last, cut
        last = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
    if text[last:end].strip():
        yield last, end
