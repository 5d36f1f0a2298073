"""Documents that come over HTTP: their names lead nowhere else, and server paths are for admins below one folder."""

from pathlib import Path

import httpx2
import pytest

from faces.server.served import COLLECTION, Serve, Served
from fakes.sittings import LIGHTHOUSE

NAMES = [
    "../evil.txt",
    "/etc/passwd",
    "..\\evil.txt",
    "a/../../b.txt",
    ".hidden",
    "..",
    "x" * 300,
    "\u202etxt.a",
]


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


async def test_what_is_uploaded_is_indexed_and_what_cannot_be_read_is_named(served: Served) -> None:
    described = await served.upload({"a.txt": "The fog bell was cast in 1844.", "b.bin": "\x00\x01\x02"})
    assert (described.collection, described.documents) == (COLLECTION, 1)
    assert [each.name for each in described.skipped] == ["b.bin"]
    again = await served.upload({"a.txt": "The fog bell was cast in 1845."})
    assert again.documents == 1
    folder = served.quaestor.home / "uploads" / "local" / COLLECTION
    assert (folder / "a.txt").read_text(encoding="utf-8") == "The fog bell was cast in 1845."
    private = (folder / "a.txt", folder, folder.parent, folder.parent.parent)
    assert [path.stat().st_mode & 0o077 for path in private] == [0, 0, 0, 0]


async def test_where_nothing_uploaded_can_be_read_each_file_is_named(served: Served) -> None:
    described = await served.upload({"b.bin": "\x00\x01\x02", "c.bin": "\x00\x01\x02"})
    assert described.documents == 0
    assert [(each.name, each.reason) for each in described.skipped] == [("b.bin", "not text"), ("c.bin", "not text")]


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_that_leads_elsewhere_is_refused(served: Served, name: str, tmp_path: Path) -> None:
    await served.upload({"a.txt": "The fog bell was cast in 1844."})
    before = files(tmp_path)
    client = await served.client()
    answer = await client.post("/api/v1/files", files={"files": (name, b"evil")}, data={"collection": COLLECTION})
    assert answer.status_code in {400, 422}
    assert {path.name for path in files(tmp_path) - before} <= {"quaestor.db-wal", "quaestor.db-shm"}


@pytest.mark.parametrize("collection", ["../up", "a/b", "", "..", ".x", "x" * 65, "a b"])
async def test_a_collection_has_a_plain_name(served: Served, collection: str) -> None:
    client = await served.client()
    answer = await client.post("/api/v1/files", files={"files": ("a.txt", b"a")}, data={"collection": collection})
    assert answer.status_code in {400, 422} or (collection == "" and answer.json()["collection"] == "default")
    uploads = served.quaestor.home / "uploads"
    assert files(uploads) <= {Path("local/default/a.txt")}


async def test_server_paths_are_for_admins_and_below_the_folder_alone(serve: Serve, tmp_path: Path) -> None:
    root = tmp_path / "docs"
    (root / "in").mkdir(parents=True)
    (root / "in" / "a.txt").write_text("The Aldmouth lighthouse was built in 1831.", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (root / "link").symlink_to(tmp_path)
    served = await serve(docs_root=root).begin()
    admin, runner = await served.client("admin"), await served.client("run")

    async def status(client: httpx2.AsyncClient, *docs: str) -> int:
        answer = await client.post("/api/v1/sessions", json={"text": LIGHTHOUSE, "docs": docs})
        return int(answer.status_code)

    assert await status(admin, "in") == 201
    assert await status(admin, str(root / "in")) == 201
    assert await status(runner, "in") == 400
    for outside in ("..", "../secret.txt", str(tmp_path / "secret.txt"), "link/secret.txt", "in\x00"):
        assert await status(admin, outside) == 400, outside


@pytest.mark.parametrize(
    "body",
    [b"", b"--x", b"--x\r\n\r\n", b'--x\r\nContent-Disposition: form-data; name="files"\r\n\r\n', b"\xff" * 100],
)
async def test_a_malformed_upload_is_refused(served: Served, body: bytes) -> None:
    client = await served.client()
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert (await client.post("/api/v1/files", content=body, headers=headers)).status_code in {400, 422}


async def test_uploads_are_listed_and_deleted_one_by_one_or_together_by_their_tenant_alone(served: Served) -> None:
    await served.upload({"a.txt": "The fog bell was cast in 1844.", "b.txt": "The mole is 300 m long."})
    client, theirs = await served.client(), await served.client("run", "acme")
    listed = [{"collection": COLLECTION, "files": ["a.txt", "b.txt"]}]
    assert (await client.get("/api/v1/files")).json() == listed
    assert (await theirs.get("/api/v1/files")).json() == []
    path = f"/api/v1/files/{COLLECTION}"
    for refused in (await theirs.delete(path), await theirs.delete(f"{path}/a.txt"), await client.delete(f"{path}/c")):
        assert refused.status_code == 400
    assert (await (await served.client("read")).delete(path)).status_code == 403
    assert (await client.get("/api/v1/files")).json() == listed
    assert (await client.delete(f"{path}/a.txt")).status_code == 204
    again = await served.upload({"c.txt": "The keeper was Ann Pell."})
    assert again.documents == 2
    home = served.quaestor.home
    assert (await client.delete(path)).status_code == 204
    assert (await client.get("/api/v1/files")).json() == []
    assert b"fog bell" not in b"".join((home / name).read_bytes() for name in ("quaestor.db", "quaestor.db-wal"))
    assert (await served.upload({"d.txt": "The lamp burns oil."})).documents == 1


@pytest.mark.parametrize("name", ["..", "%2e%2e%2f%2e%2e%2fquaestor.db", ".hidden", "a%00b"])
async def test_only_uploads_are_deleted(served: Served, name: str) -> None:
    await served.upload({"a.txt": "The fog bell was cast in 1844."})
    before = files(served.quaestor.home)
    client = await served.client()
    for path in (f"/api/v1/files/{name}", f"/api/v1/files/{COLLECTION}/{name}", f"/api/v1/files/{name}/a.txt"):
        assert (await client.delete(path)).status_code in {400, 404, 405, 422}
    assert files(served.quaestor.home) == before


async def test_what_a_session_quotes_stays_with_it_when_its_document_is_deleted(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()
    assert (await client.delete(f"/api/v1/files/{COLLECTION}")).status_code == 204
    verified = (await client.get(f"/api/v1/sessions/{session_id}/verify")).json()
    assert (verified["faults"], verified["quotes"] > 0) == ([], True)
