"""Documents that come over a network: files uploaded into collections, and folders that the server may read."""

import asyncio
import os
import re
import shutil
import unicodedata
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.access import AccessName
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.library import CorpusState
from quaestor.contracts.session import LOCAL_TENANT
from quaestor.files import make_private_folder
from quaestor.runtime.index_lock import hold_index
from quaestor.runtime.private_home import UPLOADS_FOLDER
from quaestor.runtime.shared_folder import require_shared_folder

DEFAULT_COLLECTION = "default"
"""The collection of uploads that name none."""
COLLECTION_PREFIX = "collection:"
"""How documents are named that were uploaded: this and the name of their collection."""
_MAX_NAME_BYTES = 200
_NAME: TypeAdapter[str] = TypeAdapter(AccessName)
_UNSAFE = re.compile(r"[/\\\0-\x1f\x7f]")
_PART_PREFIX = ".upload-"
"""Hidden, so that an index never reads a file that has not come whole."""
_ABANDONED_AFTER = timedelta(days=1)


class SkippedFile(Contract):
    """A file that cannot be read, and why."""

    name: str
    reason: str


class Collection(Contract):
    """What a collection of uploaded documents holds."""

    collection: str
    documents: int
    passages: int
    skipped: tuple[SkippedFile, ...] = ()


class Uploads(Contract):
    """A collection with the names of its files."""

    collection: str
    files: tuple[str, ...]


class DocumentRoots(NamedTuple):
    """Which documents of the server a caller may name beside its own uploads: those below a folder, or none."""

    folder: Path | None = None

    def resolve(self, quaestor: Quaestor, named: Sequence[str]) -> list[Path]:
        """Return the folders and files of documents. Raises UsageError for what the caller may not name."""
        return [self._resolve(quaestor, each) for each in named]

    def _resolve(self, quaestor: Quaestor, named: str) -> Path:
        if named.startswith(COLLECTION_PREFIX):
            name = named.removeprefix(COLLECTION_PREFIX)
            folder = _collection_folder(quaestor, name)
            if not folder.is_dir():
                raise UsageError(_no_collection(name))
            return folder
        if self.folder is None:
            raise UsageError(
                f"{named[:200]!r} names a file of the server, which this server or this token does not allow; "
                f"upload files, and name them as {COLLECTION_PREFIX}NAME"
            )
        if "\0" in named:
            raise UsageError("a path cannot contain the character NUL")
        root = self.folder.resolve()
        path = (root / named).resolve()
        if not path.is_relative_to(root):
            raise UsageError(f"{named[:200]!r} is outside the folder whose documents may be named")
        return path


