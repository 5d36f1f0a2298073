"""What documents are called, and where texts call them so: a name is one index term, its key.

The key of a title is made of its words, folded and joined, so that the document called "Fog Signals" is found by "the
fog signal" as a whole and by no text that merely holds both words. No word of a text equals a key.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from quaestor.evidence.tokenization import Word, content_terms, terms, words

MAX_NAME_WORDS = 8
"""Words of a name; a longer title is found by its words."""

_MARK, _JOIN = "=", "+"
_CLITIC = re.compile(r"['\u2019]s?$")
_MANUAL_SECTION = re.compile(r"(?<=[^\W\d_])\.[1-9][a-z]?\Z")  # of a page of a manual: wget.1
_SEPARATOR = re.compile(r"[\s.&'\u2019\u2010\u2011_-]+|(?<=[A-Z]{3})v(?=\d)")  # GPLv3 is GPL 3
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_COMMON_NAME = re.compile(r"readme|_?index", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_NAME_CONNECTOR = re.compile(
    r"(?: (?:of|the|de|del|van|von|der|da|di|du|la|le|and|in|on|for|to|at|by|a|an))*(?: ?[&-] ?|[ .'\u2019]{1,2})"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n])\W*$")
_OPENING_LENGTH = 200
"""The characters at the beginning of a text that name its subject."""


class Mention(NamedTuple):
    """A run of words that may be a name: its key, and its place in the text."""

    key: str
    start: int
    end: int
    is_proper_name: bool
    """True for one that is no ordinary word: several words, or a capital that no sentence start explains."""


class _NameWord(NamedTuple):
    form: str
    start: int
    end: int
    content: bool


def document_keys(uri: str, title: str, text: str) -> tuple[str, ...]:
    """Return the keys of the names of a document: its title, its file name and the name its text opens with."""
    body = text.lstrip("#=* \n")
    stem = file_name(uri)
    return name_keys((title, stem, _MANUAL_SECTION.sub("", stem), opening_name(body.removeprefix(title))))


def called_path(uri: str) -> PurePath:
    """Return the file that a document is called by; of a README or index in a folder with a number that folder.

    A proposal with pictures and tables is such a folder: CIP-0075/README.md.
    """
    path = PurePath(uri)
    return path.parent if _COMMON_NAME.fullmatch(path.stem) and _DIGIT.search(path.parent.name) else path


def file_name(uri: str) -> str:
    """Return the name that a document is called by: that of its file, without its ending, or of its folder."""
    called = called_path(uri)
    return called.stem if called == PurePath(uri) else called.name


def told_file(uri: str) -> str:
    """Return the name of a file as it is told: a README or index, which many folders have, with its folder."""
    path = PurePath(uri)
    return f"{path.parent.name}/{path.name}" if _COMMON_NAME.fullmatch(path.stem) else path.name


@lru_cache(maxsize=1 << 12)
def passage_keys(uri: str, title: str, text: str) -> tuple[str, ...]:
    """Return the keys of the document of a passage, remembered: one search after the other finds the same passages."""
    return document_keys(uri, title, text)


def key_terms(key: str) -> list[str]:
    """Return the index terms of the words of a key."""
    return key.removeprefix(_MARK).split(_JOIN)


def name_keys(named: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of titles, each with and without its part in brackets; a mere number is no name."""
    forms = (form for name in named for form in (name, _BRACKETS.sub("", name)))
    found = (_key(pieces) for form in forms if any(map(str.isalpha, form)) and (pieces := _name_words(form)))
    return tuple(dict.fromkeys(key for key in found if key))


def candidate_mentions(text: str) -> list[Mention]:
    """Return every run of words in a text that may be a name: it starts and ends with a word that carries meaning."""
    return list(_mentions(text, 0, len(text)))


@lru_cache(maxsize=1 << 10)
def marked_names(text: str) -> tuple[Mention, ...]:
    """Return the names that a text itself marks, whole and in part: runs of capitalised words and numbers."""
    return tuple(mention for start, end in _capitalized_runs(text) for mention in _mentions(text, start, end))


def opening_name(text: str) -> str:
    """Return the name a text opens with, or nothing; a single word only if the text continues as after a name."""
    top = text[:_OPENING_LENGTH].lstrip("#*=_ \n\t\"'\u201c")
    start, end = next(_capitalized_runs(top), (0, 0))
    if any(piece.content for piece in _name_words(top[:start])):
        return ""
    name = top[start:end]
    alone = not re.search(r"[\s-]", name)
    return "" if alone and not _is_set_off(name, top[end:], text[end:]) else name


def _is_set_off(name: str, after: str, rest: str) -> bool:
    """Return whether a capitalised first word is a name, and no key of a field: it is set off, or capitalised again."""
    if after.startswith(":"):
        return False
    return after.lstrip("\"'*_\u201d")[:2].strip()[:1] in {",", "("} or f" {name}" in rest


