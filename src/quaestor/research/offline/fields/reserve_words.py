"""Words by which prose or a row takes something back, in the languages of tables: data of the checks that decline."""

import re

_MORE = (
    r"and (?:[\w-]+ )?others|the other (?:\d+|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty)"
    r"|und (?:\w+ )?(?:weitere|andere)|die (?:übrigen|anderen)|(?:et|les) (?:\w+ )?autres|y (?:\w+ )?otr[oa]s"
    r"|e (?:\w+ )?(?:altr[ie]|outr[oa]s)|en (?:\w+ )?andere|и (?:\w+ )?други[ех]"  # noqa: RUF001 (Russian)
)
"""Said of things that a table does not hold: "and eleven others"."""
_CHINESE_JAPANESE = r"[这此该本上下表行列項项]|この|これ|最后|最後|最初|第[一二三]|以[上下]"
_ARABIC_POSITION = r"هذ[اه]|هؤلاء|أعلاه|أدناه|الجدول|الصف|العمود|القائمة|الأخير\w*|الأول\w*"  # noqa: RUF001 (Arabic letters)
POSITION = re.compile(
    rf"\b(?:{_MORE})\b"
    r"|\b(?:th(?:is|ese|ose)|above|below|tables?|rows?|columns?|lists?|last|first|second|third|former|latter|following"
    r"|all of|everything|every|each|both"
    r"|dies\w{0,2}|jene[rnsm]?|obig\w*|oben|unten\w*|tabellen?|zeilen?|spalten?|listen?|letzte\w?|erste\w?|zweite\w?"
    r"|dritte\w?|folgende\w?|beide\w?|jede\w?"
    r"|ce(?:t|tte|s)?|ceux|celles?|ci-dess(?:us|ous)|tableaux?|lignes?|colonnes?|dernie?r\w*|premi[eè]r\w*|suivante?s?"
    r"|est[aeo]s?|es[ao]s|arriba|abajo|tablas?|filas?|columnas?|últim[ao]s?|primer[ao]?s?|siguientes?|ambos"
    r"|quest[aeio]|sopra|sotto|tabell[ae]|rig(?:a|he)|colonn[ae]|elenco|ultim[aeio]|prim[aeio]|seguent[ei]"
    r"|deze|dit|hierboven|hieronder|tabel(?:len)?|rij(?:en)?|kolom(?:men)?|lijst(?:en)?|laatste|eerste|volgende"
    r"|nest[ae]s?|acima|abaixo|tabelas?|linhas?|colunas?|listas?|primeir[ao]s?|seguintes?"
    r"|эт(?:от|а|о|и|их|ой|у)|выше|ниже|таблиц\w*|строк\w*|столб\w*|спис\w*|последн\w*|перв\w*|следующ\w*)\b"  # noqa: RUF001 (Cyrillic letters)
    rf"|{_CHINESE_JAPANESE}|{_ARABIC_POSITION}",
    re.IGNORECASE,
)
"""Demonstratives, places, and names of the parts of a table."""
_STANDS_IN = (
    r"(?:step(?:s|ped)?|stand(?:s|ing)?|stood|fill(?:s|ed|ing)?) in for|vertritt|vertreten|springt? (?:für \w+ )?ein"
    r"|remplace|sustituye|sostituisce|vervangt|substitui"
)
STANDS_IN = re.compile(rf"\b(?:{_STANDS_IN})\b", re.IGNORECASE)
"""Said of who does the work of somebody else, whom the sentence before may name."""
_CHANGED = (
    rf"{_STANDS_IN}|"
    r"now|instead|wrong|errors?|correct(?:ed|ion|ions|s)?|amended|chang(?:e[sd]?|ing)|mov(?:e[sd]|ing)|lower(?:ed|s)|raised?"
    r"|rais(?:es|ing)|rose|risen|rises?|increas\w*|reduc\w*|doubl(?:e[sd]|ing)|halved|cut|exchanged|swapp?\w*|replac\w*"
    r"|(?:go(?:es)?|went|gone|put) (?:up|down)|up to|hand(?:s|ed|ing)?\b[^.]{0,30} over|t(?:ak(?:es|ing|en)|ook) over"
    r"|in (?:his|her|their|its|my) place|until further notice|no longer|(?:minutes?|hours?) (?:later|earlier)"
    r"|mistak\w*|deduct\w*|docked|(?:from|as of|starting) (?:the )?(?:new|next|coming) [^\W\d_]+"
    r"|jetzt|nunmehr|stattdessen|falsch|fehler|geändert|verschoben|umgezogen|gesenkt|erhöht|getauscht|ersetzt|übernimmt"
    r"|übernommen|bis auf weiteres|nicht mehr|statt|irrtümlich\w*|versehentlich|abgezogen"
    r"|ab (?:de[mr] )?(?:neuen|nächsten|kommenden) [^\W\d_]+"
    r"|désormais|maintenant|erreur|corrigé\w*|modifié\w*|déplacé\w*|baissé\w*|augment\w*|remplac\w*|au lieu"
    r"|déduit\w*|dès l[ea] (?:nouve\w+|prochaine?)"
    r"|ahora|error(?:es)?|corregid\w*|cambi\w*|trasladad\w*|baj(?:a|an|ó|ado)|sub(?:e|ió|en)|reemplaz\w*|en lugar"
    r"|descontad\w*|a partir del? (?:la )?(?:nuev|próxim)[oa]"
    r"|ora|adesso|errat\w*|corrett[oaie]|spostat\w*|ridott\w*|aumentat\w*|sostitui\w*|invece"
    r"|detratt\w*|sbaglio|dal(?:la)? (?:nuov|prossim)[oa]"
    r"|voortaan|fout\w*|gewijzigd|verplaatst|verlaagd|verhoogd|vervang\w*|in plaats"
    r"|afgetrokken|vergissing|vanaf (?:het |de )?(?:nieuw|volgend|komend)\w*"
    r"|agora|corrigid\w*|alterad\w*|mudou|reduzid\w*|aumentad\w*|substitu\w*|em vez"
    r"|descontad\w*|engano|a partir d[oa] (?:nov|próxim)[oa]"
    r"|теперь|ошиб\w*|измен\w*|сниж\w*|повыш\w*|замен\w*"
)
CHANGED = re.compile(rf"\b(?:{_CHANGED})\b", re.IGNORECASE)
"""Words for a change: what a thing was before holds no longer."""
NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|percent|doubl\w*|halv\w*|half"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|prozent|verdoppel\w*|halb\w*|deux|trois"
    r"|quatre|cinq|sept|huit|neuf|dix|onze|douze|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|due|tre"
    r"|quattro|cinque|sette|otto|nove|dieci|cento|twee|drie|vijf|zes|zeven|negen|tien|twaalf|dois|duas|três|quatro|sete"
    r"|oito|dez|cem|mil)\b",
    re.IGNORECASE,
)
"""Small numbers in words, and what makes another number of one."""
_ALL_OF = (
    (
        r"everything|(?:all (?:our |the )?)?(?:prices|fees|rates)",
        r"(?:more|less)(?! than)|dearer|cheaper|up(?! to\b)|down(?! to\b)|ris\w+|rose|increase\w*|reduced",
    ),
    ("alles|alle preise", r"teurer|billiger|mehr|weniger|erhöh\w+"),
    ("tout|tous les (?:prix|tarifs)", r"plus|moins|augment\w+"),
    ("todo|todos los precios", r"más|menos|sub\w+|aumen\w+"),
    ("tutto|tutti i prezzi", r"più|meno|aumen\w+"),
    ("alles|alle prijzen", "meer|minder|duurder|goedkoper"),
    ("tudo|todos os preços", r"mais|menos|aumen\w+|sub\w+"),
)
"""What calls all prices, and what becomes of them, in seven languages."""
ALL_CHANGED = re.compile(
    "|".join(rf"\b(?:{every})\b[^.!?]{{0,60}}\b(?:{change})\b" for every, change in _ALL_OF)
    + r"|\b(?:all|alle|tou(?:te)?s|tod[oa]s|tutt[ei])\b(?: [^\W\d_]+){1,3}?[^.!?]{0,40}?"
    r"(?:\b(?:rises?|rose|risen|increased?|steigen|stiegen|augmentent|aumentan|aumentano|stijgen|aumentam)\b"
    r"|(?:[€£$%]|\b(?:percent|per cent|euros?|pounds?|dollars?|pence|cents?|prozent|franken|francs?|procent|por ?cento"
    r"|per ?cento|por ciento|pour cent)) (?:more|less|dearer|cheaper|teurer|billiger|mehr|weniger|de plus|de moins|más"
    r"|menos|in più|in meno|meer|minder|mais)\b)",
    re.IGNORECASE,
)
"""Said of all prices at once: "everything is dearer", "all mains one euro more"."""
ABOLISHED = re.compile(
    r"\b(?:abolished|waived|scrapped|dropped|no longer|entf[aä]ll\w*|abgeschafft|aufgehoben|nicht mehr|supprimée?s?"
    r"|abolie?s?|suprimid[oa]s?|abolit[oaie]|afgeschaft|vervalt|vervallen|abolid[oa]s?|ne \w+ plus|ya no|non \w+ più"
    r"|niet meer|já não)\b",
    re.IGNORECASE,
)
"""Behind the name of a price, that it is asked of nobody any more."""
PRICE = re.compile(
    r"price|cost|\bfees?\b|\brates?\b|tariff|charge|preis|gebühr|kosten|tarif|prix|coût|precio|coste|prezz|costo|prij[sz]"
    r"|preço|custo|beitr[aä]g|\bdues\b|\brents?\b|miete|loyer|cotisation|cuota|contribut|spen[dt]|expens|ausgabe|dépens|gasto|spes[ae]|uitgave|despesa",
    re.IGNORECASE,
)
"""Names of columns and of tables that hold prices, and words that speak of one."""
CURRENCY = re.compile(
    r"[€£$]|\b(?:euros?|pounds?|dollars?|pence|cents?|pfund|franken|rappen|livres?|francs?|libras?|euro|sterline"
    r"|franchi|ponden|frank)\b",
    re.IGNORECASE,
)
DENIED_BEFORE = re.compile(
    r"(?:\A\W*(?:no|kein\w*|pas de|sin|senza|geen|sem)|\bno longer \w+|\bno more|\bkein\w* \w+ mehr|\bplus de"
    r"|\bgeen \w+ meer)(?: the| our| any)? \Z",
    re.IGNORECASE,
)
"""Before a name, that there is no such thing: "No trout", "we no longer have V5"."""
LEFT_OVER = re.compile(
    r"\W*(?:is |are |was |were |ist |sind )?(?:left|remain\w*|any ?more|mehr|übrig\w*|restant\w*|queda\w*|rimast\w*"
    r"|over|meer|restam?)\b",
    re.IGNORECASE,
)
"""Behind the things of a kind, that these are all: "no fish left"."""
COUNTED_ALL = re.compile(
    r"\b(?:down to|makes?|leaves?|there (?:are|were)|ha(?:ve|s|d)|only|now|all|in total|altogether"
    r"|es gibt|hab(?:en|t)|hat(?:te)?|nur|noch|alle|insgesamt|il y a|avons|ont|tou(?:te)?s|hay|queda\w*|tenemos"
    r"|tiene\w*|solo|tod[oa]s|ci sono|resta\w*|abbiamo|hanno|tutt[ie]|er zijn|nog|heeft|hebben|slechts|há|temos|tem"
    r"|apenas)\b",
    re.IGNORECASE,
)
"""Before a number of things, that it is that of all."""
MAY_BE = re.compile(r"\b(?:for|up to|at most|für|bis zu|höchstens|pour|para|per|voor|tot)\b", re.IGNORECASE)
"""Before a number of things, that so many may be there: "room for twelve boats"."""
RESERVE = re.compile(
    rf"\b(?:{_MORE}|{_CHANGED})\b"
    r"|\b(?:not?|never|none|nor|yet|except|without|only|but|however|although|since|until|new|correct\w*|chang\w*|moved"
    r"|lower|doubl\w*|refused|former\w*|outdated|missing|more|less"
    r"|nicht|noch|kein\w*|nie|ohne|außer|nur|aber|sondern|jedoch|seit|bis|neu\w*|veraltet|mehr|weniger"
    r"|pas|plus|jamais|sans|sauf|mais|seulement|depuis|jusqu\w*|nouve\w+|moins|ningun\w*|nunca|sin|salvo|pero|sólo|solo"
    r"|desde|hasta|nuev\w+|error\w*|baj\w+|más|menos|non|mai|senza|tranne|ma|da|fino|nuov\w+|più|meno|niet|geen|nooit"
    r"|zonder|behalve|maar|sinds|tot|nieuw\w*|meer|minder|não|sem|exceto|apenas|até|nov[oa]s?"
    r"|не|нет|без|кроме|только|но|нов\w+|больше|меньше)\b"
    r"|\bout of\b|[不没無无未但]|ない|しかし|لا\b|ليس|غير|لكن",
    re.IGNORECASE,
)
"""Words that deny, limit or change what a table says."""
_GONE = (
    r"(?:sold(?: out)?|for sale|stolen|scrap(?:ped)?|written off|disposed of|broken up|closed|withdrawn|cancell?ed"
    r"|dissolved|retir(?:ed|es|ing)|resign(?:ed|s)|hand(?:s|ed) in (?:his|her|their) notice|deceased|died|dead|lost"
    r"|left (?:in|the|us)|leav(?:es?|ing) (?:us|in|on)|former|vacant|returned|disused|abolished|demolished|dismantled"
    r"|decommissioned|planned"
    r"|promised|expired|g[ai]ven? (?:back|up|away)|no longer"
    r"|out of stock|withdr[ae]ws?"
    r"|stole|s[au]nk|scuttled|burn(?:t|ed) (?:down|out)|broke (?:up|down)|(?:tore|torn|pulled) down"
    r"|shut|quit|disbanded|stepp?(?:ed|s) down|drop(?:ped|s) out|pulled out|passed away|moved (?:away|out)|wrecked"
    r"|destroyed|ausgezogen|déménagé\w*|verhuisd|vanished|went missing|extinct|died out|struck off|expelled"
    r"|disqualified|gone(?! (?:to|for|through|by|over|up|down|on|round)\b)"
    r"|(?:verließ|verlässt|verliess)\w*|zog\b[^.]{0,20} zurück|tr[ai]tt?\b[^.]{0,20} zurück|zurückgetreten"
    r"|gab\b[^.]{0,20} (?:ab|auf|zurück)|(?:ab|auf)gegeben|sank|gesunken|untergegangen|(?:ab|ver)gebrannt|verbrannt"
    r"|brannte\b[^.]{0,20} (?:ab|nieder)|zerbr[ao]ch\w*|gestorben|starb|verlor|schied\b[^.]{0,20} aus|ausgetreten"
    r"|kündigte|zerstört|verschwunden|verschenkt|stahl|schloss|ausverkauft"
    r"|épuisée?s?|agotad[oa]s?|esaurit[oaie]|uitverkocht|esgotad[oa]s?"
    r"|gestohlen|entsorgt|ausgemustert|gekündigt|verlässt uns|verkauft|verschrottet|geschlossen|zurückgezogen"
    r"|abgesagt|aufgelöst|ausgeschieden|verstorben|verloren|ehemal\w+|vakant|unbesetzt|zurückgegeben"
    r"|stillgelegt|abgerissen|geplant|versprochen|zugesagt|storniert|ungültig|entfällt|vendue?s?|fermée?s?"
    r"|retirée?s?|annulée?s?|dissoute?s?|décédée?s?|perdue?s?|ancien\w*|rendue?s?|démolie?s?|volée?s?|à vendre"
    r"|coulée?s?|brûlée?s?|abandonnée?s?|mort[es]?|mourut|a quitté|détruite?s?|disparue?s?"
    r"|démissionn\w+|nous quitte|prévue?s?|promise?s?|supprimée?s?|vendid[oa]s?|cerrad[oa]s?|retirad[oa]s?"
    r"|hundid[oa]s?|quemad[oa]s?|abandonad[oa]s?|murió|renunció|destruid[oa]s?|desaparecid[oa]s?"
    r"|anulad[oa]s?|cancelad[oa]s?|robad[oa]s?|en venta|dimit\w+|se jubila|fallecid[oa]s?|perdid[oa]s?"
    r"|vacantes?|devuelt[oa]s?|demolid[oa]s?|previst[oa]s?|prometid[oa]s?|rubat[oaie]|in vendita|dimess[oaie]"
    r"|vendut[oaie]|chius[oaie]|ritirat[oaie]|annullat[oaie]|decedut[oaie]|restituit[oaie]|demolit[oaie]"
    r"|affondat[oaie]|bruciat[oaie]|abbandonat[oaie]|mort[oi]|morì|distrutt[oaie]|scompars[oaie]"
    r"|promess[oaie]|gestolen|te koop|afgeschreven|verkocht|gesloten|ingetrokken|geannuleerd|overleden"
    r"|gezonken|verbrand|opgegeven|vertrok(?:ken)?|stierf|gestorven|verloren|verwoest|verdwenen"
    r"|teruggegeven|gesloopt|gepland|toegezegd|roubad[oa]s?|à venda|demitiu|fechad[oa]s?|falecid[oa]s?"
    r"|vag[oa]s?|devolvid[oa]s?|afundad[oa]s?|queimad[oa]s?|morreu|vendeu|destruíd[oa]s?"
    r"|продан\w*|закрыт\w*|отозван\w*|отмен[её]н\w*|умер\w*|утерян\w*|бывш\w+|вакант\w*|возвращ[её]н\w*|снес[её]н\w*"
    r"|планир\w+|обещан\w*|已[售关閉闭]|取消|廃止|閉鎖|予定|ملغ\w+|مغلق\w*)"
)
GONE = re.compile(rf"\b{_GONE}(?!\w)", re.IGNORECASE)
"""What makes a thing no longer, or not yet, one of its kind."""
EMPTIED = re.compile(
    r"\W*(?:(?:is|was|ist|wurde|est|está|è|é|now|jetzt)\W+){0,2}"
    r"(?:empty|emptied|cleared|leer|geräumt|vide|vidée?|vací[oa]|vuot[oa]|leeg|vazi[oa])\b",
    re.IGNORECASE,
)
"""Behind the name of a place, that what was there is there no longer."""
_OWN = (
    r"the|our|its|my|his|her|their|all|last|only|old|die|das|de[rnm]|unser\w*|letzte\w?|les?|la|notre|nos|derni[eè]re?s?|el|los"
    r"|las|nuestr[oa]s?|últim[oa]s?|il|lo|gli|nostr[oaie]|ultim[oaie]|de|het|on[sz]e?|laatste|os?|as?|noss[oa]s?"
)
LOST_BEFORE = re.compile(
    r"\b(?:sold|g[ai]ven? (?:up|away)|lost|scrapped|stolen?|disposed of|written off|out of|verkauf(?:t|ten?)|verloren"
    r"|verschenkt(?:en)?|vendu|vendido|vendimos|venduto|perso|verkochten?|kwijt|vendemos|perdemos)"
    rf"(?: (?:{_OWN})){{0,3}} \Z",
    re.IGNORECASE,
)
"""Before a name, that somebody has such a thing no longer: "We sold the Heron"."""
LAST = re.compile(r"\b(?:last|letzte\w?|derni[eè]re?s?|últim[oa]s?|ultim[oaie]|laatste) \Z", re.IGNORECASE)
FOR_SALE = re.compile(
    r"sold|for sale|verkauft|vendue?s?|à vendre|vendid[oa]s?|en venta|vendut[oaie]|in vendita|verkocht|te koop|vendeu"
    r"|à venda|продан\w*",
    re.IGNORECASE,
)
"""Words for a loss which of goods say that one can have them."""
_UNFINISHED = (
    r"(?:under|in) construction|being built|not yet \w+|im bau|en construction|en construcción|in costruzione"
    r"|in aanbouw|em construção|строится|строящ\w+"
)
GONE_STATE = re.compile(
    r"\W*+(?:(?:\d++(?:[.\-/]\d++)*+|now|was|is|has|been|already|since|ist|hat|wurde|seit|bereits|est|depuis|déjà|desde|ya|dal|sinds"
    rf"|já|уже)\W++){{0,3}}(?:{_GONE}|{_UNFINISHED}|proposed|pending|void|removed)(?!\w)",
    re.IGNORECASE,
)
"""The start of a value that says so of its row; what a description says further on may be of something else."""
_REMARKS = (
    r"(?:remarks?|notes?|comments?|bemerkung\w*|anmerkung\w*|remarques?|observaci\w+|opmerking\w*|observaç\w+"
    r"|примечан\w*)\b|备注|備考|ملاحظات"
)
REMARK_COLUMN = re.compile(rf"\b{_REMARKS}", re.IGNORECASE)
"""Names of columns in which anything may stand that is to be known of a row."""
END_COLUMN = re.compile(
    r"\b(?:left|to|until|till|end(?:ed)?|clos\w+|sold|died|death|retired|returned|withdrawn|cancell?ed|state|status"
    r"|bis|ende|austritt|ausgeschieden|verkauft|geschlossen|fin|sortie|jusqu\w+|hasta|salida|baja|fine|uscita|tot|einde"
    rf"|saída|até|до|конец)\b|\b{_REMARKS}",
    re.IGNORECASE,
)
"""Names of columns that hold something only of the rows that are special, as of those that ended."""
AMOUNT_COLUMN = re.compile(
    r"(?:quantity|qty|number|no\.? of \w+|amount|pieces|pcs|persons|people|copies|count|total|anzahl|menge|stück"
    r"|stückzahl|personen|exemplare|nombre|quantité|pièces|personnes|exemplaires|cantidad|número|piezas|personas"
    r"|quantità|numero|pezzi|persone|aantal|stuks|quantidade|peças|pessoas)",
    re.IGNORECASE,
)
"""Names of columns that say how many things a row stands for."""
READS = re.compile(
    r"\b(?:say(?:s|ing)?|said|reads?|states?|stated|gives|shows|according to|sagt|steht|stand|liest|laut|nennt|selon"
    r"|dit|indique|d['\u2019]après|según|dice|pone|secondo|riporta|volgens|zegt|staat|segundo|diz|consta)\b",
    re.IGNORECASE,
)
"""Said of what somebody or something tells, who may be right."""
PART_NAME = re.compile(
    r"\W*(?:of (?:which|them|whom|these)|thereof|including|incl\b|davon|darunter|hiervon|dont|y compris|de los cuales"
    r"|de las cuales|de ellos|incluid\w+|di cui|compres[oi]|waarvan|waaronder|dos quais|das quais|inclu\w+"
    r"|w tym|из них|в том числе|其中|うち|منها)",
    re.IGNORECASE,
)
"""Beginnings of the names of rows that are a part of the row above them."""
NO_NAME = re.compile(
    r"N\. ?N\.?|NN|TB[ACD]|(?:vacant|vacancy|open|nobody|none|free|reserved|available|waiting|unbesetzt|vakant|offen"
    r"|niemand|frei|reserviert|verfügbar|vacante?|personne|réservée?|disponible|nadie|libre|reservad[oa]|nessuno|liber[oa]"
    r"|riservat[oa]|vacature|vrij|gereserveerd|vago|vaga|ninguém|livre)|\?+",
    re.IGNORECASE,
)
"""What stands where a name is missing."""
DITTO = re.compile(r"[\"\u201c\u201d\u201e\u2033\u3003]|''|,,|(?:do|dto|id)\.|d(?:it)?to|dito|idem", re.IGNORECASE)
"""What stands where the value of the row above holds again."""
_SETTLED = (
    r"done|finished|completed?|fixed|resolved|settled|accepted|rejected|paid|erledigt|behoben|bezahlt|abgeschlossen"
    r"|terminée?|réglée?|résolue?|payée?|hecho|resuelt[oa]|pagad[oa]|fatto|risolt[oa]|pagat[oa]|gedaan|opgelost|betaald"
    r"|afgehandeld|feito|resolvid[oa]|pag[oa]"
)
_UPDATE = (
    r"\W*(?:update|edit|addendum|nachtrag|aktualisierung|mise à jour|actualización|aggiornamento|bijgewerkt|aanvulling"
    r"|atualização)\b[^\n:]{0,25}:"
)
UPDATE = re.compile(_UPDATE, re.IGNORECASE)
"""How a line begins that tells something new."""
NEW_STATE = re.compile(
    rf"^{_UPDATE}[^\n]*\b(?:{_CHANGED}|{_GONE}|{_SETTLED}|re-?opened)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A line below the header of a document that tells a new state of what it is about."""
OPEN = re.compile(
    r"\W*(?:(?:re-?)?open(?:ed)?|new|pending|to ?do|in progress|ongoing|offen|neu|in (?:arbeit|bearbeitung)|ouverte?"
    r"|en cours|abiert[oa]|pendiente|en curso|apert[oa]|in corso|lopend|in behandeling|abert[oa]|pendente"
    r"|em curso)(?!\w)",
    re.IGNORECASE,
)
"""The value of a field of what is not settled."""
SETTLED_PARAGRAPH = re.compile(
    rf"(?:\A|\n[ \t]*\n|\n-{{3,}}[ \t]*\n)[ \t>*_(-]*(?:{_SETTLED})(?= *(?:[.,;:!]|\Z)| (?:\d|(?:on"
    r"|by|in|at|since|after|for|with|today|yesterday|am|im|vom|von|durch|seit|nach|mit|le|par|depuis|après|avec|el"
    r"|por|desde|il|dal?|dopo|op|door|sinds|na|em|pel[oa]|após)\b))",
    re.IGNORECASE,
)
"""A paragraph that says first of all that something is settled: "Resolved on 5 April", but not "Rejected ideas"."""
STATE_KEYS = frozenset(
    ["status", "state", "stand", "zustand", "statut", "état", "etat", "estado", "stato", "toestand", "situação"]
)
"""Names of fields that say whether something is open."""
UNIT_LINES = re.compile(
    r"\W*(?:(?:table|tab\.|tabelle|tableau|tabla|tabella|tabel|tabela|таблица)\s*\d+\s*[.:].*"
    r"|(?:\w+\s){0,4}(?:include[sd]?|excludes?|including|excluding|plus|inkl\w*|exkl\w*|zzgl|enthalten|verstehen sich"
    r"|comprennent|incluyen|includono|inclusief|incluem)\b[^.]{0,25}"
    r"\b(?:vat|tax(?:es)?|mwst|mehrwertsteuer|tva|iva|btw)\b\W*"
    r"|(?:all|alle|toutes?|tous|todos|todas|tutti|tutte)\s(?:\w+\s){1,4}(?:in|en)\s"
    r"(?:euros?|dollars?|pounds?|metres?|meters?|metern?|mètres|metros|metri)\W*)",
    re.IGNORECASE,
)
"""Sentences beside a table that change nothing: a caption, a tax that is included, a unit."""
