"""Lookups without a session: passages of documents for a query, and whether words are in a stored source."""

from collections.abc import Sequence

from pydantic import Field

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import CorpusState
from quaestor.contracts.source import Sha256
from quaestor.contracts.tools import SearchInput
from quaestor.evidence.quotes import locate_quote
from quaestor.tools.passage_search import SearchPassages

_CONTEXT_CHARACTERS = 200


class FoundPassage(Contract):
    """A passage of a document, with its place in the stored text."""

    source: Sha256 = Field(description="By which verify_quote and the resource of the source know it.")
    title: str
    uri: str
    start: int
    end: int
    heading: str
    text: str


class QuoteCheck(Contract):
    """Whether words are in a source, and where."""

    found: bool
    exact: bool = Field(description="False where case, blanks, quotation marks or dashes differ, or nothing was found.")
    title: str
    uri: str
    start: int | None = None
    end: int | None = None
    text: str = Field(default="", description="The words as the source has them.")
    before: str = ""
    after: str = ""


async def search_documents(quaestor: Quaestor, corpus: CorpusState, query: str, limit: int) -> Sequence[FoundPassage]:
    """Return the best passages of an indexed corpus for a query, best first; chosen by words, without understanding."""
    results = await SearchPassages(quaestor.library, corpus.corpus).run(SearchInput(query=query, limit=limit))
    return [
        FoundPassage(
            source=hit.passage.source,
            title=hit.title,
            uri=hit.uri,
            start=hit.passage.start,
            end=hit.passage.end,
            heading=hit.passage.heading,
            text=hit.passage.text,
        )
        for hit in results.hits
    ]


async def check_quote(quaestor: Quaestor, quote: str, source: str) -> QuoteCheck:
    """Look for the words of a quote in a stored source. Raises UsageError for a source that is not stored."""
    stored, text = await quaestor.library.source(source), await quaestor.library.text(source)
    if stored is None or text is None:
        raise UsageError(f"there is no source {source[:80]!r}; name it by its SHA-256, as reports and searches do")
    place = locate_quote(text, quote)
    if place is None:
        return QuoteCheck(found=False, exact=False, title=stored.title, uri=stored.uri)
    start, end = place
    return QuoteCheck(
        found=True,
        exact=text[start:end] == quote.strip(),
        title=stored.title,
        uri=stored.uri,
        start=start,
        end=end,
        text=text[start:end],
        before=text[max(0, start - _CONTEXT_CHARACTERS) : start],
        after=text[end : end + _CONTEXT_CHARACTERS],
    )
