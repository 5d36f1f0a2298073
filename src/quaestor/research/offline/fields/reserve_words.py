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
RESERVE = re.compile(
    rf"\b(?:{_MORE})\b"
    r"|\b(?:not?|never|none|nor|yet|except|without|only|but|instead|however|although|since|until|now|new"
    r"|wrong|errors?|correct\w*|amended|chang\w*|moved|lower(?:ed)?|raised?|rais(?:es|ing)|rose|risen|rises?|increas\w*"
    r"|reduc\w*|doubl\w*|halved|cut|exchanged|swapp?\w*|replac\w*|refused|former\w*|outdated|missing|more|less"
    r"|nicht|noch|kein\w*|nie|ohne|außer|nur|aber|sondern|jedoch|seit|bis|jetzt|neu\w*|falsch|fehler|geändert|verschoben"
    r"|gesenkt|erhöht|getauscht|ersetzt|veraltet|mehr|weniger"
    r"|pas|plus|jamais|sans|sauf|mais|seulement|depuis|jusqu\w*|désormais|nouve\w+|erreur|corrigé\w*|modifié\w*|baissé\w*"
    r"|augment\w*|remplacé\w*|moins|ningun\w*|nunca|sin|salvo|pero|sólo|solo|desde|hasta|ahora|nuev\w+|error\w*"
    r"|cambi\w*|baj\w+|sub(?:e|ió|en)|más|menos|non|mai|senza|tranne|ma|da|fino|ora|nuov\w+|errat\w*|ridott\w*"
    r"|aumentat\w*|più|meno|niet|geen|nooit|zonder|behalve|maar|sinds|tot|nieuw\w*|fout\w*|gewijzigd|verlaagd|verhoogd"
    r"|meer|minder|não|nunca|sem|exceto|mas|apenas|até|agora|nov[oa]s?|corrigid\w*|alterad\w*|reduzid\w*|mais"
    r"|не|нет|без|кроме|только|но|теперь|нов\w+|ошиб\w*|измен\w*|сниж\w*|повыш\w*|больше|меньше)\b"
    r"|\bout of\b|[不没無无未但]|ない|しかし|لا\b|ليس|غير|لكن",
    re.IGNORECASE,
)
"""Words that deny, limit or change what a table says."""
_GONE = (
    r"(?:sold|scrapped|broken up|closed|withdrawn|cancell?ed|dissolved|retired|resigned|deceased|died|dead|lost"
    r"|left (?:in|the|us)|former|vacant|returned|disused|abolished|demolished|dismantled|decommissioned|planned"
    r"|promised|expired|given (?:back|up|away)|no longer"
    r"|verkauft|verschrottet|geschlossen|zurückgezogen|abgesagt|aufgelöst|ausgeschieden|verstorben|verloren|ehemal\w+"
    r"|vakant|unbesetzt|zurückgegeben|stillgelegt|abgerissen|geplant|versprochen|zugesagt|storniert|ungültig|entfällt"
    r"|vendue?s?|fermée?s?|retirée?s?|annulée?s?|dissoute?s?|décédée?s?|perdue?s?|ancien\w*|rendue?s?|démolie?s?"
    r"|prévue?s?|promise?s?|supprimée?s?|vendid[oa]s?|cerrad[oa]s?|retirad[oa]s?|anulad[oa]s?|cancelad[oa]s?"
    r"|fallecid[oa]s?|perdid[oa]s?|vacantes?|devuelt[oa]s?|demolid[oa]s?|previst[oa]s?|prometid[oa]s?"
    r"|vendut[oaie]|chius[oaie]|ritirat[oaie]|annullat[oaie]|decedut[oaie]|restituit[oaie]|demolit[oaie]|promess[oaie]"
    r"|verkocht|gesloten|ingetrokken|geannuleerd|overleden|teruggegeven|gesloopt|gepland|toegezegd"
    r"|fechad[oa]s?|falecid[oa]s?|vag[oa]s?|devolvid[oa]s?"
    r"|продан\w*|закрыт\w*|отозван\w*|отмен[её]н\w*|умер\w*|утерян\w*|бывш\w+|вакант\w*|возвращ[её]н\w*|снес[её]н\w*"
    r"|планир\w+|обещан\w*|已[售关閉闭]|取消|廃止|閉鎖|予定|ملغ\w+|مغلق\w*)"
)
GONE = re.compile(rf"\b{_GONE}(?!\w)", re.IGNORECASE)
"""What makes a thing no longer, or not yet, one of its kind."""
_UNFINISHED = (
    r"(?:under|in) construction|being built|not yet \w+|im bau|en construction|en construcción|in costruzione"
    r"|in aanbouw|em construção|строится|строящ\w+"
)
GONE_STATE = re.compile(
    r"\W*(?:(?:\d[\d.\-/]*|now|was|is|has|been|already|since|ist|wurde|seit|bereits|est|depuis|déjà|desde|ya|dal|sinds"
    rf"|já|уже)\W+){{0,3}}(?:{_GONE}|{_UNFINISHED}|proposed|pending|void|removed)(?!\w)",
    re.IGNORECASE,
)
"""The start of a value that says so of its row; what a description says further on may be of something else."""
END_COLUMN = re.compile(
    r"\b(?:left|to|until|till|end(?:ed)?|clos\w+|sold|died|death|retired|returned|withdrawn|cancell?ed|remarks?|notes?"
    r"|comments?|state|status|bis|ende|austritt|ausgeschieden|verkauft|geschlossen|bemerkung\w*|anmerkung\w*|fin|sortie"
    r"|jusqu\w+|remarques?|observaci\w+|hasta|salida|baja|fine|uscita|note|opmerking\w*|tot|einde|observaç\w+|saída"
    r"|até|до|конец|примечан\w*)\b|备注|備考|ملاحظات",
    re.IGNORECASE,
)
"""Names of columns that hold something only of the rows that are special, as of those that ended."""
PART_NAME = re.compile(
    r"\W*(?:of (?:which|them|whom|these)|thereof|including|incl\b|davon|darunter|hiervon|dont|y compris|de los cuales"
    r"|de las cuales|de ellos|incluid\w+|di cui|compres[oi]|waarvan|waaronder|dos quais|das quais|inclu\w+"
    r"|w tym|из них|в том числе|其中|うち|منها)",
    re.IGNORECASE,
)
"""Beginnings of the names of rows that are a part of the row above them."""
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
