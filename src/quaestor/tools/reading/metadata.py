"""When a document says it was last changed."""

import re
from collections.abc import Iterable
from datetime import date
from urllib.parse import urldefrag, urljoin, urlsplit

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.top_fields import with_plain_fields
from quaestor.tools.reading.protocol import PageLink

_FIELD_SEARCH_CHARACTERS = 2_000
"""Characters that are searched for the field of a date."""
_DATE_FIELDS = ("last-modified", "updated", "date", "created")
"""The later date comes first."""
_DATE_FIELD = re.compile(
    rf"^:?(?P<name>{'|'.join(_DATE_FIELDS)}):[ \t]*(?P<day>\S[^\n]{{0,99}})", re.IGNORECASE | re.MULTILINE
)
_APPOINTMENT_FIELD = re.compile(
    r"^:?(?:access|arriv(?:al|e|ing)|departure|check[- ]?(?:in|out)|doors|hirer|guests|anreise|abreise|ankunft|einlass"
    r"|mieter(?:in)?|g(?:ä|ae)ste|arrivée|départ|locataire|invités|llegada|salida|arrendatario|invitados"
    r"|arrivo|partenza|aankomst|vertrek|huurder)\b[^:\n]{0,20}:[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
"""A field of a form that fixes what is to be on a day, as the hire of a hall; its date is that day."""
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f][\"'\u201d\u2019)\]*]*\Z")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATE_PATTERNS = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
        r"^(?:D:)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:\d{6}|\d{4}|\d{2})?(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-\s]+{_MONTH}[-,\s]+(?P<year>\d{{4}})(?!\d)",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)",
    )
)
"""Year first, also with a time behind it; as PDF writes it, section 7.9.4 of ISO 32000-1; two ways with a month's name.

A day and a month that are both numbers before the year are ambiguous, so they are no date.
"""


def date_from_fields(text: str) -> date | None:
    """Return the date in a field at the top of a text, or None.

    The fields are `Last-Modified:`, `Updated:`, `Date:` and `Created:`, looked at in this order. The `Date:` of a form
    that says when somebody arrives, has access or hires is the day of that, and not when it was written.
    """
    top = _without_sections(with_plain_fields(text[:_FIELD_SEARCH_CHARACTERS]))
    fields = {found["name"].lower(): found["day"] for found in reversed([*_DATE_FIELD.finditer(top)])}
    if _APPOINTMENT_FIELD.search(top):
        fields.pop("date", None)
    return first_date(fields.get(name) for name in _DATE_FIELDS)


def _without_sections(text: str) -> str:
    """Return what stands above the first sentence and the second heading; a field below dates what is told there."""
    is_titled = False
    for block in parse_blocks(text):
        is_heading = block.kind is BlockKind.HEADING
        if is_heading and is_titled:
            return text[: block.top]
        if block.kind is BlockKind.PROSE and _SENTENCE_END.search(text, block.start, block.end):
            return text[: block.top]
        is_titled = is_titled or is_heading
    return text


def first_date(written: Iterable[str | None]) -> date | None:
    """Return the first of these that can be read as a date, or None."""
    return next((found for each in written if each and (found := parse_date(each))), None)


def parse_date(written: str) -> date | None:
    """Return the day that a date names, as it is written and in no other time zone; None when it cannot be read."""
    for shape in _DATE_PATTERNS:
        if found := shape.search(written):
            parts = found.groupdict()
            month = int(parts["month"]) if "month" in parts else _MONTHS.index(parts["name"].lower()) + 1
            try:
                return date(int(parts["year"]), month, int(parts["day"]))
            except ValueError:
                return None
    return None


_MAX_LINKS = 500
_MAX_URL_CHARACTERS, _MAX_TEXT_CHARACTERS = 2_000, 200


def extract_links(anchors: Iterable[tuple[str, str]], base: str) -> tuple[PageLink, ...]:
    """Return the web links of a document from its (address, words) pairs, in order, each once, at most 500.

    Addresses become absolute by `base` and lose their fragment; a link into the document itself is none.
    """
    found: dict[str, PageLink] = {}
    here = urldefrag(base).url
    for address, words in anchors:
        url = _absolute_url(address.strip(), base)
        if url and url != here and url not in found:
            found[url] = PageLink(url=url, text=" ".join(words.split())[:_MAX_TEXT_CHARACTERS])
            if len(found) == _MAX_LINKS:
                break
    return tuple(found.values())


def _absolute_url(address: str, base: str) -> str | None:
    try:
        parts = urlsplit(urljoin(base, address))._replace(fragment="")
    except ValueError:  # such as a bracket that is not closed
        return None
    url = parts.geturl()
    if "@" in parts.netloc:  # the credentials of somebody, which are fetched with by nobody
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname and len(url) <= _MAX_URL_CHARACTERS else None
