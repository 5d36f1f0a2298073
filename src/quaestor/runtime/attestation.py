"""The attestation of logs: heads are signed and anchored outside the home, and compared with the logs later."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.session import Tombstone
from quaestor.contracts.signature import LogHead, SignatureState, SignedHead
from quaestor.runtime.signing import HeadSigner, is_valid


async def sign_head(
    store: Store, clock: Clock, signer: HeadSigner, anchors: Path | None, session_id: str
) -> SignedHead:
    """Sign the head of a log unless that is done, and append it to the file of anchors.

    Raises SetupError when there can be no key, or the anchor cannot be written.
    """
    head, key = await store.head(session_id), signer.public_key()
    for known in await store.signatures(session_id):
        if known.head == head and known.key == key:
            return known
    signed = signer.sign(head, clock.now())
    await store.put_signature(signed)
    if anchors:
        await asyncio.to_thread(_append_anchor, anchors, signed)
    return signed


async def find_contradictions(store: Store, session_id: str, anchors: Path | None) -> tuple[str, ...]:
    """Name every signature that does not fit its head, and every signed or anchored head that the log contradicts.

    Raises SetupError for a file of anchors that cannot be read.
    """
    signed = await store.signatures(session_id)
    grave = await store.tombstone(session_id)
    anchored = _read_anchors(anchors, session_id) if anchors else ()
    faults = [
        f"the signature of the head of event {each.head.events} does not fit it"
        for each in signed
        if not is_valid(each)
    ]
    heads = {each.head: "anchored" for each in anchored} | {each.head: "signed" for each in signed if is_valid(each)}
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


def _append_anchor(file: Path, signed: SignedHead) -> None:
    try:
        with open(file, "ab", opener=_open_private) as anchors:
            anchors.write(signed.model_dump_json().encode() + b"\n")
            anchors.flush()
            os.fsync(anchors.fileno())
    except OSError as error:
        raise SetupError(f"the head cannot be anchored in {file}: {error.strerror}; let it be written") from error


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read_anchors(file: Path, session_id: str) -> Sequence[SignedHead]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"the anchors in {file} cannot be read: {error}") from error
    return [each for each in _parsed(file, lines) if each.head.session_id == session_id]


def _parsed(file: Path, lines: Sequence[str]) -> Iterator[SignedHead]:
    for number, line in enumerate(lines, 1):
        try:
            yield SignedHead.model_validate_json(line)
        except ValueError as error:
            raise SetupError(f"line {number} of {file} is no anchor; put back what was there") from error
