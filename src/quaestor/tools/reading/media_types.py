"""As what bytes are read: told by how they begin, by their name and by what a server said of them."""

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

HTML, PDF, PLAIN, MARKDOWN, RST = "text/html", "application/pdf", "text/plain", "text/markdown", "text/x-rst"

_OPEN_XML, _ODF = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument."
DOCX, _PPTX, _XLSX = (
    f"{_OPEN_XML}wordprocessingml.document",
    f"{_OPEN_XML}presentationml.presentation",
    f"{_OPEN_XML}spreadsheetml.sheet",
)
_EPUB, _RTF = "application/epub+zip", "application/rtf"
_OFFICE = {
    ".docx": DOCX,
    ".pptx": _PPTX,
    ".xlsx": _XLSX,
    ".odt": f"{_ODF}text",
    ".ods": f"{_ODF}spreadsheet",
    ".epub": _EPUB,
    ".rtf": _RTF,
    ".doc": "application/msword",
    ".ppt": "application/vnd.ms-powerpoint",
    ".xls": "application/vnd.ms-excel",
}
OFFICE = frozenset(_OFFICE.values())

_BY_SUFFIX = {
    **_OFFICE,
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    **dict.fromkeys((".md", ".markdown"), MARKDOWN),
    **dict.fromkeys((".rst", ".rest"), RST),
    **dict.fromkeys((".txt", ".text", ".json", ".xml"), PLAIN),
    ".pdf": PDF,
}
_BY_CONTENT_TYPE = {
    **{media_type: media_type for media_type in (HTML, PDF, MARKDOWN, RST, *OFFICE)},
    "application/xhtml+xml": HTML,
    "application/x-pdf": PDF,
    "text/rtf": _RTF,
}

_ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BY_PART = {b"word/document.xml": DOCX, b"ppt/presentation.xml": _PPTX, b"xl/workbook.xml": _XLSX}
"""Parts of Office files by the names that stand in a ZIP file as they are."""
_MIMETYPE_PART = re.compile(rb".{22}\x08\0..mimetype([ -~]+)", re.DOTALL)
"""The start of an OpenDocument or EPUB file: its first part is its media type, not compressed."""

_SIGNATURE_BYTES, _HTML_SEARCH_BYTES = 1_024, 20_000
_COMMENT, _COMMENT_END = b"<!--", b"-->"
_HTML_START = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)


def detect_media_type(content: bytes, uri: str, told: str = "") -> str:
    """Give the media type that bytes are read as: HTML, PDF, one of OFFICE, MARKDOWN, RST, or else PLAIN.

    How they begin beats their name. `uri` is a path or a URL; `told` is what a server said, with its parameters.
    """
    named = _BY_SUFFIX.get(_suffix(uri))
    said = _BY_CONTENT_TYPE.get(told.partition(";")[0].strip().lower()) or named
    if marked := _by_signature(content, said):
        return marked
    if said not in {PLAIN, MARKDOWN, RST} and _starts_as_html(content[:_HTML_SEARCH_BYTES]):
        return HTML
    return said or PLAIN


def parse_charset(told: str) -> str:
    """Give the character set in what a server said, or nothing."""
    found = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", told, re.IGNORECASE)
    return found[1] if found else ""


def _suffix(uri: str) -> str:
    path = urlsplit(uri).path if uri.startswith(("http://", "https://")) else uri
    return PurePosixPath(path.replace("\\", "/")).suffix.lower()


def _by_signature(content: bytes, said: str | None) -> str | None:
    top = content[:_SIGNATURE_BYTES].lstrip()
    if top.startswith(b"%PDF-"):
        return PDF
    if top.startswith(rb"{\rtf"):
        return _RTF
    if content.startswith(_ZIP):
        return said if said in OFFICE else _zip_media_type(content)
    return said if content.startswith(OLE) and said in OFFICE else None


def _zip_media_type(content: bytes) -> str | None:
    if found := _MIMETYPE_PART.match(content[4:_SIGNATURE_BYTES]):
        return next((media_type for media_type in OFFICE if found[1].startswith(media_type.encode())), None)
    return next((media_type for part, media_type in _BY_PART.items() if part in content), None)


def _starts_as_html(top: bytes) -> bool:
    """Say whether bytes begin like a page, after comments."""
    top = top.lstrip()
    while top.startswith(_COMMENT) and (end := top.find(_COMMENT_END, len(_COMMENT))) > 0:
        top = top[end + len(_COMMENT_END) :].lstrip()
    return bool(_HTML_START.match(top))
