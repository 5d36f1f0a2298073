"""Backslashes that a conversion to Markdown writes before the marks of a page: a reader of the page sees none."""

import re

from quaestor.evidence.blocks import parse_blocks

_SIGNS = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?<!\\)(?P<slashes>\\+)(?P<sign>[*_`~\[\]<])"
    r"|(?<!\S)\\(?P<opening>#{1,6}(?!\S)|[+-](?!\S)|>)"
    r"|(?<!\S)(?P<number>\d{1,9})\\(?P<mark>[.)])(?!\S)",
    re.DOTALL,
)
"""What marks code is found first, and left as it is. Slashes of the page itself are written twice before a mark."""

_MAX_INDENT = 40
"""Blanks before the first mark of a line."""


def without_escapes(text: str) -> str:
    """Return a text that was converted to Markdown with the marks that its page has, but for one that opens a block.

    At the start of a line a mark keeps its backslash where the line would be another kind of block without: a star
    that a page shows is no bullet.
    """
    return _SIGNS.sub(_as_shown, text) if "\\" in text else text


def _as_shown(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    return found[0] if _opens_block(found) else _sign(found)


def _sign(found: re.Match[str]) -> str:
    if found["sign"]:
        return "\\" * (len(found["slashes"]) // 2) + found["sign"]
    return found["code"] or found["opening"] or f"{found['number']}{found['mark']}"


def _opens_block(found: re.Match[str]) -> bool:
    """Return whether a mark begins a line that is another kind of block without its backslashes."""
    text, start = found.string, found.start()
    _, line_end, before = text[max(start - _MAX_INDENT, 0) : start].rpartition("\n")
    if before.strip() or not (line_end or start <= _MAX_INDENT):
        return False
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end]
    return parse_blocks(_SIGNS.sub(_sign, line))[0].kind is not parse_blocks(line)[0].kind
