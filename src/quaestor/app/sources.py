"""The texts that the quotes of a session are from."""

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.source import Quote, Source
from quaestor.runtime.audit import cited_quotes


class SourceText(Contract):
    """A source, or one page of it, with the quotes of a session that are in it."""

    source: Source
    start: int
    """Where the text begins in the source; the offsets of quotes count from the beginning of the source."""
    text: str
    quotes: tuple[Quote, ...]


async def read_source(quaestor: Quaestor, session_id: str, sha256: str, page: int | None = None) -> SourceText | None:
    """Return the text of a source that a session quotes, whole or one page of it; None where there is no such.

    Raises UnknownSession. A source that only other sessions quote is not shown.
    """
    quotes = tuple(quote for quote in cited_quotes(await quaestor.events(session_id)) if quote.source == sha256)
    source, text = await quaestor.library.source(sha256), await quaestor.library.text(sha256)
    if not quotes or source is None or text is None:
        return None
    if page is None:
        return SourceText(source=source, start=0, text=text, quotes=quotes)
    if not 1 <= page <= len(source.pages):
        return None
    start, end = (*source.pages, len(text))[page - 1 : page + 1]
    inside = tuple(quote for quote in quotes if quote.start < end and start < quote.end)
    return SourceText(source=source, start=start, text=text[start:end], quotes=inside)
