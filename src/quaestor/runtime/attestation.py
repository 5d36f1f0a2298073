"""The attestation of logs: heads are signed and anchored outside the home, and compared with the logs later."""

import asyncio

from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.session import Tombstone
from quaestor.contracts.signature import LogHead, SignatureState, SignedHead
from quaestor.runtime.head_files import HeadFiles
from quaestor.runtime.signing import HeadSigner, is_valid


async def sign_head(store: Store, clock: Clock, signer: HeadSigner, files: HeadFiles, session_id: str) -> SignedHead:
    """Sign the head of a log unless that is done, then append it to the record of the home and to the anchors.

    One that was signed when a file could not be written is appended to that now. Raises SetupError when there can be no
    key, or a file cannot be written.
    """
    head, key = await store.head(session_id), signer.public_key()
    for known in await store.signatures(session_id):
        if known.head == head and known.key == key and is_valid(known):
            await asyncio.to_thread(files.append_missing, known)
            return known
    signed = signer.sign(head, clock.now())
    await store.put_signature(signed)
    await asyncio.to_thread(files.append, signed)  # last: what a kill leaves out of it is no signature that was deleted
    return signed


async def find_contradictions(store: Store, session_id: str, files: HeadFiles) -> tuple[str, ...]:
    """Name every signature that does not fit its head or was deleted, and every signed head that the log contradicts.

    Raises SetupError for a record or anchors that cannot be read.
    """
    signed = await store.signatures(session_id)
    grave = await store.tombstone(session_id)
    recorded, anchored = files.recorded(session_id), files.anchored(session_id)
    faults = [
        f"the signature of the head of event {each.head.events} does not fit it"
        for each in signed
        if not is_valid(each)
    ]
    valid = {each.head: "signed" for each in signed if is_valid(each)}
    faults += [
        f"the head of event {head.events} was signed, as {files.record} has it, and the database has no such signature"
        for head in dict.fromkeys(each.head for each in recorded)
        if head not in valid
    ]
    heads = {each.head: "recorded" for each in recorded} | {each.head: "anchored" for each in anchored} | valid
    for head, how in heads.items():
        there = await _hash_at(store, head, grave)
        if there is None:
            faults.append(f"the head of event {head.events} was {how}, and the log ends before it")
        elif there != head.hash:
            faults.append(f"the head of event {head.events} was {how} as {head.hash}, and the log has another one")
    return tuple(faults)


async def newest_signature(
    store: Store, signer: HeadSigner, session_id: str, trusted: str | None = None
) -> tuple[SignatureState, SignedHead | None]:
    """Return the newest signed head of a session, and whose it is: of this user's key or of the one that is trusted."""
    signed = [each for each in await store.signatures(session_id) if is_valid(each)]
    if not signed:
        return "missing", None
    keys = {trusted} if trusted else {signer.public_key()}
    own = [each for each in signed if each.key in keys]
    return ("valid", own[-1]) if own else ("foreign", signed[-1])


async def _hash_at(store: Store, head: LogHead, grave: Tombstone | None) -> str | None:
    if grave:
        return {grave.events: grave.head}.get(head.events, head.hash if head.events < grave.events else None)
    links = await store.links(head.session_id, head.events - 1, 1)
    return links[0].hash if links else None
