"""Headings of plain texts that are told by a number: "4. Side effects", "§ 4 Deposit", "Article IV"."""

import re
from collections.abc import Sequence

NEAR_LINES = 3
"""How far below a heading its text begins."""
_MAX_CHARACTERS = 80
_NUMBERED = re.compile(
    r"(?:(?P<number>\d{1,3}(?:\.\d{1,3})*)[.)]?[ \t]+"
    r"|(?:§ ?\d+\w?|(?:article|section|chapter|part|artikel|abschnitt|kapitel|chapitre|titre|artículo|capítulo"
    r"|статья|глава) (?:\d+\w?|[IVXLC]+))\b[.:]?(?:[ \t]+|\Z))"
    r"(?P<title>(?:[^\W\d_].*)?)",
    re.IGNORECASE,
)
_FIRST_PARAGRAPH = re.compile(r"\(?1[a-z]?\) ")
"""How the text below the title of a part of a law begins."""
_TEXT_ENDS = (".", "?", "!", ";", ":", ",", "。")


def numbered_heading_depth(line: str, below: Sequence[str]) -> int | None:
    """Return how many numbers follow the first one of a heading, as one in 4.1; None where a line is no heading.

    A number alone heads text that a blank line parts from it, and that is no further item. What laws call their parts
    also stands right above the words of the part.
    """
    found = _NUMBERED.fullmatch(line) if len(line) <= _MAX_CHARACTERS else None
    text = next(filter(None, below), "")
    if found is None or found["title"].endswith(_TEXT_ENDS) or found["title"][:1].islower():
        return None
    if not (text[:1].isalnum() or _FIRST_PARAGRAPH.match(text)):
        return None
    if found["number"] is None:
        return None if below[0][:1].islower() else 0
    if below[0] or not found["title"] or _NUMBERED.fullmatch(text):
        return None
    return found["number"].count(".")
