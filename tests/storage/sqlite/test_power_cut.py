"""What a power cut leaves: of each file only what was last written out to the disk."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from typing_extensions import override

from quaestor.contracts.library import Document
from quaestor.storage.sqlite import open_store
from storage.samples import NOON, begun, reply


class Disk(apsw.VFS):
    """A file system that knows what each file held when it was last written out."""

    def __init__(self) -> None:
        self.written: dict[str, bytes] = {}
        self.below = apsw.vfs_names()[0]
        super().__init__("disk", self.below, makedefault=True)

    @override
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "DiskFile":
        return DiskFile(self, name, flags)

    @override
    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self.written.pop(filename, None)

    def cut_power(self, folder: Path) -> None:
        """Put what the disk holds into another folder."""
        folder.mkdir()
        for name, content in self.written.items():
            (folder / Path(name).name).write_bytes(content)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(disk.below, name, flags)
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    @override
    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._disk.written[self._name] = Path(self._name).read_bytes()


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk()
    yield disk
    disk.unregister()


def page(number: int) -> Document:
    return Document(uri=f"http://a.example/{number}", title="A", media_type="text/html", text=f"Page {number} it is.")


async def test_a_page_is_durable_with_the_event_that_follows_it(disk: Disk, tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    kept = await store.library.of_session("s1").keep(page(1), NOON)
    await store.append(lease, [reply(2, "read")])
    disk.cut_power(tmp_path / "after")
    await store.close()
    recovered = open_store(tmp_path / "after" / "q.db")
    assert await recovered.library.of_session("s1").source(kept.sha256) == kept
    assert [event.seq for event in await recovered.events("s1")] == [1, 2]
    await recovered.close()


async def test_a_page_does_not_wait_for_the_disk_but_an_event_does(disk: Disk, tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    log = str(tmp_path / "q.db-wal")
    before = disk.written[log]
    for number in range(3):
        await store.library.of_session("s1").keep(page(number), NOON)
    assert disk.written[log] == before
    await store.append(lease, [reply(2, "read")])
    appended = disk.written[log]
    assert appended != before
    await store.append(lease, [reply(3, "more")])
    assert disk.written[log] != appended
    await store.close()
