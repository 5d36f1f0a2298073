"""Words by which a sentence may tell of a change, in seven languages: all that correct, and weaker ones."""

import re

from quaestor.research.offline.words.correction_words import (
    AMENDMENT_TERMS,
    CALLED_OFF,
    CORRECTION_TERMS,
    MAY_CORRECT,
    REPLACING_TERMS,
    TAKEN_BACK,
    TAKEN_BACK_TERMS,
)
from quaestor.research.offline.words.dates import holds_day
from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.note_words import GONE
from quaestor.research.offline.words.removal_words import REMOVAL_TERMS

_OTHERS = (
    r"delayed|extended|extend (?:it )?(?:to|until|till)|rescheduled|restored|resumed|retired|reverts?|reverted"
    r"|shortened|undone|not \W?\d+"
    r"|raise the (?:price|fee|rent|rate|charge|deposit)s?|(?:is|are) not free(?! of)|(?:ist|sind) nicht frei"
    r"|n['\u2019]est pas libre|no está libre|non è libero"
    r"|geht nicht|nicht \W?\d+|verkürzt|verlängert|vorverlegt|wieder eingeführt|(?:an|ab)gehoben|anheben|anhebung"
    r"|erhöhen|erhöhung|(?:ab|ge)senkt|(?:ab)?senken|verlegen|verschieben|verlängern"
    r"|augmenter|augmentons|baisser|décaler|repousser|prolonger|subir|sube|aumentare?|aumenta|bajar|aplazar|rinviare"
    r"|spostare|verhogen|verlagen|verzetten|adiar"
    r"|avancée?s? (?:à|au|d)|décalée?s?|modifiée?s?|prolongée?s?|raccourcie?s?|repoussée?s?|rétablie?s?"
    r"|acortad[oa]s?|modificad[oa]s?|prorrogad[oa]s?|restablecid[oa]s?|modificat[oaie]|prorogat[oaie]|ripristinat[oaie]"
    r"|gewijzigd|hersteld|ingekort|uitgesteld|verlengd|alterad[oa]s?|prolongad[oa]s?"
)
_REFUSED = (
    r"(?:not|n['\u2019]t) [^.;:]{1,100}? any ?more|rejected|declined|refused|(?:turned|voted) down"
    r"|(?:do|does|did|will)(?: not|n['\u2019]t) (?:accept|renew|extend)"
    r"|not (?:to be )?(?:accepted|adopted|approved|confirmed|extended|kept|ratified|renewed)"
    r"|did(?: not|n['\u2019]t) (?:adopt|approve|confirm|ratify)"
    r"|out[ -]of[ -]scope|out of the (?:plan|programme|program|schedule|list)"
    r"|abgelehnt|lehnt\w* \w+ ab|(?:nicht|kein\w*) (?:angenommen|bestätigt|genehmigt|verlänger\w+|erneuer\w+)"
    r"|refus\w+|pas (?:accept|adopt|approuv|ratifi|reten|renouvel)\w+|rechaz\w+"
    r"|no (?:se )?(?:acept|aprob|ratific|renov|prorrog|prolong)\w+"
    r"|rifiut\w+|respint[oaie]|non (?:si )?(?:accett|approv|ratific|rinnov|prorog)\w+"
    r"|afgewezen|niet (?:aangenomen|goedgekeurd|verlengd|vernieuwd)|rejeitad[oa]s?"
    r"|não (?:se )?(?:aceit|aprov|ratific|renov|prorrog)\w+"
)
REFUSED = re.compile(rf"\b(?:{_REFUSED})(?!\w)", re.IGNORECASE)
"""Said of what somebody did not want, or no more."""
_LEFT = (
    r"(?:gave|given|gives) notice|resign(?:s|ed)|(?:takes?|took|taken) over|swap(?:s|ped)?|switch(?:es|ed)? to"
    r"|withdrew|(?:dropped|pull(?:s|ed)) out|cancels|renames?|(?:is|are|will be) closed|closes (?:in|on|for|down)"
    r"|schließ(?:t|en)|geschlossen|ferme(?:nt|ra|ront)?|se cierran?|chiud(?:e|ono)|sluit(?:en)?|gesloten|encerram?"
    r"|gekündigt|kündig(?:t|en)|übernimmt|übernehmen|(?:ge)?tauscht|tauschen|wechsel(?:t|n) (?:zu|auf)"
    r"|sag(?:t|en) (?:\w+ ){0,2}ab|abgemeldet"
    r"|reprend|démission\w*|échang(?:e|ent|é)|annulent?|se désist\w+|désisté?e?s?|renonc\w+"
    r"|dimit\w+|cambia(?:n|mos)? (?:de|a)|cancelan?|renunci\w+|subentra\w*|rinunci\w+|annulla(?:no)?"
    r"|opgezegd|neemt \w+ over|afgemeld|zegt \w+ af|desisti\w+"
    r"|(?:am|is|are|was|been|fell|fallen) (?:ill|sick|unwell)|can(?:no|['\u2019])t (?:attend|come|make it)"
    r"|(?:bin|ist|sind|war|wurde) (?:\w+ )?(?:krank|erkrankt|verhindert)|(?:est|suis|tombée?) malade|empêchée?s?"
    r"|(?:está|es) enferm[oa]|(?:è|sono) malat[oa]|(?:is|ben) (?:\w+ )?(?:ziek|verhinderd)|está doente"
    r"|(?:kann|kan|kunnen|können) (?:\w+ )?(?:nicht|niet) (?:kommen|komen)|ne (?:peut|peux) pas venir"
    r"|no puede venir|non può venire|não pode vir"
)
"""Said of who does a thing no more, or in the place of another one."""
_SETTLED = (
    r"final (?:fee|price|date|list|version|plan|programme|program|rate)s?|signed with|still (?:says|shows|states|lists)"
    r"|endgültig\w*|unterschrieben (?:mit|bei)|steht (?:\w+ )?noch|définiti(?:f|ve)s?|signé avec|indique encore"
    r"|definitiv[oaie]s?|firmad[oa] con|sigue diciendo|firmat[oaie] con|riporta ancora|corregger\w+|vastgesteld"
    r"|getekend (?:met|bij)|assinad[oa] com"
)
"""Said of what stands from then on, whatever was said before."""
_MOVES = (
    r"slips? (?:to|by|into)|slipped|(?:came|comes?|went|goes) (?:down|up) to"
    r"|push(?:es|ed) (?:back|to)|(?:is|are|will be) now (?:on|at|from|held|called)"
    r"|now costs?|now (?:starts?|opens?|closes?|begins?|ends?|meets?|runs?) (?:on|at|in|from|by)|from now on"
    r"|now (?:\w+ ){0,4}by default|now defaults? to|now the default|(?:en|dis)abled? (?:\w+ ){0,4}by default"
    r"|rutsch(?:t|en) (?:auf|in)|(?:jetzt|nun|künftig|ab sofort) (?:am|um|vom|ab|erst|schon|kostet|nur)|ab jetzt"
    r"|si (?:sposta|anticipa|rimanda|rinvia)(?:no)?|on (?:déplace|décale|reporte|avance)"
    r"|(?:transfer\w+|muda|mudam|adiad[oa]s?|antecipad[oa]s?)(?:-se)? (?:\w+ ){0,3}para"
    r"|glisse(?:nt)? (?:à|au)|passe(?:nt|ra|ront)? (?:à|aux?|du|de)|désormais|dorénavant"
    r"|se (?:pasan?|retrasan?|adelantan?|trasladan?) (?:\w+ ){0,3}(?:al?|del?)|(?:retrasad|adelantad|trasladad)[oa]s?"
    r"|ahora (?:es|será|son|empieza|cuesta)|a partir de ahora|slitt(?:a|ano|at[oaie])|posticip\w+|anticipat[oaie]"
    r"|(?:new|neue[rsn]?|nouve(?:lle|au)|nuev[oa]|nuov[oa]|nieuwe|nov[oa]) (?:date|time|price|venue|termin|datum|preis"
    r"|ort|uhrzeit|prix|tarif|horaire|lieu|fecha|precio|hora|horario|lugar|data|prezzo|orario|luogo|prijs|tijd|preço"
    r"|horário)|rimandat[oaie]|si passa a|ora (?:è|sarà|costa|inizia)|d.ora in poi|(?:nu|voortaan) (?:op|om|vanaf)"
    r"|verschuift"
)
"""Said of what is at another time or place, or costs something else, than before."""
_THAN_TOLD = (
    r"than (?:was |we )?(?:announced|planned|agreed|stated|said|printed|advertised|published|before)"
    r"|als (?:zuerst |ursprünglich |bisher )?(?:angekündigt|geplant|vereinbart|mitgeteilt|gedruckt|beschlossen|bisher)"
    r"|que (?:prévue?s?|annoncée?s?|convenue?s?)|(?:de|que) lo (?:previsto|anunciado|acordado)|del previsto"
    r"|di quanto (?:annunciato|detto)|dan (?:aangekondigd|gepland|afgesproken)|do que (?:o )?(?:previsto|anunciado)"
)
THAN_TOLD = re.compile(rf"\b(?:{_THAN_TOLD})(?!\w)", re.IGNORECASE)
"""Said of what is otherwise than was told: a week later than announced."""
_FROM = re.compile(
    r"\b(?:as (?:of|from)|with effect from|starting(?: on)?|from|ab(?: dem)?|mit Wirkung (?:vom|zum)"
    r"|à (?:partir|compter) du|a partir d(?:el?|o)|(?:a partire )?dal(?:l.)?|vanaf|met ingang van) ?(?=\d|[A-Z])",
    re.IGNORECASE,
)
"""Before the day from which on something is so."""
_DAY_LETTERS, _END_LETTERS = 20, 40
"""Letters in which the day stands behind it, and the day on which that ends."""
_UNTIL = re.compile(
    r"\b(?:to|until|till|through|bis|au|jusqu\w*|al|hasta|fino|tot|t/m|até)\b| ?[-\u2013] ?\d", re.IGNORECASE
)
"""Before the day on which it ends: what has both is a time of its own, and no other state than before."""
_CHANGES = (
    MAY_CORRECT,
    TAKEN_BACK,
    CALLED_OFF,
    GONE,
    re.compile(rf"\b(?:{_OTHERS}|{_LEFT}|{_SETTLED}|{_MOVES})(?!\w)", re.IGNORECASE),
    REFUSED,
    THAN_TOLD,
)
_MENDS = re.compile(
    r"\W*(?:[^\s:]{0,12}\d[^\s:]*(?: <[^>]*>)?[\W_]*:\W*|\w+: )?"
    r"(?:(?:bug ?)?fix(?:e[sd])?|document(?:ed|s)|clarif(?:ied|y)|typos?|corrects?|corrected|behoben|korrigiert"
    r"|corrigée?s?)\b",
    re.IGNORECASE,
)
"""How an entry opens, behind the number of its issue, that mends a mistake and changes nothing that was so."""
_OTHER_TERMS = stems_of(
    "delayed extended extend rescheduled restored resumed retired reverted shortened undone verkürzt verlängert"
    " vorverlegt avancé décalé modifié prolongé raccourci repoussé rétabli acortado modificado prorrogado restablecido"
    " modificato prorogato ripristinato anheben angehoben anhebung erhöhen erhöhung senken verlegen verschieben"
    " verlängern augmenter baisser décaler repousser prolonger subir sube aumentar bajar aplazar aumentare rinviare"
    " spostare verhogen verlagen verzetten adiar gewijzigd hersteld ingekort uitgesteld verlengd alterado prolongado"
    " anymore rejected declined refused turned renew scope notice resigned takes took swap swapped switched abgelehnt"
    " lehnt angenommen gekündigt kündigt übernimmt übernehmen tauschen getauscht wechselt refusé refuse retenu"
    " renouvelé renouvelons reprend démission démissionne échange rechaza rechazado acepta aceptan renovamos renueva"
    " prorroga dimite dimitió cambia cambiamos rifiuta rifiutato respinto accetta rinnova rinnoviamo subentra afgewezen"
    " aangenomen opgezegd neemt rejeitado aceita renovamos"
    " rename renames closed closes schließt schließen geschlossen ferme fermera cierra chiude sluit gesloten"
    " encerra withdrew pulled final signed cancels sagt sagen abgemeldet endgültig endgültige unterschrieben"
    " annule annulent désiste désisté renonce définitif définitive signé cancela cancelan renuncia definitivo"
    " definitiva firmado rinuncia rinunciato annulla annullano definitiva definitivo firmato ancora correggere"
    " zegt afgemeld vastgesteld getekend desistiu assinado slips slipped rutscht glisse désormais dorénavant retrasa"
    " retrasado adelanta adelantado traslada trasladado slitta slittato posticipato anticipato rimandato verschuift"
    " announced advertised angekündigt vereinbart mitgeteilt prévu annoncé convenu previsto anunciado acordado"
    " annunciato aangekondigd afgesproken ill sick unwell krank erkrankt verhindert malade empêché enfermo malato ziek"
    " verhinderd doente"
)
CHANGE_TERMS = tuple(
    sorted({*AMENDMENT_TERMS, *CORRECTION_TERMS, *REMOVAL_TERMS, *REPLACING_TERMS, *TAKEN_BACK_TERMS, *_OTHER_TERMS})
)
"""Index terms of which a passage that may tell of a change holds one."""


