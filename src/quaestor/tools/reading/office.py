"""The text of Office files as Markdown; needs the extra `docs`."""

import re

from kreuzberg import ExtractionConfig, KreuzbergError, extract_bytes_sync

from quaestor.tools.reading import dates
from quaestor.tools.reading.kinds import DOCX, OLE
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason
from quaestor.tools.reading.references import Broken, resolved, restored

_CONFIG = ExtractionConfig(output_format="markdown", use_cache=False, enable_quality_processing=False)
"""Nothing is written to disk and no word is improved."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""As CommonMark escapes punctuation, section 2.4."""
_LOCKED = "EncryptedPackage".encode("utf-16-le")
"""The stream in which a file that Office encrypted lies, section 2.3.4.10 of MS-OFFCRYPTO."""


def office(content: bytes, media_type: str) -> Parsed | Reason:
    """Give the text of an Office file, its headings and tables as in Markdown, its words without Markdown's escapes."""
    if content.startswith(OLE) and _LOCKED in content:
        return Reason.ENCRYPTED
    try:
        prepared = resolved(content) if media_type == DOCX else content
        read = extract_bytes_sync(prepared, media_type, config=_CONFIG)
    except (KreuzbergError, Broken):
        return Reason.DAMAGED
    text = restored(_ESCAPED.sub(r"\1", read.content))
    if not text.strip():
        return Reason.NO_WORDS
    said = read.metadata
    return Parsed(
        title=" ".join(restored(said.get("title") or "").split()),
        text=text,
        published=dates.first([said.get("modified_at"), said.get("created_at")]),
    )
