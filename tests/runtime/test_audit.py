"""What audit finds in a session, before and after somebody tampered with the file."""

from collections.abc import AsyncIterator, Iterable
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from fakes.papers import QUESTION, write_papers
from quaestor.app import DATABASE_FILE, open_home
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.event import ContractAccepted, Event, KnownPayload, ToolRequested, ToolResponded
from quaestor.contracts.ledger import Finding, LedgerEntry, MemoryLine
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument
from quaestor.contracts.session import Session
from quaestor.contracts.source import Quote
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report
from quaestor.research.events import ReportWritten, TodoRecorded
from quaestor.research.views.explanation import CitationTrace
from quaestor.runtime import audit
from quaestor.storage.sqlite import SqliteStore, open_store

AT = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = "The bell was cast in 1844. It was struck by hand."


@pytest.fixture
async def made(tmp_path: Path) -> tuple[Path, str]:
    """Return a home with one finished session, and the session's id."""
    async with open_home(tmp_path / "home") as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        assert (await q.run(session_id)).report
    return tmp_path / "home", session_id


@pytest.fixture
async def store() -> AsyncIterator[SqliteStore]:
    store = open_store(":memory:")
    yield store
    await store.close()


async def faults(made: tuple[Path, str], *, tampered: str) -> tuple[str, ...]:
    home, session_id = made
    with apsw.Connection(str(home / DATABASE_FILE)) as database:
        database.execute(tampered)
    database.close()
    async with open_home(home) as q:
        return await audit.verify_session(q.store, q.library, session_id)


async def test_words_that_stand_twice_are_cited_from_the_section_that_was_read(tmp_path: Path) -> None:
    said = "It was struck by hand in every fog."
    (tmp_path / "bells.md").write_text(f"# The brass bell\n\n{said}\n\n# The tin bell\n\n{said}\n", encoding="utf-8")
    async with open_home(tmp_path / "home") as q:
        session_id = await q.start("How was the tin bell struck?", await q.index([tmp_path / "bells.md"]))
        report = (await q.run(session_id)).report
    assert isinstance(report, Brief)
    assert [passage.heading for passage in report.passages] == ["The tin bell"]


async def test_a_session_that_nobody_touched_holds(made: tuple[Path, str]) -> None:
    home, session_id = made
    async with open_home(home) as q:
        assert await audit.verify_session(q.store, q.library, session_id) == ()
        quotes = audit.cited_quotes(await q.events(session_id))
    assert len({(quote.source, quote.start, quote.end) for quote in quotes}) == len(quotes) >= 2


@pytest.mark.parametrize(
    ("tampered", "named"),
    [
        ("UPDATE events SET state = 'DONE' WHERE seq = 4", "event 4 was changed"),
        ("UPDATE events SET body = '{}', blob = NULL WHERE seq = 4", "event 4 was changed"),
        ("DELETE FROM events WHERE seq = 7", "event 7 is missing"),
    ],
)
async def test_a_changed_log_is_named(made: tuple[Path, str], tampered: str, named: str) -> None:
    assert any(named in fault for fault in await faults(made, tampered=tampered))


async def test_a_changed_source_is_named(made: tuple[Path, str]) -> None:
    longer = (
        "UPDATE blobs SET data = CAST(x'00' || data AS BLOB), size = size + 1 "
        "WHERE sha256 IN (SELECT sha256 FROM sources)"
    )
    found = await faults(made, tampered=longer)
    assert found
    assert all(fault.startswith("source ") for fault in found)


async def test_an_unknown_session_is_no_fault_but_an_error(store: SqliteStore) -> None:
    with pytest.raises(UnknownSession):
        await audit.verify_session(store, store.library, "x")
    with pytest.raises(UnknownSession):
        await audit.explain_claim(store, store.library, "x", 1)


