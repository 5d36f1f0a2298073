"""The words of a web page, without its navigation, and its links; needs the extra `web`."""

import logging
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import islice

from lxml.etree import ParserError  # type: ignore[import-untyped]  # it ships no types
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring  # type: ignore[import-untyped]
from trafilatura import baseline, extract

from quaestor.tools.reading import metadata
from quaestor.tools.reading.content_type import decode_text
from quaestor.tools.reading.html_dates import page_dates
from quaestor.tools.reading.inline_tags import join_words, mark_code, mark_notes
from quaestor.tools.reading.loose_words import put_in_paragraphs
from quaestor.tools.reading.markdown_escapes import without_escapes
from quaestor.tools.reading.metadata import extract_links
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

for _talkative in ("trafilatura", "htmldate"):
    logging.getLogger(_talkative).addHandler(logging.NullHandler())

_CONTROLS = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\ufffe\uffff]")
"""Characters that no text of a tree can have; a reader of the page sees none."""
_CONTROL_REFERENCES = re.compile(
    r"&#(?:0*(?:[1-8]|1[124-9]|2\d|3[01]|6553[45])|[xX]0*(?:[1-8bcefBCEF]|1[\da-fA-F]|[fF]{3}[efEF]));"
)
_FORM_FEED = "\f"
"""A blank of HTML, and no character of a tree either."""
_TEMPLATE = re.compile(
    r"<script\b[^>]*\btype=[\"']text/(?:x-)?(?:[\w-]*template|handlebars|mustache)[\"'][^>]*>(.*?)</script>",
    re.IGNORECASE | re.DOTALL,
)
_SPANNED = re.compile(r"[0-9]{1,4}")
_MAX_SPAN = 100
"""Rows that one cell spans; a page that asks for more is none that a person reads."""
_TABLE = re.compile("<th[ >]")
"""A table whose columns have names; others lay a page out."""
_LINE_END = re.compile(r"(?<![ \t])[ \t]*+[\r\n]\s*+")
_AS_WRITTEN = ("pre", "textarea", "script", "style")
"""Elements in which a line end is one."""
_WITHIN_WORDS = ("time", "label", "output", "button", "data")
"""Elements that hold words of a sentence, and are left out with them."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_OF_WORDS = ("p", "li", "td", "th", "dd", "dt", "blockquote", "caption", "figcaption", *_HEADINGS)
"""Elements within which words are a part of what is told."""
_BESIDE = ("aside", "footer")
"""Elements that hold words of a file, and of a page of the web mostly what leads to others."""
_TELLING = 6
"""Words of one of these that tells something: "Write to us" does not."""
_LABELS = ("figcaption", "legend", "summary")
"""Elements that become paragraphs of what they stand above or below."""
_ADDRESSES = ("mailto:", "tel:")
_WEB = re.compile("https?:", re.IGNORECASE)
_HEADING = re.compile("<h[1-6][ >]")
_HEADING_LINE = re.compile("^#{1,6} ", re.MULTILINE)
_ITEM = re.compile("<(?:li|dd)[ >]")
_ITEM_LINE = re.compile(r"^ *(?:-|[0-9]+\.) ", re.MULTILINE)
_FENCE_BEHIND = re.compile(r"^([^`\n]*(?:`[^`\n]+`[^`\n]*)*[^\s`])[ \t]*```$", re.MULTILINE)
_LOST = 2
"""A page that has so many times the headings or the items that were found has lost some."""
_TABLE_RULE = re.compile(r"^\|[ :-]*---", re.MULTILINE)
_ENDS = ("?", ":", ".", "!")
_MAX_TERM = 60
"""Characters of what a list defines; what is longer is a line of its own."""


def parse_html(content: bytes, uri: str, charset: str) -> ParsedDocument | SkipReason:
    """Return the main text of a page as Markdown, under its title or else its first heading."""
    html = _without_template(_without_controls(decode_text(content, charset)))
    try:
        tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
    except ParserError:  # a page without any element
        return SkipReason.NO_WORDS
    links = extract_links(_anchors(tree), _base_url(tree, uri))
    published = metadata.first_date(page_dates(tree, html, uri))
    _tell_terms(tree)
    _put_captions_above(tree)
    _fill_spanned_rows(tree)
    is_file = _WEB.match(uri) is None
    _keep_words(tree, is_file=is_file)
    _join_lines(tree)
    join_words(tree)
    mark_code(tree)
    mark_notes(tree)
    put_in_paragraphs(tree)
    html = tostring(tree, encoding="unicode")
    text = _main_text(html)
    if _has_lost(html, text, is_file=is_file):
        text = _as_main_part(html, text)
    text = without_escapes(text) or baseline(html)[1]
    if not text.strip():
        return SkipReason.NO_WORDS
    return ParsedDocument(
        title=_element_text(tree, "title") or _element_text(tree, "h1"),
        text=text,
        links=links,
        published=published,
    )


def _without_controls(html: str) -> str:
    return _CONTROL_REFERENCES.sub("", _CONTROLS.sub("", html.replace(_FORM_FEED, " ")))


def _without_template(html: str) -> str:
    """Return a page with the words of its text templates as its own, where most of it stands in these."""
    within = sum(len(found[1]) for found in _TEMPLATE.finditer(html))
    return _TEMPLATE.sub(r"<div>\1</div>", html) if within > len(html) // 2 else html


def _has_lost(html: str, text: str, *, is_file: bool) -> bool:
    """Return whether the text of a page has no table, headings or lists of those that the page has, or too few.

    Of a page of the web most lists lead to other pages.
    """
    is_without_table = _TABLE.search(html) is not None and _TABLE_RULE.search(text) is None
    counted = [(_HEADING, _HEADING_LINE), *([(_ITEM, _ITEM_LINE)] if is_file else [])]
    return is_without_table or any(
        len(mark.findall(html)) >= max(_LOST * len(line.findall(text)), 1) for mark, line in counted
    )


def _main_text(html: str, *, is_main: bool = False) -> str:
    """Return the words of a page as Markdown; where its main part is known no other reading is compared with it.

    Code within an item begins on a line of its own, as it ends on one.
    """
    text = extract(html, output_format="markdown", include_comments=False, favor_recall=True, fast=is_main) or ""
    return _FENCE_BEHIND.sub(r"\1\n```", text) if "```" in text else text


def _as_main_part(html: str, text: str) -> str:
    """Return the text of a page with its tables, headings and lists, where what was found of it has lost them.

    Of a page without a main part another way to read is taken, which knows neither, and no paragraph that is repeated
    under another heading: so its body, without what stands around the words, is made its main part.
    """
    tree = document_fromstring(html.encode(), parser=HTMLParser(encoding="utf-8"))
    body = tree.find("body")
    if body is None or next(body.iter("main", "article"), None) is not None:
        return text
    for aside in list(body.iter("nav", "header", "footer", "aside")):
        aside.drop_tree()
    body.tag = "main"
    wrapped = HtmlElement()
    wrapped.tag = "body"
    tree.replace(body, wrapped)
    wrapped.append(body)
    found = _main_text(tostring(tree, encoding="unicode"), is_main=True)
    return found if _structure(found) > _structure(text) and len(found) >= len(text) else text


def _structure(text: str) -> tuple[bool, int, int]:
    """Return whether a text has a table, and how many headings and items of lists it has."""
    return _TABLE_RULE.search(text) is not None, len(_HEADING_LINE.findall(text)), len(_ITEM_LINE.findall(text))


def _keep_words(tree: HtmlElement, *, is_file: bool) -> None:
    """Make words that a reader sees, and that are left out of a main text with their elements, words of paragraphs.

    In a page of the web an aside or a footer is left out as before: most lead to other pages.
    """
    for element in list(tree.iter(*_WITHIN_WORDS)):
        if _is_within_words(element):
            element.drop_tag()
    for anchor in list(tree.iterfind(".//a[@href]")):
        if anchor.get("href").startswith(_ADDRESSES):
            anchor.drop_tag()
    for element in list(tree.iter("figure", "fieldset")):
        element.tag = "div"
    for element in list(tree.iter(*_LABELS)):
        told = (element.tail or "").strip() if element.tag == "summary" else ""
        element.tag = "p"
        if told:
            below = HtmlElement(told)
            below.tag = "p"
            element.tail = None
            element.addnext(below)
    for element in list(tree.iter(*_BESIDE)) if is_file else ():
        told = _words(element)
        if len(told.split()) >= _TELLING and 2 * sum(len(_words(one)) for one in element.iter("a")) < len(told):
            element.tag = "div"


def _is_within_words(element: HtmlElement) -> bool:
    return next(element.iterancestors(*_OF_WORDS), None) is not None


def _join_lines(tree: HtmlElement) -> None:
    """Make the line ends of a page blanks, as a reader sees them, but for what is shown as it is written."""
    as_written = {part for element in tree.iter(*_AS_WRITTEN) for part in element.iter()}
    for element in tree.iter():
        text, tail = element.text or "", element.tail or ""
        line, behind = _on_one_line(text), _on_one_line(tail)
        behind = behind.lstrip() if element.tag == "br" else behind
        if line != text and element not in as_written:
            element.text = line
        if behind != tail and element.getparent() not in as_written:
            element.tail = behind


def _on_one_line(words: str) -> str:
    return _LINE_END.sub(" ", words) if "\n" in words or "\r" in words else words


def _tell_terms(tree: HtmlElement) -> None:
    """Write the terms of lists of definitions before what is said of each: a reader sees a list of both.

    The signature of a function stays a line of its own.
    """
    for definition in list(tree.iter("dd")):
        told = list(_terms_above(definition))
        term = ", ".join(map(_words, reversed(told)))
        if term and len(term) <= _MAX_TERM and "(" not in term:
            first = next((part for part in definition.iter("dd", "p") if (part.text or "").strip()), definition)
            first.text = f"{term}{' ' if term.endswith(_ENDS) else ': '}{(first.text or '').lstrip()}"
            for one in told:
                one.drop_tree()


def _fill_spanned_rows(tree: HtmlElement) -> None:
    """Put a cell that spans several rows into each of them, at its column: a row is read alone."""
    for cell in [cell for cell in tree.iter("td", "th") if "rowspan" in cell.attrib]:
        rows = _spanned(cell, "rowspan")
        del cell.attrib["rowspan"]
        column = _width(cell.itersiblings("td", "th", preceding=True))
        for row in islice(cell.getparent().itersiblings("tr"), rows - 1):
            copied = deepcopy(cell)
            copied.tail = None
            beside = list(row.iterchildren("td", "th"))
            row.insert(next((n for n in range(len(beside)) if _width(beside[:n]) >= column), len(beside)), copied)


def _width(cells: Iterable[HtmlElement]) -> int:
    return sum(_spanned(cell, "colspan") for cell in cells)


def _spanned(cell: HtmlElement, name: str) -> int:
    said = cell.get(name, "1").strip()
    return min(max(int(said), 1), _MAX_SPAN) if _SPANNED.fullmatch(said) else 1


def _put_captions_above(tree: HtmlElement) -> None:
    """Make the caption of a table a paragraph above it: within, its words run into the names of the columns."""
    for caption in list(tree.iter("caption")):
        table = next(caption.iterancestors("table"), None)
        if table is not None:
            above = HtmlElement(_words(caption))
            above.tag = "p"
            caption.drop_tree()
            table.addprevious(above)


def _terms_above(definition: HtmlElement) -> Iterator[HtmlElement]:
    above = definition.getprevious()
    while above is not None and above.tag == "dt":
        yield above
        above = above.getprevious()


def _words(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _element_text(tree: HtmlElement, tag: str) -> str:
    found = tree.find(f".//{tag}")
    return "" if found is None else _words(found)


def _base_url(tree: HtmlElement, uri: str) -> str:
    base = tree.find(".//base[@href]")
    return uri if base is None else next((link.url for link in extract_links([(base.get("href"), "")], uri)), uri)


def _anchors(tree: HtmlElement) -> Iterator[tuple[str, str]]:
    for anchor in tree.iterfind(".//a[@href]"):
        yield anchor.get("href"), anchor.text_content()
