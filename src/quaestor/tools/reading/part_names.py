"""Headings that name a part of any text, and files whose names tell more than these."""

import re

_WORD = re.compile(r"[^\W_]+")
_PARTS = frozenset(
    _WORD.findall(
        """
        abstract summary introduction overview contents description motivation background general notes security changes
        features fixes installation usage copyright license zusammenfassung einleitung einführung überblick übersicht
        inhalt inhaltsverzeichnis beschreibung hintergrund allgemeines hinweise sicherheit änderungen neuerungen
        """
    )
)
_QUALITIES = frozenset(("important", "noteworthy", "significant", "other", "wichtige", "wesentliche", "sonstige"))
"""What such a part may be called beside."""
_SHORTEST = 3
"""Letters of a word that tells what a text is about."""
_ANY_TEXT = re.compile("readme|index|main|home|default|liesmich", re.IGNORECASE)


def is_part_name(heading: str) -> bool:
    """Return whether a heading names a part that many texts have, as "Noteworthy changes"."""
    words = [word for word in _words(heading) if word not in _QUALITIES]
    return len(words) == 1 and words[0] in _PARTS


def tells_more(file: str, heading: str) -> bool:
    """Return whether the name of a file tells more of it than a heading: it has other words, of no other file."""
    tells = any(len(word) >= _SHORTEST for word in _words(file)) and _ANY_TEXT.match(file) is None
    return tells and set(_words(file)).isdisjoint(_words(heading))


def _words(name: str) -> list[str]:
    return [word for word in _WORD.findall(name.casefold()) if not word.isdigit()]
