"""The type of a document and its text encoding, detected from its bytes, its name and what a server says."""

import codecs
import re
import string
from collections.abc import Callable
from importlib.util import find_spec
from posixpath import splitext
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from quaestor.contracts.lazy import LazyImport

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatches

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
NOTEBOOK, EMAIL, JSON_LINES = "application/x-ipynb+json", "message/rfc822", "application/jsonl"
DRAWING = "image/svg+xml"
PARQUET = "application/vnd.apache.parquet"
ARCHIVE, ARCHIVE_SUFFIX = "application/zip", ".zip"
STRUCTURED = frozenset({NOTEBOOK, EMAIL, JSON_LINES, DRAWING})
OFFICE = frozenset(_OFFICE.values())
_BY_SUFFIX = {
    **_OFFICE,
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    **dict.fromkeys((".md", ".markdown", ".mdx", ".mkd", ".mdown", ".qmd", ".rmd"), MARKDOWN),
    **dict.fromkeys((".rst", ".rest"), RST),
    **dict.fromkeys((".txt", ".text", ".json", ".xml"), PLAIN),
    ".pdf": PDF,
    ARCHIVE_SUFFIX: ARCHIVE,
    ".ipynb": NOTEBOOK,
    ".eml": EMAIL,
    ".svg": DRAWING,
    ".parquet": PARQUET,
    **dict.fromkeys((".jsonl", ".ndjson"), JSON_LINES),
}
_TEMPLATES = frozenset({".erb", ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".liquid", ".hbs", ".njk", ".in"})
"""Behind the suffix of what a template makes: `guide.md.erb`."""
_BY_CONTENT_TYPE = {
    **{media_type: media_type for media_type in (HTML, PDF, PARQUET, MARKDOWN, RST, *OFFICE, *STRUCTURED)},
    "application/xhtml+xml": HTML,
    "application/x-pdf": PDF,
    **dict.fromkeys((ARCHIVE, "application/x-zip-compressed"), ARCHIVE),
    "text/rtf": _RTF,
}
_PARQUET = b"PAR1"
_ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BY_PART = {b"word/document.xml": DOCX, b"ppt/presentation.xml": _PPTX, b"xl/workbook.xml": _XLSX}
"""Parts of Office files by the names that a ZIP file contains uncompressed."""
_MIMETYPE_PART = re.compile(rb".{22}\x08\0..mimetype([ -~]+)", re.DOTALL)
"""The start of an OpenDocument or EPUB file: its first part is its media type, not compressed."""
_SIGNATURE_BYTES, _HTML_SEARCH_BYTES = 1_024, 20_000
_COMMENT, _COMMENT_END = b"<!--", b"-->"
_HTML_START = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TEXT_BYTES = bytes({*range(0x20, 0x7F), *range(0x80, 0x100), *b"\t\n\f\r\b\x1b"})
_SAMPLE = 65_536
_MAX_CONTROL_SHARE = 0.02
"""The share of control characters above which bytes are no text."""
_ENCODING_DECLARATION = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*[\"']?([A-Za-z0-9_-]+)", re.IGNORECASE
)
_DECLARATION_BYTES = 4096

_ASCII, _ASCII_LETTERS = bytes(range(0x80)), string.ascii_letters.encode()
_MAX_BEYOND_ASCII, _FEWEST_BEYOND_ASCII = 0.35, 24
_DETECTED_BYTES = 200_000
_FROM_BYTES: LazyImport[Callable[[bytes], "CharsetMatches"]] = LazyImport("charset_normalizer:from_bytes")


def detect_media_type(content: bytes, uri: str, content_type: str = "") -> str:
    """Return the media type that bytes are read as, which is PLAIN where nothing else is recognised.

    How they begin beats their name. `uri` is a path or a URL; `content_type` is the server's, with parameters.
    """
    named = _BY_SUFFIX.get(_suffix(uri))
    declared = _BY_CONTENT_TYPE.get(content_type.partition(";")[0].strip().lower()) or named
    if marked := _by_signature(content, declared):
        return marked
    if declared == ARCHIVE:  # it is none
        declared = None
    if declared not in {PLAIN, MARKDOWN, RST, *STRUCTURED} and _starts_as_html(content[:_HTML_SEARCH_BYTES]):
        return HTML
    return declared or PLAIN


def unknown_suffix(uri: str) -> str:
    """Return the suffix of a path or URL without its dot, in lower case; nothing where its format is known here."""
    suffix = _suffix(uri)
    return "" if suffix in _BY_SUFFIX else suffix[1:]


def is_archive(media_type: str) -> bool:
    """Return whether documents of this type are files in one another."""
    return media_type == ARCHIVE


def parse_charset(content_type: str) -> str:
    """Return the character set in a server's content type, or nothing."""
    found = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", content_type, re.IGNORECASE)
    return found[1] if found else ""


