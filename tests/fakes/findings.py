from datetime import UTC, datetime
from hashlib import sha256

from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.contracts.source import Hit, Passage, Quote, Source


def source(text: str) -> Source:
    """Return the source that a text is."""
    return Source(
        sha256=sha256(text.encode()).hexdigest(),
        title=text[:20],
        uri=f"/docs/{text[:5]}.txt",
        media_type="text/plain",
        characters=len(text),
        retrieved_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def finding(name: str, claim: str) -> Finding:
    """Return a finding whose source says just what it claims."""
    quote = Quote(source=source(claim).sha256, start=0, end=len(claim), text=claim)
    return Finding(id=name, claim=claim, quotes=(quote,))


def entry(todo_id: str, *claims: str) -> LedgerEntry:
    """Return the ledger entry of a todo that found these claims."""
    return LedgerEntry(
        todo_id=todo_id,
        attempt=0,
        description=f"Task of {todo_id}",
        findings_summary="; ".join(claims),
        findings=tuple(finding(f"{todo_id}/{place}", claim) for place, claim in enumerate(claims, 1)),
        sources=tuple(source(claim) for claim in claims),
    )


def hit(text: str, score: float = 1.0) -> Hit:
    """Return a hit on a passage that is a whole source."""
    own = source(text)
    passage = Passage(source=own.sha256, start=0, end=len(text), text=text)
    return Hit(passage=passage, title=own.title, uri=own.uri, score=score)
