"""The index of a corpus: which of its files are read again, and what is stored of each."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.library import CorpusState, IndexedDocument, IndexProgress, Library
from quaestor.contracts.ports import Clock
from quaestor.tools.file_walk import INSIDE, UNPACKED, FoundFile, walk_files
from quaestor.tools.worker.pool import CancellationToken, run_cancellable

_read_files: Callable[[Sequence[FoundFile], CancellationToken], Sequence[IndexedDocument]] = deferred(
    "quaestor.tools.documents:read_files"
)
_BATCH_DOCUMENTS = 64
_BATCH_BYTES = 8_000_000
_COMMIT_CHARACTERS = 128_000
"""Text stored in one transaction, some milliseconds long: other sessions of this process and others append between."""


async def index_corpus(
    library: Library, clock: Clock, paths: Sequence[Path], progress: Callable[[IndexProgress], None]
) -> CorpusState:
    """Bring the corpus of these files and folders up to date; only what changed since the last time is read.

    Raises UsageError for a path that does not exist, and for one below which nothing can be read.
    """
    roots = _roots(paths)
    corpus = await library.open_corpus([str(root) for root in roots])
    below = {root: list(walk_files(root, roots)) for root in roots}
    found = {each.mark.uri: each for files in below.values() for each in files}
    known = {mark.uri: mark for mark in await library.marks(corpus)}
    stale = [each for uri, each in found.items() if known.get(uri) != each.mark]
    unpacked: set[str] = set()
    changed = 0
    for done, batch in _batches(stale):
        indexed = await run_cancellable(partial(_read_files, batch))
        for part in _parts(indexed):
            await library.put(corpus, part, clock.now())
            await asyncio.sleep(0)
        unpacked |= {each.mark.uri for each in indexed} - found.keys()
        changed += sum(each.document.skipped is None for each in indexed)
        progress(IndexProgress(done=done, total=len(stale), uri=batch[-1].mark.uri))
    unchanged = found.keys() - {each.mark.uri for each in stale}
    gone = sorted(uri for uri in known.keys() - found.keys() - unpacked if not _is_inside(uri, unchanged))
    if gone:
        await library.drop(corpus, gone)
    state = await library.corpus_state(corpus)
    state = state.revised(skipped=tuple(each for each in state.skipped if each[1] != UNPACKED))
    _refuse_empty_roots(below, dict(state.skipped))
    return state.revised(changed=changed, removed=len(gone))


def _is_inside(uri: str, archives: Collection[str]) -> bool:
    """Return whether a path is that of a file in one of several archives."""
    return any(uri[:place] in archives for place, sign in enumerate(uri) if sign == INSIDE)


def _roots(paths: Sequence[Path]) -> list[Path]:
    """Return the real paths in order, none of them twice and none below another."""
    if not paths:
        raise UsageError("no documents were named; name at least one file or folder")
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist; name a file or folder that does")
    real = sorted({path.resolve() for path in paths})
    return [path for path in real if not any(path != other and path.is_relative_to(other) for other in real)]


def _batches(stale: Sequence[FoundFile]) -> Iterator[tuple[int, list[FoundFile]]]:
    """Return the files in batches, each with the number of files up to its end."""
    batch: list[FoundFile] = []
    size = 0
    for done, each in enumerate(stale, 1):
        batch.append(each)
        size += each.mark.size
        if len(batch) == _BATCH_DOCUMENTS or size >= _BATCH_BYTES or done == len(stale):
            yield done, batch
            batch, size = [], 0


def _parts(indexed: Sequence[IndexedDocument]) -> Iterator[list[IndexedDocument]]:
    """Return documents in their order, in parts of some text each."""
    part: list[IndexedDocument] = []
    size = 0
    for each in indexed:
        part.append(each)
        size += len(each.document.text)
        if size >= _COMMIT_CHARACTERS:
            yield part
            part, size = [], 0
    if part:
        yield part


def _refuse_empty_roots(below: dict[Path, list[FoundFile]], skipped: dict[str, str]) -> None:
    for root, files in below.items():
        reasons = Counter(skipped[each.mark.uri] for each in files if each.mark.uri in skipped)
        if reasons.total() == len(files):
            counts = "; ".join(f"{count} skipped: {reason}" for reason, count in sorted(reasons.items()))
            raise UsageError(f"nothing can be read in {root} ({counts or 'it holds no files'}); name other documents")
