"""The index of a corpus: which of its files are read, and what is stored of each."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.library import CorpusState, Document, FileFingerprint, IndexedDocument, IndexProgress, Library
from quaestor.contracts.ports import Clock
from quaestor.evidence.hyphenated_words import joined_forms
from quaestor.evidence.numeric_dates import date_terms
from quaestor.evidence.passages import split_passages
from quaestor.evidence.retrieval.document_names import document_keys, file_name
from quaestor.evidence.stemming import LANGUAGE_KEYS, added_stems, told_language
from quaestor.evidence.table_heads import columns_above
from quaestor.evidence.tables import TABLE_FILES
from quaestor.evidence.tokenization import term_string
from quaestor.files import read_regular_file
from quaestor.tools.file_walk import EMPTY, HIDDEN, MAX_FILE_BYTES, TOO_LARGE, FoundFile, walk_files
from quaestor.tools.reading.content_type import ARCHIVE_SUFFIX, detect_media_type, is_archive
from quaestor.tools.reading.parse import parse_sync, unpack_sync
from quaestor.tools.reading.protocol import SkipReason
from quaestor.tools.worker.pool import CancellationToken, run_cancellable

UNPACKED = "an archive, whose files are documents"
INSIDE = "!"
"""Between the path of an archive and that of a file in it."""
_BATCH_DOCUMENTS = 64
_BATCH_BYTES = 8_000_000
_COMMIT_CHARACTERS = 128_000
"""Text stored in one transaction, some milliseconds long: other sessions of this process and others append between."""
PERMANENT_REASONS: frozenset[str] = frozenset(reason for reason in SkipReason if reason.is_permanent)
"""Reasons that hold as long as the file is the same."""
_PERMANENT_SKIP_REASONS = frozenset({HIDDEN, EMPTY, TOO_LARGE, UNPACKED}) | PERMANENT_REASONS
"""Reasons that hold as long as the file is the same; with another reason it is tried again every time."""
_CELLS = frozenset({*TABLE_FILES, ".json"})
"""Endings of files of cells, whose names and abbreviations tell no language."""
_NEVER_MODIFIED = -1
"""The time of change in the mark of such a file, which no file has."""


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
        indexed = await run_cancellable(partial(_index_batch, batch))
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


def _index_batch(batch: Sequence[FoundFile], cancellation: CancellationToken) -> Sequence[IndexedDocument]:
    """Read and split files, in a thread: a large text takes up to a second a megabyte."""
    return [indexed for each in batch if not cancellation.is_cancelled for indexed in _index_file(each, cancellation)]


def _index_file(found: FoundFile, cancellation: CancellationToken) -> Sequence[IndexedDocument]:
    """Read a file, or every file of an archive; the archive itself is a document without words then."""
    path = Path(found.mark.uri)
    if found.skipped or path.suffix.lower() != ARCHIVE_SUFFIX:
        return [_index_document(found, cancellation)]
    try:
        content = read_regular_file(path, MAX_FILE_BYTES)
    except OSError:
        return [_index_document(found, cancellation)]
    if not is_archive(detect_media_type(content, str(path))):
        return [_index_document(found, cancellation)]
    inside = list(_index_archive(content, found.mark, cancellation))
    read = any(each.document.skipped is None for each in inside)
    broken = next((each.document.skipped for each in inside if each.mark.uri == found.mark.uri), None)
    reason = broken or (UNPACKED if read else SkipReason.NO_WORDS)
    rest = [each for each in inside if each.mark.uri != found.mark.uri]
    reasons = [reason, *(each.document.skipped for each in rest if each.document.skipped)]
    again = next((each for each in reasons if each not in _PERMANENT_SKIP_REASONS), reason)
    own = IndexedDocument(mark=_document_mark(found.mark, again), document=Document(uri=found.mark.uri, skipped=reason))
    return [own, *rest]


def _index_archive(content: bytes, mark: FileFingerprint, cancellation: CancellationToken) -> Iterator[IndexedDocument]:
    """Iterate over the documents of an archive; one with the archive's own path is the reason why the rest is not."""
    for file in unpack_sync(content, mark.uri, cancellation):
        if cancellation.is_cancelled:
            return
        if isinstance(file, SkipReason):
            yield IndexedDocument(mark=mark, document=Document(uri=mark.uri, skipped=file))
            continue
        uri = f"{mark.uri}{INSIDE}{file.name}"
        own = FileFingerprint(uri=uri, size=len(file.content), modified_ns=mark.modified_ns)
        if file.skipped or not file.content:
            yield IndexedDocument(mark=own, document=Document(uri=uri, skipped=file.skipped or EMPTY))
            continue
        document = parse_document(file.content, uri, cancellation)
        yield IndexedDocument(mark=own, document=document) if document.skipped else index_document(own, document)


