"""Questions for the most or the least of several, which one passage alone answers only where it says so."""

import re

from quaestor.evidence.normalization import normalize

_EXTREME = re.compile(
    r"\b(?:(?:larg|bigg|small|high|low|tall|long|short|old|young|new|heavi|light|fast|slow|rich|poor|strong|weak|wid|deep"
    r"|great|cheap)est"
    r"|(?<!at )(?:most|least) \w+|fewest \w+"
    r"|(?:größt|kleinst|höchst|niedrigst|längst|kürzest|ältest|jüngst|teuerst|billigst|meist|wenigst)e[nrs]?"
    r"|(?:le|la|les) plus (?!de\b|d')\w+|(?:el|la|los|las)(?: \w+)? más \w+"
    r"|сам(?:ый|ая|ое|ые|ого|ой|ых) \w+|最\w)",  # noqa: RUF001 (Cyrillic letters)
    re.IGNORECASE,
)
"""In English, German, French, Spanish, Russian and Chinese."""
_CHOOSES = re.compile(
    r"\b(?:which|what|who|whose|where|welche[rsnm]?|was|wer|wo|quel(?:le)?s?|qui|où|cuál(?:es)?|qué|quién(?:es)?|dónde"
    r"|как(?:ой|ая|ое|ие)|кто|где)\b|哪|什么|谁",  # noqa: RUF001 (Cyrillic letters)
    re.IGNORECASE,
)


def asked_extremes(text: str) -> tuple[str, ...]:
    """Return the words by which a question asks for the most or the least of several: longest, most berths."""
    if _CHOOSES.search(text) is None:
        return ()
    return tuple(match[0] for match in _EXTREME.finditer(text))


def states_extremes(text: str, extremes: tuple[str, ...]) -> bool:
    """Return whether a text says of something that it is the most or the least, in the words of a question."""
    said = normalize(text)
    return all(normalize(each) in said for each in extremes)
