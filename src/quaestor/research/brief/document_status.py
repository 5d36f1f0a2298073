"""The status that a document states of itself: that it is in force, rejected, superseded or out of date.

It is told by a field at the top, by a section called Status, by a notice above the text, in its title, or in the name
of its file; of a meeting by the sentence that it was called off.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile, pairwise

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import normalize, sentence_spans, shorten
from quaestor.research.offline.fields.header_fields import find_headers
from quaestor.research.offline.words.markup import strip_markup

_TOP_CHARACTERS = 4_000
"""The characters at the top of a text in which a document says what it is."""
_TOP_LINES = 12
"""Lines with words among which a field stands alone; further below it is one of the text."""
_NOTICE_BLOCKS = 3
"""A notice is among the first blocks below the title."""
_MAX_FIELDS = 2
"""Where a field stands more often it is told of records, each of which has its own, and not of the document."""
_ABOVE_TABLE = frozenset({BlockKind.HEADING, BlockKind.MARKUP})
_COLUMNS = 2
_FIRST_HEADINGS = 2
"""The title, and that of the first section."""
_MAX_WORDS = 8
_MAX_CHARACTERS = 200
_STATUS_KEYS = (
    "status",
    "state",
    "superseded-by",
    "superseded by",
    "replaced-by",
    "replaced by",
    "obsoleted-by",
    "obsoleted by",
    "repealed-by",
    "repealed by",
    "repealed",
    "deprecated",
    "withdrawn",
)
_ENDED_HEADING = re.compile(
    r"(?:superseded|obsolete|withdrawn|rejected|repealed|revoked|rescinded|retired|expired|outdated|abandoned"
    r"|aufgehoben|veraltet|überholt|zurückgezogen|abrogée?|obsolète|derogad[oa]|obsolet[oa])\W*",
    re.IGNORECASE,
)
"""The first heading below the title that is a status; "Deprecated" may head the entries of a list of changes."""
_STATUS_HEADINGS = frozenset({"status", "statut", "estado", "stand"})
_ENDED = (
    r"superseded|deprecated|obsolete|withdrawn|rejected|repealed|revoked|rescinded|archived|retired|expired|outdated"
    r"|taken back|zurückgenommen|widerrufen"
    r"|out of (?:date|force|print|use)|no longer (?:valid|in (?:force|use|effect)|maintained|supported|current)"
    r"|replaced|aufgehoben|au(?:ß|ss)er kraft|veraltet|überholt|ersetzt|ungültig|zurückgezogen"
    r"|abrogée?|remplacée?|obsolète|périmée?|caduque?|derogad[oa]|sustituid[oa]|reemplazad[oa]|obsolet[oa]|anulad[oa]"
)
"""Said of what is no longer in force, in English, German, French and Spanish."""
_DRAFT = (
    r"draft|not (?:yet )?(?:adopted|agreed|discussed)"
    r"|entwurf|(?:noch )?nicht beschlossen|brouillon|(?:non|pas encore) adoptée?|borrador"
    r"|(?:aún )?no aprobad[oa]"
)
"""Said of what is not in force yet."""
NOT_IN_FORCE = re.compile(rf"\b(?:{_ENDED}|{_DRAFT})\b", re.IGNORECASE)
_KINDS = (
    r"document|version|edition|page|policy|guide|text|standard|specification|by-?law|rules?|regulation|act|agreement|plan"
    r"|proposal|leaflet|manual|article|note|record|decision|list|form|release|draft|dokument|fassung|ausgabe|seite|satzung"
    r"|ordnung|verordnung|règlement|édition|documento|versión|edición|norma|reglamento"
)
_NOTICE = re.compile(
    rf"(?:(?:note|notice|warning|important|attention|caution|hinweis|achtung|aviso)\W+)?(?:"
    rf"(?:{_ENDED})"
    r"(?=\W*\Z|[.:;,!(]| [\u2013\u2014-] | (?:by|since|on|as|in fav|and|durch|seit|par|depuis|por|desde)\b)"
    rf"|(?:this|these|the|dies\w*|cet?(?:te)?|est[ea]) (?:\w+ ){{0,2}}?(?:{_KINDS})(?: of \S+)?,? "
    rf"(?:is|was|are|were|has been|have been|ist|wurde|gilt als|est|a été|está|ha sido|es)"
    rf"(?: (?:now|hereby|officially|fully|long|considered|marked as|also|(?:since|seit|depuis|desde) \S+))*"
    rf" (?:{_ENDED})\b)",
    re.IGNORECASE,
)
_NOT_KEPT = re.compile(
    r"\b(?:(?:not|never) (?:been )?(?:updated|maintained|revised)|no longer (?:updated|revised)"
    r"|(?:nicht|nie) (?:mehr |weiter )?(?:aktualisiert|gepflegt|überarbeitet)|plus mise?s? à jour|ya no se actualiza)\b"
    r"|\b(?:in (?:case of|any) (?:doubt|conflict)|im zweifel(?:sfall)?|en cas de (?:doute|conflit)|en caso de duda)\b"
    r".*\b(?:valid|appl(?:y|ies)|prevails?|binding|counts|gilt|gelten|verbindlich|maßgeb\w+|foi|prévaut|prevalece)\b",
    re.IGNORECASE,
)
"""A document says that nobody keeps it up to date, or that another one decides."""
_EVENT = (
    r"meeting|session|call|event|class|course|rehearsal|match|concert|sitzung|versammlung|besprechung|treffen|probe"
    r"|veranstaltung|réunion|séance|assemblée|répétition|reunión|sesión|asamblea|riunione|seduta|vergadering|reunião"
)
_NOT_HELD = re.compile(
    rf"(?:(?:the|this|our|today['\u2019]s|die|der|das|diese[rs]?|la|le|cette|est[ea]|il|de|het|a) )?(?:{_EVENT})"
    r"(?: (?:is|was|has been|wurde|ist|est|a été|fue|ha sido|è stat[oa]|werd|foi))? (?:cancell?ed|postponed|called off"
    r"|abgesagt|entfällt|fällt aus|annulée?|reportée?|cancelad[oa]|suspendid[oa]|aplazad[oa]|annullat[oa]|rinviat[oa]"
    r"|afgelast|geannuleerd|adiad[oa])\b",
    re.IGNORECASE,
)
"""The agenda or the minutes of a meeting say that there was none."""
_WARNING = re.compile(
    r"^[ \t>]*(?:!!!|\?{3}|:{3,}|\.\.)?[ \t]*\[?!?[*_]*"
    r"(?:warning|caution|danger|attention|important|deprecated|achtung|warnung|avertissement|advertencia)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that opens a warning, in the forms of several markups."""
