"""Days of the week that a text names by the first and the last of them: "Mon-Fri" is also on Wednesday.

The calendars of `short_forms` do not serve: in Spanish and Italian "mar" is short for a month and for a day.
"""

import re
from collections.abc import Iterator

from quaestor.evidence.tokenization import fold_letters

_DAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "de": ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    "fr": ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    "es": ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    "it": ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
    "nl": ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"],
    "pt": ["segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"],
}
_RANGE = re.compile(
    r"(?<!\w)([^\W\d_]{2,10}?)s?\.?\s*"
    r"(?:-|\u2013|\u2014|\b(?:to|until|till|through|bis|au?|à|al|tot(?: en met)?|t/m)\b)\s*([^\W\d_]{2,10})(?!\w)"
)
_SHORTEST = 3
"""Letters of a day in small letters, where days are written so; with a capital two are enough."""


def days_between(text: str, language: str) -> Iterator[str]:
    """Yield the names of the days within the ranges of a text, the first and the last too; one may go over Sunday."""
    days = _DAYS.get(language, [])
    for found in _RANGE.finditer(text) if days else ():
        first, last = _number(found[1], days), _number(found[2], days)
        if first is not None and last is not None:
            yield from (days[(first + step) % len(days)] for step in range((last - first) % len(days) + 1))


def _number(word: str, days: list[str]) -> int | None:
    """Return which day a word is, or the beginning of one; None for a word that begins none or several."""
    if not word[0].isupper() and (days[0][0].isupper() or len(word) < _SHORTEST):
        return None
    begun = fold_letters(word.casefold())
    called = [place for place, day in enumerate(days) if fold_letters(day.casefold()).startswith(begun)]
    return called[0] if len(called) == 1 else None
