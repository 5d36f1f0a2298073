"""The requests to the worker that reads documents, and its responses."""

from datetime import date
from enum import StrEnum

from pydantic import Field, TypeAdapter

from quaestor.contracts.base import Contract
from quaestor.contracts.web import Link

MAX_REQUEST_BYTES = 100_000
MAX_DOCUMENT_BYTES = 100_000_000
MAX_RESPONSE_BYTES = 22_000_000
"""Bytes: 20 MB of text and its metadata."""


class ParsedDocument(Contract):
    """What a document says: its words as they can be stored and cited, and what it says of itself."""

    title: str = ""
    text: str
    published: date | None = Field(default=None, description="When it says it was last changed; None: unknown.")
    pages: tuple[int, ...] = Field(default=(), description="Where each page starts in the text, for what has pages.")
    links: tuple[Link, ...] = ()


class SkipReason(StrEnum):
    """Why a document is not read."""

    NOT_TEXT = "not text"
    NO_WORDS = "holds no words"
    SCANNED = "a scan without text; run OCR over it first"
    ENCRYPTED = "encrypted; save it without a password first"
    DAMAGED = "damaged, or not what its name says"
    CRASHED = "its reader crashed on it or found no more memory"
    TOO_MUCH_TEXT = "holds more than 20 MB of text"
    TOO_MUCH_MEMORY = "takes more than 512 MB of memory to read"
    TOO_MUCH_WORK = "takes more than 5 seconds of processor time to read"
    TOO_SLOW = "takes more than 30 seconds to read"
    NO_READER = "its reader cannot be loaded; install its extra again"
    LOST = "its reader was ended from outside"

    @property
    def is_permanent(self) -> bool:
        """Return whether it holds as long as the document is the same; else it may be read another time."""
        return self not in {SkipReason.TOO_SLOW, SkipReason.NO_READER, SkipReason.LOST}


RESPONSE_ADAPTER: TypeAdapter[ParsedDocument | SkipReason] = TypeAdapter(ParsedDocument | SkipReason)


class ReadRequest(Contract):
    """The type and the address of a document; its bytes follow in a message of their own."""

    media_type: str
    uri: str
    charset: str = ""
