"""Words by which a paragraph or an entry says that it changes what was told before it, in seven languages."""

import re

_MARKS = r"[\s*_(\[>-]*"
"""Before a label; a format has others before its own notes: ".. note::"."""
_DATED = r"(?P<of>(?:[^:\n*_]|(?<=\d):(?=\d)){0,40}?)"
"""Between a label and its end: a day, or who it is by."""
_END = r"(?::|\*\*|__|\s[\u2013\u2014-]\s)"
_CHANGE = (
    r"update|edit|edited|amendment|addendum|correction|corrigendum|erratum|stop press|nachtrag|ergänzung|korrektur"
    r"|berichtigung|aktualisierung|änderung|mise à jour|m[àa]j|rectificatif|rectification|modification|actualización"
    r"|corrección|rectificación|modificación|aggiornamento|correzione|rettifica|modifica|bijgewerkt|aanvulling|correctie|wijziging"
    r"|atualização|correção|retificação|alteração"
)
_REMARK = (
    r"n\.?\s?b\.?|note|remark|notice|hinweis|anmerkung|achtung|remarque|attention|nota|aviso|attenzione|avviso|opmerking"
    r"|let op|observação|atenção"
)
CHANGE_LABEL = re.compile(rf"{_MARKS}(?:{_CHANGE})\b{_DATED}{_END}", re.IGNORECASE)
"""At the beginning of what changes the words above it: "Amendment, 4 June: ..."."""
REMARK_LABEL = re.compile(
    rf"{_MARKS}(?:{_REMARK})(?!\w){_DATED}{_END}|[*_]*[(\[][*_]*(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?(?P<by>:)\s",
    re.IGNORECASE,
)
"""At the beginning of what may do so: "NB: ...", "(Ann: ...)"."""
POSTSCRIPT = re.compile(rf"{_MARKS}(?:P\.?P?\.? ?S\.?|P\.? ?D\.)(?!\w)(?:{_DATED}:)?")
"""At the beginning of what is added to a letter."""
SIGNED = re.compile(r"(?:by|of|from|on|von|vom|am|par|du|le|por|de|del|di|da|van|door)\b[\w. ]{0,24}", re.IGNORECASE)
"""Behind a label: who it is by, or before its day."""
CHANGED = re.compile(
    r"\b(?:now|instead|no longer|any ?more|cancell?ed|postponed|moved to|changed to|jetzt|nun|statt|stattdessen"
    r"|nicht mehr|abgesagt|verlegt|verschoben|maintenant|désormais|plutôt|au lieu|annulée?s?|reportée?s?|ahora"
    r"|en su lugar|en vez|ya no|cancelad[oa]s?|aplazad[oa]s?|adesso|ora|invece|non più|annullat[oaie]|rinviat[oaie]"
    r"|spostat[oaie]|nu|voortaan|in plaats|niet meer|afgelast|verplaatst|agora|em vez|já não|adiad[oa]s?)(?!\w)",
    re.IGNORECASE,
)
"""Said of what is otherwise than it was told."""
NO_LONGER = re.compile(
    r"\b(?:no longer (?:necessary|needed|required|true|so|the case|appl(?:y|ies)|ha(?:ve|s) to)"
    r"|nicht (?:mehr|länger) (?:nötig|notwendig|erforderlich|der fall)"
    r"|n['\u2019]est plus (?:nécessaire|utile|obligatoire|le cas)"
    r"|ya no es (?:necesari[oa]|obligatori[oa]|así)|non è più (?:necessari[oa]|obbligatori[oa]|così)"
    r"|niet (?:meer|langer) (?:nodig|verplicht)|já não é (?:necessári[oa]|preciso))\b",
    re.IGNORECASE,
)
"""Said of what one had to do, or what was so, by a sentence below the one that tells it."""
REMOVAL = re.compile(
    rf"{_MARKS}(?:removed|dropped|discontinued|entfernt|entfallen|retirée?s?|supprimée?s?|eliminad[oa]s?|retirad[oa]s?|rimoss[oaie]"
    r"|verwijderd|vervallen|removid[oa]s?)(?!\w)[*_]*:?",
    re.IGNORECASE,
)
"""At the beginning of an entry of a list of changes, or above it: what it names is no more."""
GONE = re.compile(
    r"\b(?:(?:has|have) been|was|were|is|are) (?:now |finally |completely )?(?:removed|deleted|dropped|discontinued)\b"
    r"|\b(?:wurden?|ist|sind) (?:[^\W\d_]+ )?(?:entfernt|gestrichen|gelöscht)\b"
    r"|\b(?:a|ont) été (?:supprimée?s?|retirée?s?)\b"
    r"|\b(?:se ha[ns]?|ha[ns]? sido|fue|fueron) (?:eliminad[oa]s?|retirad[oa]s?)\b"
    r"|\b(?:è|sono) stat[oaie] (?:rimoss[oaie]|eliminat[oaie])\b|\b(?:is|zijn|werd(?:en)?) verwijderd\b",
    re.IGNORECASE,
)
"""Said within an entry of what is no more."""
REVERSAL = re.compile(
    rf"{_MARKS}(?:revert(?:s|ed)?|rolled back|undone|rückgängig(?: gemacht)?|zurückgesetzt|rétablie?s?|annulée?s?"
    r"|revertid[oa]s?|ripristinat[oaie]|teruggedraaid|hersteld)(?!\w)[*_]*:?",
    re.IGNORECASE,
)
"""At the beginning of one that sets something back to what it was."""
