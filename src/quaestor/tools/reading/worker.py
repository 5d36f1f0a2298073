"""The process that reads documents which are no plain text: `python -m quaestor.tools.reading.worker`.

It takes a request and a document at a time and returns the words of the document, or a picture of a page. One that
takes too much ends it; its parent sees how it ended, and starts another.
"""

import ctypes
import math
import select
import sys
from collections.abc import Callable
from functools import partial
from typing import IO

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.lazy import LazyImport
from quaestor.tools.reading.content_type import HTML, PARQUET, PDF, STRUCTURED
from quaestor.tools.reading.protocol import (
    MAX_DOCUMENT_BYTES,
    MAX_REQUEST_BYTES,
    MAX_RESPONSE_BYTES,
    ArchivePart,
    ParsedDocument,
    ReadRequest,
    RecognizedPage,
    SkipReason,
    encode_response,
)
from quaestor.tools.worker.child import die_with_parent, limit_resources, read_frame, take_over_pipes, write_frames

if sys.platform != "win32":
    import resource

# Each is an extra, and slow to import.
_PARSE_HTML: LazyImport[Callable[..., ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.html_page:parse_html"
)
_PARSE_PDF: LazyImport[Callable[[bytes], ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.pdf:parse_pdf"
)
_RECOGNIZE_PAGE: LazyImport[Callable[..., RecognizedPage | SkipReason]] = LazyImport(
    "quaestor.tools.reading.ocr:recognize_page"
)
_DRAW_PAGE: LazyImport[Callable[..., bytes | SkipReason]] = LazyImport("quaestor.tools.reading.pdf_page:draw_page")
_PARSE_PARQUET: LazyImport[Callable[[bytes], ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.parquet:parse_parquet"
)
_PARSE_OFFICE: LazyImport[Callable[..., ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.office:parse_office"
)
_PARSE_STRUCTURED: LazyImport[Callable[..., ParsedDocument | SkipReason]] = LazyImport(
    "quaestor.tools.reading.structured:parse_structured"
)
_UNPACK_PART: LazyImport[Callable[..., ArchivePart | SkipReason]] = LazyImport(
    "quaestor.tools.reading.archive:unpack_part"
)
_IDLE_SECONDS = 60
"""After so long without a document it ends; the next document starts another."""


class WorkerLimits(Immutable):
    """What one document may take."""

    memory_bytes: int = 512 * 2**20
    """Address space, which bounds what is resident too."""
    cpu_seconds: int = 5


def serve(limits: WorkerLimits) -> None:
    """Serve until the standard input ends, a document took all memory, or its reader cannot be imported."""
    requests, responses = take_over_pipes()
    restrict_process(limits.memory_bytes)
    is_fresh = True
    while (request := _read_request(requests)) and (content := read_frame(requests, MAX_DOCUMENT_BYTES)) is not None:
        try:
            read = _select_parser(request)
            reset_cpu_limit(limits.cpu_seconds)
            answer = encode_response(read(content))
        except (ImportError, MemoryError) as error:
            # What documents of other kinds loaded may have left too few addresses, also for a library to be mapped. A
            # worker that ends without an answer is replaced by a new one, whose first document this is.
            if not is_fresh:
                return
            reason = SkipReason.NO_READER if isinstance(error, ImportError) else SkipReason.TOO_MUCH_MEMORY
            write_frames(responses, encode_response(reason))
            return
        write_frames(
            responses,
            answer if len(answer) <= MAX_RESPONSE_BYTES else encode_response(SkipReason.TOO_MUCH_TEXT),
        )
        is_fresh = False


def _read_request(requests: IO[bytes]) -> ReadRequest | None:
    if sys.platform != "win32" and not select.select([requests], [], [], _IDLE_SECONDS)[0]:
        return None
    asked = read_frame(requests, MAX_REQUEST_BYTES)
    return None if asked is None else ReadRequest.decode(asked)


def _select_parser(
    request: ReadRequest,
) -> Callable[[bytes], ParsedDocument | RecognizedPage | ArchivePart | SkipReason | bytes]:
    """Return what reads, unpacks or draws such a document; the first of its kind waits here for what is imported."""
    if request.reader:
        return _installed_reader(request)
    if request.recognize is not None:
        return partial(_RECOGNIZE_PAGE.load(), number=request.recognize)
    if request.first is not None:
        return partial(_UNPACK_PART.load(), first=request.first)
    if request.page:
        return partial(_DRAW_PAGE.load(), page=request.page)
    match request.media_type:
        case media_type if media_type == HTML:
            return partial(_PARSE_HTML.load(), uri=request.uri, charset=request.charset)
        case media_type if media_type == PDF:
            return _PARSE_PDF.load()
        case media_type if media_type == PARQUET:
            return _PARSE_PARQUET.load()
        case media_type if media_type in STRUCTURED:
            return partial(_PARSE_STRUCTURED.load(), media_type=media_type)
        case media_type:
            return partial(_PARSE_OFFICE.load(), media_type=media_type)


def _installed_reader(request: ReadRequest) -> Callable[[bytes], ParsedDocument | SkipReason]:
    """Return what calls a reader of another package. Raises ImportError when it cannot be loaded."""
    if request.reader_folder and request.reader_folder not in sys.path:
        sys.path.append(request.reader_folder)
    reader: LazyImport[Callable[[bytes], object]] = LazyImport(request.reader)
    try:
        read = reader.load()
    except AttributeError as error:
        raise ImportError(str(error)) from error

    def checked(content: bytes) -> ParsedDocument | SkipReason:
        match read(content):
            case ParsedDocument() as document:
                return document if document.text.strip() else SkipReason.NO_WORDS
            case SkipReason() as reason:
                return reason
            case _:
                return SkipReason.DAMAGED

    return checked


_MAX_OPEN_FILES = 64
_NEW_USER, _NEW_NETWORK = 0x1000_0000, 0x4000_0000
"""CLONE_NEWUSER and CLONE_NEWNET of unshare(2)."""
_FORBIDDEN_EVENTS = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
)
"""Beginnings of audit events, a table of which is in Python's documentation."""


def restrict_process(memory_bytes: int) -> None:
    """Limit this process for good: no network, no other program, no file written, no more memory than is allowed.

    The kernel cuts off the network where it lets everybody do so, else Python alone refuses it. On Linux the process
    ends together with the thread that started it.
    """
    sys.addaudithook(_audit_hook)
    if sys.platform == "linux":
        ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK)
    die_with_parent()
    limit_resources(memory_bytes=memory_bytes, file_bytes=0, open_files=_MAX_OPEN_FILES)


def reset_cpu_limit(cpu_seconds: int) -> None:
    """Return the next document its processor time; SIGXCPU ends the process when that is used up."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = math.ceil(used.ru_utime + used.ru_stime) + cpu_seconds
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def _audit_hook(event: str, _: object) -> None:
    if event.startswith(_FORBIDDEN_EVENTS):
        raise PermissionError(f"{event} is forbidden while a document is read")


if __name__ == "__main__":
    serve(WorkerLimits())
