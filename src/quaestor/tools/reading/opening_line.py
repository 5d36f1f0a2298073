"""The title of a plain text that marks none: its first line, where that stands apart and is no sentence."""

import re

from quaestor.evidence.letter_lines import GREETING, is_place_and_day

_MAX_CHARACTERS = 100
_WORDS = range(2, 15)
"""A single word, as NOTICE, is what many texts are called: the name of the file tells more."""
_SALUTATION = re.compile(rf"{GREETING}|(?:by|von|par|por|di|door)\b", re.IGNORECASE)
"""The beginning of a letter, or the author below a title that stands elsewhere."""
_OPENING = re.compile(r"[^\W_]|[\"'\u00ab\u201c\u201e\u2018(]")
_FIELD = re.compile(r"[^\s:]+(?: [^\s:]+)?\s?:(?:\s|\Z)")
"""As "From:" and "Von :", of a letter."""
_SENTENCE_END = re.compile(r"[.!?…:;,][\"'\u201d\u201c\u00bb\u2019)]?\Z")


def opening_title(text: str) -> str:
    """Return the first line as the title of a plain text; else nothing.

    It stands above an empty line or a field ("Present: ..."), or is in capitals, and words follow; it does not end as a
    sentence does, and is no field, salutation or day of a letter. A line in capitals may end with a full stop: so books
    write chapters.
    """
    first, _, below = text.lstrip("\ufeff \t\r\n").partition("\n")
    line, following = " ".join(first.split()), below.split("\n", 1)[0].strip()
    is_capitals = line == line.upper()
    is_apart = not following or _FIELD.match(following) or (is_capitals and not following.isupper())
    if not (below.strip() and is_apart):
        return ""
    if len(line) > _MAX_CHARACTERS or len(line.split()) not in _WORDS or not _OPENING.match(line):
        return ""
    if is_place_and_day(line) or _FIELD.match(line) or _SALUTATION.match(line):
        return ""
    is_sentence = _SENTENCE_END.search(line) is not None and not (is_capitals and line.endswith("."))
    return "" if is_sentence or not any(map(str.isalpha, line)) else line.rstrip(".")
