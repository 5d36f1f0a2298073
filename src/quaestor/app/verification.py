"""The check of a session: its hash chain, its sources, its quotes and the signature of its log."""

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.event import Forked
from quaestor.contracts.session import Verification
from quaestor.runtime import attestation, audit


async def verify_session(quaestor: Quaestor, session_id: str, key: str | None = None) -> Verification:
    """Check the hash chain of a session, the sources it cites, every quote, and the signed heads of its log.

    Signatures are to be by the key of this user, or by `key`, a public one; what was imported may have that of another
    home, which is `foreign` then. Of an erased session there is a tombstone.
    Raises UnknownSession for one that never was.
    """
    erased = await quaestor.store.tombstone(session_id)
    erased = erased if erased and quaestor.tenant in {None, erased.tenant} else None
    faults = () if erased else await audit.verify_session(quaestor.store, quaestor.library, session_id)
    faults += await attestation.find_contradictions(quaestor.store, session_id, quaestor.head_files)
    signature, signed = await attestation.newest_signature(quaestor.store, quaestor.signer, session_id, key)
    imported = 0 if erased or key else await _imported_events(quaestor, session_id)
    if signed and signature == "foreign" and signed.head.events > imported:
        faults += (f"the head is signed by the key {signed.key}, which is not the one it has to be by",)
    if faults:
        return Verification(faults=faults)
    quotes = () if erased else audit.cited_quotes(await audit.cited_events(quaestor.store, session_id))
    return Verification(
        events=0 if erased else (await quaestor.session(session_id)).events,
        quotes=len(quotes),
        sources=len({quote.source for quote in quotes}),
        head=erased.head if erased else (await quaestor.store.head(session_id)).hash,
        signature=signature,
        signed=signed,
        erased=erased,
    )


async def _imported_events(quaestor: Quaestor, session_id: str) -> int:
    """Return how many events of a session another home recorded."""
    begun = await quaestor.store.latest(session_id, {"forked"})
    match begun.payload if begun else None:
        case Forked(origin=origin, at=at) if origin == session_id:
            return at
        case _:
            return 0
