"""Words by which a document says that it is not in force, in English, German, French and Spanish."""

import re

ENDED = (
    r"super[sc]eded|deprecated|unrecommended|obsolete|withdrawn|rejected|repealed|revoked|rescinded|archived|retired|expired"
    r"|outdated|discontinued|abandoned|declined|taken back|zurückgenommen|widerrufen|eingestellt"
    r"|out of (?:date|force|print|use)|no longer (?:valid|in (?:force|use|effect)|maintained|supported|current)"
    r"|replaced|aufgehoben|au(?:ß|ss)er kraft|veraltet|überholt|ungültig|zurückgezogen"
    r"|ersetzt(?! (?:alle|de[nrs]|die|das|diese|ältere|frühere|bisherige|vorige))"
    r"|abrogée?|remplacée?|obsolète|périmée?|caduque?|derogad[oa]|sustituid[oa]|reemplazad[oa]|obsolet[oa]|anulad[oa]"
)
"""Said of what is no longer in force."""
DRAFT = (
    r"draft|not (?:yet )?(?:adopted|agreed|discussed)"
    r"|entwurf|(?:noch )?nicht beschlossen|brouillon|(?:non|pas encore) adoptée?|borrador"
    r"|(?:aún )?no aprobad[oa]"
)
"""Said of what is not in force yet."""
NOT_IN_FORCE = re.compile(rf"\b(?:{ENDED}|{DRAFT})\b", re.IGNORECASE)
KINDS = (
    r"document|version|edition|page|policy|guide|text|standard|specification|by-?law|rules?|regulation|act|agreement|plan"
    r"|proposal|leaflet|manual|article|note|record|decision|list|form|release|draft|spec|design(?: doc)?|guidance"
    r"|guideline|chapter|post|report|contract|offer|quote|quotation|procedure|price list|(?-i:[A-Z]{3,4}(?: \d+)?)"
    r"|dokument|fassung|ausgabe|seite|satzung|ordnung|verordnung|richtlinie|vertrag|angebot|liste|preisliste"
    r"|règlement|édition|contrat|devis|documento|versión|edición|norma|reglamento|contrato|presupuesto"
)
"""Nouns by which a document speaks of itself; short names in capitals are those of series: RFC, ADR."""
THINGS = (
    r"option|setting|parameter|feature|function(?:ality)?|method|command|flag|module|package|plug-?in|extension|api"
    r"|endpoint|field|attribute|class|tool|service|einstellung|funktion|befehl|paramètre|fonction|commande|opción|función"
)
"""Nouns by which the page of a manual speaks of what it is about."""
NOT_KEPT = re.compile(
    r"\b(?:(?:not|never) (?:been )?(?:updated|maintained|revised)|no longer (?:updated|revised)"
    r"|(?:nicht|nie) (?:mehr |weiter )?(?:aktualisiert|gepflegt|überarbeitet)|plus mise?s? à jour|ya no se actualiza)\b"
    r"|\b(?:in (?:case of|any) (?:doubt|conflict)|im zweifel(?:sfall)?|en cas de (?:doute|conflit)|en caso de duda)\b"
    r".*\b(?:valid|appl(?:y|ies)|prevails?|binding|counts|gilt|gelten|verbindlich|maßgeb\w+|foi|prévaut|prevalece)\b"
    rf"|\b(?:this(?: (?:{KINDS}))?|the (?:{KINDS})) is (?:a |an )?histori(?:c|cal) (?:{KINDS})\b"
    r"|\b(?:kept|preserved|retained) (?:here )?(?:only )?for histori(?:c|cal) (?:purposes|reasons|reference|interest)\b"
    r"|\b(?:ist ein historisches dokument|zu historischen zwecken|est un document historique"
    r"|es un documento histórico)\b",
    re.IGNORECASE,
)
"""A document says that nobody keeps it up to date, that it is kept as it was, or that another one decides."""
NOT_CHOSEN_SECTION = re.compile(
    r"\W*(?:\d[\d.]*\W+)?(?:"
    r"(?:(?:considered|rejected|dismissed|discarded|other|possible|suggested) )?alternatives?"
    r"(?: (?:considered|discussed|dismissed|rejected|(?:solution|design|approach|proposal)(?:e?s)?(?: considered)?))?"
    r"|(?:rejected|dismissed|discarded|abandoned)(?: \w+){1,3}"
    r"|(?:verworfene|abgelehnte) \w+|alternativen|alternatives (?:envisagées|écartées|rejetées)"
    r"|alternativas(?: (?:consideradas|descartadas|rejeitadas))?|alternative (?:considerate|scartate)"
    r"|(?:overwogen|verworpen) alternatieven)\W*",
    re.IGNORECASE,
)
"""The heading of a section in which a proposal tells what it does not propose."""
SURELY_NOT_CHOSEN_SECTION = re.compile(
    r"\W*(?:\d[\d.]*\W+)?(?:alternatives (?:considered|dismissed|rejected)|considered alternatives"
    r"|(?:rejected|dismissed|discarded) (?:alternatives|ideas|options|designs|approaches|proposals|solutions)"
    r"|(?:unresolved|open) (?:questions|issues)|future (?:work|possibilities|directions|extensions|ideas|improvements)"
    r"|verworfene alternativen|offene fragen|alternatives (?:écartées|rejetées)|questions ouvertes"
    r"|alternativas descartadas|cuestiones abiertas)\W*",
    re.IGNORECASE,
)
"""The same, of a document without a status: nobody calls so what one may choose."""
ONE_ALTERNATIVE = re.compile(r".*\balternatives? > .*\balternative\b", re.IGNORECASE)
"""Headings of which one is on the reasons and on alternatives, and one within it on one of these."""
BEFORE_SECTION = re.compile(
    r"\W*(?:\d[\d.]*\W+)?(?:(?:the )?(?:current|existing|present) (?:situation|state|status|behaviou?rs?|designs?"
    r"|approach(?:es)?|implementations?|practices?|process(?:es)?|problems?|limitations?|solutions?|workflows?)"
    r"|status quo|ausgangslage|ist-zustand|aktuelle[rs]? (?:zustand|situation|stand)|(?:situation|état) actuel(?:le)?"
    r"|(?:situación|estado) actual|(?:situazione|stato) attuale|huidige (?:situatie|toestand)"
    r"|(?:situação|estado) atual)\W*",
    re.IGNORECASE,
)
"""The heading of a section on what was so before a proposal, or when a report was written."""
PROBLEM_SECTION = re.compile(
    r"\W*(?:\d[\d.]*\W+)?(?:(?:the )?problem(?: statement| description)?|motivation|background|context|rationale"
    r"|problemstellung|hintergrund|problème|contexte|problema|motivación|contexto|antecedentes|motivazione|contesto"
    r"|probleem|achtergrond|motivação)\W*",
    re.IGNORECASE,
)
"""The heading of a section on why something is proposed."""
CURRENTLY = re.compile(
    r"\b(?:current(?:ly)?|at (?:present|the moment)|presently|today|so far|existing|derzeit|aktuell\w*|bisher\w*|heute"
    r"|actuel(?:le(?:ment)?)?|aujourd.hui|actual(?:mente)?|hoy|attual(?:e|mente)|oggi|momenteel|huidige|atual(?:mente)?"
    r"|hoje)\b",
    re.IGNORECASE,
)
"""Said in such a section of what was so until then."""