NOT_CHOSEN = re.compile(
    r"\b(?:alternatives?|(?:rejected|dismissed|discarded) \w+|future (?:work|possibilities|directions|ideas|extensions)"
    r"|(?:open|unresolved) questions|alternativen?|verworfene\w* \w+|(?:offene|ungeklärte) fragen|questions ouvertes"
    r"|alternativas?|alternative scartate|alternatieven)\b",
    re.IGNORECASE,
)
"""In the heading above what a proposal tells that did not come about, or not yet."""


ABOUT_CHANGES = re.compile(
    r"\b(?:upgrad(?:e|es|ing)|migrat(?:e|ing|ion|ions)|breaking changes?|unreleased|change ?logs?|deprecations?"
    r"|removals?|withdrawals|abmeldungen|désistements|bajas|rinunce|afmeldingen|desistências"
    r"|what['\u2019]s new|release notes|history of changes|umstieg|versionshinweise|änderungsprotokoll"
    r"|notes de version|mises? à niveau|notas de (?:la )?versión|actualización|note di rilascio|aggiornamento"
    r"|release-opmerkingen|notas de versão)\b",
    re.IGNORECASE,
)
"""In a title or a heading of what tells how things are otherwise than before, with or without a day."""


NOTES = re.compile(
    r"(?<![^\W_])(?:(?<!release[ _-])notes?|jottings|to-?do|(?:group[ _-]?|gruppen)?chat|whats-?app|telegram|appgroep"
    r"|messages|notizen?|notas|appunti|notities)(?![^\W_])",
    re.IGNORECASE,
)
"""In the title of what somebody keeps for himself, in which the news stand below what was so before."""