def _index_document(found: FoundFile, cancellation: CancellationToken) -> IndexedDocument:
    path = Path(found.mark.uri)
    document = Document(uri=str(path), skipped=found.skipped) if found.skipped else read_document(path, cancellation)
    if document.skipped:
        return IndexedDocument(mark=_document_mark(found.mark, document.skipped), document=document)
    return index_document(found.mark, document)


def index_document(mark: FileFingerprint, document: Document) -> IndexedDocument:
    """Return a document that was read, split into passages with their index terms."""
    path, text = Path(mark.uri), document.text
    spans = split_passages(text, document.media_type)
    named = dict.fromkeys((document.title, file_name(str(path))))
    names = " ".join(document_keys(str(path), document.title, text))
    heads = columns_above(text, path.suffix, [(start, end) for start, end, _ in spans])
    told = None if path.suffix.casefold() in _CELLS else told_language(text)
    if told is not None:
        names = f"{names} {LANGUAGE_KEYS[told]}"
    return IndexedDocument(
        mark=mark,
        document=document,
        spans=spans,
        terms=tuple(
            f"{_index_terms(' '.join((*named, heading, columns, text[start:end])), told)} {names}"
            for (start, end, heading), columns in zip(spans, heads, strict=True)
        ),
    )


def _index_terms(text: str, language: str | None) -> str:
    """Return the plain terms of a text and its stems in the language of its document.

    A word with a hyphen counts as one word too, and a date in numbers as a month and a day.
    """
    text = " ".join((text, *joined_forms(text), *date_terms(text)))
    return " ".join((term_string(text), *added_stems(text, language)))


def _document_mark(mark: FileFingerprint, reason: str) -> FileFingerprint:
    return mark if reason in _PERMANENT_SKIP_REASONS else mark.revised(modified_ns=_NEVER_MODIFIED)


def _refuse_empty_roots(below: dict[Path, list[FoundFile]], skipped: dict[str, str]) -> None:
    for root, files in below.items():
        reasons = Counter(skipped[each.mark.uri] for each in files if each.mark.uri in skipped)
        if reasons.total() == len(files):
            counts = "; ".join(f"{count} skipped: {reason}" for reason, count in sorted(reasons.items()))
            raise UsageError(f"nothing can be read in {root} ({counts or 'it holds no files'}); name other documents")


def read_document(path: Path, cancellation: CancellationToken | None = None) -> Document:
    """Read a file as text, its lines ended by line feeds; or note in `skipped` the reason why it has none."""
    uri = str(path)
    try:
        content = read_regular_file(path, MAX_FILE_BYTES)
    except OSError as error:
        return Document(uri=uri, skipped=f"cannot be read: {error.strerror}")
    return parse_document(content, uri, cancellation)


def parse_document(content: bytes, uri: str, cancellation: CancellationToken | None = None) -> Document:
    """Return the text of a file under its path; or note in `skipped` the reason why it has none."""
    try:
        answer = parse_sync(content, "", uri, cancellation)
    except MissingExtra as missing:
        return Document(uri=uri, skipped=str(missing))
    if isinstance(answer, SkipReason):
        return Document(uri=uri, skipped=answer)
    return Document(
        uri=uri,
        title=answer.title or Path(uri).name,
        media_type=detect_media_type(content, uri),
        text=answer.text,
        published=answer.published,
        pages=answer.pages,
    )
