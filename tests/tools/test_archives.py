"""A ZIP archive among documents: each file in it is a document, and no archive takes more than is allowed."""

import io
import os
import struct
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from fakes.time import ManualClock
from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.library import CorpusState, Library
from quaestor.contracts.tools import SearchInput
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.reading.archive import MAX_FILES, unpack_part
from quaestor.tools.reading.parse import parse
from quaestor.tools.reading.protocol import ArchivedFile, ArchivePart, SkipReason

RECORDS = b'{"light": "Aldmouth", "lit": 1846}\n'


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


def packed(*files: tuple[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with ZipFile(written, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return written.getvalue()


async def indexed(library: Library, path: Path) -> CorpusState:
    return await index_corpus(library, ManualClock(), [path], lambda _: None)


async def test_each_file_of_an_archive_is_a_document(library: Library, tmp_path: Path) -> None:
    inner = packed(("deep.txt", b"Nothing is looked for here."))
    archive = tmp_path / "lights.zip"
    archive.write_bytes(
        packed(
            ("notes/harbour.md", b"# Harbour\n\nThe harbour light of Aldmouth was lit in 1846."),
            ("lights.jsonl", RECORDS),
            ("inner.zip", inner),
            ("empty.txt", b""),
            ("notes/.hidden", b"secret"),
            ("__MACOSX/._notes", b"secret"),
            ("../../outside.txt", b"The guild paid for the fog bell."),
        )
    )
    (tmp_path / "plain.txt").write_text("The fog bell rang in winter.")
    state = await indexed(library, tmp_path)
    assert (state.documents, state.changed) == (3, 3)
    assert dict(state.skipped) == {
        f"{archive}!inner.zip": SkipReason.NESTED,
        f"{archive}!empty.txt": "empty",
    }
    [hit] = (await SearchPassages(library, state.corpus).run(SearchInput(query="harbour light 1846"))).hits[:1]
    assert (hit.uri, hit.title) == (f"{archive}!notes/harbour.md", "Harbour")
    source = await library.source(hit.passage.source)
    assert source
    assert source.media_type == "text/markdown"
    assert (await indexed(library, tmp_path)).changed == 0
    archive.write_bytes(packed(("notes/harbour.md", b"# Harbour\n\nIt was lit in 1847.")))
    os.utime(archive, ns=(1, 1))
    again = await indexed(library, tmp_path)
    assert (again.documents, again.changed, again.skipped) == (2, 1, ())
    archive.unlink()
    assert (await indexed(library, tmp_path)).documents == 1


async def test_an_archive_alone_is_a_document_and_one_without_words_is_none(library: Library, tmp_path: Path) -> None:
    archive = tmp_path / "one.zip"
    archive.write_bytes(packed(("a.txt", b"The lighthouse of Aldmouth.")))
    assert (await indexed(library, archive)).documents == 1
    archive.write_bytes(packed(("a.bin", b"\0\1\2")))
    with pytest.raises(UsageError, match="holds no words"):
        await indexed(library, archive)


def _encrypted(content: bytes) -> bytes:
    """Set the flag of an encrypted file in its local header and in the directory."""
    place = content.index(b"PK\x01\x02") + 8
    return content[:6] + struct.pack("<H", 1) + content[8:place] + struct.pack("<H", 1) + content[place + 2 :]


def _claims(size: int) -> Callable[[bytes], bytes]:
    """Let the directory say that the first file has another size when unpacked."""

    def change(content: bytes) -> bytes:
        place = content.index(b"PK\x01\x02") + 24
        return content[:place] + struct.pack("<I", size) + content[place + 4 :]

    return change


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed(*((f"{number}.txt", b"") for number in range(MAX_FILES + 1))), SkipReason.TOO_MANY_FILES),
        (packed(("zeros.txt", b"0" * 3_000_000)), SkipReason.BOMB),
        (_claims(4_000_000_000)(packed(("a.txt", b"words"))), SkipReason.TOO_LARGE_UNPACKED),
        (packed(("a.txt", b"words"))[:-9], SkipReason.DAMAGED),
        (_claims(3)(packed(("a.txt", b"words"))), SkipReason.DAMAGED),
        (b"PK\x03\x04" + b"\xff" * 99, SkipReason.DAMAGED),
    ],
)
def test_an_archive_is_judged_by_what_it_declares_before_it_is_unpacked(content: bytes, reason: SkipReason) -> None:
    assert unpack_part(content, 0) == reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (_encrypted(packed(("a.txt", b"words"))), SkipReason.ENCRYPTED),
        (packed(("a.txt", b"words"), method=ZIP_BZIP2), SkipReason.PACKED),
        (packed(("a.zip", packed(("b.txt", b"words")))), SkipReason.NESTED),
        (packed(("a.txt", os.urandom(20_000_001)), method=ZIP_STORED), SkipReason.TOO_LARGE),
    ],
)
def test_a_file_in_it_that_is_not_read_is_named_with_its_reason(content: bytes, reason: SkipReason) -> None:
    part = unpack_part(content, 0)
    assert isinstance(part, ArchivePart)
    assert [file.skipped for file in part.files] == [reason]


def test_what_does_not_fit_into_one_response_comes_in_parts() -> None:
    large = os.urandom(12_000_000)
    content = packed(("a", large), ("b", large), ("c", b"words"), method=ZIP_STORED)
    first = unpack_part(content, 0)
    assert isinstance(first, ArchivePart)
    assert ([file.name for file in first.files], first.following) == (["a"], 1)
    second = unpack_part(content, 1)
    assert isinstance(second, ArchivePart)
    assert ArchivePart.decode(second.encode()) == second
    assert second.files == (ArchivedFile("b", large), ArchivedFile("c", b"words"))


async def test_an_archive_of_the_web_is_not_unpacked() -> None:
    with pytest.raises(ToolFailed, match="an archive where none is unpacked"):
        await parse(packed(("a.txt", b"words")), "application/zip", "https://example.org/a.zip")
