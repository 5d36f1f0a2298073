"""Whether a table says of itself that it holds a part: then its total, and its rows counted, are those of that part."""

import re

from quaestor.evidence.table_rows import Table

_PART = (
    r"first half|second half|(?:first|second|third|fourth) quarter|incomplete|partial(?:ly)?|excerpt|extract"
    r"|(?:page|part) \d+ (?:of|/) ?\d+|so far|to date|erste[sn]? halbjahr|zweite[sn]? halbjahr|unvollständig\w*|auszug"
    r"|(?:seite|teil) \d+ von \d+|bisher|premier semestre|second semestre|incompl[eè]te?s?|extrait|jusqu['\u2019]ici"
    r"|primer semestre|segundo semestre|incomplet[oa]s?|parcial(?:es)?|extracto|primo semestre|secondo semestre"
    r"|parzial[ei]|estratto|primeiro semestre|extrato|eerste helft|onvolledige?|uittreksel|неполн\w+|выдержка"
)
_IN_CAPTION = re.compile(rf"\b(?:{_PART}|only|nur|seulement|solo|apenas|alleen|tylko|только)\b", re.IGNORECASE)
_BESIDE = re.compile(
    rf"\b(?:table|list|roll|sheet|tabelle|liste|tableau|tabla|lista|tabella|tabela|tabel|таблица|список)\b[^.]*"
    rf"\b(?:{_PART}|only|nur|seulement|solo|solamente|apenas|alleen|tylko|только)\b",
    re.IGNORECASE,
)
"""Said of the table in the paragraph above it or below it."""
_MAX_BESIDE = 300
"""Characters above and below a table in which it is spoken of."""


def holds_part(text: str, title: str, table: Table) -> bool:
    """Return whether the caption of a table, the title of its document or what stands beside it limits it."""
    top, bottom = (table.rows[0].start, table.rows[-1].end) if table.rows else (0, 0)
    above = text[max(top - _MAX_BESIDE, 0) : top]
    below = text[bottom : bottom + _MAX_BESIDE].strip().partition("\n\n")[0]
    return bool(_IN_CAPTION.search(f"{table.caption}\n{title}") or _BESIDE.search(above) or _BESIDE.search(below))