async def store_upload(quaestor: Quaestor, collection: str, name: str, content: AsyncIterator[bytes]) -> None:
    """Store an uploaded file in a collection of the tenant, whole or not at all; one of the same name is replaced.

    What uploads left there whose process was killed a day ago or longer is removed.
    Raises UsageError for a name that cannot be one of a file, SetupError when there is no room.
    """
    folder = _collection_folder(quaestor, collection)
    target = folder / _file_name(name)
    part = folder / f"{_PART_PREFIX}{uuid4().hex}"
    try:
        make_private_folder(folder)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            async for piece in content:
                file.write(piece)
        part.replace(target)
        await asyncio.to_thread(_remove_abandoned, folder, (quaestor.clock.now() - _ABANDONED_AFTER).timestamp())
    except OSError as error:
        raise SetupError(f"the file {name[:60]!r} cannot be stored: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _remove_abandoned(folder: Path, before: float) -> None:
    """Remove what killed uploads have left and nobody has written to since a time in seconds."""
    for part in folder.glob(f"{_PART_PREFIX}*"):
        with suppress(FileNotFoundError):
            if part.stat().st_mtime < before:
                part.unlink()


async def index_collection(quaestor: Quaestor, collection: str) -> Collection:
    """Read what is new in a collection, each file in the isolated reader, and count what can be searched."""
    folder = _collection_folder(quaestor, collection)
    try:
        return _describe(collection, await quaestor.index([folder]))
    except UsageError:
        # Nothing in it can be read. The index knows why by now, file by file; the error tells the server's path.
        corpus = await quaestor.library.open_corpus([str(folder.resolve())])
        described = _describe(collection, await quaestor.library.corpus_state(corpus))
        if not described.skipped:
            raise
        return described


def has_collection(quaestor: Quaestor, collection: str) -> bool:
    """Return whether the tenant has uploaded into a collection."""
    return _collection_folder(quaestor, collection).is_dir()


async def list_uploads(quaestor: Quaestor) -> tuple[Uploads, ...]:
    """Return the collections of the tenant with their files, in order of their names."""
    top = _tenant_folder(quaestor)
    folders = sorted(top.iterdir()) if top.is_dir() else []
    return tuple(Uploads(collection=folder.name, files=_uploaded_files(folder)) for folder in folders)


async def remove_upload(quaestor: Quaestor, collection: str, name: str | None = None) -> None:
    """Remove a file from a collection of the tenant and from its index, or the collection with all that is in it.

    What sessions quote of it stays with them until they are erased; what none has read is shredded. Raises UsageError
    for what is not there.
    """
    folder = _collection_folder(quaestor, collection)
    target = folder if name is None else folder / _file_name(name)
    if not target.exists():
        raise UsageError(f"the collection {collection!r} has no file {name!r}" if name else _no_collection(collection))
    files = _uploaded_files(folder) if name is None else (target.name,)
    async with hold_index(quaestor.home, [folder]):
        corpus = await quaestor.library.open_corpus([str(folder.resolve())])
        await quaestor.library.drop(corpus, [str(folder.resolve() / each) for each in files])
        await asyncio.to_thread(_remove, target)
    with suppress(SetupError):  # a process that reads the home; the next erasure shreds it
        await quaestor.store.shred(quaestor.clock.now())


def _remove(path: Path) -> None:
    try:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    except OSError as error:
        raise SetupError(f"{path.name} cannot be removed: {error.strerror}") from error


def _uploaded_files(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.name for path in folder.iterdir() if not path.name.startswith(_PART_PREFIX)))


def _no_collection(name: str) -> str:
    return f"there is no collection {name!r}; upload files into it first"


def _describe(collection: str, corpus: CorpusState) -> Collection:
    named = ((Path(path).name, reason) for path, reason in corpus.skipped)
    skipped = (SkippedFile(name=name, reason=reason) for name, reason in named if not name.startswith(_PART_PREFIX))
    return Collection(
        collection=collection, documents=corpus.documents, passages=corpus.passages, skipped=tuple(skipped)
    )


def _collection_folder(quaestor: Quaestor, name: str) -> Path:
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"{name[:60]!r} cannot be the name of a collection: 1 to 64 letters, digits, dots, dashes and underscores"
        ) from error
    return _tenant_folder(quaestor) / name


def _tenant_folder(quaestor: Quaestor) -> Path:
    """Return where the uploads of a tenant are. Raises SetupError where the shared folder is not there."""
    require_shared_folder(quaestor.settings)
    return quaestor.data_folder / UPLOADS_FOLDER / (quaestor.tenant or LOCAL_TENANT)


def _file_name(name: str) -> str:
    """Return the name under which a file is stored. Raises UsageError for one that could lead elsewhere or hide."""
    normal = unicodedata.normalize("NFC", name).strip()
    if not normal or normal.startswith(".") or _UNSAFE.search(normal) or not normal.isprintable():
        raise UsageError(f"{name[:60]!r} cannot be the name of an uploaded file; send its name without folders")
    if len(normal.encode()) > _MAX_NAME_BYTES:
        raise UsageError(f"the file name {normal[:60]!r}... is longer than {_MAX_NAME_BYTES} bytes")
    return normal
