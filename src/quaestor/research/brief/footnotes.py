"""The footnotes of a sentence: what is said of it at the end of its text, as that the number is in error.

Those of a book may stand in a text of their own.
"""

import re
from collections.abc import Iterator

from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.words.markup import strip_markup

_REFERENCE = re.compile(r"\[\^(?P<marked>[\w-]+)\](?!:)|\[(?P<restructured>#?[\w-]+)\]_")
"""In Markdown and in reStructuredText."""
_BEHIND = re.compile(r"[ \t]?(?:\[\^[\w-]+\](?!:)|\[#?[\w-]+\]_)+")
"""References right behind the full stop of a sentence are its own."""
_NUMBER = re.compile(r"(?<=[^\s\[(])\[(?P<number>\d{1,3})\](?![_(:\[])")
"""A number at the end of a word, as pages refer to notes on another page."""
_ADDRESS = re.compile(r"<?https?:\S+")
_BACK = re.compile(r"[\s\u21a9\ufe0e]+\Z")
"""What leads from a note back to its sentence."""
_FEWEST = 4
"""Telling words of a note that says something; others name a source."""


def footnotes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the footnotes stand to which a sentence from `start` up to `end` of a text refers."""
    behind = _BEHIND.match(text, end)
    for found in _REFERENCE.finditer(text, start, behind.end() if behind else end):
        name = re.escape(found["marked"] or found["restructured"])
        opening = rf"\[\^{name}\]:" if found["marked"] else rf"\.\. \[{name}\]"
        note = re.search(rf"^[ ]{{0,3}}{opening}[ \t]+(?P<said>\S.*(?:\n[ \t]+\S.*)*)", text, re.MULTILINE)
        if note and _tells(note["said"]):
            yield note.span("said")


def note_numbers(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the numbers of notes to which a text refers from `start` up to `end`."""
    return tuple(found["number"] for found in _NUMBER.finditer(text, start, end))


def numbered_note(notes: str, number: str) -> tuple[int, int] | None:
    """Return where the note with a number stands in a text of notes; None where it has none or several of it."""
    found = [*re.finditer(rf"^[ ]{{0,3}}(?:{number}\.|\[{number}\])[ \t]+(?P<said>\S.*)", notes, re.MULTILINE)]
    if len(found) != 1 or not _tells(found[0]["said"]):
        return None
    start, end = found[0].span("said")
    back = _BACK.search(notes, start, end)
    return start, back.start() if back else end


def _tells(note: str) -> bool:
    return len(content_terms(_ADDRESS.sub(" ", strip_markup(note)))) >= _FEWEST
