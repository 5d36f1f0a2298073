"""Words as services write them: out of HTML, on one line, and as few as a service takes."""

import re
from html import unescape

_HIDDEN = re.compile(
    r"<(script|style)\b[^<>]*>[^<]*(?:<(?!/?\1\b)[^<]*)*</\1\s*>|<!--[^<-]*(?:(?:-(?!->)|<(?!!--))[^<-]*)*-->",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][\w:.-]*+(?:\s[^<>=]*+=[^<>]*+|\s*+/?)>")
"""A name, and attributes with values or none at all; `a <b and c> d` is no tag."""
_BREAKING = re.compile(
    r"</?(?:address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b",
    re.IGNORECASE,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MOST_READ = 20_000
_SHOWN = 200


def plain(text: str, most: int) -> str:
    """Give text without HTML, on one line, cut to `most` characters at the end of a word where there is one."""
    bare = _TAG.sub(_gap, _HIDDEN.sub(" ", text[:_MOST_READ]))
    return _cut(" ".join(_CONTROLS.sub("", unescape(bare)).split()), most)


def line(text: str) -> str:
    """Give what a server said on one line, at most 200 characters of it."""
    return plain(text, _SHOWN)


def first_words(query: str, *, characters: int, words: int | None = None) -> str:
    """Give as many words from the beginning of a query as a service takes."""
    return _cut(" ".join(query.split()[:words]), characters)


def _gap(tag: re.Match[str]) -> str:
    return " " if _BREAKING.match(tag[0]) else ""


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: most + 1].rsplit(" ", 1)[0][:most]
