"""British and American spelling: one form for both, so that a text in one is found by words in the other.

The form is the same for all words that end alike, whether or not both spellings exist; it is never shown.
"""

from collections.abc import Iterator
from typing import NamedTuple


class _Form(NamedTuple):
    """What an ending becomes, where at least so many letters stand before it."""

    ending: str
    least_before: int


_RULES = (
    (2, "isation", "ization", " s"),
    (3, "is", "iz", "e es ed er ers ing able"),
    (0, "lys", "lyz", "e es ed er ers ing"),
    (3, "our", "or", " s ed er ers ing ful able ite ites less al ally hood hoods ly"),
    *((0, f"{stem}re", f"{stem}er", " s") for stem in ["cent", "met", "lit", "theat", "fib", "calib", "spect"]),
    *((0, f"{stem}ogue", f"{stem}og", " s") for stem in ["catal", "dial", "anal", "monol", "prol", "epil"]),
    *((0, f"{stem}ence", f"{stem}ense", " s d less") for stem in ["lic", "def", "off", "pret"]),
    *(
        (0, f"{stem}l", stem, "ed ing er ers")
        for stem in [
            "travel",
            "model",
            "label",
            "cancel",
            "signal",
            "level",
            "channel",
            "fuel",
            "tunnel",
            "marshal",
            "counsel",
        ]
    ),
    (0, "gramme", "gram", " s"),
    (0, "practis", "practic", "e es ed ing"),
    (0, "judgement", "judgment", " s"),
    (0, "artefact", "artifact", " s"),
    (0, "sceptic", "skeptic", " s al ism"),
    (0, "aluminium", "aluminum", ""),
    (0, "mould", "mold", " s ed ing y"),
    (0, "plough", "plow", " s ed ing"),
    (0, "grey", "gray", " s ish"),
    (0, "byelaw", "bylaw", " s"),
    (0, "tyre", "tire", " s d"),
    (0, "kerb", "curb", " s"),
    (0, "gaol", "jail", " s ed er ers"),
    (0, "disc", "disk", " s"),
    (0, "aeroplane", "airplane", " s"),
    (0, "moustache", "mustache", " s d"),
    (0, "pyjama", "pajama", " s"),
    (0, "yoghurt", "yogurt", " s"),
    (0, "jewellery", "jewelry", ""),
    (0, "jeweller", "jeweler", " s"),
    (0, "woollen", "woolen", " s"),
    (0, "marvellous", "marvelous", " ly"),
    (0, "skilful", "skillful", " ly"),
    (0, "enrol", "enroll", " s ment ments"),
    (0, "fulfil", "fulfill", " s ment"),
    (0, "manoeuvre", "maneuver", " s"),
    (0, "sulph", "sulf", "ur ate ates uric ide ides"),
    (0, "archaeolog", "archeolog", "y ist ists ical"),
    (0, "paed", "ped", "ia ias iatric iatrics iatrician iatricians ic ics"),
    (0, "aesthe", "esthe", "tic tics tist tists sia"),
    (0, "aemia", "emia", ""),
    (0, "foet", "fet", "us uses al"),
)
"""Letters that must stand before, a British ending, the American one, and what may follow both, parted by a blank."""


def _forms() -> Iterator[tuple[str, _Form]]:
    for before, british, american, suffixes in _RULES:
        for suffix in suffixes.split(" "):
            yield british + suffix, _Form(american + suffix, before)


_FORMS = dict(_forms())
_LENGTHS = sorted({len(ending) for ending in _FORMS}, reverse=True)


def to_common_spelling(word: str) -> str:
    """Return the one form of a word in small letters that both spellings of it share."""
    for length in _LENGTHS:
        form = _FORMS.get(word[-length:])
        if form and len(word) >= length + form.least_before:
            return word[:-length] + form.ending
    return word
