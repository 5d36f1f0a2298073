"""Local documents as a corpus: indexing what changed."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import Clock, CorpusState, Document, DocumentMark, IndexedDocument, Library
from quaestor.evidence.retrieval.names import called
from quaestor.evidence.split import split
from quaestor.evidence.text import line
from quaestor.tools.documents import LASTING, read
from quaestor.tools.walk import EMPTY, HIDDEN, TOO_LARGE, Found, walk

_BATCH_DOCUMENTS = 64
_BATCH_BYTES = 8_000_000
_LASTING = frozenset({HIDDEN, EMPTY, TOO_LARGE}) | LASTING
"""Reasons that hold as long as the file is the same; with another reason it is tried again every time."""
_TRY_AGAIN = -1
"""The time of change in the mark of such a file, which no file has."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """How far the indexing has come: documents done of those that are new or changed, and the last one's path."""

    done: int
    total: int
    uri: str


async def index(
    library: Library, clock: Clock, paths: Sequence[Path], progress: Callable[[Indexing], None]
) -> CorpusState:
    """Bring the corpus of these files and folders up to date; only what changed since the last time is read.

    Raises UsageError for a path that does not exist, and for one below which nothing can be read.
    """
    roots = _roots(paths)
    corpus = await library.open_corpus([str(root) for root in roots])
    below = {root: list(walk(root)) for root in roots}
    found = {each.mark.uri: each for files in below.values() for each in files}
    known = {mark.uri: mark for mark in await library.marks(corpus)}
    stale = [each for uri, each in found.items() if known.get(uri) != each.mark]
    gone = sorted(known.keys() - found.keys())
    changed = 0
    for done, batch in _batches(stale):
        indexed = [_indexed(each) for each in batch]
        await library.put(corpus, indexed, clock.now())
        changed += sum(each.document.skipped is None for each in indexed)
        progress(Indexing(done=done, total=len(stale), uri=batch[-1].mark.uri))
        await asyncio.sleep(0)
    if gone:
        await library.drop(corpus, gone)
    state = await library.corpus_state(corpus)
    _refuse_barren(below, dict(state.skipped))
    return state.model_copy(update={"changed": changed, "removed": len(gone)})


def _roots(paths: Sequence[Path]) -> list[Path]:
    """Give the real paths in order, none of them twice and none below another."""
    if not paths:
        raise UsageError("no documents were named; name at least one file or folder")
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist; name a file or folder that does")
    real = sorted({path.resolve() for path in paths})
    return [path for path in real if not any(path != other and path.is_relative_to(other) for other in real)]


def _batches(stale: Sequence[Found]) -> Iterator[tuple[int, list[Found]]]:
    """Give the files in batches, each with the number of files up to its end."""
    batch: list[Found] = []
    size = 0
    for done, each in enumerate(stale, 1):
        batch.append(each)
        size += each.mark.size
        if len(batch) == _BATCH_DOCUMENTS or size >= _BATCH_BYTES or done == len(stale):
            yield done, batch
            batch, size = [], 0


def _indexed(found: Found) -> IndexedDocument:
    path = Path(found.mark.uri)
    document = Document(uri=str(path), skipped=found.skipped) if found.skipped else read(path)
    if document.skipped:
        return IndexedDocument(mark=_mark(found.mark, document.skipped), document=document)
    text = document.text
    spans = split(text, document.media_type)
    named = dict.fromkeys((document.title, path.stem))
    names = " ".join(called(str(path), document.title, text))
    return IndexedDocument(
        mark=found.mark,
        document=document,
        spans=spans,
        terms=tuple(f"{line(' '.join((*named, heading, text[start:end])))} {names}" for start, end, heading in spans),
    )


def _mark(mark: DocumentMark, reason: str) -> DocumentMark:
    return mark if reason in _LASTING else mark.model_copy(update={"modified_ns": _TRY_AGAIN})


def _refuse_barren(below: dict[Path, list[Found]], skipped: dict[str, str]) -> None:
    for root, files in below.items():
        reasons = Counter(skipped[each.mark.uri] for each in files if each.mark.uri in skipped)
        if reasons.total() == len(files):
            counts = "; ".join(f"{count} skipped: {reason}" for reason, count in sorted(reasons.items()))
            raise UsageError(f"nothing can be read in {root} ({counts or 'it holds no files'}); name other documents")
