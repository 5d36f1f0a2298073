"""Parsing of documents: text here, every other type in a worker process that a hostile file can only crash."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import PurePath
from typing import TypeVar

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.immutable import replace
from quaestor.contracts.lazy import LazyImport
from quaestor.tools.reading import metadata
from quaestor.tools.reading.character_references import decode_references
from quaestor.tools.reading.comment_fields import comment_fields
from quaestor.tools.reading.content_type import (
    ARCHIVE,
    HTML,
    MARKDOWN,
    OFFICE,
    PARQUET,
    PDF,
    PLAIN,
    STRUCTURED,
    decode_text,
    detect_media_type,
    has_detection,
    is_archive,
    is_binary,
    needs_detection,
    parse_charset,
)
from quaestor.tools.reading.markdown_comments import blank_comments
from quaestor.tools.reading.opening_line import opening_title
from quaestor.tools.reading.plugins import find_reader
from quaestor.tools.reading.protocol import (
    MAX_RESPONSE_BYTES,
    ArchivedFile,
    PageRequest,
    ParsedDocument,
    ReadRequest,
    RecognizedPage,
    SkipReason,
    decode_document,
    decode_page,
    decode_part,
    decode_picture,
)
from quaestor.tools.reading.titles import find_title
from quaestor.tools.worker.pool import CancellationToken, WorkerPool, run_cancellable, run_in_background
from quaestor.tools.worker.process import (
    InvalidResponse,
    WorkerExited,
    WorkerSettings,
    WorkerTimedOut,
    WorkerUnavailable,
)

T = TypeVar("T")
_EXTRAS = {
    HTML: ("trafilatura", "HTML files need an extra", "web"),
    PDF: ("pypdfium2", "PDF files need an extra", "docs"),
    PARQUET: ("pyarrow", "Parquet files need an extra", "tables"),
    **dict.fromkeys(OFFICE, ("kreuzberg", "Office files need an extra", "docs")),
}
_TEXT_SUFFIXES = (".txt", ".text")
"""Of files in which people write: the opening line of code or data calls nothing."""
_SAMPLE_PAGE = b"<html><body><article><p>%s</p></article></body></html>" % (
    b"A page that its reader is loaded with. " * 99
)
"""So long that no list of the common words of a hundred languages is read to find the words of the page."""
TIMEOUT_SECONDS = 30
_JOIN_PAGES: LazyImport[Callable[[Iterator[RecognizedPage | SkipReason]], ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.ocr:join_pages"
)
SETTINGS = WorkerSettings(
    module="quaestor.tools.reading.worker",
    # A document gives the same text every time, and no threads reserve address space that counts against the limit.
    environment={
        "MALLOC_ARENA_MAX": "1",
        "PYTHONHASHSEED": "0",
        "RAYON_NUM_THREADS": "1",
        "TOKIO_WORKER_THREADS": "1",
    },
    max_response_bytes=MAX_RESPONSE_BYTES,
)
RECOGNITION_SETTINGS = replace(SETTINGS, module="quaestor.tools.reading.ocr")
_RECOGNITION_TIMEOUT_SECONDS = 300
"""For a page, also on a machine that others keep busy; its processor time is limited too."""
_MAX_WORKERS = 4


async def parse(content: bytes, media_type: str, uri: str) -> ParsedDocument:
    """Read a document of the media type that a server named, which may be empty, without blocking the event loop.

    Cancelled, it leaves nothing running. Raises ToolFailed with the reason when it cannot be read, MissingExtra when
    that takes a package which is not installed.
    """
    answer = await run_cancellable(
        lambda cancellation: parse_sync(content, media_type, uri, cancellation), _MAX_WORKERS
    )
    if isinstance(answer, SkipReason):
        raise ToolFailed(f"{uri} is not read: {answer}")
    return answer


def start_reader() -> None:
    """Start a worker before the first page is there, and let it load what reading pages takes, which lasts 0.2 s."""
    page = ReadRequest(media_type=HTML, uri="")
    if find_spec(_EXTRAS[HTML][0]):
        run_in_background(lambda cancellation: read_in_worker(shared_pool(), page, _SAMPLE_PAGE, cancellation))


def parse_sync(
    content: bytes, media_type: str, uri: str, cancellation: CancellationToken | None = None
) -> ParsedDocument | SkipReason:
    """Read a document, or give the reason why it has no words to store; blocks until it is read.

    Plain text is read here, and what has a format of its own in another process that it cannot leave. Raises
    MissingExtra when it takes a package which is not installed.
    """
    media = detect_media_type(content, uri, media_type)
    if is_archive(media):
        return SkipReason.NESTED
    installed = find_reader(uri) if media == PLAIN else None
    if installed:
        asked = ReadRequest(media_type=media, uri=uri, reader=installed.reference, reader_folder=installed.folder)
        return read_in_worker(shared_pool(), asked, content, cancellation or CancellationToken())
    if media not in STRUCTURED:
        if media not in _EXTRAS:
            return _parse_text(content, media, uri, parse_charset(media_type))
        _require_extra(media)
    request = ReadRequest(media_type=media, uri=uri, charset=parse_charset(media_type))
    token = cancellation or CancellationToken()
    read = read_in_worker(shared_pool(), request, content, token)
    if read is SkipReason.SCANNED:
        if not find_spec("rapidocr"):
            raise MissingExtra("a scan without text; run OCR over it first, or add an extra", "ocr")
        return _JOIN_PAGES.load()(_recognized_pages(content, uri, token))
    return read


@cache  # of success alone: a search through the path for every page took as long as fetching it
def _require_extra(media: str) -> None:
    package, need, extra = _EXTRAS[media]
    if not find_spec(package):
        raise MissingExtra(need, extra)


def _recognized_pages(
    content: bytes, uri: str, cancellation: CancellationToken
) -> Iterator[RecognizedPage | SkipReason]:
    """Iterate over the pages of a scan, each recognised by a worker with limits of its own; blocks while it works."""
    number, pages = 0, 1
    while number < pages:
        number += 1
        request = ReadRequest(media_type=PDF, uri=uri, recognize=number)
        page = ask_worker(_recognition_pool(os.getpid()), decode_page, request, content, cancellation)
        yield page
        pages = 0 if isinstance(page, SkipReason) else page.pages


def unpack_sync(
    content: bytes, uri: str, cancellation: CancellationToken | None = None
) -> Iterator[ArchivedFile | SkipReason]:
    """Iterate over the files of an archive, unpacked by a worker; blocks while it works.

    Yields a reason alone where the archive, or the rest of it, is not read.
    """
    following: int | None = 0
    while following is not None:
        request = ReadRequest(media_type=ARCHIVE, uri=uri, first=following)
        part = ask_worker(shared_pool(), decode_part, request, content, cancellation or CancellationToken())
        if isinstance(part, SkipReason):
            yield part
            return
        yield from part.files
        following = part.following


async def draw_page(content: bytes, uri: str, page: PageRequest) -> bytes:
    """Draw a page of a PDF file as a PNG, its marked words on colour, without blocking the event loop.

    Raises ToolFailed with the reason when it cannot be drawn, MissingExtra when that takes a package which is not
    installed.
    """
    _require_extra(PDF)
    request = ReadRequest(media_type=PDF, uri=uri, page=page)
    answer = await run_cancellable(
        lambda cancellation: ask_worker(shared_pool(), decode_picture, request, content, cancellation)
    )
    if isinstance(answer, SkipReason):
        raise ToolFailed(f"page {page.number} of {uri} is not drawn: the file is {answer}")
    return answer


def _parse_text(content: bytes, media: str, uri: str, encoding: str) -> ParsedDocument | SkipReason:
    if is_binary(content):
        return SkipReason.NOT_TEXT
    if needs_detection(content, encoding) and not has_detection():
        raise MissingExtra("a text in another character set than UTF-8 needs an extra", "web")
    parsed = parse_plain(decode_text(content, encoding), media, uri)
    return parsed if parsed.text.strip() else SkipReason.NO_WORDS


def parse_plain(text: str, media_type: str, uri: str) -> ParsedDocument:
    """Return a text with its title, if it has one, and the date among the fields at its top.

    That of a text file which marks none is its opening line. Comments of Markdown are blanks, and character references
    the characters, as a reader of the page sees them.
    """
    header = comment_fields(text)
    text = decode_references(blank_comments(text)) if media_type == MARKDOWN else text
    told = f"{header}\n{text}" if header else text
    title = find_title(told, media_type, PurePath(uri).stem)
    title = title or (opening_title(text) if uri.casefold().endswith(_TEXT_SUFFIXES) else "")
    return ParsedDocument(title=title, text=text, published=metadata.date_from_fields(told))


def read_in_worker(
    pool: WorkerPool, request: ReadRequest, content: bytes, cancellation: CancellationToken
) -> ParsedDocument | SkipReason:
    """Return a parsed document, or why it is not read; blocks until a worker is free and has read it."""
    return ask_worker(pool, decode_document, request, content, cancellation)


def ask_worker(
    pool: WorkerPool,
    decode: Callable[[bytes], T],
    request: ReadRequest,
    content: bytes,
    cancellation: CancellationToken,
) -> T | SkipReason:
    """Return what a worker makes of a document, decoded, or why it makes nothing of it."""
    try:
        return pool.ask(decode, cancellation, request.encode(), content)
    except WorkerTimedOut:
        return SkipReason.TOO_SLOW
    except WorkerUnavailable:
        return SkipReason.LOST
    except InvalidResponse:
        return SkipReason.CRASHED
    except WorkerExited as exited:
        used_up = sys.platform != "win32" and exited.exit_code == -signal.SIGXCPU
        return SkipReason.TOO_MUCH_WORK if used_up else SkipReason.CRASHED


def shared_pool() -> WorkerPool:
    """Return the workers of this process; one that was forked has its own."""
    return _pool_of_process(os.getpid())


@cache
def _recognition_pool(_: int) -> WorkerPool:
    return WorkerPool(RECOGNITION_SETTINGS, _RECOGNITION_TIMEOUT_SECONDS, 1)


@cache
def _pool_of_process(_: int) -> WorkerPool:
    return WorkerPool(SETTINGS, TIMEOUT_SECONDS, min(_MAX_WORKERS, os.cpu_count() or 1))
