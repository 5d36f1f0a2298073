"""The texts that the quotes of a session are from, and pictures of their pages."""

import asyncio
import hashlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import ToolFailed, UnknownSession
from quaestor.contracts.source import Quote, Source
from quaestor.files import read_regular_file
from quaestor.runtime.audit import cited_events, cited_quotes
from quaestor.storage.originals import OriginalFiles
from quaestor.tools.file_walk import MAX_FILE_BYTES
from quaestor.tools.reading.content_type import PDF
from quaestor.tools.reading.parse import draw_page
from quaestor.tools.reading.protocol import PageRequest


class SourceText(Contract):
    """A source, or one page of it, with the quotes of a session that are in it."""

    source: Source
    start: int
    """Where the text begins in the source; the offsets of quotes count from the beginning of the source."""
    text: str
    quotes: tuple[Quote, ...]


async def read_source(
    quaestor: Quaestor, sha256: str, session_id: str | None = None, page: int | None = None
) -> SourceText | None:
    """Return the text of a source that a session quotes, whole or one page of it; None where there is no such.

    Without a session it is the newest one that quotes the source, of those that the caller may see. Raises
    UnknownSession. A source that no such session quotes is not shown.
    """
    found = await _find_quoted(quaestor, sha256, session_id)
    if found is None:
        return None
    source, quotes = found
    text = await quaestor.library.text(sha256)
    if text is None:
        return None
    if page is None:
        return SourceText(source=source, start=0, text=text, quotes=quotes)
    if not 1 <= page <= len(source.pages):
        return None
    start, end = (*source.pages, len(text))[page - 1 : page + 1]
    inside = tuple(quote for quote in quotes if quote.start < end and start < quote.end)
    return SourceText(source=source, start=start, text=text[start:end], quotes=inside)


async def _find_quoted(
    quaestor: Quaestor, sha256: str, session_id: str | None
) -> tuple[Source, tuple[Quote, ...]] | None:
    """Return a source under the names by which a session saw it, with the quotes of that session."""
    if session_id is not None:
        await quaestor.session(session_id)
    for each in [session_id] if session_id else await quaestor.library.sessions_of(sha256):
        if not await _is_visible(quaestor, each):
            continue
        events = await cited_events(quaestor.store, each)
        quotes = tuple(quote for quote in cited_quotes(events) if quote.source == sha256)
        source = await quaestor.library.of_session(each).source(sha256)
        if quotes and source:
            return source, quotes
    return None


async def can_draw(quaestor: Quaestor, source: Source) -> bool:
    """Return whether pages of a source may be drawn: it is a PDF file that is where it was read, or was kept."""
    return find_spec("pypdfium2") is not None and await _find_original(quaestor, source) is not None


async def _find_original(quaestor: Quaestor, source: Source) -> Path | None:
    """Return where the file of a source is: the document, or what a session of the caller kept as it fetched it."""
    if source.media_type != PDF:
        return None
    places = [Path(source.uri)]
    if source.uri.startswith(("http://", "https://")):
        holders = await quaestor.library.sessions_of(source.sha256)
        seen = [each for each in holders if await _is_visible(quaestor, each)]
        places = [OriginalFiles(quaestor.data_folder, each).path(source.sha256) for each in seen]
    return next((place for place in places if place.is_file()), None)


async def _is_visible(quaestor: Quaestor, session_id: str) -> bool:
    """Return whether a session belongs to the caller."""
    with suppress(UnknownSession):
        await quaestor.session(session_id)
        return True
    return False


async def draw_source_page(
    quaestor: Quaestor, sha256: str, page: int, session_id: str | None = None, span: tuple[int, int] | None = None
) -> bytes | None:
    """Draw a page of a PDF file as a PNG, every quote on colour, or only what is at a span of the source.

    None where no such session quotes a source with this page. Raises ToolFailed where the file is not there any more,
    was never kept or has other words on this page now, MissingExtra without the package that draws.
    """
    shown = await read_source(quaestor, sha256, session_id, page)
    if shown is None:
        return None
    uri, words = shown.source.uri, shown.text.strip()
    place = await _find_original(quaestor, shown.source)
    if place is None:
        raise ToolFailed(f"of {uri} the text is kept and no file whose pages could be drawn; read its text")
    try:
        content = await asyncio.to_thread(read_regular_file, place, MAX_FILE_BYTES)
    except OSError as error:
        raise ToolFailed(f"{uri} cannot be drawn: {error.strerror}; its text is kept, read that") from error
    begin = shown.start + shown.text.find(words)
    spans = [span] if span else [(quote.start, quote.end) for quote in shown.quotes]
    asked = PageRequest(
        number=page,
        words_sha256=hashlib.sha256(words.encode()).hexdigest(),
        spans=tuple((max(0, start - begin), end - begin) for start, end in spans),
    )
    return await draw_page(content, uri, asked)