def _mentions(text: str, start: int, end: int) -> Iterator[Mention]:
    found = _name_words(text[start:end])
    for first, piece in enumerate(found):
        if not piece.content:
            continue
        begin = start + piece.start
        capital = text[begin].isupper() and not _SENTENCE_START.search(text[max(0, begin - 8) : begin])
        for last in range(first, min(first + MAX_NAME_WORDS, len(found))):
            if found[last].content:
                key = _key(found[first : last + 1])
                yield Mention(key, begin, start + found[last].end, capital or last > first)


def _key(pieces: Sequence[_NameWord]) -> str:
    """Return the key of words without the function words they start with, or nothing if there are no others."""
    first = next((place for place, piece in enumerate(pieces) if piece.content), None)
    if first is None or len(pieces) - first > MAX_NAME_WORDS:
        return ""
    return _MARK + _JOIN.join(piece.form for piece in pieces[first:])


def _name_words(text: str) -> list[_NameWord]:
    return [
        _NameWord(form, word.start, word.end, content) for word in words(text) for form, content in _forms(word.text)
    ]


@lru_cache(maxsize=1 << 15)
def _forms(word: str) -> tuple[tuple[str, bool], ...]:
    """Return the folded parts of a word, and whether it carries meaning."""
    plain = _CLITIC.sub("", word) or word
    content = bool(content_terms(plain))
    folded = (terms(piece) for piece in _SEPARATOR.split(plain) if piece)
    return tuple((forms[0].lstrip("0") or forms[0], content) for forms in folded if forms)


def _capitalized_runs(text: str) -> Iterator[tuple[int, int]]:
    """Return the spans of capitalised words and the numbers between or after them, joined by small words."""
    run: tuple[int, int] | None = None
    for word in words(text):
        if not (word.text[0].isupper() or (run and word.text[0].isdigit())):
            continue
        if run and _NAME_CONNECTOR.fullmatch(text, run[1], word.start):
            run = (run[0], word.end)
            continue
        if run:
            yield run
        run = _start_run(word)
    if run:
        yield run


def _start_run(word: Word) -> tuple[int, int] | None:
    return (word.start, word.end) if word.text[0].isupper() else None


MAX_LEADS = 40
"""Names of one passage that are followed, in their order; a list of hundreds leads everywhere."""

_FIELD = re.compile(
    r"^[ \t>*-]*[^\W\d_][\w -]{1,30}:[ \t]+(#?\d+(?:(?:\s*[,;]\s*|\s+and\s+)#?\d+)*)[ \t]*$", re.MULTILINE
)
_NUMBER = re.compile(r"\d+")
_TARGET = re.compile(
    r"\[[^\]\n]*\]\((?P<inline>[^)#?\s]+)|\[\[(?P<wiki>[^\]|#\n]+)|:(?P<role>\w+):`(?:[^`<>\n]*<)?(?P<named>[^`<>\n]+)>?`"
)
_SERIES_KEY_LENGTH = 2
"""Words of the key of a document in a series: its name and a number."""


def referenced_keys(text: str, own: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of the documents that a passage refers to, in order.

    Bare numbers in a field ("Replaces: 622") count in the series of the document, of whose keys `own` are; link
    targets (`[text](file.md)`, `[[name]]`, `:pep:`622``) by the name of their file or page.
    """
    series = [prefix for key in own for prefix in _series_names(key)]
    numbered = (f"{prefix} {number}" for prefix in series for number in _field_numbers(text))
    found = name_keys((*numbered, *_link_targets(text)))
    return tuple(key for key in found if key not in set(own))


def lead_keys(text: str, own: Iterable[str], asked: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of the names in a passage that are neither its document's nor in the query."""
    passed = {*own, *asked}
    found = dict.fromkeys(mention.key for mention in marked_names(text) if mention.key not in passed)
    return tuple(found)[:MAX_LEADS]


def _series_names(key: str) -> Iterator[str]:
    words = key_terms(key)
    if len(words) == _SERIES_KEY_LENGTH and words[1].isdigit() and words[0].isalpha():
        yield words[0]


def _field_numbers(text: str) -> Iterator[str]:
    for field in _FIELD.finditer(text):
        yield from _NUMBER.findall(field[1])


def _link_targets(text: str) -> Iterator[str]:
    for target in _TARGET.finditer(text):
        if inline := target["inline"]:
            yield re.sub(r"\.\w+$", "", inline.rstrip("/").rsplit("/", 1)[-1])
        elif wiki := target["wiki"]:
            yield wiki
        elif named := target["named"]:
            yield named.rsplit("/", 1)[-1]
            yield f"{target['role']} {named}"
