"""Words by which a text tells that an option or a name of a program is gone, in seven languages."""

import re

from quaestor.research.offline.words.language import stems_of

REMOVED = (
    r"removed|deleted|dropped|deprecated|renamed|replaced|is gone|are gone"
    r"|no longer (?:exists?|supported|available|used)|entfernt|entfällt|umbenannt|ersetzt|supprimée?s?|renommée?s?"
    r"|eliminad[oa]s?|rimoss[oaie]|verwijderd|removid[oa]s?"
)
"""Said of what there is no more, or will not be."""
_COPULA = (
    r"is|are|was|were|has|have|had|been|be|will|gets?|wird|werden|wurden?|worden|ist|sind|est|sont|a|ont|été|sera|es|son"
    r"|fue|fueron|sido|ha|han|è|sono|stat[oaie]|viene|wordt|werd(?:en)?|zijn|é|são|foi|foram|now|\w+ly"
)
_MOVED_OUT = (
    r"(?:moved|extracted|split(?: out)?) (?:in)?to (?:(?:an?|its|the) )?(?:[^\s.;]+ ){0,2}"
    r"(?:plug-?in|package|extension|module|crate|library|repository|project|gem|add-?on)"
)
"""Said of what is no longer where it was."""
_CODE_BESIDE = r"(?:[\s,/]*+(?:(?:and|or|und|oder|et|ou|y|e|en|&)\s++)?`++[^`]++`++)*+"
REMOVED_BEHIND = re.compile(
    rf"[`\"')]*+{_CODE_BESIDE}\s*+(?:[^\W\d_]++\s++)?(?:(?:{_COPULA})\s++)*+(?:{REMOVED}|{_MOVED_OUT})\b",
    re.IGNORECASE,
)
"""Behind an option or a name of a program, and at most one word that tells its kind: it is no more."""
OF_CODES = re.compile(
    r"(`(?:\s+[^\W\d_]+)?)\s+(?:for|of|in|on|from|von|für|pour|de|para|di|per|van|voor)\s+`[^`\n]+`(?:,?\s+(?:(?:and|or|und|oder|et|ou|y|o|e|en)\s+)?"
    r"`[^`\n]+`)*(?:,?\s+(?:etc|usw|ecc)\.)?(?=\s)",
    re.IGNORECASE,
)
"""Behind the name of code and its kind: the commands that have it, which are not what a clause tells the end of."""
NAME_REMOVED = re.compile(
    rf"\b(?P<name>[^\W\d_]{{3,}} [^\W\d_]{{3,}})[`*_\"')]*+\s++(?:(?:{_COPULA})\s++)*+(?:{REMOVED}|retired)\b",
    re.IGNORECASE,
)
"""Around two words by which something is called that is no more."""
REMOVED_BEFORE = re.compile(
    rf"\b(?:{REMOVED})\W+"
    r"(?:(?!(?:by|to|from|with|in favou?r|durch|zu|aus|von|in|par|de|du|en|por|a|con|da|dal|door|naar|uit)\b)"
    r"[^\W\d_]+\W+){0,3}\Z",
    re.IGNORECASE,
)
"""Before it; what stands behind "replaced by" is what there is now."""
TO_BE_ENDED = re.compile(
    r"\W*(?:(?:we|it|this(?: (?:rfc|proposal|change))?)(?: proposes? to| will)? )?"
    r"(?:remove|drop|deprecate|discontinue|retire|do not|don['\u2019]t)s?\s+"
    r"(?P<what>(?:(?! from )[^.;:,]|\.(?=\w)){3,80})",
    re.IGNORECASE,
)
"""How a proposal opens that ends something, or says that it shall not be: filters in "Remove filters from Vue"."""
OF_STEP = re.compile(
    r"(?:all|any|each|every|one or more|unused|(?:a|the) (?:given|specified|named|selected|current))\b", re.IGNORECASE
)
"""How what is removed begins in the step of a manual: "Remove all unused volumes"."""
HAS_ENDED = re.compile(
    r"\W*+(?P<what>(?:\w++(?:[.-]\w++)*+\W{1,3}+){1,6}?)(?:is|are|was|were|(?:has|have) (?:\w+ly )?been|will be)"
    r" (?:now )?(?:\w+ly )?"
    r"(?:removed|dropped|deleted|gone|deprecated|discontinued|no longer (?:supported|available|maintained))\b",
    re.IGNORECASE,
)
"""How a sentence opens that tells what is at an end: "Claims are removed"."""
REMOVAL_ANNOUNCED = re.compile(
    r"\b(?:deprecated|will be|going to be|to be|veraltet|wird|werden|sera|seront|será|serán|sarà|saranno|zal|zullen)\b",
    re.IGNORECASE,
)
"""Said of what is still there, and will be gone some day."""
REMOVAL_TERMS = tuple(
    sorted(
        stems_of(
            "removed deleted dropped gone longer entfernt gestrichen entfällt supprimé eliminado eliminada rimosso"
            " rimossa verwijderd removido removida"
        )
    )
)
"""Index terms of which a passage that tells that something is gone holds one."""
