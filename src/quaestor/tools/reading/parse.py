"""From the bytes of a document to what it says, whatever it is."""

import asyncio
from importlib.util import find_spec

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.tools.decoding import decoded, is_binary
from quaestor.tools.reading.asking import Request
from quaestor.tools.reading.kinds import HTML, OFFICE, PDF, charset, kind
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.plain import plain
from quaestor.tools.reading.reason import Reason
from quaestor.tools.reading.workers import Stop, workers

_EXTRAS = {
    HTML: ("trafilatura", "HTML files need an extra: pip install 'quaestor[web]'"),
    PDF: ("pypdfium2", "PDF files need an extra: pip install 'quaestor[docs]'"),
    **dict.fromkeys(OFFICE, ("kreuzberg", "Office files need an extra: pip install 'quaestor[docs]'")),
}


async def parse(content: bytes, media_type: str, uri: str) -> Parsed:
    """Read a document that a server said to be of this media type, which may be empty; blocks nobody else.

    Cancelled, it leaves nothing running. Raises ToolFailed with the reason when it cannot be read, MissingExtra when
    that takes a package which is not installed.
    """
    stop = Stop()
    try:
        answer = await asyncio.to_thread(read, content, media_type, uri, stop)
    except asyncio.CancelledError:
        stop.now()
        raise
    if isinstance(answer, Reason):
        raise ToolFailed(f"{uri} is not read: {answer}")
    return answer


def read(content: bytes, media_type: str, uri: str, stop: Stop | None = None) -> Parsed | Reason:
    """Read a document, or give the reason why it has no words to store; blocks until it is read.

    Plain text is read here, and what has a format of its own in another process that it cannot leave. Raises
    MissingExtra when it takes a package which is not installed.
    """
    media = kind(content, uri, media_type)
    if media not in _EXTRAS:
        return _text(content, media, charset(media_type))
    package, advice = _EXTRAS[media]
    if not find_spec(package):
        raise MissingExtra(advice)
    request = Request(media_type=media, uri=uri, charset=charset(media_type))
    return workers().read(request, content, stop or Stop())


def _text(content: bytes, media: str, encoding: str) -> Parsed | Reason:
    if is_binary(content):
        return Reason.NOT_TEXT
    text = decoded(content, encoding)
    return plain(text, media) if text.strip() else Reason.NO_WORDS
