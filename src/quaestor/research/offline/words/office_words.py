"""Words by which a text tells that somebody comes into an office or leaves it, in seven languages."""

import re

from quaestor.research.offline.words.language import stems_of

_COMES = (
    r"elected|appointed|succeeds|succeeded|takes over|took over|taken over|replaces|replaced|becomes|became"
    r"|gewählt|wählte?|übernimmt|übernahm|übernommen|nachfolger(?:in)?|abgelöst|ernannt|bestellt"
    r"|élit|élue?s?|nommée?s?|succèdent?|remplacée?s?|remplace|reprend|prend la (?:suite|relève)"
    r"|elige|elegid[oa]s?|nombrad[oa]s?|sucede|sustituye|elett[oaie]|nominat[oaie]|succede|sostituisce"
    r"|gekozen|benoemd|opvolg(?:er|ster)|vervangt|eleit[oa]s?|nomead[oa]s?|substitui"
)
_LEAVES = (
    r"resigns|resigned|resignation|(?:steps?|stepped|stands?|stood) down|retires|retired"
    r"|zurückgetreten|tritt \w+ ?zurück|rücktritt|scheidet|ausgeschieden|hört \w* ?auf"
    r"|démissionne|démission|quitte|dimite|dimisión|dimette|dimissioni|afgetreden|treedt af|renunci[ao]"
)
_OFFICE = re.compile(rf"\b(?:{_COMES}|{_LEAVES})(?!\w)", re.IGNORECASE)
OFFICE_TERMS = tuple(
    sorted(
        stems_of(
            "elected appointed succeeds succeeded takes took over replaces replaced becomes became resigns resigned"
            " resignation steps stepped stood down retires retired gewählt wählt wählte übernimmt übernahm übernommen"
            " nachfolger nachfolgerin abgelöst ernannt bestellt zurückgetreten rücktritt scheidet ausgeschieden"
            " élit élu élue élus nommé nommée succède remplacé remplacée remplace reprend relève démissionne démission"
            " quitte elige elegido elegida nombrado nombrada sucede sustituye dimite eletto eletta nominato nominata"
            " succede sostituisce gekozen benoemd opvolger opvolgster vervangt afgetreden eleito eleita nomeado nomeada"
        )
    )
)
"""Index terms of which a passage that may tell of an office holds one."""


def tells_of_office(text: str) -> bool:
    """Return whether a sentence has a word by which it is told that somebody comes into an office or leaves it."""
    return _OFFICE.search(text) is not None
