"""From the bytes of a file to text that can be stored and cited."""

import codecs
import re

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


def is_binary(content: bytes) -> bool:
    """Say whether bytes are no text: a NUL anywhere, or many control characters, without the mark of UTF-16 or 32."""
    if _byte_order_mark(content):
        return False
    sample = content[:_SAMPLE]
    return b"\0" in content or len(sample.translate(None, _TEXT_BYTES)) > _MAX_CONTROL_SHARE * len(sample)


def decode_text(content: bytes, charset: str = "") -> str:
    """Give the text of bytes, its lines ended by line feeds: by byte order mark, else UTF-8, else by name.

    The name is `charset`, which a server gave, or the one that a page gives itself. What is left is read as
    Windows-1252, whose few undefined bytes count as Latin-1.
    """
    text = _text(content, charset).replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "").removeprefix("\ufeff")


def _text(content: bytes, charset: str) -> str:
    if marked := _byte_order_mark(content):
        mark, encoding = marked
        return content[len(mark) :].decode(encoding, "replace")
    for encoding in ("utf-8", *_declared_encodings(content, charset), "cp1252"):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return content.decode("latin-1")


def _byte_order_mark(content: bytes) -> tuple[bytes, str] | None:
    return next(((mark, encoding) for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)), None)


def _declared_encodings(content: bytes, charset: str) -> tuple[str, ...]:
    named = _ENCODING_DECLARATION.search(content[:_DECLARATION_BYTES])
    names = (charset, named[1].decode() if named else "")
    return tuple(name for name in names if name and _is_text_encoding(name))


def _is_text_encoding(name: str) -> bool:
    """Say whether a name is that of a plain character set; others can give lone surrogates, or bytes again."""
    try:
        return codecs.lookup(name).name.startswith(("cp", "iso8859", "koi8", "big5", "euc", "gb", "shift", "mac"))
    except LookupError:
        return False
