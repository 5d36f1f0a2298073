"""Questions for a measure: how high, how old, how far; what tells it seldom has the word that asks."""

import re
from functools import cache

from quaestor.evidence.stemming import added_stems
from quaestor.evidence.tokenization import terms

_HOW_MUCH_OF_IT = re.compile(
    r"\bhow (old|young|tall|high|long|wide|broad|deep|thick|far|big|large|heavy|fast|expensive)\b"
    r"|\bwie (alt|hoch|lange?|breit|tief|dick|weit|gro(?:ß|ss)|schwer|schnell|teuer)\b",
    re.IGNORECASE,
)
_TOLD_BY = {
    None: """
        age aged born high height long length wide width deep depth thick thickness distance away size area heavy weight
        weigh speed price cost fee metre meter kilometre kilometer centimetre millimetre km cm mm mile foot inch yard
        hectare acre gram kilogram kg tonne ton pound litre liter year month week day hour minute second
        euro dollar cent percent
    """,
    "de": """
        Alter geboren Höhe Länge Breite Tiefe Dicke Entfernung entfernt Größe Fläche Gewicht wiegt Preis kostet Dauer
        Meter Kilometer Zentimeter Millimeter km cm mm Hektar Gramm Kilogramm kg Tonne Liter Jahr Monat Woche Tag Stunde
        Minute Sekunde Euro Cent Prozent
    """,
}
"""Words of which a text that tells a measure has one; None: English."""


def measure_places(text: str) -> frozenset[int]:
    """Return where the words of a question stand that ask for a measure, as "high" in "how high"."""
    return frozenset(match.start(match.lastindex or 0) for match in _HOW_MUCH_OF_IT.finditer(text))


@cache
def measure_stems(language: str | None) -> frozenset[str]:
    """Return the index terms of the words by which texts of a language tell measures."""
    told = _TOLD_BY.get(language, _TOLD_BY[None])
    return frozenset((*terms(told), *added_stems(told, language)))