def _suffix(uri: str) -> str:
    named = urlsplit(uri).path if uri.startswith(("http://", "https://")) else uri
    stem, suffix = splitext(named.replace("\\", "/").rstrip("/").lower())
    made = splitext(stem)[1]
    return made if suffix in _TEMPLATES and made in _BY_SUFFIX else suffix


def _by_signature(content: bytes, declared: str | None) -> str | None:
    top = content[:_SIGNATURE_BYTES].lstrip()
    if top.startswith(b"%PDF-"):
        return PDF
    if content.startswith(_PARQUET) and content.endswith(_PARQUET):
        return PARQUET
    if top.startswith(rb"{\rtf"):
        return _RTF
    if content.startswith(_ZIP):
        if declared == ARCHIVE:  # whatever the files are that it holds
            return ARCHIVE
        return declared if declared in OFFICE else _zip_media_type(content)
    return declared if content.startswith(OLE) and declared in OFFICE else None


def _zip_media_type(content: bytes) -> str | None:
    if found := _MIMETYPE_PART.match(content[4:_SIGNATURE_BYTES]):
        return next((media_type for media_type in OFFICE if found[1].startswith(media_type.encode())), None)
    return next((media_type for part, media_type in _BY_PART.items() if part in content), None)


def _starts_as_html(top: bytes) -> bool:
    """Return whether bytes begin like a page, after comments."""
    top = top.lstrip()
    while top.startswith(_COMMENT) and (end := top.find(_COMMENT_END, len(_COMMENT))) > 0:
        top = top[end + len(_COMMENT_END) :].lstrip()
    return bool(_HTML_START.match(top))


def is_binary(content: bytes) -> bool:
    """Return whether bytes are not text: a NUL or many control characters, and no byte order mark of UTF-16 or 32."""
    if _byte_order_mark(content):
        return False
    sample = content[:_SAMPLE]
    return b"\0" in content or len(sample.translate(None, _TEXT_BYTES)) > _MAX_CONTROL_SHARE * len(sample)


def decode_text(content: bytes, charset: str = "") -> str:
    """Return the text of bytes, its lines ended by line feeds: by byte order mark, else UTF-8, else by name.

    The name is `charset`, which a server gave, or the one that a page gives itself. What is left is read as
    Windows-1252, whose few undefined bytes count as Latin-1, or, where hardly a letter of it is ASCII, in the character
    set that its bytes are most like.
    """
    text = _text(content, charset).replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "").removeprefix("\ufeff")


def _text(content: bytes, charset: str) -> str:
    if marked := _byte_order_mark(content):
        mark, encoding = marked
        return content[len(mark) :].decode(encoding, "replace")
    if (text := _as_stated(content, charset)) is not None:
        return text
    if is_far_from_ascii(content) and has_detection():
        detected = _FROM_BYTES.load()(content[:_DETECTED_BYTES]).best()
        if detected:
            return content.decode(detected.encoding, "replace")
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def has_detection() -> bool:
    """Return whether character sets can be told by their bytes."""
    return find_spec("charset_normalizer") is not None


def needs_detection(content: bytes, charset: str) -> bool:
    """Return whether the text of bytes would be guessed wrong: it says no character set, and is in no western one."""
    stated = _byte_order_mark(content) or _as_stated(content, charset) is not None
    return not stated and is_far_from_ascii(content)


def is_far_from_ascii(content: bytes) -> bool:
    """Return whether fewer than two in three letters can be ASCII; in western languages nine in ten are.

    Of a few words nothing can be told.
    """
    beyond = len(content.translate(None, _ASCII))
    plain = len(content) - len(content.translate(None, _ASCII_LETTERS))
    return beyond >= _FEWEST_BEYOND_ASCII and beyond > _MAX_BEYOND_ASCII * (beyond + plain)


def _as_stated(content: bytes, charset: str) -> str | None:
    """Return the text in UTF-8, or in the character set that was named; None where it is in neither."""
    for encoding in ("utf-8", *_declared_encodings(content, charset)):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None


def _byte_order_mark(content: bytes) -> tuple[bytes, str] | None:
    return next(((mark, encoding) for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)), None)


def _declared_encodings(content: bytes, charset: str) -> tuple[str, ...]:
    named = _ENCODING_DECLARATION.search(content[:_DECLARATION_BYTES])
    names = (charset, named[1].decode() if named else "")
    return tuple(name for name in names if name and _is_text_encoding(name))


def _is_text_encoding(name: str) -> bool:
    """Return whether a name is that of a plain character set; others can give lone surrogates, or bytes again."""
    try:
        return codecs.lookup(name).name.startswith(("cp", "iso8859", "koi8", "big5", "euc", "gb", "shift", "mac"))
    except LookupError:
        return False