async def test_every_citation_leads_to_its_words_its_search_and_its_events(made: tuple[Path, str]) -> None:
    home, session_id = made
    async with open_home(home) as q:
        events = {event.seq: event for event in await q.events(session_id)}
        report = await q.report(session_id)
        assert isinstance(report, Brief)
        for passage in report.passages:
            explained = await audit.explain_claim(q.store, q.library, session_id, passage.number)
            assert (explained.session_id, explained.claim) == (session_id, passage)
            assert [trace.citation for trace in explained.traces] == [passage]
            for trace in explained.traces:
                text = await q.library.text(trace.source.sha256)
                assert text
                assert trace.before + trace.citation.text + trace.after in text
                assert trace.searched
                assert trace.read
                assert trace.recorded
                assert trace.searched < trace.read < trace.recorded
                searched, read, recorded = (events[seq].payload for seq in (trace.searched, trace.read, trace.recorded))
                assert isinstance(searched, ToolResponded)
                assert events[trace.searched].todo_id == trace.todo_id or not _found_by(trace, events.values())
                hits = SearchResults.model_validate(searched.result).hits
                assert any(trace.citation.text in hit.passage.text for hit in hits)
                assert trace.query in {
                    event.payload.given.query
                    for event in events.values()
                    if isinstance(event.payload, ToolRequested) and isinstance(event.payload.given, SearchInput)
                    if event.payload.key == searched.key
                }
                assert isinstance(read, ContractAccepted)
                assert (read.contract, events[trace.read].todo_id) == ("Reading", trace.todo_id)
                assert isinstance(recorded, TodoRecorded)
                assert (recorded.entry.todo_id, recorded.entry.description) == (trace.todo_id, trace.task)
        with pytest.raises(UsageError, match=f"passages are 1 to {len(report.passages)}"):
            await audit.explain_claim(q.store, q.library, session_id, 0)


async def test_a_quote_that_was_never_there_is_named_although_the_chain_holds(store: SqliteStore) -> None:
    source = await keep(store)
    false = Quote(source=source, start=4, end=8, text="gong")
    await log(store, _recorded(false))
    assert await audit.verify_session(store, store.library, "s") == (f"quote 'gong' is not at 4..8 of source {source}",)


async def test_a_citation_that_no_ledger_entry_holds_is_named(store: SqliteStore) -> None:
    source = await keep(store)
    true, unheard = (
        Quote(source=source, start=start, end=start + 4, text=TEXT[start : start + 4]) for start in (4, 13)
    )
    await log(store, _recorded(true), _written(true, unheard))
    assert await audit.verify_session(store, store.library, "s") == ("citation 2 of claim 1 is in no ledger entry",)


async def test_a_session_without_a_report_has_nothing_to_explain(store: SqliteStore) -> None:
    source = await keep(store)
    await log(store, _recorded(Quote(source=source, start=4, end=8, text="bell")))
    with pytest.raises(UsageError, match="no report"):
        await audit.explain_claim(store, store.library, "s", 1)


async def keep(store: SqliteStore) -> str:
    corpus = await store.library.open_corpus(["/papers"])
    document = Document(uri="/papers/bell.txt", title="Bell", media_type="text/plain", text=TEXT)
    mark = FileFingerprint(uri=document.uri, size=len(TEXT), modified_ns=1)
    indexed = IndexedDocument(mark=mark, document=document, spans=((0, len(TEXT), ""),), terms=("bell",))
    await store.library.put(corpus, [indexed], AT)
    [hit] = await store.library.search(corpus, ["bell"], 1)
    return hit.passage.source


async def log(store: SqliteStore, *payloads: KnownPayload) -> None:
    events = [
        Event(session_id="s", seq=seq, cycle=1, at=AT, state="RECORDING", payload=payload)
        for seq, payload in enumerate(payloads, 1)
    ]
    session = Session(id="s", task_key="k", workflow="research", question="q", created_at=AT)
    await store.create_session(session, events)


def _found_by(trace: CitationTrace, events: Iterable[Event]) -> bool:
    """Return whether a search of the citation's own todo returned its words."""
    own = [
        event.payload.result
        for event in events
        if isinstance(event.payload, ToolResponded)
        if (event.payload.tool, event.todo_id) == ("search", trace.todo_id)
    ]
    hits = [hit for result in own for hit in SearchResults.model_validate(result).hits]
    return any(hit.passage.source == trace.citation.source and trace.citation.text in hit.passage.text for hit in hits)


def _recorded(quote: Quote) -> TodoRecorded:
    finding = Finding(id="t1/1", claim="It was a bell.", quotes=(quote,))
    entry = LedgerEntry(todo_id="t1", attempt=0, description="bells", findings_summary="", findings=(finding,))
    return TodoRecorded(entry=entry, memory=MemoryLine(todo_ids=("t1",), text=""), loop_count=1)


def _written(*quotes: Quote) -> ReportWritten:
    citations = tuple(
        Citation(**quote.model_dump(), number=number, finding="t1/1") for number, quote in enumerate(quotes, 1)
    )
    claim = Claim(number=1, text="It was a bell.", quoted=True, citations=citations)
    made = GenerationInfo(
        model="offline", todos=1, todos_done=1, searches=1, sources_searched=1, spend=Spend(), extractive=True
    )
    return ReportWritten(report=Report(version=1, question="q", title="q", summary=(claim,), making=made))
