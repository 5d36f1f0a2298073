"""The dates that a web page states of itself, and none of those that it tells of; needs the extra `web`.

What htmldate is given is a page of these statements alone: its last resort is any date in the words.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import partial

from htmldate import find_date
from lxml.html import HtmlElement, document_fromstring  # type: ignore[import-untyped]  # it ships no types
from trafilatura.metadata import extract_url

_PUBLICATION = ("datepublished", "datecreated", "pubyear")
"""Names of dates, of schema.org, that htmldate takes for no date of a change; in lower case."""
_MONTH = r"[^\W\d]{3,10}\.?"
_DAY = (
    r"(?:\d{4}-\d\d?-\d\d?|\d\d?\. ?\d\d?\. ?\d{4}"
    rf"|\d\d?(?:st|nd|rd|th|\.)? {_MONTH},? \d{{4}}|{_MONTH} \d\d?(?:st|nd|rd|th)?,? \d{{4}})"
)
"""A day as a page writes it; with slashes nobody knows which number is the month."""
_CHANGED = (
    r"(?:last |page )*(?:modified|updated?|edited|changed?|revis(?:ed|ion)|reviewed|modification)|stand|"
    r"(?:zuletzt |letzte )*(?:geändert|aktualisiert|bearbeitet|überarbeitet|änderung|aktualisierung|bearbeitung)"
)
_MADE = "(?:first )?(?:published|posted|issued|created|written)|veröffentlicht|erstellt|verfasst"
_STATEMENTS = tuple(
    re.compile(
        r"(?:^|[|/·•,;(\u2013\u2014] ?"
        r"|\b(?:page|document|site|article|seite|artikel|dokument) (?:(?:was|wurde|has been) )?)"
        rf"(?:{words}):?(?: (?:on|by|at|am|vom|date):?)? (?:[^\W\d]{{2,10}},? )?{_DAY}"
        r"(?:[^.!?]{0,40}|[^.!?]{0,20}[.!])\Z",
        re.IGNORECASE,
    )
    for words in (_CHANGED, _MADE)
)
"""What a line says of its page: that it was changed on a day, or made."""
_YEAR = re.compile(r"\d\d\d\d")
_ANY_DAY = re.compile(_DAY)
_DAY_ALONE = re.compile(rf"(?:[^\W\d]{{2,10}},? )?{_DAY}(?:,? \d\d?:\d\d(?::\d\d)?(?: [^\W\d]{{1,4}})?)?")
_MARK = re.compile(
    "date(?![ds])|updated|datum|byline|author|autor|publish|posted|submitted|modified|timestamp|meta", re.IGNORECASE
)
"""A class, an identifier or a property of a line with the date of its page."""
_ISO_DAY = len("2020-05-06")
_MAX_CHARACTERS = 120
"""Of such a line; what is longer tells something."""
_SENTENCE_ENDS = (".", "!", "?")
_INLINE = frozenset(("a", "abbr", "b", "em", "font", "i", "small", "span", "strong", "time", "u"))
_ENTRIES = frozenset(("li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6"))
"""What is said of a day there is mostly news of that day."""
_BESIDE = ("header", "footer")
_TOLD = ("pre", "code", "samp", "table")
"""Elements in which a date is none of the page."""
_TELLING = ("description", "title", "keywords")
"""How the names of metadata end that hold words of the page."""


def page_dates(tree: HtmlElement, html: str, uri: str) -> Iterator[str | None]:
    """Yield the dates that the metadata, a by-line, a footer or the address of a page state, the last change first."""
    named = tree.find(".//head/meta[@property='og:url'][@content]")
    url = extract_url(tree, uri) if named is None else named.get("content")
    read = partial(find_date, _statements(tree), url=url, extensive_search=False)
    yield read(original_date=False)
    lowered = html.lower()
    if any(name in lowered for name in _PUBLICATION):
        yield read(original_date=True)


def _statements(tree: HtmlElement) -> HtmlElement:
    """Return a page of nothing but what may state the date of this one."""
    page = document_fromstring("<html><head></head><body></body></html>")
    head, body = page
    for element in tree.iter("title", "meta", "link", "script"):
        is_data = element.tag != "script" or "json" in element.get("type", "")
        if is_data and not (element.get("name") or element.get("property") or "").lower().endswith(_TELLING):
            head.append(_alone(element))
    lines = list(_dated_lines(tree))
    for line in (*(day for is_change, day in lines if is_change), *_dated_elements(tree)):
        body.append(line)
    body.extend(day for is_change, day in lines if not is_change)
    return page


def _dated_elements(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements whose own attributes say that they hold a date of the page, and its heading."""
    for element in tree.iter("h1", "time", "abbr", "span"):
        is_dated = element.get("itemprop") or element.get("pubdate") or (element.tag == "abbr" and _is_marked(element))
        if element.tag == "h1" or is_dated:
            yield _alone(element)


def _alone(element: HtmlElement) -> HtmlElement:
    copied = deepcopy(element)
    copied.tail = None
    return copied


def _dated_lines(tree: HtmlElement) -> Iterator[tuple[bool, HtmlElement]]:
    """Yield whether a line states a change of the page, with its date, for all lines that state a date of it."""
    for block in dict.fromkeys(_blocks_with_year(tree)):
        words = " ".join("".join(_own_words(block)).split())
        day = _ANY_DAY.search(words) if len(words) <= _MAX_CHARACTERS else None
        if day is None or next(block.iterancestors(*_TOLD), None) is not None or block.tag in _TOLD:
            continue
        is_change, is_made = (statement.search(words) is not None for statement in _STATEMENTS)
        if ((is_change or is_made) and block.tag not in _ENTRIES) or _is_by_line(block, words):
            line = HtmlElement(day[0])
            line.tag = "p"
            line.set("class", "date")
            yield is_change, line


def _blocks_with_year(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements in which lines stand that hold a year."""
    body = tree.find("body")
    for element in () if body is None else body.iter():
        text, tail = element.text, element.tail
        if element.tag == "time" or (text and isinstance(element.tag, str) and _YEAR.search(text)):
            yield _block_of(element)
        if tail and element is not body and _YEAR.search(tail):
            yield _block_of(element.getparent())


def _block_of(element: HtmlElement) -> HtmlElement:
    while element.tag in _INLINE and element.getparent() is not None:
        element = element.getparent()
    return element


def _own_words(element: HtmlElement) -> Iterator[str]:
    """Yield the words of an element that stand in no block within it; a time as its attribute has it."""
    yield element.text or ""
    for child in element:
        if child.tag in _INLINE:
            day = child.get("datetime", "")[:_ISO_DAY] if child.tag == "time" else ""
            yield from [day] if day else _own_words(child)
        else:
            yield " "
        yield child.tail or ""


def _is_by_line(block: HtmlElement, words: str) -> bool:
    """Return whether a line is marked as one with a date, or is nothing but a date at the top or the end of a page."""
    if words.endswith(_SENTENCE_ENDS):
        return False
    parts = [block, *(part for part in block.iterdescendants(*_INLINE) if _block_of(part) is block)]
    parent = block.getparent()
    is_marked = any(map(_is_marked, parts)) or (parent is not None and parent.tag != "body" and _is_marked(parent))
    is_beside = block.tag in _BESIDE or next(block.iterancestors(*_BESIDE), None) is not None
    is_time = any(part.tag == "time" for part in parts)
    return is_marked or (is_time and is_beside) or ((is_time or is_beside) and _DAY_ALONE.fullmatch(words) is not None)


def _is_marked(element: HtmlElement) -> bool:
    return any(_MARK.search(element.get(name, "")) for name in ("class", "id", "itemprop"))
