"""Texts that are stored as they are, and what their first lines say of them."""

import re

from quaestor.evidence.blocks import Kind, blocks
from quaestor.tools.reading import dates
from quaestor.tools.reading.kinds import MARKDOWN
from quaestor.tools.reading.parsed import Parsed

_TOP = 20_000
"""Characters that are searched for a title."""
_TITLE_FIELD = re.compile(r"^title:[ \t]*(?P<title>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE)
_FIRST_FIELD = re.compile(r"(?:---\n)?\s*[A-Za-z][\w-]*:[ \t]")
_AFTER_FIELDS = re.compile(r"\n\s*\n|\n---")


def plain(text: str, media_type: str) -> Parsed:
    """Give a text with its title, if it has one, and the date among the fields at its top."""
    return Parsed(title=_title(text, media_type), text=text, published=dates.field(text))


def _title(text: str, media_type: str) -> str:
    """Give the `Title:` among the fields at the top, else the first heading, else nothing."""
    top = text[:_TOP]
    if _FIRST_FIELD.match(top):
        fields = _AFTER_FIELDS.split(top, maxsplit=1)[0]
        if field := _TITLE_FIELD.search(fields):
            return " ".join(field["title"].split()).strip("\"'")
    signs = media_type == MARKDOWN
    headings = (
        top[block.start : block.end]
        for block in blocks(top)
        if block.kind is Kind.HEADING and (signs or block.style[0] != "#")
    )
    return " ".join(next(headings, "").split())
