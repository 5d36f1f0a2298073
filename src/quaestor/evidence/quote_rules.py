"""What a quote must be to prove anything: enough words, whole words, and of one block of its text."""

import re
from itertools import pairwise

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.sentences import may_be_title, sentence_spans, title_line_end
from quaestor.evidence.tokenization import content_words, is_part_of_spaced_word

MIN_CONTENT_WORDS = 3
"""Fewer words are in nearly every text, whatever it says."""
_MIN_SENTENCE_WORDS = 2
"""Content words of a whole sentence, which says something of its own: "I cannot recommend this bridge."."""

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n")
_VALUE_START = re.compile(r"(?:[:=|\t]|^[-*+•‣]|^\(?\w{1,3}[.)])[\s\"'`]*\Z")
"""What precedes a value on its line: the name of its field, the border of its cell, or the bullet of its item."""
_BULLET = re.compile(r"(?:[-*+•‣]|\(?\w{1,3}[.)])[ \t]+")
_CELLS = re.compile(r"\w[^|\n]*\||\|[^|\n]*\w|\w\t+\S|[^\W\d][,;]\w|\w[,;][^\W\d]")
"""What parts the cells of a row: "Post | Hal", "Bell,no,yes"; the comma of 1,310 is within a number."""
_VALUE_END = re.compile(r"[\s\"'`]*(?:[,;.]?\s*\Z|[|\t])")
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f\u0964\u061f][\"')\]*_\u201d\u2019\u300d\u300f]*\Z")
_HYPHENS = ("", "-", "\u2010", "\u2011")
_MAX_PARAGRAPH_CHARACTERS = 5_000
"""Characters on either side of a quote in which the ends of its paragraph are looked for."""


def find_quote_fault(text: str, start: int, end: int, claim: str) -> str | None:
    """Return why the characters from `start` up to `end` of a text are no proof of a claim, or None.

    They prove something with three different content words, as a whole sentence with two, as the whole value of a
    field, a cell or an item, as whole rows of a table, or as a number or date that the claim names.
    """
    if _cuts_word(text, start) or _cuts_word(text, end):
        return "it begins or ends inside a word"
    quoted = text[start:end]
    telling = content_words(quoted, MIN_CONTENT_WORDS)
    if telling >= MIN_CONTENT_WORDS or (telling >= _MIN_SENTENCE_WORDS and _is_whole_sentence(text, start, end)):
        return None
    if _is_number_of(claim, quoted) or _is_whole_value(text, start, end):
        return None
    return f"it has fewer than {MIN_CONTENT_WORDS} telling words and is no whole value"


def split_at_headings(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a span in parts, so that no heading is in one part with the words below or above it.

    A span without any word is one part.
    """
    if "\n" not in text[start:end]:
        return [(start, end)]
    top, bottom = _paragraph_bounds(text, start, end)
    edges: set[int] = set()
    for block in parse_blocks(text[top:bottom]):
        first, last = block.start + top, block.end + top
        if block.kind is BlockKind.HEADING:
            edges |= {block.top + top, first, last, block.bottom + top}
        elif block.kind is BlockKind.PROSE and "\n" not in text[first:last] and may_be_title(text[first:last]):
            edges |= {first, last}
        elif block.kind is BlockKind.PROSE and (title_end := title_line_end(text, first, last)):
            edges.add(title_end)
    cuts = [start, *sorted(edge for edge in edges if start < edge < end), end]
    parts = [_stripped(text, *span) for span in pairwise(cuts)]
    return [part for part in parts if any(map(str.isalnum, text[slice(*part)]))] or [(start, end)]


def _paragraph_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the lines of a span with those around it up to empty ones, so that its first line is seen whole."""
    above = [gap.end() for gap in _PARAGRAPH_BREAK.finditer(text, max(0, start - _MAX_PARAGRAPH_CHARACTERS), start)]
    below = _PARAGRAPH_BREAK.search(text, end, end + _MAX_PARAGRAPH_CHARACTERS)
    # Cut in the middle, the first line would be read as a block of its own; so it is taken from its beginning.
    top = above[-1] if above else text.rfind("\n", 0, start) + 1 if start > _MAX_PARAGRAPH_CHARACTERS else 0
    return top, below.start() if below else min(len(text), end + _MAX_PARAGRAPH_CHARACTERS)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def _cuts_word(text: str, at: int) -> bool:
    """Return whether a place is inside a word, a number or a compound such as `non-blocking`."""
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    # Between two letters, behind the hyphen of a compound, or before it.
    return _joins(before[-1], "", after[0]) or _joins(before[:-1], before[-1], after[0]) or _joins(before[-1], *after)


def _joins(left: str, sign: str, right: str = "") -> bool:
    if sign and sign in ".,":
        return left.isdigit() and right.isdigit()
    return sign in _HYPHENS and all(side and is_part_of_spaced_word(side) for side in (left, right))


def _is_number_of(claim: str, quoted: str) -> bool:
    """Return whether a quote holds numbers, all of them numbers of the claim."""
    numbers = set(_NUMBER.findall(quoted))
    return bool(numbers) and numbers <= set(_NUMBER.findall(claim))


def _is_whole_sentence(text: str, start: int, end: int) -> bool:
    """Return whether a span is a sentence of its paragraph, or several, from the first word to the last mark."""
    if not _SENTENCE_END.search(text, start, end):
        return False
    top, bottom = _paragraph_bounds(text, start, end)
    sentences = sentence_spans(text[top:bottom])
    return start - top in {first for first, _ in sentences} and end - top in {last for _, last in sentences}


def _is_whole_value(text: str, start: int, end: int) -> bool:
    top = text.rfind("\n", 0, start) + 1
    bottom = text.find("\n", end)
    before, after = text[top:start].lstrip(), text[end : len(text) if bottom < 0 else bottom]
    if not (before or after.strip()) and _CELLS.search(text, start, end):
        return content_words(text[start:end], 1) > 0
    if not before and (bullet := _BULLET.match(text, start, end)):  # an item that is quoted with its bullet
        before, start = bullet[0], bullet.end()
    names_field = _VALUE_START.search(before) or _names_field(text[start:end])
    return bool(names_field and _VALUE_END.match(after) and content_words(text[start:end], 1))


def _names_field(quoted: str) -> bool:
    """Return whether a quote is a field with its name, as in `Status: Final`."""
    name, colon, value = quoted.partition(":")
    return bool(colon and name.strip() and value.strip()) and len(name.split()) <= MIN_CONTENT_WORDS
