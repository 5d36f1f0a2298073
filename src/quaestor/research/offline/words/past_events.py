"""Whether words tell an event, or what came of one, by the form of their verbs: leaked, had been felled, is used up.

There are many verbs by which a thing may be lost, and few forms by which all of them tell it.
"""

import re

from quaestor.evidence.irregular_forms import BASE_OF

_ENGLISH_PAST = r"[^\W\d_]{2,}(?<!e)(?<!hundr)ed"
_BEHIND = 6
"""Words behind an auxiliary among which its participle stands: "wurde im Herbst gefällt"."""
_FORMS = tuple(
    (frozenset(auxiliaries.split()), re.compile(participle))
    for auxiliaries, participle in (
        (
            "ist sind war waren wurde wurden hat haben hatte hatten",
            r"\w{0,5}ge\w{2,}(?:t|en)|(?:ver|zer|ent|be|er)\w{2,}(?:t|en)",
        ),
        ("est sont était étaient fut furent a ont avait avaient été", r"\w{3,}(?:ée?s?|ue?s?)"),
        ("es son fue fueron ha han había habían está están", r"\w{2,}[ai]d[oa]s?"),
        ("è sono era erano fu furono ha hanno aveva avevano", r"\w{2,}[aiu]t[oaie]"),
        (
            "is zijn was waren werd werden heeft hebben had hadden",
            r"\w{0,5}ge\w{2,}(?:t|d|en)|(?:ver|ont|her)\w{2,}(?:t|d|en)",
        ),
        ("é são foi foram está estão tem têm tinha tinham", r"\w{2,}[ai]d[oa]s?"),
    )
)
"""The auxiliaries of German, French, Spanish, Italian, Dutch and Portuguese, each with the form of a participle."""
_PAST = re.compile(rf"{_ENGLISH_PAST}|{'|'.join(BASE_OF)}")
_WORD = re.compile(r"[^\W\d_]+")


def tells_event(text: str) -> bool:
    """Return whether a text has a verb of the past, or a participle behind an auxiliary."""
    said = _WORD.findall(text.casefold())
    if any(map(_PAST.fullmatch, said)):
        return True
    return any(
        word in auxiliaries and any(map(participle.fullmatch, said[place + 1 : place + 1 + _BEHIND]))
        for place, word in enumerate(said)
        for auxiliaries, participle in _FORMS
    )