_OF_DOCUMENT = re.compile(rf"\b(?:this|dies\w*|cet?(?:te)?|est[ea]) (?:\w+ )?(?:{_KINDS})\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IN_TITLE = re.compile(
    rf"[(\[](?:{_ENDED}|{_DRAFT})\b[^)\]]*[)\]]|\A(?:(?:{_ENDED}|{_DRAFT}):|(?P<mark>{_DRAFT}) [\u2013\u2014-] )"
    rf"| [\u2013\u2014-] (?:{_DRAFT})\b",
    re.IGNORECASE,
)
_IS_DRAFT = re.compile(rf"\b(?:{_DRAFT})\b", re.IGNORECASE)
_IN_NAME = re.compile(
    r"(?:^|[\W_])(?:superseded|obsolete|withdrawn|deprecated|outdated|draft|entwurf|veraltet|brouillon|obsolète|borrador"
    r"|obsoleto)(?:[\W_]|$)",
    re.IGNORECASE,
)
_OLD_NAME = re.compile(
    r"\w[\W_]+(?:old|alt|veraltet|ancien|ancienne|viej[oa]|antigu[oa]|vecchi[oa]|oud)\W*\Z", re.IGNORECASE
)
"""The end of the name of a file that a newer one has replaced; further in front it tells what the text is about."""
_MARKS = re.compile(r"[*_>`~]+|\[!\w+\]")
"""Of Markdown, around the words of a notice."""
_PICTURES = re.compile(
    r"(?:\s*(?:\[?!\[[^\]\n]*\]\([^)\n]*\)(?:\]\([^)\n]*\))?|<(?:img|p|/p|a|/a|div|/div)\b[^>]*>))+\s*"
)
"""A logo or badges above the title."""
_BULLET = re.compile(r"[ \t>|]*[-*+] ")
_REASONS = (
    r"(?:rejection|withdrawal|retirement|repeal|revocation|ablehnung|rücknahme|aufhebung|rejet|retrait|abrogation"
    r"|rechazo|retirada|derogación)\b"
)
_REASON = re.compile(rf"\b{_REASONS}", re.IGNORECASE)
_SAYS_WHY = re.compile(rf"\W*(?:(?:reasons? (?:for|of)|why) (?:the )?)?{_REASONS}", re.IGNORECASE)
"""How the heading of a section begins that says why a document does not hold; "In-Protocol Revocation" is a subject."""
_WHY_FIELD = re.compile(r"(?:\w+[- ])?reason", re.IGNORECASE)
_LONE_FIELD = re.compile(
    rf"[ \t>|]*(?:[-*+] )?[*_:]*(?P<key>{'|'.join(key for key in _STATUS_KEYS if key != 'state')})[*_]*[ \t]*"
    r"[:\uff1a][*_]*[ \t]+(?P<value>\S.*)",
    re.IGNORECASE,
)


