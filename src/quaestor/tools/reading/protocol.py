"""The requests to the worker that reads documents, and its responses.

Not of pydantic, because the worker imports them: that would cost it a third of its memory and of its start. Its parent
validates every response.
"""

import json
from datetime import date
from enum import StrEnum
from typing import NamedTuple, Self, TypeVar

import msgspec

from quaestor.contracts.immutable import Immutable

T = TypeVar("T")
MAX_REQUEST_BYTES = 100_000
MAX_DOCUMENT_BYTES = 100_000_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_RESPONSE_BYTES = 22_000_000
"""Bytes: 20 MB of text and its metadata."""
MAX_PART_BYTES = 20_000_000
"""Of the files of an archive in one response."""
_PART_SIGNATURE = b"quaestor archive part\n"


class PageLink(NamedTuple):
    """A link of a document: an absolute URL, and the words that it is written on."""

    url: str
    text: str = ""


class ParsedDocument(Immutable, kw_only=True, forbid_unknown_fields=True):
    """The contents of a document: its text as it can be stored and cited, and its own metadata."""

    text: str
    title: str = ""
    published: date | None = None
    """When it was last changed, by its own metadata; None: unknown."""
    pages: tuple[int, ...] = ()
    """Where each page starts in the text, for what has pages."""
    links: tuple[PageLink, ...] = ()


class RecognizedPage(Immutable, forbid_unknown_fields=True):
    """The words that OCR found on one page of a scan, and how many pages there are."""

    text: str
    confidence: float
    """The mean over the lines, from 0 to 1."""
    pages: int


class SkipReason(StrEnum):
    """Why a document is not read."""

    NOT_TEXT = "not text"
    NO_WORDS = "holds no words"
    SCANNED = "a scan without text; run OCR over it first"
    TOO_MANY_PAGES = "a scan of more than 100 pages; run OCR over it first"
    ENCRYPTED = "encrypted; save it without a password first"
    DAMAGED = "damaged, or not what its name says"
    CRASHED = "its reader crashed on it or found no more memory"
    TOO_MUCH_TEXT = "holds more than 20 MB of text"
    TOO_MUCH_MEMORY = "takes more than 512 MB of memory to read"
    TOO_MUCH_WORK = "takes more than 5 seconds of processor time to read"
    TOO_SLOW = "takes more than 30 seconds to read"
    NO_READER = "its reader cannot be loaded; install its extra again"
    LOST = "its reader was ended from outside"
    TOO_MANY_FILES = "an archive of more than 2,000 files; unpack it first"
    TOO_LARGE_UNPACKED = "an archive of more than 100 MB when unpacked; unpack it first"
    BOMB = "an archive that would grow by more than 200 times"
    NESTED = "an archive where none is unpacked: in another one, or on the web"
    PACKED = "packed in a way that is not read"
    TOO_LARGE = "larger than 20 MB"
    TWICE = "in the archive more than once"
    CHANGED = "no longer what was read: this page has other words"

    @property
    def is_permanent(self) -> bool:
        """Return whether it holds as long as the document is the same; else it may be read another time."""
        return self not in {SkipReason.TOO_SLOW, SkipReason.NO_READER, SkipReason.LOST}


class ArchivedFile(NamedTuple):
    """A file of an archive with its content, or the reason why it is not read."""

    name: str
    content: bytes
    skipped: SkipReason | None = None


class ArchivePart(NamedTuple):
    """Files of an archive, and the number of the one with which the next part begins; None for the last part."""

    files: tuple[ArchivedFile, ...]
    following: int | None

    def encode(self) -> bytes:
        """Return the part: the names and lengths of its files as a line of JSON, and then their contents."""
        listed = [(file.name, len(file.content), file.skipped) for file in self.files]
        head = json.dumps([listed, self.following]).encode()
        return b"".join((_PART_SIGNATURE, head, b"\n", *(file.content for file in self.files)))

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """Return the part that a response holds. Raises ValueError for what is none."""
        signature, (head, _, contents) = (
            message[: len(_PART_SIGNATURE)],
            message[len(_PART_SIGNATURE) :].partition(b"\n"),
        )
        if signature != _PART_SIGNATURE:
            raise ValueError("it is no part of an archive")
        listed, following = json.loads(head)
        files: list[ArchivedFile] = []
        place = 0
        for name, size, skipped in listed:
            content = contents[place : place + int(size)]
            files.append(ArchivedFile(str(name), content, SkipReason(skipped) if skipped else None))
            place += int(size)
        return cls(tuple(files), None if following is None else int(following))


def encode_response(response: ParsedDocument | RecognizedPage | ArchivePart | SkipReason | bytes) -> bytes:
    """Return a response: a picture and files as they are, anything else as JSON."""
    if isinstance(response, bytes):
        return response
    if isinstance(response, ArchivePart):
        return response.encode()
    return msgspec.json.encode(response)


def decode_document(message: bytes) -> ParsedDocument | SkipReason:
    """Return the document that a response holds, or why there is none. Raises ValueError for what is neither."""
    return _decode(_DOCUMENT_DECODER, message)


def decode_page(message: bytes) -> RecognizedPage | SkipReason:
    """Return the recognised page that a response holds, or why there is none. Raises ValueError for what is neither."""
    return _decode(_PAGE_DECODER, message)


def decode_part(message: bytes) -> ArchivePart | SkipReason:
    """Return the files that a response holds, or why there are none. Raises ValueError for what is neither."""
    return _decode(_REASON_DECODER, message) if message.startswith(b'"') else ArchivePart.decode(message)


def decode_picture(message: bytes) -> bytes | SkipReason:
    """Return the picture that a response holds, or why there is none. Raises ValueError for what is neither."""
    return message if message.startswith(PNG_SIGNATURE) else _decode(_REASON_DECODER, message)


def _decode(decoder: msgspec.json.Decoder[T], message: bytes) -> T:
    try:
        return decoder.decode(message)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


_DOCUMENT_DECODER: msgspec.json.Decoder[ParsedDocument | SkipReason] = msgspec.json.Decoder(ParsedDocument | SkipReason)
_PAGE_DECODER: msgspec.json.Decoder[RecognizedPage | SkipReason] = msgspec.json.Decoder(RecognizedPage | SkipReason)
_REASON_DECODER = msgspec.json.Decoder(SkipReason)


class PageRequest(Immutable):
    """A page of a PDF file that is to be drawn, and the spans of its words that are marked in the picture."""

    number: int
    """Counted from 1."""
    words_sha256: str
    """Of the words that the page had when it was read; a page with others is not drawn."""
    spans: tuple[tuple[int, int], ...] = ()
    """In characters of these words."""


class ReadRequest(Immutable):
    """The type and the address of a document; its bytes follow in a message of their own."""

    media_type: str
    uri: str
    charset: str = ""
    page: PageRequest | None = None
    """Of a PDF file: draw this page, and return the picture instead of the words."""
    recognize: int | None = None
    """Of a scanned PDF file: return the words that OCR finds on this page, counted from 1."""
    first: int | None = None
    """Of an archive: return its files from this one on."""
    reader: str = ""
    """A function of another package that reads it, as `package.module:function`."""
    reader_folder: str = ""
    """Where that package is installed."""

    def encode(self) -> bytes:
        """Return the request as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, message: bytes) -> Self:
        """Return the request that a message of the parent holds."""
        return msgspec.json.decode(message, type=cls)
