"""From a file on disk to its stored text: what it is read as, its title, or why it is skipped."""

from pathlib import Path

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.ports import Document
from quaestor.tools import reading
from quaestor.tools.reading import Reason

LASTING: frozenset[str] = frozenset(reason for reason in Reason if reason.lasts)
"""Reasons that hold as long as the file is the same."""


def read(path: Path) -> Document:
    """Read a file as text, its lines ended by line feeds; or give in `skipped` the reason why it has none."""
    uri = str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        return Document(uri=uri, skipped=f"cannot be read: {error.strerror}")
    try:
        answer = reading.read(content, "", uri)
    except MissingExtra as missing:
        return Document(uri=uri, skipped=str(missing))
    if isinstance(answer, Reason):
        return Document(uri=uri, skipped=answer)
    return Document(
        uri=uri,
        title=answer.title or path.name,
        media_type=reading.kind(content, uri),
        text=answer.text,
        published=answer.published,
        pages=answer.pages,
    )
