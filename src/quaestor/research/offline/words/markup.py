"""Inline markup of reStructuredText and Markdown, taken off."""

import re

_LINK = r"`[^`<]+?\s*<[^`>]+>`_{0,2}|!?\[[^\]]+\]\([^)\s]*\)|`[^`]+`_{1,2}|<?https?://[^\s>]+>?"
_ONLY_LINKS = re.compile(rf"(?:\W*?(?:{_LINK}))+\W*")
_LEAD = re.compile(r"^\s*(?:[-*+•>]|\(?\d{1,2}[.)]|#+)\s+")
_FOOTNOTE = re.compile(r"\s*\[[#*\w]{1,20}\]_|\[\^[^\]\s]{1,40}\](?!:)")
_NOTE_BEHIND = re.compile(r"(?<=[^\W\d_])(?:\s?\[(?:\d{1,3}|[a-z*])\]|[*\u2020\u2021]{1,3})\Z")
"""As in "Oslo[1]" and "Bern*", where no markup says that it marks a note."""
_INLINE = re.compile(
    r"``(?P<literal>.+?)``"
    r"|:(?:[\w.+-]+:)?(?P<role>[\w.+-]+):`[~!]?(?P<content>[^`<]+?)(?:\s*<[^`>]*>)?`"
    r"|`(?P<named>[^`<]+?)\s*<[^`>]*>`_{0,2}"
    r"|!?\[(?P<label>[^\]]+)\]\([^)]*\)"
    r"|`(?P<phrase>[^`]+)`_{0,2}"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?<![\w*])\*(?P<emphasis>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)",
    re.DOTALL,
)
_STRUCK = re.compile(r"~~(?=\S).+?~~|<(?:s|del|strike)>", re.IGNORECASE | re.DOTALL)
_ESCAPED = re.compile(r"(?<=\w)\\ ?(?=s\b)|\\(?=[*`_|\[\]<>])|\\ ")
_SPACE_BEFORE_PUNCTUATION = re.compile(r" (?=[.,;](?:\s|$))")
_NUMBER = re.compile(r"\d[\d.]*")
_MAX_ROLE_LENGTH = 4


def strip_markup(text: str) -> str:
    """Put a sentence on one line, without the marks of markup; ``:rfc:`2119``` becomes "RFC 2119"."""
    plain = _ESCAPED.sub("", _INLINE.sub(_content, _FOOTNOTE.sub("", _LEAD.sub("", text))))
    return _SPACE_BEFORE_PUNCTUATION.sub("", " ".join(plain.split()))


def without_note(name: str) -> str:
    """Return a name without the mark of a note behind it."""
    return _NOTE_BEHIND.sub("", name.rstrip())


def is_struck(text: str) -> bool:
    """Return whether some of a text is struck out."""
    return _STRUCK.search(text) is not None


def is_link(text: str) -> bool:
    """Return whether a text is nothing but links."""
    return _ONLY_LINKS.fullmatch(text.strip()) is not None


def _content(match: re.Match[str]) -> str:
    role, content = match["role"], match["content"]
    if role and len(role) <= _MAX_ROLE_LENGTH and _NUMBER.fullmatch(content):
        return f"{role.upper()} {content}"
    return next(group for name, group in match.groupdict().items() if name != "role" and group is not None)
