"""The footnotes of a sentence: what is said of it at the end of its text, as that the number is in error."""

import re
from collections.abc import Iterator

from quaestor.evidence.tokenization import content_terms
from quaestor.research.offline.words.markup import strip_markup

_REFERENCE = re.compile(r"\[\^(?P<marked>[\w-]+)\](?!:)|\[(?P<restructured>#?[\w-]+)\]_")
"""In Markdown and in reStructuredText."""
_BEHIND = re.compile(r"[ \t]?(?:\[\^[\w-]+\](?!:)|\[#?[\w-]+\]_)+")
"""References right behind the full stop of a sentence are its own."""
_ADDRESS = re.compile(r"<?https?:\S+")
_FEWEST = 4
"""Telling words of a note that says something; others name a source."""


def footnotes(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the footnotes stand to which a sentence from `start` up to `end` of a text refers."""
    behind = _BEHIND.match(text, end)
    for found in _REFERENCE.finditer(text, start, behind.end() if behind else end):
        name = re.escape(found["marked"] or found["restructured"])
        opening = rf"\[\^{name}\]:" if found["marked"] else rf"\.\. \[{name}\]"
        note = re.search(rf"^[ ]{{0,3}}{opening}[ \t]+(?P<said>\S.*(?:\n[ \t]+\S.*)*)", text, re.MULTILINE)
        if note and len(content_terms(_ADDRESS.sub(" ", strip_markup(note["said"])))) >= _FEWEST:
            yield note.span("said")
