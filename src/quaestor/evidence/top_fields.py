"""The fields at the top of a text that share an indent, or stand between the marks of preformatted text."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

_TAG = re.compile(r"</?pre(?:\s[^<>]*)?>", re.IGNORECASE)
_OPENED = re.compile(
    r"\s*(?:[^\s=#<`~][^\n]*\n(?:[*+-][ \t][^\n]*\n)*[ \t]*\n\s*)?(?:<pre(?:\s[^<>\n]*)?>|`{3,}|~{3,})[ \t]*\n"
    r"(?=[ \t]*\S)",
    re.IGNORECASE,
)
"""The mark above the fields, at most below a line that warns of the whole text, or below a list of its changes."""
_CLOSING = re.compile(r"[ \t]*(?:</pre>|`{3,}|~{3,})\s*\Z", re.IGNORECASE)
_FIELD = re.compile(r"[^\W\d_][^\n:\uff1a]{0,38}[:\uff1a](?:\s|\Z)")
_MIN_FIELDS = 2
_MIN_BELOW_CUT = 2
"""Fields below the first line of a passage, which has lost its blanks, that show that it is one of them."""


class TopFields(NamedTuple):
    """The lines of the fields, from `start` up to `end`, each indented by the columns of `margin`."""

    start: int
    end: int
    margin: int


def is_preformatting(line: str) -> bool:
    """Return whether a line is nothing but the tag at which preformatted text begins or ends."""
    return line[:1] == "<" and _TAG.fullmatch(line) is not None


def indent_of(line: str) -> int:
    """Return how many blanks a line begins with."""
    return len(line) - len(line.lstrip(" \t"))


def find_top_fields(text: str) -> TopFields | None:
    """Return the fields at the very top of a text or passage that are indented or marked as preformatted; else None.

    Lines that are indented deeper than the fields continue them; every other line of their paragraph is a field.
    """
    opened = _OPENED.match(text)
    start = opened.end() if opened else text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    lines = list(takewhile(_is_within, _lines_from(text, start)))
    margin = min(map(indent_of, lines[1:]), default=0)
    is_cut = not (start or indent_of(text))
    if not (opened or margin) or not (indent_of(lines[0]) == margin or is_cut):
        return None
    below = [line for line in lines[1:] if indent_of(line) == margin]
    if len(below) < (_MIN_BELOW_CUT if indent_of(lines[0]) < margin else _MIN_FIELDS - 1):
        return None
    return TopFields(start, start + sum(map(len, lines)), margin) if _are_fields((lines[0], *below)) else None


def with_plain_fields(text: str) -> str:
    """Return a text with the fields that are found at its top repeated above it, as they are without their indent."""
    top = find_top_fields(text)
    if top is None:
        return text
    lines = text[top.start : top.end].splitlines()
    return "".join(f"{line[min(top.margin, indent_of(line)) :]}\n" for line in lines) + f"\n{text}"


def _lines_from(text: str, start: int) -> Iterator[str]:
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _is_within(line: str) -> bool:
    return bool(line.strip()) and _CLOSING.match(line) is None


def _are_fields(lines: Sequence[str]) -> bool:
    return all(_FIELD.match(line.lstrip()) for line in lines)
