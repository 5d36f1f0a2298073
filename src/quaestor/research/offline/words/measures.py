"""Questions for a measure, a cost or a telephone: what tells it seldom has the word that asks, as high in how high."""

import re
from functools import cache

from quaestor.evidence.stemming import added_stems
from quaestor.evidence.tokenization import terms

_HOW = re.compile(r"\b(?:how|wie|hoe|quanto|quanta)(?: [eè])? (?P<measure>[^\W\d_]+)", re.IGNORECASE)
_LENGTHS = "metre meter kilometre kilometer centimetre millimetre km cm mm mile foot feet inch yard"
_WEIGHTS = "weight weigh gram kilogram kg tonne ton pound ounce"
_PRICES = "price cost euro dollar pound cent"
_LENGTHS_DE = "Meter Kilometer Zentimeter Millimeter km cm mm"
_TIMES_DE = "Dauer Jahr Monat Woche Tag Stunde Minute Sekunde"
_PRICES_DE = "Preis Kosten kostet Euro Cent Franken Rappen Dollar Pfund"
_LENGTHS_NL = "meter kilometer centimeter millimeter km cm mm"
_PRICES_NL = "prijs kosten kost euro cent"
_LENGTHS_IT = "metro metri chilometro chilometri centimetro centimetri km cm mm"
_TOLD_BY = {
    **dict.fromkeys(["old", "young"], "age aged born"),
    **dict.fromkeys(["tall", "high"], f"height tall high {_LENGTHS}"),
    "long": f"length {_LENGTHS} year month week day hour minute",
    **dict.fromkeys(["wide", "broad"], f"width wide broad {_LENGTHS}"),
    "deep": f"depth {_LENGTHS}",
    "thick": f"thickness {_LENGTHS}",
    "far": f"distance away {_LENGTHS}",
    **dict.fromkeys(["big", "large"], f"size area square hectare acre {_LENGTHS}"),
    "heavy": _WEIGHTS,
    "fast": "speed km/h mph",
    "expensive": _PRICES,
    "alt": "Alter geboren",
    "hoch": f"Höhe {_LENGTHS_DE} {_PRICES_DE} Prozent",
    **dict.fromkeys(["lang", "lange"], f"Länge {_LENGTHS_DE} {_TIMES_DE}"),
    "breit": f"Breite {_LENGTHS_DE}",
    "tief": f"Tiefe {_LENGTHS_DE}",
    "weit": f"Entfernung entfernt {_LENGTHS_DE}",
    **dict.fromkeys(["groß", "gross"], f"Größe Fläche Hektar {_LENGTHS_DE}"),
    "schwer": "Gewicht wiegt Gramm Kilogramm kg Tonne",
    "teuer": _PRICES_DE,
    "hoog": f"hoogte {_LENGTHS_NL} {_PRICES_NL} procent",
    "breed": f"breedte {_LENGTHS_NL}",
    "diep": f"diepte {_LENGTHS_NL}",
    "ver": f"afstand {_LENGTHS_NL}",
    "zwaar": "gewicht weegt gram kilogram kg ton",
    "oud": "leeftijd geboren jaar",
    "duur": _PRICES_NL,
    "groot": f"grootte oppervlakte hectare {_LENGTHS_NL}",
    **dict.fromkeys(["alto", "alta"], f"altezza {_LENGTHS_IT}"),
    **dict.fromkeys(["lungo", "lunga"], f"lunghezza {_LENGTHS_IT}"),
    **dict.fromkeys(["largo", "larga"], f"larghezza {_LENGTHS_IT}"),
    **dict.fromkeys(["profondo", "profonda"], f"profondità {_LENGTHS_IT}"),
    **dict.fromkeys(["lontano", "lontana"], f"distanza {_LENGTHS_IT}"),
}
"""Words of which a text that tells a measure has one, by the word that asks for it.

In French, Spanish and Portuguese a noun or a verb asks, which stands in what tells it.
"""

_COST_WORDS = (
    "cost costs price kostet kosten preis coûte coûtent coût prix cuesta cuestan precio costa costano prezzo kost prijs"
    " custa custam preço"
)
_TELEPHONE_WORDS = (
    "telephone phone telefon telefonnummer rufnummer téléphone teléfono telefono telefoon telefoonnummer telefone"
)
_AMOUNT = re.compile(
    r"[£€$]\s?\d|\d\s?(?:[£€$]|(?:euros?|pounds?|dollars?|pence|cents?|francs?|franken|eur|gbp|usd|chf)\b)",
    re.IGNORECASE,
)
_TELEPHONE_NUMBER = re.compile(r"(?<![\w.])(?:\+|\(?0)\d(?:[ /().-]{0,2}\d){7,13}(?!\w)")
_SIGNS = {
    word: sign
    for words, sign in ((_COST_WORDS, _AMOUNT), (_TELEPHONE_WORDS, _TELEPHONE_NUMBER))
    for word in words.split()
}
"""What tells a cost or a telephone without that word, by the words that ask for it."""


def measures_asked(text: str) -> dict[int, str]:
    """Return the words of a question that ask for a measure, as "high" in "how high", by their places."""
    found = (match for match in _HOW.finditer(text) if match["measure"].casefold() in _TOLD_BY)
    return {match.start("measure"): match["measure"].casefold() for match in found}


@cache
def measure_stems(measure: str, language: str | None) -> frozenset[str]:
    """Return the index terms of the words by which a measure is told."""
    told = _TOLD_BY[measure]
    return frozenset((*terms(told), *added_stems(told, language)))


def asks_for_number(word: str) -> bool:
    """Return whether a word asks for what a sign or a number tells without it: a cost, a telephone."""
    return word.casefold() in _SIGNS


def tells_number_of(word: str, sentence: str) -> bool:
    """Return whether a sentence has an amount of money where a cost is asked for, a telephone number where that is."""
    sign = _SIGNS.get(word.casefold())
    return sign is not None and sign.search(sentence) is not None
