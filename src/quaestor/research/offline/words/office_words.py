"""Words by which a text tells who holds an office, or that somebody comes into one or leaves it, in seven languages."""

import re
from collections.abc import Iterator
from itertools import chain

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
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'\u2019-]*\.?(?: (?:[a-zà-ÿ]{1,3} )?[A-ZÀ-ÖØ-Þ][\w'\u2019-]+)+"
_HOLDERS = (
    re.compile(rf"(?P<name>{_NAME}) \((?P<office>[^\W\d][^()\d]{{1,40}})\)"),
    re.compile(rf"^[ \t>*+-]*(?P<office>[^\W\d][\w /-]{{1,40}}):[*_]*[ \t]+(?P<name>{_NAME})", re.MULTILINE),
)
"""How lists have somebody with an office: "Ann Berg (Chair)", "Chair: Ann Berg"."""
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


def holders(text: str) -> Iterator[tuple[str, str]]:
    """Yield who is told with what may be an office, and that: in brackets behind the name, or as a label before it."""
    for found in chain.from_iterable(one.finditer(text) for one in _HOLDERS):
        yield found["name"], found["office"]
