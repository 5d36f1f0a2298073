"""The audit of a session: its log, its quotes, and the origin of each claim."""

from collections.abc import Callable, Collection, Iterator, Sequence

from quaestor.contracts.errors import LogCorrupt, StoreCorrupt, UsageError
from quaestor.contracts.event import ContractAccepted, Event, ToolRequested, ToolResponded
from quaestor.contracts.ledger import LedgerEntry
from quaestor.contracts.library import Library
from quaestor.contracts.ports import Store
from quaestor.contracts.source import Hit, Quote
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.research.contracts.brief import Brief, BriefPassage, ResearchDocument
from quaestor.research.contracts.report import Citation, Claim
from quaestor.research.contracts.tools import Proof
from quaestor.research.events import ReportWritten, TodoRecorded
from quaestor.research.views.explanation import CitationTrace, Explanation
from quaestor.runtime.registry import get_codec

CONTEXT_CHARACTERS = 160
"""How many characters of the source are shown on either side of a quote."""
_PAGE_SIZE = 1_000
"""Events read at a time."""
_QUOTING_TYPES = frozenset({"todo_recorded", "report_written"})
_TRACED_TYPES = _QUOTING_TYPES | {"contract_accepted", "tool_requested", "tool_responded"}


async def verify_session(store: Store, library: Library, session_id: str) -> tuple[str, ...]:
    """Name every fault in the hash chain of a session, in the sources it cites and in its quotes."""
    chain = tuple(await store.verify_chain(session_id))
    try:
        events = await cited_events(store, session_id)
    except (LogCorrupt, StoreCorrupt) as error:
        return (*chain, str(error))
    return (*chain, *await library.damaged(cited_quotes(events)), *_citations_outside_ledger(events))


async def explain_claim(store: Store, library: Library, session_id: str, claim_number: int) -> Explanation:
    """Return a claim of the newest report, or a passage of the newest brief, with the way of every citation.

    Raises UsageError when the session has neither, or nothing with this number.
    """
    events = await _read_events(store, session_id, _TRACED_TYPES, _is_traced)
    document = _latest_document(events)
    if document is None:
        raise UsageError(f"session {session_id} has no report, so there is no claim to explain")
    explained = _numbered(document, claim_number)
    citations = (explained,) if isinstance(explained, BriefPassage) else explained.citations
    traces = [await _trace_citation(library, events, document, citation) for citation in citations]
    return Explanation(session_id=session_id, claim=explained, traces=tuple(traces))


async def trace_citation(
    store: Store, library: Library, session_id: str, number: int, version: int | None = None
) -> tuple[ResearchDocument, CitationTrace]:
    """Return a version of the report, the newest without `version`, and the way of its citation with a number.

    Raises UsageError when there is no such version or no such citation.
    """
    events = await _read_events(store, session_id, _TRACED_TYPES, _is_traced)
    document = next((each for each in reversed(_documents(events)) if version is None or each.version == version), None)
    if document is None:
        raise UsageError(f"session {session_id} has no {'report' if version is None else f'version {version}'}")
    citation = next((each for each in document.citations() if each.number == number), None)
    if citation is None:
        raise UsageError(f"version {document.version} of the {document.kind} has no citation {number}")
    return document, await _trace_citation(library.of_session(session_id), events, document, citation)


def _numbered(document: ResearchDocument, number: int) -> Claim | BriefPassage:
    """Return the claim or the passage with a number. Raises UsageError when there is none."""
    known: dict[int, Claim | BriefPassage] = {one.number: one for one in _citable(document)}
    if number not in known:
        noun = "passage" if isinstance(document, Brief) else "claim"
        raise UsageError(f"the {document.kind} has no {noun} {number}; its {noun}s are 1 to {max(known, default=0)}")
    return known[number]


def _citable(document: ResearchDocument) -> Sequence[Claim | BriefPassage]:
    return document.passages if isinstance(document, Brief) else document.claims()


async def cited_events(store: Store, session_id: str) -> Sequence[Event]:
    """Return the events of a session that hold quotes: of the ledger and of the reports."""
    return await _read_events(store, session_id, _QUOTING_TYPES, holds_quotes)


def holds_quotes(payload: object) -> bool:
    """Return whether the payload of an event holds quotes: what is recorded in the ledger, and reports."""
    return isinstance(payload, TodoRecorded | ReportWritten)


async def _read_events(
    store: Store, session_id: str, types: Collection[str], keep: Callable[[object], bool]
) -> Sequence[Event]:
    codec, after, kept = get_codec((await store.session(session_id)).workflow), 0, list[Event]()
    while page := await store.events_of(session_id, types, after, _PAGE_SIZE):
        kept += [event for event in map(codec.decode, page) if keep(event.payload)]
        after = page[-1].seq
    return kept