def document_status(text: str, name: str = "") -> str | None:
    """Return in one line what a document states of its status, or that another replaces it; None without any.

    `name` is that of its file, which says it where nothing else does: "fares-2022-SUPERSEDED".
    """
    top = text[:_TOP_CHARACTERS]
    blocks = parse_blocks(top)
    stated = _rows(top, blocks) or _header(text) or _lone_field(text) or _section(top, blocks)
    if stated and NOT_IN_FORCE.search(stated):
        return "; ".join(filter(None, (stated, _stated_reason(text) or _reason(text))))
    told = (stated, _notice(top, blocks), _not_held(text, blocks))
    is_old = _IN_NAME.search(name) or _OLD_NAME.search(name)
    return "; ".join(filter(None, told)) or (f"file: {name.replace('_', ' ')}" if is_old else None)


def is_out_of_force(status: str | None) -> bool:
    """Return whether a status says that a document does not hold, or not yet, or that another one decides."""
    return bool(status and any(one.search(status) for one in (NOT_IN_FORCE, _OLD_NAME, _NOT_KEPT)))


@lru_cache(maxsize=64)  # what may correct others is found again for every document that is shown
def is_draft(text: str, name: str) -> bool:
    """Return whether a document states, or the name of its file, that it is not in force yet."""
    may_be = _IS_DRAFT.search(f"{name.replace('_', ' ')}\n{text[:_TOP_CHARACTERS]}")
    return may_be is not None and _IS_DRAFT.search(document_status(text, name) or "") is not None


def _rows(top: str, blocks: Sequence[Block]) -> str | None:
    """Return the fields of a table of two columns at the top, which many pages have in place of a header."""
    first = next((block for block in blocks if block.kind not in _ABOVE_TABLE), None)
    if first is None or first.kind is not BlockKind.TABLE:
        return None
    lines = (line.strip().strip("|").split("|") for line in top[first.start : first.end].splitlines())
    rows = [[_plain(cell) for cell in cells] for cells in lines if any(map(str.isalnum, "".join(cells)))]
    if any(len(cells) != _COLUMNS for cells in rows):
        return None
    told = [
        f"{key.rstrip(': ')}: {value}" for key, value in rows if normalize(key).rstrip(": ") in _STATUS_KEYS and value
    ]
    return shorten("; ".join(told), _MAX_CHARACTERS) if told else None


def _header(text: str) -> str | None:
    for header in find_headers(text[:_TOP_CHARACTERS]):
        stated = (field for field in header.fields if normalize(field.key) in _STATUS_KEYS)
        told = [f"{field.key}: {field.value}" for field in stated if _is_of_document(field.text, field.key, text)]
        if told:
            return "; ".join(line for line in told if not line.endswith(": "))
    return None


def _lone_field(text: str) -> str | None:
    lines = [line for line in text[:_TOP_CHARACTERS].splitlines() if line.strip()][:_TOP_LINES]
    matches = (match for line in lines if (match := _LONE_FIELD.fullmatch(line)))
    said = (match for match in matches if _is_of_document(match[0], match["key"], text))
    return next((shorten(f"{one['key']}: {_plain(one['value'])}", _MAX_CHARACTERS) for one in said), None)


