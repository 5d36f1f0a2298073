"""Words, index terms and the folded form of text, in any script.

A word of a spaced script is one term or a few: an identifier counts whole and by its parts, and so does a word that
the end of a line breaks. Scripts without spaces, and Korean, where one word carries its particles, count by overlapping
pairs of characters.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.irregular_forms import to_base_form
from quaestor.evidence.normalization import INVISIBLE, normalize
from quaestor.evidence.related_nouns import to_related_verb
from quaestor.evidence.sentences import sentence_spans
from quaestor.evidence.snowball import snowball_stem
from quaestor.evidence.spelling_variants import to_common_spelling
from quaestor.evidence.stopwords import FUNCTION_CHARACTERS, KOREAN, STOP_WORDS

__all__ = [
    "Word",
    "content_terms",
    "content_words",
    "is_part_of_spaced_word",
    "normalize",
    "sentence_spans",
    "term_string",
    "terms",
    "words",
]

_UNSPACED = (
    "\u0e01-\u0e2e\u0e2f-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ece"  # Lao
    "\u1000-\u103f\u1050-\u109d"  # Myanmar
    "\u1780-\u17d3"  # Khmer
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_HANGUL = "\uac00-\ud7a3\u1100-\u11ff"
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0903\u093a-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a03"
    "\u0a3c-\u0a51\u0a70-\u0a75\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf"
    "\u0f18-\u0f39\u0f71-\u0f84\u135d-\u135f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u00ad\u200c\u200d"
)
_LETTER = rf"(?:[^\W{_UNSPACED}{_HANGUL}]|[{_MARKS}])"
_LANGUAGE_NAMES = r"\b[A-Za-z](?:\+\+|#)(?!\w)"  # C++, C#, F#

_APOSTROPHES, _HYPHENS = "'\u2019", "\u2010\u2011-"

_GROUPED = r"(?<!\w)(?<!\S,)[A-Z]{0,3}\d{1,3}(?:,\d{3})+(?!\d|,[^\s\"'\u2019\u201d]|,[\"']\w)"
"""A number as 1,200, whose digits commas group; beside a further comma as in "1,200,yes" are cells of a row."""
_ASCII_WORD = re.compile(rf"{_LANGUAGE_NAMES}|(?:{_GROUPED}|\w+)(?:[.'&-](?:{_GROUPED}|\w+))*", re.ASCII)
_ANY_WORD = (
    rf"[{_UNSPACED}]+|[{_HANGUL}]+|{_LANGUAGE_NAMES}"
    rf"|(?:{_GROUPED}|{_LETTER}+)(?:[.&{_APOSTROPHES}{_HYPHENS}](?:{_GROUPED}|{_LETTER}+))*"
)
_UNSPACED_START, _HANGUL_START = f"[{_UNSPACED}]", f"[{_HANGUL}]"
_CLUSTER = re.compile(
    r".(?:[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u17b4-\u17d1\u17d3"
    r"\u3099\u309a\uff9e\uff9f]|[\u1039\u17d2].)*",
    re.DOTALL,
)

_CLITIC = re.compile(rf"(?:n[{_APOSTROPHES}]t|[{_APOSTROPHES}](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_SEPARATOR = re.compile(rf"[\s.&{_APOSTROPHES}{_HYPHENS}]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)+")
_VERSION_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_DOTTED_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_NUMBERS_ALONE = re.compile(r"^(?=[^\n]*,)\d+(?:,\d+)+$", re.MULTILINE)
"""A line that may be a number and may be a row of cells."""
_VERSIONED_NAME = re.compile(r"(?:(?P<name>[A-Z]{3,})v|v)(?P<number>\d+)")  # GPLv3, v3
_PLURAL_OF_CAPITALS = re.compile(r"[A-Z]{2,}s")  # DVDs, ADRs
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_GROUPED_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?!\w)")
_LINE_END_HYPHENS = ("-\n", "\u2010\n", "\u00ad\n")
_BROKEN_WORD = re.compile(r"([^\W\d_]{2,})[-\u2010\u00ad]\n[ \t]*([^\W\d_]{2,})")
_MARKED_WORD = re.compile(
    r"(?<![\w*])(?=[^\W\d_]|\*+[^\W\d_]+\*+[^\W\d_])([^\W\d_]*)(\*{1,3})([^\W\d_]+)\2([^\W\d_]*)(?![\w*])"
)
"""A word of which Markdown emphasizes a part: **F**ree, cof*fee*."""
_LATIN_ACCENT = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_LATIN_LETTERS = str.maketrans(
    dict(zip("øłđðıØŁĐÐ", "olddiOLDD", strict=True))
    | {"æ": "ae", "œ": "oe", "þ": "th", "Æ": "Ae", "Œ": "Oe", "Þ": "Th"}
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")

_CACHE_SIZE = 1 << 17
"""How many words keep their terms in memory: taking one apart takes five times as long as finding it."""
_MAX_CACHED_LENGTH = 40
"""Characters of what is remembered between two blanks; what is longer hardly comes again."""


class Word(NamedTuple):
    """A surface word, or one character cluster of a script without spaces: `text` is at start..end."""

    start: int
    end: int
    text: str


class _TermCache(dict[str, str]):
    """A cache of the terms of texts between blanks, joined by blanks; it is emptied when it is full."""

    def __missing__(self, chunk: str) -> str:
        found = " ".join(term for word in _word_pattern(chunk).findall(chunk) for term in _terms_of(word))
        if len(chunk) <= _MAX_CACHED_LENGTH:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[chunk] = found
        return found


_term_cache = _TermCache()


def term_string(text: str) -> str:
    """Return the index terms of a text, in order, repeats included, with blanks between them.

    No word reaches across a blank, so each chunk between two is taken apart once and then remembered. One that the end
    of a line or emphasis breaks counts by its pieces as well: whether the mark is its own cannot be seen. So does a
    number whose digits stand in groups with narrow or unbreakable blanks between them.
    """
    text = _join_broken_words(text)
    if "\u00a0" in text or "\u202f" in text or "\u2009" in text:
        text = _GROUPED_NUMBER.sub(lambda found: f"{found[0]} {''.join(found[0].split())}", text)
    return " ".join(map(_term_cache.__getitem__, text.split()))


def _join_broken_words(text: str) -> str:
    """Return a text in which each word that a line end or marks of emphasis break stands whole behind its pieces.

    So does a line of digits and commas alone, which may be one number, behind the cells that it may be.
    """
    if any(end in text for end in _LINE_END_HYPHENS):
        text = _BROKEN_WORD.sub(r"\g<0> \1\2", text)
    if "," in text:
        text = _NUMBERS_ALONE.sub(lambda line: f"{' '.join(line[0].split(','))} {line[0]}", text)
    return _MARKED_WORD.sub(r"\g<0> \1\3\4", text) if "*" in text else text


def terms(text: str) -> list[str]:
    """Return the index terms of a text or a query, in order, repeats included."""
    return term_string(text).split()


def content_terms(text: str) -> list[str]:
    """Return the terms that carry the subject, each once; a word in capitals (WHO, US) is never a stop word."""
    found = (term for word in _word_pattern(text).findall(text) if not _is_stop_word(word) for term in _terms_of(word))
    return list(dict.fromkeys(term for term in found if not _is_function_term(term)))


def surface_terms(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Return the words of a text in order, each with its index terms; one that is broken stands behind its pieces."""
    whole = _join_broken_words(text)
    return ((word, _terms_of(word)) for word in _word_pattern(whole).findall(whole))


