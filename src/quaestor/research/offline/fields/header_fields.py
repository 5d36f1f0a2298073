"""Header blocks: the ``Key: value`` lines at the top of many documents, and the facts they state."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Finding
from quaestor.evidence.front_matter_blocks import front_matter_end
from quaestor.evidence.tokenization import normalize
from quaestor.evidence.top_fields import find_top_fields, indent_of

_FIELD = re.compile(
    r"^(?P<lead>[ \t>*\-|]*:?)(?P<key>[^\W\d_][^\n:\uff1a|]{0,38}?)(?:\*\*|__)?[ \t]*[:\uff1a](?:\*\*|__)?"
    r"(?:[ \t]+(?P<value>\S.*)?|$)",
)
_QUOTED = re.compile(r"(?P<mark>[\"'])(?P<value>[^\"']+)(?P=mark)")
"""As front matter writes a number that begins with 0."""
_NUMBER = re.compile(r"[A-Za-z]*[-#]?0*(\d+)")
_REFERENCE = re.compile(r"[A-Za-z]+[ \-#]?\d+|#?\d+")
_CLAIM = re.compile(
    r"(?P<subject>.+?)(?: \((?P<scheme>[^()]+?) (?P<number>\d+)\))? — (?P<key>[^:—]+): (?P<value>.+)", re.DOTALL
)
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)|`([^`<>\n]*?)\s*<[^<>\n]*>`__?")
"""Of Markdown and of reStructuredText, with the words that are shown for it."""
_MAIL = re.compile(r"\s*(?:<[^<>]*>|\([^()]*@[^()]*\)|\S+@\S+)")
_MAIL_BETWEEN = re.compile(r"(<[^<>\s]+@[^<>\s]+>)(?=\s+[^\W\d_a-z])")
"""That of one person above the line of the next one."""
TITLE_KEYS = frozenset({"title", "name", "subject", "título", "titre", "titel", "标题", "題名", "शीर्षक"})
_MIN_FIELDS = 2
_MAX_KEY_WORDS = 4


class Field(Immutable):
    """One field of a header: its key, its value on one line, and the exact text that states it."""

    key: str
    value: str
    text: str


class Header(Immutable):
    """The fields at one place of a source; the first may number the document within a series."""

    fields: tuple[Field, ...]

    @property
    def number(self) -> Field | None:
        """The field that numbers the document, such as ``RFC: 2119``."""
        first = self.fields[0]
        return first if _NUMBER.fullmatch(first.value) else None

    @property
    def title(self) -> Field | None:
        """The field that names the document."""
        return next((field for field in self.fields if normalize(field.key) in TITLE_KEYS), None)


class Fact(Immutable):
    """What one field says of one document: "subject (scheme number) — key: value"."""

    subject: str
    scheme: str
    number: str
    key: str
    value: str

    def claim(self) -> str:
        """Return the field on one line, as a claim."""
        numbered = f" ({self.scheme} {self.number})" if self.number else ""
        return f"{self.subject}{numbered} — {self.key}: {self.value}"

    def references(self) -> tuple[str, ...]:
        """Return the numbers of other documents that the value names."""
        return references(self.value)


def find_headers(text: str) -> Iterator[Header]:
    """Return the header blocks of a text: two fields or more on consecutive lines, continued by indented lines.

    Those at its top may share an indent, or stand in preformatted text.
    """
    block: list[Field] = []
    for lines in _logical_lines(text):
        match = _FIELD.match(lines[0].rstrip("\n"))
        if match and len(match["key"].split()) <= _MAX_KEY_WORDS:
            block.append(_field(match, lines))
            continue
        if len(block) >= _MIN_FIELDS:
            yield Header(tuple(block))
        block = []
    if len(block) >= _MIN_FIELDS:
        yield Header(tuple(block))


def to_fact(header: Header, field: Field, title: str) -> Fact:
    """State a field of a header as a fact; `title` names the document when no field does."""
    number = header.number
    named = header.title
    return Fact(
        subject=named.value if named and named.value else title,
        scheme=number.key if number else "",
        number=plain_number(number.value) if number else "",
        key=field.key,
        value=field.value,
    )


def parse_fact(claim: str) -> Fact | None:
    """Read a fact back from its claim; None when the claim is a sentence."""
    match = _CLAIM.fullmatch(claim)
    if match is None:
        return None
    return Fact(
        subject=match["subject"],
        scheme=match["scheme"] or "",
        number=match["number"] or "",
        key=match["key"],
        value=match["value"],
    )


def stated_fact(finding: Finding) -> Fact | None:
    """Read the fact back that a finding states, whose last quote is the field; None for a sentence.

    A sentence may read as a fact does: "Give the keys back — the list is here: keys.html".
    """
    fact = parse_fact(finding.claim)
    field = _FIELD.match(finding.quotes[-1].text.lstrip()) if fact and finding.quotes else None
    return fact if fact and field and field["key"].strip() == fact.key else None


def references(value: str) -> tuple[str, ...]:
    """Return the document numbers in a value that is nothing but references: ``513, 571`` or ``RFC 2119``."""
    parts = [part.strip() for part in re.split(r"[,;]| and ", value) if part.strip()]
    if not parts or not all(_REFERENCE.fullmatch(part) for part in parts):
        return ()
    return tuple(plain_number(part) for part in parts)


def plain_number(text: str) -> str:
    """Return the number in a reference without its prefix and leading zeros."""
    match = re.search(r"0*(\d+)$", text.strip())
    return match[1] if match else text


def split_people(value: str) -> tuple[str, ...]:
    """Return the names in a value that lists people: mail addresses stripped, which part them as commas do."""
    parts = re.split(r"[,;]", _MAIL.sub("", _MAIL_BETWEEN.sub(r"\1,", value)))
    return tuple(name for part in parts if (name := part.strip(' "')))


def _logical_lines(text: str) -> Iterator[Sequence[str]]:
    if front := front_matter_end(text):
        return chain(_joined_lines(text[:front], 0, may_list=True), _joined_lines(text[front:], 0))
    top = find_top_fields(text)
    if top is None:
        return _joined_lines(text, 0)
    parts = ((text[: top.start], 0), (text[top.start : top.end], top.margin), (text[top.end :], 0))
    return (lines for part, margin in parts for lines in _joined_lines(part, margin))


def _joined_lines(text: str, margin: int, *, may_list: bool = False) -> Iterator[Sequence[str]]:
    """Join every line with the lines that continue it, which are indented by more than the columns of a margin.

    Front matter may list the values of a key below it without an indent.
    """
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        is_indented = indent_of(line) > margin
        is_listed = may_list and line.startswith("- ") and not _FIELD.match(line)
        field = _FIELD.match(lines[0]) if lines and line.strip() and (is_indented or is_listed) else None
        if field and (is_indented or not field["value"]):
            lines.append(line)
            continue
        if lines:
            yield lines
        lines = [line]
    if lines:
        yield lines


def _field(match: re.Match[str], lines: Sequence[str]) -> Field:
    below = [line.strip() for line in lines[1:]]
    items = [line.removeprefix("- ") for line in below if line.startswith("- ")]
    is_list = bool(items) and len(items) == len(below) and not match["value"]
    value = ", ".join(items) if is_list else " ".join(filter(None, ((match["value"] or "").strip(), *below)))
    shown = _LINK.sub(lambda link: link[1] or link[2] or "", value)
    quoted = _QUOTED.fullmatch(bare := shown.strip(" *|"))
    return Field(key=match["key"].strip(), value=quoted["value"] if quoted else bare, text="".join(lines).strip())
