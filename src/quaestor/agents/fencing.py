"""Untrusted text as data in a prompt: between two fences that nothing in the text can close.

    ~~~ p1 | The title | The heading
    the text, not a character changed that a reader could quote
    ~~~

A fence is longer than every run of its character in the text, so no text can close it.
"""

import re
from collections.abc import Iterable

FENCE = "~"
MIN_FENCE_LENGTH = 3
MAX_ORIGIN_LENGTH = 120
"""The length to which a title, a heading or an address is cut."""

_FENCE_RUNS = re.compile(f"{FENCE}+")
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\U000e0000-\U000e007f]")
"""Control characters but tab and line feed, lone surrogates, and the invisible letters of Unicode's tag block."""


def replace_unreadable(text: str) -> str:
    """Return the text with every unreadable character replaced by U+FFFD; its length stays."""
    return _UNREADABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Return the readable text on one line: every run of white space becomes one blank."""
    return replace_unreadable(" ".join(text.split()))


def format_origin(text: str) -> str:
    """Return a label for an opening fence: one line, cut, without the fence's character."""
    line = one_line(text).replace(FENCE, "-")
    return line if len(line) <= MAX_ORIGIN_LENGTH else f"{line[: MAX_ORIGIN_LENGTH - 1]}…"


def enclose(text: str, *origins: str) -> str:
    """Return the text between fences; `origins` beside the opening one name what it is and where it is from."""
    data = replace_unreadable(text)
    fence = FENCE * max(MIN_FENCE_LENGTH, 1 + max(map(len, _FENCE_RUNS.findall(data)), default=0))
    return f"{fence} {' | '.join(filter(None, map(format_origin, origins)))}\n{data}\n{fence}"


def frame_list(items: Iterable[str], *origins: str) -> str:
    """Return short texts between fences, one a line."""
    return enclose("\n".join(f"- {one_line(item)}" for item in items), *origins)
