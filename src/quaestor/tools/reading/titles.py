"""What a plain text, with or without markup, calls itself: in a field at its top, or by its first heading."""

import re
from collections.abc import Sequence

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.heading_blocks import is_comment, is_told_by_words, plain_heading
from quaestor.evidence.top_fields import with_plain_fields
from quaestor.tools.reading.content_type import RST
from quaestor.tools.reading.part_names import is_part_name, tells_more

_SEARCH_CHARACTERS = 20_000
"""Characters that are searched for a title."""
_MOST_ABOVE = 1
"""Paragraphs above a title: a motto, a line of links."""
_NUMBERS = re.compile(r"\([^()]*\)|\d+")
"""What differs in the headings of releases: their numbers, and days in brackets."""
_TITLE_FIELD = re.compile(r"^(?:title|subject):[ \t]*(?P<title>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE)
_FIRST_FIELD = re.compile(r"(?:---\n)?\s*[A-Za-z][\w-]*:[ \t]")
_FIELDS_END = re.compile(r"\n\s*\n|\n---")


def find_title(text: str, media_type: str, file: str) -> str:
    """Return the `Title:` among the fields at the top, else the first marked heading, else nothing.

    A heading below paragraphs is that of a section, unless Markdown marks it as the first of all; so is one of many
    that differ in their numbers alone, as the releases of a list of changes do. Of a first level with several headings,
    and of a heading that names a part of any text, the name of the file tells more, unless it has a word of the heading
    or calls every text so.
    """
    top = with_plain_fields(text[:_SEARCH_CHARACTERS])
    if _FIRST_FIELD.match(top):
        fields = _FIELDS_END.split(top, maxsplit=1)[0]
        if field := _TITLE_FIELD.search(fields):
            return _unquoted(" ".join(field["title"].split()))
    blocks = parse_blocks(top)
    headings = [
        (place, block)
        for place, block in enumerate(blocks)
        if block.kind is BlockKind.HEADING
        and not (is_told_by_words(block.style) or is_comment(block.style, media_type))
    ]
    if not headings:
        return ""
    place, first = headings[0]
    above = sum(block.kind is BlockKind.PROSE for block in blocks[:place])
    # Of a release and its day the first line: the names of days and months differ.
    shapes = [_NUMBERS.sub("0", top[block.start : block.end].partition("\n")[0]) for _, block in headings]
    title = plain_heading(top[first.start : first.end])
    is_below_text = above > _MOST_ABOVE and first.style != "#"
    is_section = _is_section(title, [block for _, block in headings], media_type)
    if is_below_text or shapes[0] in shapes[1:] or is_section:
        return ""
    has_equals = first.style == "#" and any(block.style == "#" for _, block in headings[1:])
    return "" if (has_equals or is_part_name(title)) and tells_more(file, title) else title


def _is_section(title: str, headings: Sequence[Block], media_type: str) -> bool:
    """Return whether the first heading is that of a section.

    It has others beside it and a lower level than the first; or a section is mostly called so ("Abstract"), and one of
    both. In reStructuredText the order of appearance alone decides the levels.
    """
    style = headings[0].style
    has_others = any(block.style == style for block in headings[1:])
    is_lower = style.startswith(("##", "==")) or style == "-"
    if is_part_name(title) and (has_others or is_lower):
        return True
    return has_others and (is_lower or media_type == RST)


def _unquoted(title: str) -> str:
    """Return a title without the quotation marks around the whole of it; those of a work that it names stay."""
    mark = title[:1]
    quoted = mark in {'"', "'"} and title.endswith(mark) and mark not in title[1:-1]
    return title[1:-1].strip() if quoted else title