def content_words(text: str, enough: int) -> int:
    """Count the different words that carry the subject, up to `enough`; two characters without spaces are a word."""
    found: set[str] = set()
    for word in _word_pattern(text).findall(text):
        if _is_unspaced(word):
            clusters = _CLUSTER.findall(word)
            found.update("".join(clusters[at : at + 2]) for at in range(0, len(clusters), 2))
        elif not _is_stop_word(word) and not all(map(_is_function_term, _terms_of(word))):
            found.add(word.casefold())
        if len(found) >= enough:
            break
    return min(len(found), enough)


def is_part_of_spaced_word(character: str) -> bool:
    """Return whether a character belongs to a word of a script that parts words by blanks and not by particles."""
    if character.isascii():
        return character.isalnum()
    return bool(_compiled(_LETTER).match(character))


def words(text: str) -> list[Word]:
    """Return the surface words of a text in order; scripts without spaces by their character clusters."""
    found: list[Word] = []
    for match in _word_pattern(text).finditer(text):
        if _is_unspaced(match[0]):
            found.extend(
                Word(part.start(), part.end(), part[0]) for part in _CLUSTER.finditer(text, match.start(), match.end())
            )
        else:
            found.append(Word(match.start(), match.end(), match[0]))
    return found


def _word_pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _compiled(_ANY_WORD)


