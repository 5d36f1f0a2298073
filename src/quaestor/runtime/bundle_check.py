"""The check of a bundle: its hashes, its chain, its signature and its quotes."""

from collections import Counter
from collections.abc import Iterator, Mapping

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import StoreCorrupt
from quaestor.contracts.export import BundleManifest
from quaestor.contracts.signature import SignatureState, SignedHead
from quaestor.contracts.source import Quote
from quaestor.runtime.audit import cited_quotes, holds_quotes
from quaestor.runtime.bundle import LOG_FILE, MANIFEST_FILE, Bundle, hash_of
from quaestor.runtime.signing import is_valid
from quaestor.storage.chain import find_breaks
from quaestor.storage.event_rows import record_row


class BundleCheck(Contract):
    """What was found in a bundle."""

    manifest: BundleManifest
    quotes: int = 0
    sources: int = 0
    signature: SignatureState = "missing"
    faults: tuple[str, ...] = ()


def check_bundle(bundle: Bundle, own_key: str | None, key: str | None = None) -> BundleCheck:
    """Check a bundle: every hash, the chain of its log, the signature of its head, and every quote in its source.

    The signature is to be by `key`; without it the result says whether it is by the reader's own.
    """
    manifest = bundle.manifest
    faults = [*_find_damage(bundle), *_find_strangers(bundle)]
    if LOG_FILE not in manifest.files:
        return BundleCheck(manifest=manifest, faults=(*faults, f"{LOG_FILE} is missing"))
    try:
        faults += _log_faults(bundle)
        quotes = cited_quotes([event for event in bundle.events() if holds_quotes(event.payload)])
    except (ValueError, KeyError, StoreCorrupt) as error:
        return BundleCheck(manifest=manifest, faults=(*faults, f"the log cannot be read: {error}"))
    faults += _quote_faults(bundle, quotes)
    state, signature_faults = _judge_signature(manifest, own_key, key)
    return BundleCheck(
        manifest=manifest,
        quotes=len(quotes),
        sources=len({quote.source for quote in quotes}),
        signature=state,
        faults=(*faults, *signature_faults),
    )


def _find_damage(bundle: Bundle) -> Iterator[str]:
    there = set(bundle.archive.namelist())
    for path, expected in bundle.manifest.files.items():
        if path not in there:
            yield f"{path} is missing"
            continue
        with bundle.archive.open(path) as content:
            if hash_of(content) != expected:
                yield f"{path} was changed"


def _find_strangers(bundle: Bundle) -> Iterator[str]:
    names = Counter(bundle.archive.namelist())
    for name in sorted(name for name, count in names.items() if count > 1):
        yield f"{name[:80]!r} is in it more than once"
    for name in sorted(names.keys() - bundle.manifest.files.keys() - {MANIFEST_FILE}):
        yield f"{name[:80]!r} is in no manifest"


def _log_faults(bundle: Bundle) -> Iterator[str]:
    head = bundle.manifest.head
    if head.session_id != bundle.manifest.session_id:
        yield f"the head is of session {head.session_id[:80]!r}"
    yield from find_breaks(lambda: map(record_row, bundle.records()), head.events, head.hash)


def _quote_faults(bundle: Bundle, quotes: tuple[Quote, ...]) -> Iterator[str]:
    texts: Mapping[str, str | None] = {name: bundle.text(name) for name in {quote.source for quote in quotes}}
    for name, text in texts.items():
        if text is None:
            yield f"the text of source {name} is missing, or is not what its hash says"
    for quote in quotes:
        text = texts[quote.source]
        if text is not None and text[quote.start : quote.end] != quote.text:
            yield f"the quote at {quote.start} of source {quote.source} is not there"


def _judge_signature(
    manifest: BundleManifest, own_key: str | None, key: str | None
) -> tuple[SignatureState, tuple[str, ...]]:
    signed: SignedHead | None = manifest.signed
    if signed is None:
        return "missing", ("the head is not signed, but a key was named",) if key else ()
    if not is_valid(signed) or signed.head != manifest.head:
        return "foreign", ("the signature does not fit the head of the log",)
    if key and signed.key != key:
        return "foreign", (f"the head is signed by the key {signed.key}, which is not the one that was named",)
    return ("valid" if signed.key in {key, own_key} else "foreign"), ()
