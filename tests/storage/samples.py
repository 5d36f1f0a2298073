"""Sessions, events and documents as the storage tests need them."""

from datetime import UTC, datetime, timedelta

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    Event,
    FinishRequested,
    KnownPayload,
    ModelResponded,
    SessionFinished,
    SessionStarted,
    UnknownPayload,
)
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease, LeaseOwner, Session

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
OWNER = LeaseOwner(host="rome", pid=7, started="2026-03-01T11:59:00")
RIVAL = LeaseOwner(host="carthage", pid=8, started="2026-03-01T11:59:30")


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def session(name: str = "s1", task_key: str = "key", at: datetime = NOON) -> Session:
    return Session(id=name, task_key=task_key, workflow="research", question="Who?", created_at=at)


def event(seq: int, payload: KnownPayload | UnknownPayload, name: str = "s1", cycle: int = 1) -> Event:
    return Event(session_id=name, seq=seq, cycle=cycle, at=later(seq / 1000), state="EXECUTING", payload=payload)


def started(name: str = "s1") -> Event:
    payload = SessionStarted(question="Who?", workflow="research", task_key="key", options={"effort": "low"})
    return event(1, payload, name)


def todo(seq: int, name: str = "s1") -> Event:
    return event(seq, FinishRequested(), name)


def reply(seq: int, text: str, name: str = "s1") -> Event:
    payload = ModelResponded(key=f"k{seq}", role="reader", reply=text, error=None, spend=Spend(), milliseconds=3)
    return event(seq, payload, name)


def finished(seq: int, cycle: int = 1) -> Event:
    return event(seq, SessionFinished(outcome="done", statement="Done."), cycle=cycle)


async def begun(store: Store, name: str = "s1", seconds: float = 60) -> Lease:
    """Create a session with its first event and take its lease."""
    await store.create_session(session(name), [started(name)])
    lease = await store.take_lease(name, OWNER, 0, later(seconds))
    assert lease is not None
    return lease


def document(uri: str, *passages: str, title: str = "", modified: int = 1) -> IndexedDocument:
    """A document of these passages, a blank line between two; its terms are its words in lower case."""
    spans: list[tuple[int, int, str]] = []
    for number, passage in enumerate(passages, 1):
        start = spans[-1][1] + 2 if spans else 0
        spans.append((start, start + len(passage), f"part {number}"))
    text = "\n\n".join(passages)
    return IndexedDocument(
        mark=FileFingerprint(uri=uri, size=len(text), modified_ns=modified),
        document=Document(uri=uri, title=title, media_type="text/plain", text=text),
        spans=tuple(spans),
        terms=tuple(passage.lower() for passage in passages),
    )


def skipped(uri: str, reason: str) -> IndexedDocument:
    return IndexedDocument(
        mark=FileFingerprint(uri=uri, size=9, modified_ns=1), document=Document(uri=uri, skipped=reason)
    )
