"""The form in which texts are compared: no case, one kind of blank, quote and dash, no invisible marks."""

import re
import unicodedata
from bisect import bisect_right
from typing import Literal

from quaestor.contracts.immutable import Immutable

_UnicodeForm = Literal["NFKC", "NFKD"]
HyphenHandling = Literal["kept", "joined", "hyphenated"]
"""What becomes of a hyphen at the end of a line: it stays with its line end, both go, or the line end goes."""

INVISIBLE = "\u00ad\u200b-\u200d\u2060\ufeff"
"""Soft hyphens, zero-width blanks and joiners, as the inside of a character class."""

_CHARACTER_MAP = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u0060\u00b4\u02bc", "'")
    | dict.fromkeys("“”„‟″«»「」『』", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
)
_INVISIBLE_MARKS = re.compile(f"[{INVISIBLE}]")
_DASHES = re.compile("--+")
_HYPHENATED_LINE_END = re.compile(r"(?<=\w)[-\u2010\u00ad][^\S\n]*\n\s*(?=\w)")
_WHITESPACE_OR_DASHES = rf"\s[\s{INVISIBLE}]*|[\u2010-\u2015\u2212-]{{2,}}"


class NormalizedText(Immutable):
    """A folded text with the places its characters came from.

    It is made of stretches: the one from folded[i] on came from original_starts[i] on, one character for one where
    is_one_to_one[i].
    """

    text: str
    folded: tuple[int, ...]
    original_starts: tuple[int, ...]
    is_one_to_one: tuple[bool, ...]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the original span of folded characters, or None when it would cut an original character in two."""
        first, last = bisect_right(self.folded, start) - 1, bisect_right(self.folded, end - 1) - 1
        # Within such a stretch no folded character has a place of its own: one ligature may have become two letters.
        if not self.is_one_to_one[first] and start != self.folded[first]:
            return None
        if not self.is_one_to_one[last] and end != self.folded[last + 1]:
            return None
        begin = self.original_starts[first] + start - self.folded[first]
        if self.is_one_to_one[last]:
            return begin, self.original_starts[last] + end - self.folded[last]
        return begin, self.original_starts[last + 1]


def normalize(text: str) -> str:
    """Return the folded text."""
    return " ".join(_DASHES.sub("-", _normalize_characters("NFKC", text)).split())


def fold_case_and_blanks(text: str) -> str:
    """Return a text as it is compared where only case and blanks may differ."""
    return " ".join(text.casefold().split())


def is_composed(text: str) -> bool:
    """Return whether every accented letter is one character; to compare with one that is not, both are taken apart."""
    return unicodedata.is_normalized("NFC", text)


def has_hyphenated_words(text: str) -> bool:
    """Return whether a line ends in a hyphen with a word on both sides."""
    return _HYPHENATED_LINE_END.search(text) is not None


def normalize_with_offsets(text: str, *, apart: bool = False, breaks: HyphenHandling = "kept") -> NormalizedText:
    """Return the folded text with the way back; `apart` takes letters and their accents apart."""
    form: _UnicodeForm = "NFKD" if apart else "NFKC"
    alike = {character: _normalize_characters(form, character) for character in set(text)}
    odd = "".join(sorted(re.escape(character) for character, becomes in alike.items() if len(becomes) != 1))
    kinds = [
        *([] if breaks == "kept" else [_HYPHENATED_LINE_END.pattern]),
        _WHITESPACE_OR_DASHES,
        *([f"[{odd}]"] if odd else []),
    ]
    uneven = re.compile("|".join(kinds))
    letters = str.maketrans({character: becomes for character, becomes in alike.items() if len(becomes) == 1})
    parts: list[tuple[str, int, bool]] = []
    at = 0
    for match in uneven.finditer(text):
        if match.start() > at:
            parts.append((text[at : match.start()].translate(letters), at, True))
        parts.append((_replacement(match[0], alike, breaks), match.start(), False))
        at = match.end()
    if at < len(text):
        parts.append((text[at:].translate(letters), at, True))
    return _assemble(parts, len(text))


def _assemble(parts: list[tuple[str, int, bool]], length: int) -> NormalizedText:
    starts, at = [], 0
    for part, _, _ in parts:
        starts.append(at)
        at += len(part)
    return NormalizedText(
        text="".join(part for part, _, _ in parts),
        folded=(*starts, at),
        original_starts=(*(original for _, original, _ in parts), length),
        is_one_to_one=tuple(even for _, _, even in parts),
    )


def _replacement(uneven: str, alike: dict[str, str], breaks: HyphenHandling) -> str:
    if uneven[0].isspace():
        return " "
    # It begins with a hyphen and ends with white space: a word that is broken at the end of a line.
    if uneven[-1].isspace():
        return "" if breaks == "joined" else "-"
    return alike[uneven] if len(uneven) == 1 else "-"


def _normalize_characters(form: _UnicodeForm, text: str) -> str:
    # Twice: before, because NFKC would make a blank and an accent of an acute that is used as a quote; after, because
    # it makes new quotes and dashes of full-width ones. Folding the case can undo the normal form, so it is made again.
    visible = unicodedata.normalize(form, _INVISIBLE_MARKS.sub("", text).translate(_CHARACTER_MAP))
    return unicodedata.normalize(form, visible.translate(_CHARACTER_MAP).casefold())