LETTERS = re.compile(
    r"(?<![^\W_])(?:e-?mails?|mails?|letters?|lettres?|courriels?|cartas?|correos?|briefe?|letter[ae])(?![^\W_])",
    re.IGNORECASE,
)
"""In the name of a file of letters, whose header may stand in another passage than the news."""


SETTLED = re.compile(rf"\b(?:{_SETTLED})(?!\w)", re.IGNORECASE)
"""Said of what a proposal has become."""


def only_mends(text: str) -> bool:
    """Return whether an entry of a list of changes tells that a mistake of the program or its manual was mended."""
    return _MENDS.match(text) is not None


_BARE_FIELD = re.compile(r"[\w-]+:[\s\d,]*+")


def may_tell_change(text: str) -> bool:
    """Return whether a sentence has a word by which changes are told of.

    A field of a header with a number or nothing tells none of another document: "replaces: 820".
    """
    has_word = any(words.search(text) for words in _CHANGES) or _is_so_from_day(text)
    return has_word and not _BARE_FIELD.fullmatch(text)


def _is_so_from_day(text: str) -> bool:
    """Return whether a sentence tells what is so from a day on: "From 1 October on Thursdays"."""
    behind = (text[found.end() :] for found in _FROM.finditer(text))
    return any(holds_day(one[:_DAY_LETTERS]) and not _UNTIL.search(one[:_END_LETTERS]) for one in behind)
