"""Character references in Markdown, as the soft hyphen of Bio&shy;tonne: a reader of the page sees the characters."""

import html
import re
from collections.abc import Iterator

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks

_REFERENCE = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_ANY = re.compile(_REFERENCE)
_IN_TEXT = re.compile(
    rf"(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n).){{0,1000}}?(?<!`)\1(?!`)|(?P<reference>{_REFERENCE})", re.DOTALL
)
"""What stands between marks of code is found first, and left as it is."""
_MARKS = frozenset("|*_`[]#~<>\\")
"""Characters that would be read as marks of Markdown, which they are not where they are written by reference."""


def decode_references(text: str) -> str:
    """Return a Markdown text with the characters that references stand for, but not in code."""
    if _ANY.search(text) is None:
        return text
    return "".join(_decoded_parts(text))


def _decoded_parts(text: str) -> Iterator[str]:
    at = 0
    for block in parse_blocks(text):
        if block.kind is BlockKind.CODE:
            yield _IN_TEXT.sub(_character, text[at : block.top])
            yield text[block.top : block.bottom]
            at = block.bottom
    yield _IN_TEXT.sub(_character, text[at:])


def _character(found: re.Match[str]) -> str:
    """Return the character of a reference, if it has one that is seen as itself."""
    character = html.unescape(found[0]) if found["reference"] else found[0]
    return found[0] if character in _MARKS or (character.isspace() and character != "\u00a0") else character