def _is_unspaced(word: str) -> bool:
    return not word.isascii() and bool(_compiled(_UNSPACED_START).match(word))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern of other scripts, which takes as long as thirty others: few sessions need one."""
    return re.compile(pattern)


def _terms_of(word: str) -> tuple[str, ...] | list[str]:
    if word.isascii():
        return _spaced_terms(word)
    if _is_unspaced(word):
        composed = unicodedata.normalize("NFKC", word)  # which sets a blank before an isolated voicing mark
        return _bigrams(_CLUSTER.findall("".join(composed.split())))
    if _compiled(_HANGUL_START).match(word):
        return _bigrams(list(unicodedata.normalize("NFKC", word)))
    return _spaced_terms(word)


def _bigrams(clusters: list[str]) -> list[str]:
    if len(clusters) == 1:
        return clusters
    return [first + second for first, second in pairwise(clusters)]


@lru_cache(maxsize=_CACHE_SIZE)
def _spaced_terms(word: str) -> tuple[str, ...]:
    if word.isascii() and word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
        return (_stem(word.lower()),)  # the common case, which the rest gives as well
    if _PLURAL_OF_CAPITALS.fullmatch(word):
        return (_stem(word[:-1].lower()),)
    plain = fold_letters(_CLITIC.sub("", word))
    if _NUMBER.fullmatch(plain) and not _DOTTED_DATE.fullmatch(plain):
        return (plain.replace(",", "") if "," in plain and "." not in plain else plain.casefold(),)
    pieces = [piece for piece in _SEPARATOR.split(plain) if piece.strip("_")]
    found = [term for piece in pieces for term in _piece_terms(piece)]
    found += _VERSION_NUMBER.findall(plain)  # MPL-1.1.txt
    if len(pieces) > 1 and len(pieces[0]) == 1 and pieces[0].isalpha():  # e-mail, x-ray, U.S., l'usine
        return tuple(dict.fromkeys([_stem("".join(pieces).casefold()), *(term for term in found if len(term) > 1)]))
    return tuple(dict.fromkeys(found))


def _piece_terms(piece: str) -> list[str]:
    if versioned := _VERSIONED_NAME.fullmatch(piece):  # others write it apart, or without the v
        return [part.casefold() for part in versioned.group("name", "number") if part]
    whole = piece if piece.startswith("_") else piece.rstrip("_")  # reStructuredText writes a link as name_
    parts = [part for part in _PART.findall(piece) if len(part) > 1 or part.isdigit()] if piece.isascii() else []
    bare = [whole.lstrip("0")] if whole.isdigit() and whole.startswith("0") else []
    return [_stem(form.casefold()) for form in (whole, *parts, *bare) if form]


@lru_cache(maxsize=_CACHE_SIZE)
def _stem(term: str) -> str:
    if not (term.isascii() and term.isalpha()):
        return term
    return snowball_stem(to_common_spelling(to_related_verb(to_base_form(term))), "english")


def fold_letters(word: str) -> str:
    """Return a word composed, without Latin accents and invisible marks, its case kept for the parts of identifiers."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", _INVISIBLE.sub("", word)))
    return unicodedata.normalize("NFC", _LATIN_ACCENT.sub("", apart)).translate(_LATIN_LETTERS)


@lru_cache(maxsize=_CACHE_SIZE)
def _is_stop_word(word: str) -> bool:
    if len(word) > 1 and word.isupper():
        return False
    return fold_letters(_CLITIC.sub("", word)).casefold() in STOP_WORDS


def _is_function_term(term: str) -> bool:
    return term in KOREAN or FUNCTION_CHARACTERS.issuperset(term)


ELLIPSIS = "…"


def shorten(text: str, characters: int) -> str:
    """Cut a text to at most so many characters: after a sentence if one fits, else after a word."""
    if len(text) <= characters:
        return text
    ends = [end for _, end in sentence_spans(text) if 0 < end <= characters]
    if ends:
        return text[: ends[-1]].rstrip()
    room = characters - len(ELLIPSIS)
    stops = [word.end for word in words(text) if word.end <= room]
    return f"{text[: stops[-1]]}{ELLIPSIS}" if stops else ""
