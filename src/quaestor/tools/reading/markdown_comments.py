"""Comments in Markdown: what a reader of the rendered page never sees."""

import re

_OPENING, _CLOSING = "<!--", "-->"
_FENCE = re.compile(r"[ ]{0,3}(?P<marks>`{3,}|~{3,})")
_VISIBLE = re.compile(r"[^\n]")


def blank_comments(text: str) -> str:
    """Return a Markdown text with blanks for its comments, so that all other words stay where they are.

    In code a comment is an example. One that is never closed is none.
    """
    if _OPENING not in text:
        return text
    parts: list[str] = []
    kept = at = 0
    fence = ""
    while at < len(text):
        end = _line_end(text, at)
        fence = _fence_behind(fence, text[at:end])
        start = -1 if fence else _comment_in_line(text, at, end)
        close = text.find(_CLOSING, start + len(_OPENING)) if start >= 0 else -1
        if close < 0:
            at = end + 1
            continue
        at = close + len(_CLOSING)
        parts += text[kept:start], _VISIBLE.sub(" ", text[start:at])
        kept = at
    return "".join((*parts, text[kept:]))


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _fence_behind(fence: str, line: str) -> str:
    """Return the fence of the code that a line is in or opens; none behind one that closes it."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found["marks"]
    return "" if found["marks"].startswith(fence) and not line[found.end() :].strip() else fence


def _comment_in_line(text: str, at: int, end: int) -> int:
    """Return where the first comment of a line opens that is not between marks of code; -1 without one."""
    start = text.find(_OPENING, at, end)
    while start >= 0 and text.count("`", at, start) % 2:
        start = text.find(_OPENING, start + 1, end)
    return start
