"""The status that a document states of itself: that it is in force, rejected, superseded or out of date.

It is told by a field at the top, by a section called Status, by a notice above the text, in its title, or in the name
of its file; of a meeting by the sentence that it was called off.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import dropwhile, islice, pairwise

from quaestor.evidence.asciidoc import table_fields
from quaestor.evidence.block_lines import Block, BlockKind, split_lines
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.front_matter_blocks import front_matter_blocks
from quaestor.evidence.tokenization import content_terms, normalize, shorten
from quaestor.research.brief.document_notices import (
    MAX_STATUS,
    MAX_TOP,
    OF_CODE,
    not_held,
    notices,
    plain_words,
    sentences_of,
)
from quaestor.research.offline.fields.header_fields import Field, find_headers
from quaestor.research.offline.words.status_words import DRAFT, ENDED, NOT_IN_FORCE, NOT_KEPT

_TOP_LINES = 12
"""Lines with words among which a field stands alone; further below it is one of the text."""
_MAX_FIELDS = 2
"""Where a field stands more often it is told of records, each of which has its own, and not of the document."""
_ABOVE_TABLE = frozenset({BlockKind.HEADING, BlockKind.MARKUP})
_COLUMNS = 2
_SEVERAL = 2
"""Commas in a list of states."""
_MARKED_STATE = re.compile(r"(?:\*\*|__)([^*_]+)(?:\*\*|__)")
_FIRST_HEADINGS = 2
"""The title, and that of the first section."""
_MAX_WORDS = 8
_STATUS_KEYS = (
    "status",
    "state",
    "stage",
    "superseded-by",
    "superseded by",
    "replaced-by",
    "replaced by",
    "obsoleted-by",
    "obsoleted by",
    "proposed-replacement",
    "repealed-by",
    "repealed by",
    "repealed",
    "deprecated",
    "withdrawn",
)
_OF_HEADERS = frozenset({"state", "stage"})
"""Those that alone in their line tell of much else: the stage of an example."""
_ENDED_HEADING = re.compile(
    r"(?:super[sc]eded|obsolete|withdrawn|rejected|repealed|revoked|rescinded|retired|expired|outdated|abandoned"
    r"|aufgehoben|veraltet|überholt|zurückgezogen|abrogée?|obsolète|derogad[oa]|obsolet[oa])\W*",
    re.IGNORECASE,
)
"""The first heading below the title that is a status; "Deprecated" may head the entries of a list of changes."""
_ENDED_VALUE = re.compile(ENDED, re.IGNORECASE)
_STATUS_HEADINGS = frozenset({"status", "statut", "estado", "stand"})
_STATUS_LINE = re.compile(rf"^[#= ]*(?:{'|'.join(sorted(_STATUS_HEADINGS))})[# ]*$", re.MULTILINE | re.IGNORECASE)
_IN_TITLE = re.compile(
    rf"[(\[](?:{ENDED}|{DRAFT})\b[^)\]]*[)\]]|\A(?:(?:{ENDED}|{DRAFT}):|(?P<mark>{DRAFT}) [\u2013\u2014-] )"
    rf"| [\u2013\u2014-] (?:{DRAFT})\b",
    re.IGNORECASE,
)
_IS_DRAFT = re.compile(rf"\b(?:{DRAFT})\b", re.IGNORECASE)
_IN_NAME = re.compile(
    r"(?:^|[\W_])(?:superseded|obsolete|withdrawn|deprecated|outdated|draft|entwurf|veraltet|brouillon|obsolète|borrador"
    r"|obsoleto)(?:[\W_]|$)",
    re.IGNORECASE,
)
_OLD_NAME = re.compile(
    r"\w[\W_]+(?:old|alt|veraltet|ancien|ancienne|viej[oa]|antigu[oa]|vecchi[oa]|oud)\W*\Z", re.IGNORECASE
)
"""The end of the name of a file that a newer one has replaced; further in front it tells what the text is about."""
_FOLDER = re.compile(
    r"(?:archive[sd]?|old|obsolete|defunct|superseded|deprecated|withdrawn|drafts?|proposals?"
    r"|design(?:s|[-_ ]?(?:docs?|documents?))?|alt|archiv|entw[uü]rfe?|vorschl[aä]ge"
    r"|brouillons?|borradores?|archivo|archivio|bozze)",
    re.IGNORECASE,
)
"""A folder of what may not hold any more, or not yet."""
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
    rf"[ \t>|]*(?:[-*+] )?[*_:]*(?P<key>{'|'.join(key for key in _STATUS_KEYS if key not in _OF_HEADERS)})[*_]*[ \t]*"
    r"[:\uff1a][*_]*[ \t]+(?P<value>\S.*)",
    re.IGNORECASE,
)


def document_status(text: str, name: str = "", folder: str = "") -> str | None:
    """Return in one line what a document states of its status, or that another replaces it; None without any.

    `name` is that of its file, which says it where nothing else does: "fares-2022-SUPERSEDED"; and so does that of its
    `folder`, as "archive" or "design".
    """
    top = text[:MAX_TOP]
    blocks = parse_blocks(top)
    stated = _rows(top, blocks) or _header(text) or _lone_field(text, blocks) or _section(top, blocks)
    stated = stated or _late_section(text)
    if stated and NOT_IN_FORCE.search(stated):
        reason = None if _IS_DRAFT.search(stated) else _reason(text)
        return "; ".join(filter(None, (stated, _stated_reason(text) or reason)))
    told = (stated, _notice(top, blocks, name), not_held(text, blocks))
    is_old = _IN_NAME.search(name) or _OLD_NAME.search(name)
    if any(told):
        return "; ".join(filter(None, told))
    if is_old:
        return f"file: {name.replace('_', ' ')}"
    return f"folder: {folder}" if _FOLDER.fullmatch(folder) else None


def is_out_of_force(status: str | None) -> bool:
    """Return whether a status says that a document does not hold, or not yet, or that another one decides."""
    return bool(status and any(one.search(status) for one in (NOT_IN_FORCE, _OLD_NAME, NOT_KEPT)))


@lru_cache(maxsize=64)  # what may correct others is found again for every document that is shown
def is_draft(text: str, name: str) -> bool:
    """Return whether a document states, or the name of its file, that it is not in force yet."""
    may_be = _IS_DRAFT.search(f"{name.replace('_', ' ')}\n{text[:MAX_TOP]}")
    return may_be is not None and _IS_DRAFT.search(document_status(text, name) or "") is not None


def _rows(top: str, blocks: Sequence[Block]) -> str | None:
    """Return the fields of a table of two columns at the top, which many pages have in place of a header."""
    first = next((block for block in blocks if block.kind not in _ABOVE_TABLE), None)
    if first is None or first.kind is not BlockKind.TABLE:
        below = [block.start for block in blocks if block.kind is BlockKind.HEADING][_FIRST_HEADINGS:]
        return _told_fields(
            islice(table_fields(top[: min(below, default=MAX_TOP)]), 1, None)
        )  # the first may head them
    lines = (line.strip().strip("|").split("|") for line in top[first.start : first.end].splitlines())
    rows = [[plain_words(_chosen(cell)) for cell in cells] for cells in lines if any(map(str.isalnum, "".join(cells)))]
    return None if any(len(cells) != _COLUMNS for cells in rows) else _told_fields((one[0], one[1]) for one in rows)


def _told_fields(rows: Iterable[tuple[str, str]]) -> str | None:
    told = [
        f"{key.rstrip(': ')}: {value}" for key, value in rows if normalize(key).rstrip(": ") in _STATUS_KEYS and value
    ]
    return shorten("; ".join(told), MAX_STATUS) if told else None


def _chosen(value: str) -> str:
    """Return of a list of states, as templates have it, the one that is set off: "Draft, **Final**, Obsolete"."""
    marked = _MARKED_STATE.findall(value)
    return marked[0] if len(marked) == 1 and value.count(",") >= _SEVERAL else value


def _header(text: str) -> str | None:
    for header in find_headers(text[:MAX_TOP]):
        stated = (field for field in header.fields if _states(field))
        told = [f"{field.key}: {field.value}" for field in stated if _is_of_document(field.text, field.key, text)]
        if told:
            return "; ".join(line for line in told if not line.endswith(": "))
    return None


def _states(field: Field) -> bool:
    """Return whether a field is on the status, or has nothing but one as its value: `layout: withdrawn`."""
    return normalize(field.key) in _STATUS_KEYS or _ENDED_VALUE.fullmatch(field.value) is not None


def _lone_field(text: str, blocks: Sequence[Block]) -> str | None:
    """Return a field on a line of its own near the top; below the third heading it tells of a part."""
    lines = [line for line in _above_parts(text, blocks).splitlines() if line.strip()][:_TOP_LINES]
    matches = (match for line in lines if (match := _LONE_FIELD.fullmatch(line)))
    said = (match for match in matches if _is_of_document(match[0], match["key"], text))
    return next((shorten(f"{one['key']}: {plain_words(one['value'])}", MAX_STATUS) for one in said), None)


def _above_parts(text: str, blocks: Sequence[Block]) -> str:
    """Return what stands above the third heading, below which a part of the document begins."""
    below = [block.start for block in blocks if block.kind is BlockKind.HEADING][_FIRST_HEADINGS:]
    return text[: min(below, default=MAX_TOP)]


def _is_of_document(line: str, key: str, text: str) -> bool:
    """Return whether a field tells of the document.

    An item like "- Deprecated: the lid" tells of its matter, and so does "Deprecated: `lid` was used for jars".
    """
    is_plain = normalize(key) == _STATUS_KEYS[0] or normalize(key).endswith("by")
    if not is_plain and (_BULLET.match(line) or OF_CODE.match(line)):
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
        if _is_below_another_title(heading, headings):
            return None
        is_first = heading in headings[:_FIRST_HEADINGS]
        if normalize(called) in _STATUS_HEADINGS or (is_first and _ENDED_HEADING.fullmatch(called)):
            said = plain_words(top[below.start : below.end])
            is_standing = is_first or len(said.split()) <= _MAX_WORDS
            if below.kind is BlockKind.HEADING or not (is_standing or NOT_IN_FORCE.search(said)):
                return None
            return shorten(f"{called}: {said}", MAX_STATUS)
    return None


def _late_section(text: str) -> str | None:
    """Return the section called Status far below the top, if it begins by saying that the document does not hold.

    Some records of decisions have it behind their proposal.
    """
    said = _section(text, parse_blocks(text)) if _STATUS_LINE.search(text, MAX_TOP) else None
    return said if said and NOT_IN_FORCE.match(said.partition(": ")[2]) else None


def _is_below_another_title(heading: Block, headings: Sequence[Block]) -> bool:
    """Return whether a heading stands below a second one of the style of the title: that of an example, or a part."""
    title = headings[0].style
    before = headings[1 : headings.index(heading)]
    return heading.style != title and any(one.style == title for one in before)


def _stated_reason(text: str) -> str | None:
    """Return the field that says why a document does not hold, of the header that states its status."""
    for header in find_headers(text[:MAX_TOP]):
        if any(normalize(field.key) == _STATUS_KEYS[0] for field in header.fields):
            said = (f"{one.key}: {plain_words(one.value)}" for one in header.fields if _WHY_FIELD.fullmatch(one.key))
            return next((shorten(one, MAX_STATUS) for one in said), None)
    return None


def _reason(text: str) -> str | None:
    """Return the first sentence of the section that says why a document does not hold, with the heading."""
    for heading, below in pairwise(parse_blocks(text) if _REASON.search(text) else ()):
        called = plain_words(text[heading.start : heading.end])
        if heading.kind is BlockKind.HEADING and below.kind is not BlockKind.HEADING and _SAYS_WHY.match(called):
            said = next(sentences_of(plain_words(text[below.start : below.end])), "")
            return shorten(f"{called}: {said}", MAX_STATUS)
    return None


def _notice(top: str, blocks: Sequence[Block], name: str) -> str | None:
    below = blocks[len(front_matter_blocks(split_lines(top))) :]
    blocks = [*dropwhile(lambda block: _PICTURES.fullmatch(top, block.start, block.end), below)]
    titles = [block for block in blocks[:1] if block.kind is BlockKind.HEADING]
    called = [plain_words(top[block.start : block.end]) for block in titles]
    said = (found["mark"] or title for title in called if (found := _IN_TITLE.search(title)))
    named = frozenset(content_terms(" ".join((name, *called))))
    return next(said, None) or next(notices(top, _below_contents(blocks[len(titles) :]), named), None)


def _below_contents(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks behind a list of contents at their beginning, without the heading that follows it."""
    below = [*dropwhile(lambda block: block.kind is BlockKind.MARKUP, blocks)]
    is_headed = len(below) < len(blocks) and below and below[0].kind is BlockKind.HEADING
    return below[1:] if is_headed else below
