"""Untrusted text made safe to look at: nothing in it is hidden, and nothing in it moves what is around it."""

import re

_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line ends, and the marks that turn the direction of all that follows them."""


def visible(text: str) -> str:
    """Give the text with every control character and every turn of direction replaced by U+FFFD."""
    return _HIDDEN.sub("\ufffd", text)


def escaped(json: str) -> str:
    """Give JSON that stands for the same text, with every such character written as an escape."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def one_line(text: str) -> str:
    """Give the text on one line: every run of white space is one blank, and nothing is hidden."""
    return visible(" ".join(text.split()))
