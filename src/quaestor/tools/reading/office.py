"""The text of Office files as Markdown; needs the extra `docs`."""

import io
import re
import zlib
from zipfile import BadZipFile, ZipFile

from kreuzberg import ExtractionConfig, KreuzbergError, extract_bytes_sync

from quaestor.tools.reading import metadata
from quaestor.tools.reading.content_type import DOCX, OLE
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

_CONFIG = ExtractionConfig(output_format="markdown", use_cache=False, enable_quality_processing=False)
"""Nothing is written to disk and no word is improved."""
_MARKDOWN_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
"""As CommonMark escapes punctuation, section 2.4."""
_DAY_IN_CELL = re.compile(r"(?<=\| )(\d{4}-\d{2}-\d{2}) 00:00:00(?= \|)")
"""A day: spreadsheets have no type for one without a time."""
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
"""The stream in which a file that Office encrypted lies, section 2.3.4.10 of MS-OFFCRYPTO."""


def parse_office(content: bytes, media_type: str) -> ParsedDocument | SkipReason:
    """Return the text of an Office file, with headings and tables as Markdown and without Markdown's escapes."""
    if content.startswith(OLE) and _ENCRYPTED_STREAM in content:
        return SkipReason.ENCRYPTED
    try:
        prepared = replace_references(content) if media_type == DOCX else content
        read = extract_bytes_sync(prepared, media_type, config=_CONFIG)
    except (KreuzbergError, BrokenZip):
        return SkipReason.DAMAGED
    text = _DAY_IN_CELL.sub(r"\1", restore_references(_MARKDOWN_ESCAPE.sub(r"\1", read.content)))
    if not text.strip():
        return SkipReason.NO_WORDS
    metadata_fields = read.metadata
    told = (metadata_fields.get("modified_at"), metadata_fields.get("created_at"))
    return ParsedDocument(
        title=" ".join(restore_references(metadata_fields.get("title") or "").split()),
        text=text,
        published=metadata.date_from_fields(text)
        or metadata.first_date(None if one and one.startswith(_OF_TEMPLATE) else one for one in told),
    )


_OF_TEMPLATE = "2013-12-23T23:15"
"""The date of the template of python-docx 1.2, which whoever writes documents with it leaves in them."""
_NAMED_REFERENCES = {b"amp": "&", b"lt": "<", b"gt": ">", b"quot": '"', b"apos": "'"}
_FIRST_PLACEHOLDER = 0x10FF00
"""Of private use and in the last plane, where no font has a sign."""
_PLACEHOLDERS = {ord(sign): chr(_FIRST_PLACEHOLDER + place) for place, sign in enumerate(_NAMED_REFERENCES.values())}
_ORIGINALS = {ord(stand_in): sign for sign, stand_in in _PLACEHOLDERS.items()}
_REFERENCE = re.compile(rb"&(?:(?P<name>amp|lt|gt|quot|apos)|#(?P<number>[0-9]{1,7})|#x(?P<hex>[0-9A-Fa-f]{1,6}));")
_ALLOWED = (range(0x9, 0xB), range(0xD, 0xE), range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000))
"""The characters of XML 1.0, section 2.2."""


class BrokenZip(Exception):
    """A ZIP file cannot be read."""


def replace_references(content: bytes) -> bytes:
    """Return a Word file whose XML holds no references any more. Raises BrokenZip for what is no sound ZIP file."""
    try:
        with ZipFile(io.BytesIO(content)) as before:
            parts = {name: before.read(name) for name in before.namelist()}
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise BrokenZip(str(error)) from error
    after = io.BytesIO()
    with ZipFile(after, "w") as file:
        for name, part in parts.items():
            file.writestr(name, _REFERENCE.sub(_replacement, part) if name.endswith(".xml") else part)
    return after.getvalue()


def restore_references(text: str) -> str:
    """Return the text that was read from a resolved file, with the original characters."""
    return text.translate(_ORIGINALS)


def _replacement(reference: re.Match[bytes]) -> bytes:
    if name := reference["name"]:
        sign = _NAMED_REFERENCES[name]
    else:
        code = int(reference["number"] or reference["hex"], 10 if reference["number"] else 16)
        sign = chr(code) if any(code in allowed for allowed in _ALLOWED) else "\ufffd"
    return sign.translate(_PLACEHOLDERS).encode()