def _is_of_document(line: str, key: str, text: str) -> bool:
    """Return whether a field tells of the document; an item like "- Deprecated: the lid" tells of its matter."""
    is_plain = normalize(key) == _STATUS_KEYS[0] or normalize(key).endswith("by")
    if not is_plain and _BULLET.match(line):
        return False
    repeated = rf"^[ \t>|]*(?:[-*+] )?[*_:]*{re.escape(key)}[*_]*[ \t]*[:\uff1a]"
    return len(re.findall(repeated, text, re.MULTILINE | re.IGNORECASE)) <= _MAX_FIELDS


def _section(top: str, blocks: Sequence[Block]) -> str | None:
    """Return the first block of the section that is called Status, as records of decisions have it, or by a status.

    Further down such a section may be on the status of something: what it says is short then, or tells of an end.
    """
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    for heading, below in pairwise(blocks):
        called = top[heading.start : heading.end].strip()
        if heading.kind is not BlockKind.HEADING:
            continue
        is_first = heading in headings[:_FIRST_HEADINGS]
        if normalize(called) in _STATUS_HEADINGS or (is_first and _ENDED_HEADING.fullmatch(called)):
            said = _plain(top[below.start : below.end])
            is_standing = is_first or len(said.split()) <= _MAX_WORDS
            if below.kind is BlockKind.HEADING or not (is_standing or NOT_IN_FORCE.search(said)):
                return None
            return shorten(f"{called}: {said}", _MAX_CHARACTERS)
    return None


def _stated_reason(text: str) -> str | None:
    """Return the field that says why a document does not hold, of the header that states its status."""
    for header in find_headers(text[:_TOP_CHARACTERS]):
        if any(normalize(field.key) == _STATUS_KEYS[0] for field in header.fields):
            said = (f"{one.key}: {_plain(one.value)}" for one in header.fields if _WHY_FIELD.fullmatch(one.key))
            return next((shorten(one, _MAX_CHARACTERS) for one in said), None)
    return None


def _reason(text: str) -> str | None:
    """Return the first sentence of the section that says why a document does not hold, with the heading."""
    for heading, below in pairwise(parse_blocks(text) if _REASON.search(text) else ()):
        called = _plain(text[heading.start : heading.end])
        if heading.kind is BlockKind.HEADING and below.kind is not BlockKind.HEADING and _SAYS_WHY.match(called):
            said = next(_sentences(_plain(text[below.start : below.end])), "")
            return shorten(f"{called}: {said}", _MAX_CHARACTERS)
    return None


def _notice(top: str, blocks: Sequence[Block]) -> str | None:
    blocks = [*dropwhile(lambda block: _PICTURES.fullmatch(top, block.start, block.end), blocks)]
    titles = [block for block in blocks[:1] if block.kind is BlockKind.HEADING]
    called = (_plain(top[block.start : block.end]) for block in titles)
    said = (found["mark"] or title for title in called if (found := _IN_TITLE.search(title)))
    return next(said, None) or next(_notices(top, blocks[len(titles) :]), None)


def _not_held(text: str, blocks: Sequence[Block]) -> str | None:
    """Return the sentence by which a short text says that what it is of was called off; a long one is of much else."""
    if len(text) > _TOP_CHARACTERS or _NOT_HELD.search(text) is None:
        return None
    said = (one for block in blocks for one in _sentences(_plain(text[block.start : block.end])))
    return next((shorten(one, _MAX_CHARACTERS) for one in said if _NOT_HELD.match(one)), None)


def _notices(top: str, blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks[:_NOTICE_BLOCKS]:
        if block.kind is BlockKind.HEADING:
            return
        if block.kind is BlockKind.ITEM:
            continue
        written = _COMMENT.sub("", top[block.start : block.end])
        said = (one.strip("()[]") for one in _sentences(_plain(written)))
        yield from (shorten(one, _MAX_CHARACTERS) for one in said if _NOTICE.match(one) or _NOT_KEPT.search(one))
        if _WARNING.search(written):
            warned = _sentences(strip_markup(_WARNING.sub("", written, count=1)))
            of_it = (one for one in warned if _OF_DOCUMENT.search(one) and NOT_IN_FORCE.search(one))
            yield from (shorten(one, _MAX_CHARACTERS) for one in of_it)


def _sentences(words: str) -> Iterator[str]:
    return (words[start:end].strip() for start, end in sentence_spans(words))


def _plain(words: str) -> str:
    return " ".join(_MARKS.sub("", words).split())
