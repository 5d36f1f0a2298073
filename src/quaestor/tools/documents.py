"""From a file on disk to its stored text: what it is read as, its title, or why it is skipped."""

import re
from pathlib import Path

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.ports import Document
from quaestor.evidence.blocks import Kind, blocks
from quaestor.tools.decoding import decoded, is_binary
from quaestor.tools.pages import extracted, title

NOT_TEXT, NO_WORDS = "not text", "holds no words"

_MEDIA_TYPES = {
    **dict.fromkeys((".md", ".markdown"), "text/markdown"),
    **dict.fromkeys((".rst", ".rest"), "text/x-rst"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "text/html"),
}
"""By suffix; everything else that is text is text/plain, unless it has no suffix and begins like a page."""

_PAGE = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_TOP = 20_000
"""Characters that are searched for a title."""
_TITLE_FIELD = re.compile(r"^title:[ \t]*(?P<title>\S.*(?:\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE)
_FIRST_FIELD = re.compile(r"(?:---\n)?\s*[A-Za-z][\w-]*:[ \t]")
_AFTER_FIELDS = re.compile(r"\n\s*\n|\n---")


def read(path: Path) -> Document:
    """Read a file as text, its lines ended by line feeds; or give in `skipped` the reason why it has none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return Document(uri=str(path), skipped=f"cannot be read: {error.strerror}")
    if is_binary(content):
        return Document(uri=str(path), skipped=NOT_TEXT)
    media_type = _media_type(path, content)
    text = decoded(content)
    try:
        words = extracted(text) if media_type == "text/html" else text
    except MissingExtra as missing:
        return Document(uri=str(path), media_type=media_type, skipped=str(missing))
    if not words.strip():
        return Document(uri=str(path), media_type=media_type, skipped=NO_WORDS)
    named = title(text) if media_type == "text/html" else _title(text, media_type)
    return Document(uri=str(path), title=named or path.name, media_type=media_type, text=words)


def _media_type(path: Path, content: bytes) -> str:
    if not path.suffix and _PAGE.match(content[:_TOP]):
        return "text/html"
    return _MEDIA_TYPES.get(path.suffix.lower(), "text/plain")


def _title(text: str, media_type: str) -> str:
    """Give the `Title:` among the fields at the top, else the first heading, else nothing."""
    top = text[:_TOP]
    if _FIRST_FIELD.match(top):
        fields = _AFTER_FIELDS.split(top, maxsplit=1)[0]
        if field := _TITLE_FIELD.search(fields):
            return " ".join(field["title"].split()).strip("\"'")
    signs = media_type == "text/markdown"
    headings = (
        top[block.start : block.end]
        for block in blocks(top)
        if block.kind is Kind.HEADING and (signs or block.style[0] != "#")
    )
    return " ".join(next(headings, "").split())
