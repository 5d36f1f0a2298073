"""What documents are called, and where texts call them so: a name is one index term, its key.

The key of a title is made of its words, folded and joined, so that the document called "Fog Signals" is found by "the
fog signal" as a whole and by no text that merely holds both words. No word of a text equals a key.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from quaestor.evidence.text import Word, content_terms, terms, words

LONGEST = 8
"""Words of a name; a longer title is found by its words."""

_MARK, _JOIN = "=", "+"
_CLITIC = re.compile(r"['\u2019]s?$")
_SEPARATOR = re.compile(r"[\s.&'\u2019\u2010\u2011_-]+")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_LINK = re.compile(
    r"(?: (?:of|the|de|del|van|von|der|da|di|du|la|le|and|in|on|for|to|at|by|a|an))*(?: ?[&-] ?|[ .'\u2019]{1,2})"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n])\W*$")
_OPENING = 200
"""Characters in which a text says what it is about."""


class Mention(NamedTuple):
    """A run of words that may be a name: its key, and where it stands in the text."""

    key: str
    start: int
    end: int
    marked: bool
    """True for one that is no ordinary word: several words, or a capital that no sentence start explains."""


class _Piece(NamedTuple):
    form: str
    start: int
    end: int
    content: bool


def called(uri: str, title: str, text: str) -> tuple[str, ...]:
    """Give the keys of what a document is called: its title, the name of its file and the name its text opens with."""
    body = text.lstrip("#=* \n")
    return keys((title, PurePath(uri).stem, opening(body.removeprefix(title))))


def parts(key: str) -> list[str]:
    """Give the index terms of the words of a key."""
    return key.removeprefix(_MARK).split(_JOIN)


def keys(named: Iterable[str]) -> tuple[str, ...]:
    """Give the keys of titles, each with and without what stands in brackets; a mere number is no name."""
    forms = (form for name in named for form in (name, _ASIDE.sub("", name)))
    found = (_key(pieces) for form in forms if any(map(str.isalpha, form)) and (pieces := _pieces(form)))
    return tuple(dict.fromkeys(key for key in found if key))


def mentions(text: str) -> list[Mention]:
    """Give every run of words in a text that may be a name: it starts and ends with a word that carries meaning."""
    return list(_mentions(text, 0, len(text)))


def names(text: str) -> list[Mention]:
    """Give the names that a text itself marks, whole and in part: runs of capitalised words and numbers."""
    return [mention for start, end in _runs(text) for mention in _mentions(text, start, end)]


def opening(text: str) -> str:
    """Give the name a text opens with, or nothing; one word only if the text goes on as after a name."""
    top = text[:_OPENING].lstrip("#*=_ \n\t\"'\u201c")
    start, end = next(_runs(top), (0, 0))
    if any(piece.content for piece in _pieces(top[:start])):
        return ""
    name = top[start:end]
    alone = not re.search(r"[\s-]", name)
    return "" if alone and not _goes_on(name, top[end:], text[end:]) else name


def _goes_on(name: str, after: str, rest: str) -> bool:
    """Tell a name from a first word, whose capital means nothing: it is set off, or capitalised again."""
    return after.lstrip("\"'*_\u201d")[:2].strip()[:1] in {",", "("} or f" {name}" in rest


def _mentions(text: str, start: int, end: int) -> Iterator[Mention]:
    found = _pieces(text[start:end])
    for first, piece in enumerate(found):
        if not piece.content:
            continue
        begin = start + piece.start
        capital = text[begin].isupper() and not _SENTENCE_START.search(text[max(0, begin - 8) : begin])
        for last in range(first, min(first + LONGEST, len(found))):
            if found[last].content:
                key = _key(found[first : last + 1])
                yield Mention(key, begin, start + found[last].end, capital or last > first)


def _key(pieces: Sequence[_Piece]) -> str:
    """Give the key of words without the function words they start with, or nothing if there are no others."""
    first = next((place for place, piece in enumerate(pieces) if piece.content), None)
    if first is None or len(pieces) - first > LONGEST:
        return ""
    return _MARK + _JOIN.join(piece.form for piece in pieces[first:])


def _pieces(text: str) -> list[_Piece]:
    return [_Piece(form, word.start, word.end, content) for word in words(text) for form, content in _forms(word.text)]


@lru_cache(maxsize=1 << 15)
def _forms(word: str) -> tuple[tuple[str, bool], ...]:
    """Give the folded parts of a word, and whether it carries meaning."""
    plain = _CLITIC.sub("", word) or word
    content = bool(content_terms(plain))
    folded = (terms(piece) for piece in _SEPARATOR.split(plain) if piece)
    return tuple((forms[0].lstrip("0") or forms[0], content) for forms in folded if forms)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Give the spans of capitalised words and the numbers between or after them, joined by small words."""
    run: tuple[int, int] | None = None
    for word in words(text):
        if not (word.text[0].isupper() or (run and word.text[0].isdigit())):
            continue
        if run and _LINK.fullmatch(text, run[1], word.start):
            run = (run[0], word.end)
            continue
        if run:
            yield run
        run = _begun(word)
    if run:
        yield run


def _begun(word: Word) -> tuple[int, int] | None:
    return (word.start, word.end) if word.text[0].isupper() else None
