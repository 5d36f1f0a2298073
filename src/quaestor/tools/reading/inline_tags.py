"""What the tags within the words of a page mean to a reader: parts of one word, code, and the numbers of notes."""

import re

from lxml.html import HtmlElement  # type: ignore[import-untyped]  # it ships no types

_EMPHASIS = ("b", "em", "font", "i", "mark", "s", "span", "strong", "u")
_COMMENTED = re.compile(r"^[ \t]*#", re.MULTILINE)
_NOTE = re.compile(r"\d{1,3}|[a-z]|[*\u2020\u2021\u00a7]")
_NOTE_KIND = re.compile("note-?ref|footnote|endnote", re.IGNORECASE)
"""How what leads to a note is marked, by EPUB, by ARIA or by a class."""


def join_words(tree: HtmlElement) -> None:
    """Take off the tags that emphasize a part of a word, or say where a line may break it: a reader sees one word."""
    for element in list(tree.iter(*_EMPHASIS, "wbr")):
        words, behind = element.text_content(), element.tail or ""
        if element.tag == "wbr" or _is_one_word(words, behind) or _is_one_word(_text_before(element), words):
            element.drop_tag()


def _text_before(element: HtmlElement) -> str:
    before = element.getprevious()
    return (element.getparent().text if before is None else before.tail) or ""


def _is_one_word(text: str, following: str) -> bool:
    return text[-1:].isalpha() and following[:1].isalpha()


def mark_code(tree: HtmlElement) -> None:
    """Mark as code what is shown as written and has lines with number signs, which would be headings."""
    for shown in tree.iter("pre"):
        if shown.find(".//code") is None and _COMMENTED.search(shown.text_content()):
            code = shown.makeelement("code")
            code.text, shown.text = shown.text_content(), None
            for part in list(shown):
                shown.remove(part)
            shown.append(code)


def mark_notes(tree: HtmlElement) -> None:
    """Put the number of a footnote in brackets: behind "AD 1723," a bare 1 is read as a part of the number."""
    for anchor in list(tree.iterfind(".//a[@href]")):
        told = anchor.text_content().strip()
        if not _NOTE.fullmatch(told):
            continue
        kinds = f"{anchor.get('epub:type', '')} {anchor.get('role', '')} {anchor.get('class', '')}"
        if _NOTE_KIND.search(kinds) or any(
            part.tag == "sup" for part in (anchor, anchor.getparent(), *anchor.iterchildren())
        ):
            for part in list(anchor):
                anchor.remove(part)
            anchor.text = f"[{told}]"
            if anchor.getparent().tag == "sup":
                anchor.getparent().drop_tag()