def _is_traced(payload: object) -> bool:
    """Return whether a payload is a step on the way of a citation."""
    match payload:
        case TodoRecorded() | ReportWritten() | ContractAccepted(contract="Reading"):
            return True
        case ToolRequested(given=SearchInput()) | ToolResponded(result=SearchResults() | Proof()):
            return True
        case _:
            return False


def cited_quotes(events: Sequence[Event]) -> tuple[Quote, ...]:
    """Return every quote of the ledger and of the reports, each once."""
    found: dict[tuple[str, int, int, str], Quote] = {}
    for quote in (*_ledger_quotes(events), *(each for written in _documents(events) for each in written.citations())):
        found.setdefault((quote.source, quote.start, quote.end, quote.text), quote)
    return tuple(found.values())


def _ledger_quotes(events: Sequence[Event]) -> Iterator[Quote]:
    for _, entry in _ledger_entries(events):
        for finding in entry.findings:
            yield from finding.quotes


def _documents(events: Sequence[Event]) -> tuple[ResearchDocument, ...]:
    return tuple(event.payload.report for event in events if isinstance(event.payload, ReportWritten))


def _citations_outside_ledger(events: Sequence[Event]) -> Iterator[str]:
    """Name the citations that rest on nothing in the ledger."""
    recorded = {(quote.source, quote.start, quote.end) for quote in _ledger_quotes(events)}
    for name, citation in (named for document in _documents(events) for named in _named_citations(document)):
        if (citation.source, citation.start, citation.end) not in recorded:
            yield f"{name} is in no ledger entry"


def _named_citations(document: ResearchDocument) -> Iterator[tuple[str, Citation]]:
    if isinstance(document, Brief):
        yield from ((f"passage {passage.number}", passage) for passage in document.passages)
        return
    for claim in document.claims():
        yield from ((f"citation {each.number} of claim {claim.number}", each) for each in claim.citations)


async def _trace_citation(
    library: Library, events: Sequence[Event], document: ResearchDocument, citation: Citation
) -> CitationTrace:
    todo_id = citation.finding.rpartition("/")[0]
    text = await library.text(citation.source) or ""
    found = _find_search(events, citation, todo_id)
    recorded = next(((event, entry) for event, entry in _ledger_entries(events) if entry.todo_id == todo_id), None)
    return CitationTrace(
        citation=citation,
        source=next(source for source in document.sources if source.sha256 == citation.source),
        heading=found[2].passage.heading if found else "",
        before=text[max(citation.start - CONTEXT_CHARACTERS, 0) : citation.start],
        after=text[citation.end : citation.end + CONTEXT_CHARACTERS],
        todo_id=todo_id,
        task=recorded[1].description if recorded else "",
        state=recorded[0].state if recorded else "",
        query=found[1] if found else None,
        searched=found[0].seq if found else None,
        read=_find_reading(events, citation, todo_id),
        recorded=recorded[0].seq if recorded else None,
    )


def _ledger_entries(events: Sequence[Event]) -> Iterator[tuple[Event, LedgerEntry]]:
    return ((event, event.payload.entry) for event in events if isinstance(event.payload, TodoRecorded))


def _find_search(events: Sequence[Event], quote: Quote, todo_id: str) -> tuple[Event, str, Hit] | None:
    """Return the first search that returned the passage of a quote, with its query; the todo's own if it has one."""
    requests = (event.payload for event in events if isinstance(event.payload, ToolRequested))
    queries = {asked.key: asked.given.query for asked in requests if isinstance(asked.given, SearchInput)}
    found = [
        (event, queries[event.payload.key], hit)
        for event in events
        if isinstance(event.payload, ToolResponded) and event.payload.tool == "search"
        if isinstance(event.payload.result, SearchResults)
        for hit in event.payload.result.hits
        if _contains_quote(hit, quote)
    ]
    return min(found, key=lambda one: one[0].todo_id != todo_id, default=None)


def _contains_quote(hit: Hit, quote: Quote) -> bool:
    passage = hit.passage
    return passage.source == quote.source and passage.start <= quote.start and quote.end <= passage.end


def _find_reading(events: Sequence[Event], quote: Quote, todo_id: str) -> int | None:
    """Return the number of the reading whose words became this quote: the last before the quote was located."""
    read: int | None = None
    for event in events:
        if event.todo_id != todo_id:
            continue
        match event.payload:
            case ContractAccepted(contract="Reading"):
                read = event.seq
            case ToolResponded(result=Proof() as proof) if _proves_quote(proof, quote):
                return read
            case _:
                pass
    return None


def _proves_quote(proof: Proof, quote: Quote) -> bool:
    place = (quote.source, quote.start, quote.end)
    return any(
        place == (found.source, found.start, found.end) for finding in proof.findings for found in finding.quotes
    )


def _latest_document(events: Sequence[Event]) -> ResearchDocument | None:
    written = _documents(events)
    return written[-1] if written else None
