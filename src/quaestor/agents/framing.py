"""Untrusted text as data in a prompt: between two fences that nothing in the text can close.

    ~~~ p1 | The title | The heading
    the text, not a character changed that a reader could quote
    ~~~

A fence is longer than every run of its character in the text, so whatever the text says, it says it inside.
"""

import re
from collections.abc import Iterable

FENCE = "~"
SHORTEST = 3
LONGEST_ORIGIN = 120
"""How many characters are told of a title, a heading or an address."""

_RUNS = re.compile(f"{FENCE}+")
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\U000e0000-\U000e007f]")
"""Control characters but tab and line feed, lone surrogates, and the invisible letters of Unicode's tag block."""


def readable(text: str) -> str:
    """Give the text with everything that is no text replaced by U+FFFD, of the same length."""
    return _UNREADABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Give the readable text on one line: every run of white space is one blank."""
    return readable(" ".join(text.split()))


def origin(text: str) -> str:
    """Give what may stand beside an opening fence: one line, cut, without the fence's character."""
    line = one_line(text).replace(FENCE, "-")
    return line if len(line) <= LONGEST_ORIGIN else f"{line[: LONGEST_ORIGIN - 1]}…"


def framed(text: str, *origins: str) -> str:
    """Give the text between its fences; `origins` say beside the opening one what it is and where it is from."""
    data = readable(text)
    fence = FENCE * max(SHORTEST, 1 + max(map(len, _RUNS.findall(data)), default=0))
    return f"{fence} {' | '.join(filter(None, map(origin, origins)))}\n{data}\n{fence}"


def listed(items: Iterable[str], *origins: str) -> str:
    """Give short texts between fences, one a line."""
    return framed("\n".join(f"- {one_line(item)}" for item in items), *origins)
