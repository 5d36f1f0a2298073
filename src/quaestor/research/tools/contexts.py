"""The paragraphs around located quotes, read from the stored sources."""

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.library import Library
from quaestor.contracts.source import Quote, Source
from quaestor.contracts.tools import Tool
from quaestor.research.brief.paragraphs import document_status, paragraph_around
from quaestor.research.contracts.tools import ContextInput, Contexts, DocumentStatus, LookedUp, QuoteContext
from quaestor.research.tools.field_lookup import FieldLookup


class ReadContexts(Tool[ContextInput, Contexts]):
    """Compares quotes with the stored sources, reads the paragraph around each, and looks fields up; a `Tool`."""

    name = "contexts"
    description = "Reads the paragraphs around located quotes, and the fields and tables that answer."
    repeatable = True
    pure = True
    computes = True
    spend = Spend()

    def __init__(self, library: Library) -> None:
        self._library = library

    @override
    async def run(self, given: ContextInput) -> Contexts:
        """Return the paragraph of every quote that is at its place, and what fields and tables answer.

        A quote that is not at its place is left out.
        """
        quotes = dict.fromkeys(quote for finding in given.findings for quote in finding.quotes)
        contexts: list[QuoteContext] = []
        statuses: list[DocumentStatus] = []
        for sha256 in dict.fromkeys(quote.source for quote in quotes):
            source, text = await self._library.source(sha256), await self._library.text(sha256)
            if source is None or text is None:
                continue
            contexts += [_context(source, text, quote) for quote in quotes if _stands(text, quote, sha256)]
            if status := document_status(text):
                statuses.append(DocumentStatus(source=sha256, status=status))
        return Contexts(contexts=tuple(contexts), statuses=tuple(statuses), looked_up=await self._look_up(given))

    async def _look_up(self, given: ContextInput) -> LookedUp | None:
        if not given.question:
            return None
        lookup = FieldLookup(self._library)
        cited = (quote.source for finding in given.findings for quote in finding.quotes)
        return await lookup.of_corpus(given.question, given.corpus, given.dates) or await lookup.of_sources(
            given.question, cited
        )


def _stands(text: str, quote: Quote, sha256: str) -> bool:
    return quote.source == sha256 and text[quote.start : quote.end] == quote.text


def _context(source: Source, text: str, quote: Quote) -> QuoteContext:
    around = paragraph_around(text, source.media_type, quote.start, quote.end)
    paragraph = Quote(source=source.sha256, start=around.start, end=around.end, text=text[around.start : around.end])
    return QuoteContext(quote=quote, paragraph=paragraph, heading=around.heading)
