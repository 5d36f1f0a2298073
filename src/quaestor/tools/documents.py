"""What is stored of a file: its text, the passages into which it is split, and their index terms."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.library import Document, FileFingerprint, IndexedDocument
from quaestor.evidence.hyphenated_words import joined_forms
from quaestor.evidence.numeric_dates import date_terms
from quaestor.evidence.passages import split_passages
from quaestor.evidence.retrieval.document_names import document_keys, file_name
from quaestor.evidence.stemming import LANGUAGE_KEYS, added_stems, told_language
from quaestor.evidence.table_heads import columns_above
from quaestor.evidence.tables import TABLE_FILES
from quaestor.evidence.tokenization import term_string
from quaestor.files import read_regular_file
from quaestor.tools.file_walk import EMPTY, HIDDEN, INSIDE, MAX_FILE_BYTES, TOO_LARGE, UNPACKED, FoundFile
from quaestor.tools.reading.content_type import ARCHIVE_SUFFIX, detect_media_type, is_archive
from quaestor.tools.reading.parse import parse_sync, unpack_sync
from quaestor.tools.reading.protocol import SkipReason
from quaestor.tools.worker.pool import CancellationToken

PERMANENT_REASONS: frozenset[str] = frozenset(reason for reason in SkipReason if reason.is_permanent)
"""Reasons that hold as long as the file is the same."""
_PERMANENT_SKIP_REASONS = frozenset({HIDDEN, EMPTY, TOO_LARGE, UNPACKED}) | PERMANENT_REASONS
"""Reasons that hold as long as the file is the same; with another reason it is tried again every time."""
_CELLS = frozenset({*TABLE_FILES, ".json"})
"""Endings of files of cells, whose names and abbreviations tell no language."""
_NEVER_MODIFIED = -1
"""The time of change in the mark of such a file, which no file has."""


def read_files(batch: Sequence[FoundFile], cancellation: CancellationToken) -> Sequence[IndexedDocument]:
    """Read and split files until it is cancelled; a large text takes up to a second a megabyte."""
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
