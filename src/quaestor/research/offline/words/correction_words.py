"""Words by which a text takes back what it or another one says, in seven languages: data of the checks that decline."""

import re

from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.removal_words import REMOVED

_CORRECTION = (
    r"corrections?(?= *:| (?:to|of) )|corrected:|corrigend\w+|errat(?:um|a)|misprint\w*|mistaken(?:ly)?|wrongly"
    r"|(?:is|are|was|were|be) (?:wrong|incorrect|in error)|wrong(?=,)|other sources|for \w+ read"
    r"|(?:two|three|four|several) (?:\w+ )?(?:errors|mistakes)"
    r"|(?:ha[sd]|have|contain(?:s|ed)?|made|there (?:is|was)) an? (?:\w+ )?(?:error|mistake)"
    r"|berichtigung\w*|richtigstellung|korrektur(?= *:| (?:zu|zum|zur|der|des) )|druckfehler|irrtümlich\w*"
    r"|fälschlich\w*|falsch|andere[nr]? quellen"
    r"|(?:enthält einen|hat einen|ist (?:\w+ )?ein|hat sich ein|zwei|drei|mehrere) (?:\w+ )?fehler"
    r"|rectificati\w+|correction(?= (?:à|au|de|du) )|à tort|par erreur|d.autres sources|(?:deux|trois) erreurs"
    r"|correcci[oó]n\w*(?= *:| (?:a|al|de) )|fe de erratas|erróneamente|otras fuentes|(?:dos|tres|varios) errores"
    r"|correzion\w+(?= *:| (?:a|al|di) )|rettific\w+|erroneamente|altre fonti|(?:due|tre|alcuni) errori"
    r"|correctie(?= *:| (?:op|van) )|ten onrechte|abusievelijk|andere bronnen|(?:twee|drie|enkele) fouten"
    r"|correção(?= *:| (?:a|ao|de) )|retificaç\w+|outras fontes|(?:dois|três|alguns) erros"
)
CORRECTION = re.compile(rf"\b(?:{_CORRECTION})(?!\w)", re.IGNORECASE)
"""Said of a statement, here or elsewhere, that is not right."""
ERRATUM = re.compile(
    r"\b(?:corrections?|corrected|corrigend\w+|errat(?:um|a)|misprint\w*|berichtigung\w*|richtigstellung|druckfehler"
    r"|korrektur(?= *:| (?:zu|zum|zur|der|des) )"
    r"|rectificati\w+|correcci[oó]n\w*|fe de erratas|correzion\w+|rettific\w+|correctie|correção|retificaç\w+)(?!\w)",
    re.IGNORECASE,
)
"""Said where one text corrects another, and seldom of a program or a person that is wrong."""
_MISTAKES = r"mistakes?|errors?|fehler|erreurs?|errores|errori|fouten|erros"
_SOME = (
    r"an?|one|two|three|four|five|some|several|ein(?:ige)?|zwei|drei|vier|mehrere|une?|deux|trois|quatre|quelques|plusieurs"
    r"|un|dos|tres|varios|due|tre|alcuni|een|twee|drie|enkele|um|dois|três|alguns|\d+"
)
MISTAKES = re.compile(
    rf"(?:^|[\u2013\u2014:-] ?|, )(?:(?:{_SOME}) )?(?:{_MISTAKES})(?:\W*$| (?:in|im|dans|en|nel\w*|nos?|nas?) )",
    re.IGNORECASE | re.MULTILINE,
)
"""In a title that says that another text has mistakes: "Newsletter of May - two mistakes"; "Errors" is a subject."""
AMENDMENT = re.compile(
    r"\b(?:amend(?:ment|ments|ing)|addend\w+|(?!ver)\w*änderung(?:en)?|nachtrag|modifications?|avenant|modificaci[oó]n\w*|modific[ah]e?"
    r"|wijziging\w*|alteraç\w+)\b",
    re.IGNORECASE,
)
"""In the title of a text that amends another one."""
CHANGES = re.compile(
    r"(?:changes? to|änderung(?:en)? (?:am|an|im|zum?r?|de[rs])|changements? (?:au|aux|à|du|de|dans)"
    r"|cambios? (?:en|al?|del?)|(?:cambiament\w|variazion\w) (?:al|alla|del|della|nel|di)"
    r"|wijziging(?:en)? (?:van|in|op)|(?:mudanças?|alteraç\w+) (?:a[os]?|n[oa]|d[oae])) (?!.*\d\.\d)",
    re.IGNORECASE,
)
"""At the beginning of a text that changes another one item by item; those of a version of a program are none."""
_REPLACED = (
    r"replaced|substituted|deleted|struck out|instead of|amended|for [^.]{1,80} read|ersetzt|gestrichen|geändert|statt"
    r"|remplacée?s?|supprimée?s?|au lieu de|sustituy\w+|sustituid[oa]s?|suprim\w+|sostituit[oaie]|soppress[oaie]"
    r"|vervangen|geschrapt|substituíd[oa]s?"
)
REPLACED = re.compile(rf"\b(?:{_REPLACED})\b", re.IGNORECASE)
"""Said of words that no longer stand where they are quoted from."""
REPLACES = r"replaces|supersedes|obsoletes|cancels|ersetzt|remplace|annule|sustituye|sostituisce|vervangt|substitui"
"""Said by a text of another one, in whose place it is."""
REPLACES_ANOTHER = re.compile(rf"\b(?:{REPLACES})\b", re.IGNORECASE)
REPLACING_TERMS = tuple(sorted(stems_of(REPLACES.replace("|", " "))))
"""Index terms of which a passage that replaces another text holds one."""
ABOVE = re.compile(r"\b(?:above|earlier|oben|obige\w*|ci-dessus|arriba|sopra|hierboven|acima)\b", re.IGNORECASE)
"""Where what a correction is about stands in the same text."""
OF_HERE = re.compile(
    r"\b(?:described|explained|shown|told|given|said|behaviou?r|setting|option|feature|section|paragraph)\b[^.]{0,40}"
    r"\b(?:here|below)\b|\bthis (?:section|paragraph|behaviou?r|feature|advice)\b"
    r"|\b(?:hier|unten|im folgenden) (?:beschrieben|erklärt|genannt)\w*|\bdieser abschnitt\b"
    r"|\bdécrite?s? (?:ici|ci-dessous)\b|\bcette section\b|\bdescrit[oa]s? (?:aquí|abajo)\b|\besta sección\b",
    re.IGNORECASE,
)
"""By which a note speaks of what stands below it."""
_INSTEAD = (
    r"instead of|rather than|no longer|up from|down from|previously|formerly|statt|anstatt|anstelle von|nicht mehr"
    r"|bisher|au lieu de|en vez de|en lugar de|invece di|in plaats van|em vez de"
)
_MOVED = (
    r"raised|increased|reduced|lowered|cut|moved|changed|postponed|extended|put (?:up|back|off)|brought forward|goes up"
    r"|go up|erhöht|gesenkt|verlegt|verschoben|verlängert|steigt|augmentée?s?|reportée?s?|déplacée?s?|prolongée?s?"
    r"|repoussée?s?|décalée?s?|avancée?s?|passent?|aumentad[oa]s?|aplazad[oa]s?|prorrogad[oa]s?|aumentat[oaie]"
    r"|spostat[oaie]|prorogat[oaie]|verhoogd|verplaatst|verschoven|verlengd|adiad[oa]s?"
)
MOVED_FROM = re.compile(
    rf"\b(?:{_MOVED})\b[^.;:]{{0,40}}\b(?:from|von|vom|de|du|desde|da|dal|van)\W+(?:[^\W\d]+\W+){{0,2}}\Z",
    re.IGNORECASE,
)
"""Before a number that was the right one up to then: "raised from 15 to 18"."""
FROM = re.compile(r"\b(?:vom|von)\W+(?:den?[rm]?\W+)?\Z", re.IGNORECASE)
MOVED_AT_END = re.compile(
    r"[^;:]{0,20}\bauf\b[^;:]{0,60}\b(?:erhöht|gesenkt|(?:vor)?verlegt|verschoben|verlängert)\b", re.IGNORECASE
)
"""Before and behind it in German: "vom 1. April auf den 1. Oktober verlängert"."""
MOVED_TO = re.compile(r"\W{0,3}(?:[^\W\d]+\W+){0,2}?(?:to|auf|au|à|a|al|naar|tot|para)\W", re.IGNORECASE)
"""Behind it, before the one that is right now."""
INSTEAD = re.compile(rf"\b(?:{_INSTEAD})\W+(?:[^\W\d]+\W+){{0,2}}\Z", re.IGNORECASE)
"""Before a number that something else has taken the place of."""
DENIED = re.compile(
    r"(?:\b(?:not|nicht|et non|pas|y no|e non|en niet|niet|e não|instead of|rather than|statt|au lieu de|en vez de"
    r"|invece di|in plaats van|em vez de)"
    r"|[(\[](?:was|were|before|formerly|previously|war|waren|bisher|früher|vorher|zuvor|auparavant|avant|était|antes|era"
    r"|prima|voorheen))\W+(?:[^\W\d]+\W+){0,2}\Z",
    re.IGNORECASE,
)
"""Before a number that is not the right one; in brackets also that it was: "60 minutes (was 45)"."""
_NOT = r"(?:not|nicht|pas|no|non|niet|não)(?! (?:only|just|nur|bloß|seulement|s[oó]l[oa]|soltanto|alleen|só|apenas)\b)"
_NONE = r"kein\w*|geen"
_ARTICLE = (
    r"(?:an?|the|eine?[mnrs]?|de[mnrs]|die|das|une?|l[ae]s?|des?|un[oa]?|el|los|il|lo|gli|i|een|de|het|uma?|[oa]s?)"
)
_BUT = r"but|sondern|mais|sino|ma|bensì|maar|mas"
NOT_BUT = re.compile(
    rf"\b(?:{_NOT}|{_NONE})\s++(?P<denied>[^.;:,()]{{1,60}}?),?\s++(?:{_BUT})(?!\w)",
    re.IGNORECASE,
)
"""Around what was told and is not so: "not a dentist but a vet"."""
NOT_SO = re.compile(
    rf"(?:(?:[,;(\u2013\u2014]\s*|\b(?:and|und|et|y|e|en)\s+){_NOT}|\b{_NOT}(?=\s+{_ARTICLE}\b)|\b(?:{_NONE}|instead of"
    r"|rather than|statt|anstelle von|au lieu de|en vez de|en lugar de|invece di|in plaats van|em vez de))"
    r"\s+(?P<denied>[^.;:,()]{1,60})",
    re.IGNORECASE,
)
"""Before a word that was told and is not so: "fourteen, not eleven"."""
INSTEAD_OF = re.compile(
    r"\b(?:instead of|in place of|statt|anstatt|anstelle von|au lieu d(?:e\b|u\b|es\b|['\u2019])|en lugar de|en vez de"
    r"|invece d[ei]\w*|in plaats van|em vez d[eao])\s*+(?P<denied>[^.;:,()]{1,40})",
    re.IGNORECASE,
)
"""Before what was told and is otherwise now: "old clothes instead of uniform"."""
NO_MORE = re.compile(
    r"\bnot (?P<english>[^.;:,()]{1,60}?) any ?more\b"
    r"|\b(?:no longer(?= (?:the|an?|our|my|his|her|their|in|at|on|from|by)\b)|nicht mehr|n['\u2019]est plus"
    r"|ne sont plus|ya no (?:es|son|está|están)|non (?:è|sono) più"
    r"|niet meer|já não (?:é|são))\s++(?P<behind>[^.;:,()]{1,60})",
    re.IGNORECASE,
)
"""Around or before what was told and is so no more: "not the war memorial any more"."""
FOR_READ = re.compile(r"\bfor\b[^.;:]{1,80}?\bread\b", re.IGNORECASE)
"""Around the words that others are to be read for."""
BECOMES = re.compile(
    r"\W?(?:\W[^\W\d]+){0,2}\W+(?:becomes?|is now|are now|wird zu|werden zu|devien(?:t|nent)|passe(?:nt)? à|pasan? a"
    r"|diventan?o?|wordt|worden|passam? a)(?!\w)"
    r"\W+(?:[^\W\d]+\W+){0,3}[\d€$£]",
    re.IGNORECASE,
)
"""Behind a number that another one takes the place of, which follows."""
_NO_LONGER = (
    r"no longer (?:appl(?:y|ies)|holds?|stands?|valid|binding|in (?:force|effect|use))|(?:is|are) off"
    r"|(?:gilt|gelten) (?:\w+ )?nicht mehr|außer kraft|entfällt|entfallen|hinfällig|ungültig"
    r"|ne s.appliquent? plus|n.est plus (?:valable|applicable|en vigueur)|ya no (?:se aplica|vale|rige|está vigente)"
    r"|non (?:si applica|vale|è) più|geldt niet meer|niet meer (?:geldig|van kracht)|vervalt|vervallen"
    r"|já não (?:se aplica|vale)|sem efeito|sin efecto|null and void|struck out|set aside"
)
_ENDED = (
    r"rescinded|repealed|revoked|withdrawn|lifted|suspended|cancell?ed|deleted|annulled|reversed|overturned|overruled"
    r"|superseded|abolished|taken back|zurückgenommen|zurückgezogen|aufgehoben|widerrufen|ausgesetzt|gestrichen"
    r"|abgesagt|levée?s?|annulée?s?|révoquée?s?|abrogée?s?|retirée?s?|suspendue?s?|supprimée?s?"
    r"|levantad[oa]s?|anulad[oa]s?|revocad[oa]s?|derogad[oa]s?|retirad[oa]s?|suspendid[oa]s?|suprimid[oa]s?"
    r"|cancelad[oa]s?|annullat[oaie]|revocat[oaie]|abrogat[oaie]|ritirat[oaie]|sospes[oaie]|soppress[oaie]|cancellat[oaie]"
    r"|ingetrokken|herroepen|opgeheven|opgeschort|geschrapt|geannuleerd|revogad[oa]s?|suspens[oa]s?"
)
_IS = (
    r"is|are|was|were|been|be|ist|sind|wird|werden|wurden?|est|sont|été|fut|es|son|está|están|sido|fue|queda|è|sono"
    r"|stat[oaie]|viene|wordt|werd|zijn|é|foi|fica"
)
TAKEN_BACK = re.compile(
    rf"\b(?:{_NO_LONGER}|(?:{_IS})\s+(?:(?:hereby|now|therefore|hiermit|damit)\s+)?(?:{_ENDED})|(?:{_ENDED})"
    r"(?=[\W_]*\Z|[.;,!]))(?!\w)",
    re.IGNORECASE,
)
"""Said of what no longer holds: "is rescinded", or "rescinded" at an end, since a cancelled trip is a trip."""
_PUT_OFF = (
    r"postponed|(?:called|put) off|verschoben|verlegt|report(?:é|ée)s?|aplazad[oa]s?|rinviat[oaie]|uitgesteld"
    r"|adiad[oa]s?"
)
PUT_OFF = re.compile(rf"\b(?:{_PUT_OFF})\b", re.IGNORECASE)
"""Said of what will come about later."""
CALLED_OFF = re.compile(
    rf"\b(?:{_PUT_OFF}|cancell?ed|(?:does|will|did) not take place|moved to|f[äa]ll(?:t|en) (?:leider )?aus|ausgefallen"
    r"|abgesagt|entf[äa]llt|entfallen|findet (?:leider )?nicht statt|annulée?s?|n['\u2019]aura pas lieu|déplacée?s?"
    r"|cancelad[oa]s?|suspendid[oa]s?|no (?:tendrá lugar|se celebra)|annullat[oaie]|spostat[oaie]|non si terrà"
    r"|afgelast|geannuleerd|gaat niet door|verplaatst|não (?:se realiza|terá lugar))\b",
    re.IGNORECASE,
)
"""Said of what was to come about on a day and will not."""
UNSURE = re.compile(
    r"\b(?:not|never|(?-i:may)|might|can|could|should|would|if|unless|whether|which|who|proposal|proposed|moved"
    r"|nicht|nie|ob|wenn|falls|soll\w*|könn\w+|würde\w*|beantragt|pas|jamais|si|peut|pourrait|devrait|qui"
    r"|no|nunca|puede|podría|debería|que|non|mai|se|può|potrebbe|dovrebbe|che|niet|nooit|als|zou|kan|não|pode|deveria)\b",
    re.IGNORECASE,
)
"""Between what is named and what took it back: it did not, or it was something else."""
SUPPOSED = re.compile(
    r"\b(?:suppos(?:e|ing)|imagine|if|would|were to|let us|angenommen|stell\w* (?:dir|euch|sich)|wenn|würde\w*|wäre\w*"
    r"|supposons|imagin(?:ez|ons)|si|serait|supongamos|imagina\w*|sería|supponiamo|immagina\w*|sarebbe|stel|als|zou"
    r"|suponha\w*|imagine\w*|seria|examples?|beispiels?\w*|exemples?|ejemplos?|esemp[io]+|voorbeeld\w*|exemplos?)\b",
    re.IGNORECASE,
)
"""In a sentence that sets something in place of another thing only to think of it."""
MAY_CORRECT = re.compile(
    rf"\b(?:{_CORRECTION}|{_REPLACED}|{REPLACES}|{REMOVED}|{_INSTEAD}|{_MOVED})(?!\w)", re.IGNORECASE
)
"""One of the words without which no sentence of a text corrects another one, unless the text is there to do so."""
TERMINATED = re.compile(
    r"\b(?:terminat(?:ed?|es|ing|ion)|gekündigt|kündigung|résili(?:ée?s?|er|ation)|rescindid[oa]s?|rescisión"
    r"|disdett[oaie]|disdire|opgezegd|opzegging|rescindir|rescisão)\b",
    re.IGNORECASE,
)
"""Said of a contract that ends."""
PROPOSED = re.compile(
    r"\b(?:propos(?:e[sd]?|als?|ing|ed)|suggest(?:s|ed|ion)|moved that|motion|schlägt|schlug|vorschlag\w*|vorgeschlagen"
    r"|beantragt?|antrag|angefragt|proposée?s?|proposent|proposition|suggère|propon\w+|propuest[oa]s?|propuso|sugiere"
    r"|propost[oaie]|stelt|stelde|voorstel|voorgesteld|prop[õo]e|sugere)\b",
    re.IGNORECASE,
)
"""Said of what was put forward and may not have come about."""
_DECIDED = (
    "rejected defeated lost carried adopted approved agreed accepted refused abgelehnt angenommen beschlossen genehmigt"
    " verworfen rejeté adopté approuvé refusé accepté voté rechazado aprobado aceptado acordado respinto approvato"
    " bocciato accettato verworpen aangenomen goedgekeurd afgewezen rejeitado aprovado aceito"
)
DECIDED = re.compile(
    r"\b(?:rejected|defeated|lost|carried|adopted|approved|agreed|accepted|refused|(?:turned|voted) down"
    r"|already (?:taken|booked)|fully booked|(?:bereits|schon) (?:vergeben|belegt)|ausgebucht"
    r"|déjà (?:prise?s?|réservée?s?)"
    r"|abgelehnt|angenommen|beschlossen|genehmigt|verworfen|rejetée?s?|adoptée?s?|approuvée?s?|refusée?s?|acceptée?s?"
    r"|votée?s?|rechazad[oa]s?|aprobad[oa]s?|aceptad[oa]s?|acordad[oa]s?|respint[oaie]|approvat[oaie]|bocciat[oaie]"
    r"|accettat[oaie]|verworpen|aangenomen|goedgekeurd|afgewezen|rejeitad[oa]s?|aprovad[oa]s?|aceit[oa]s?)\b",
    re.IGNORECASE,
)
"""Said of what became of a proposal."""
DECISION_TERMS = tuple(sorted(stems_of(_DECIDED)))
"""Index terms of which a passage that tells what became of a proposal holds one."""
AMENDMENT_TERMS = tuple(
    sorted(
        stems_of(
            "raised increased reduced lowered moved changed postponed extended erhöht gesenkt verlegt verschoben"
            " verlängert augmenté reporté déplacé prolongé repoussé décalé avancé aumentado aplazado prorrogado"
            " aumentato spostato prorogato verhoogd verplaatst verlengd adiado"
            " amendment amended replaced substituted instead previously formerly longer removed dropped deprecated"
            " renamed read ersetzt geändert gestrichen entfernt umbenannt"
            " statt anstatt bisher fassung remplacé supprimé lieu sustituye lugar sostituito invece vervangen plaats"
            " substituído"
        )
    )
)
"""Index terms of which a passage that amends or replaces something holds one."""
CORRECTION_TERMS = tuple(
    sorted(
        stems_of(
            "correction corrections corrected corrigenda corrigendum erratum errata misprint mistaken mistakenly"
            " wrongly wrong incorrect error errors mistake mistakes sources berichtigung richtigstellung korrektur"
            " druckfehler irrtümlich fälschlich falsch quellen fehler rectification rectificatif tort erreur erreurs"
            " corrección erratas erróneamente fuentes errores correzione rettifica erroneamente fonti errori correctie"
            " onrechte abusievelijk bronnen fouten correção retificação fontes erros"
        )
    )
)
"""Index terms of which a passage with a correction holds one."""
TAKEN_BACK_TERMS = tuple(
    sorted(
        stems_of(
            "rescinded repealed revoked withdrawn lifted suspended cancelled canceled deleted annulled reversed"
            " overturned overruled superseded abolished taken longer void zurückgenommen zurückgezogen"
            " aufgehoben postponed moved fällt ausgefallen verschoben verlegt statt déplacé aplazado afgelast"
            " widerrufen ausgesetzt gestrichen abgesagt kraft entfällt hinfällig ungültig levé annulé révoqué"
            " abrogé retiré suspendu supprimé levantado anulado revocado derogado retirado suspendido suprimido"
            " cancelado"
            " terminated termination gekündigt kündigung résilié résiliation rescindido rescisión disdetta opgezegd"
            " efecto annullato revocato abrogato ritirato sospeso soppresso cancellato più ingetrokken herroepen"
            " opgeheven opgeschort geschrapt geannuleerd vervalt vervallen revogado suspenso efeito"
        )
    )
)
"""Index terms of which a passage that takes something back holds one."""
ANNOUNCING_TERMS = tuple(
    sorted(
        stems_of(
            "correction corrections corrigendum corrigenda erratum errata amendment amendments addendum changes"
            " berichtigung richtigstellung korrektur änderung änderungen nachtrag satzungsänderung satzungsänderungen"
            " statutenänderung gebührenänderung beitragsänderung vertragsänderung regeländerung programmänderung"
            " programmänderungen terminänderung terminänderungen rectificatif rectification avenant"
            " modification modifications changements corrección erratas modificación modificaciones cambios correzione"
            " rettifica errori modifica modifiche variazioni cambiamenti correctie wijziging wijzigingen correção"
            " retificação alteração alterações mudanças"
        )
    )
)
"""Index terms by which a text says that it corrects or amends another one."""
CORRECTING_STEMS = frozenset((*ANNOUNCING_TERMS, *CORRECTION_TERMS, *AMENDMENT_TERMS, *TAKEN_BACK_TERMS))
"""What tells that a text corrects, and not what it speaks of."""
DENIAL = re.compile(
    r"\b(?:not|cannot|never|wrong|false|incorrect|instead|nicht|kein\w*|nie|falsch|sondern|statt|pas|jamais|faux|fausse"
    r"|au lieu|no|nunca|falso|falsa|en vez|non|mai|sbagliat\w|invece|niet|nooit|geen|fout|não|errad\w|em vez)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Beside a day that is named again: it is not that of what was told."""
OTHERWISE = re.compile(
    r"\b(?:can['\u2019]t|cannot|again|wieder|erneut|à nouveau|de nouveau|otra vez|de nuevo|di nuovo|opnieuw|weer"
    r"|de novo|outra vez)\b",
    re.IGNORECASE,
)
"""What is told with these words came about more than once, or not as another text has it."""
OTHER_YEAR = re.compile(
    r"\b(?:(?:in|of) that year|(?:an?|one|the) years? (?:later|earlier|after|before)|ein jahr (?:später|früher)"
    r"|(?:in )?jenem jahr|(?:im|das) jahr (?:darauf|davor|zuvor)|un an plus t(?:ard|ôt)"
    r"|l['\u2019]année (?:suivante|d['\u2019]avant)"
    r"|un año (?:después|antes)|un anno (?:dopo|prima)|een jaar (?:later|eerder)|um ano (?:depois|antes))\b",
    re.IGNORECASE,
)
"""A year that is told by another one."""
DOUBT = re.compile(
    r"\b(?:others (?:say|think|write)|some say|or|probably|perhaps|maybe|possibly|presumably|about|around|circa"
    r"|(?:andere|manche) (?:sagen|meinen)|oder|wohl|vielleicht|vermutlich|wahrscheinlich|etwa|ungefähr"
    r"|d['\u2019]autres disent|ou|peut-être|probablement|environ|vers|otros dicen|quizás?|tal vez|probablemente"
    r"|altri dicono|oppure|forse|circa|probabilmente|anderen zeggen|misschien|waarschijnlijk|ongeveer"
    r"|outros dizem|talvez|provavelmente)\b",
    re.IGNORECASE,
)
"""In the sentence of a date, that it may be another one."""
SINCE = re.compile(
    r"\b(?:since|already|seit|schon|bereits|depuis|déjà|desde|ya|dal|già|sinds|reeds|já)\b", re.IGNORECASE
)
"""Before a date: something was there then, and did not come about later."""
REMARK = re.compile(r"\W*[(\[]|\W*\w+(?: \w+){0,3}: ")
"""How a remark on the sentence before it begins: in brackets, or with a label as "Correction: "."""
FAILED = re.compile(
    r"\b(?:f[ae]ll(?:s|en)? through|c[ao]mes? to nothing|called off|never (?:took place|happened)"
    r"|(?:did not|didn['\u2019]t) (?:take place|happen)"
    r"|geplatzt|gescheitert|scheiterte|kam nicht zustande|fand (?:nie|nicht) statt|tombée? à l['\u2019]eau"
    r"|n['\u2019]a (?:pas|jamais) eu lieu|a échoué|fracasó|no (?:tuvo lugar|se llevó a cabo)|è fallit[oa]|fallì"
    r"|non (?:ha avuto|ebbe) luogo|ging niet door|(?:is|was) mislukt|fracassou|não (?:se realizou|aconteceu))\b",
    re.IGNORECASE,
)
"""Said of what was to come about and did not."""
AGE = re.compile(
    r"\b(?:turn(?:s|ed)|(?:years?|jahre|jaar) (?:old|ago|alt|oud)|anniversary|birthday|wird|wurde|jubiläum|geburtstag"
    r"|fêt\w+|anniversaire|cumpl\w+|aniversario|comp(?:ie|ì|iuto)|anniversario|bestaat|jubileum|faz|completa|aniversário)\b",
    re.IGNORECASE,
)
"""Beside a year and a number of years since something came about."""
