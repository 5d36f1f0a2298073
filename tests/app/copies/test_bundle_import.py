"""The session of a bundle lives on in another home: checked, word for word, and with that home's settings."""

import asyncio
import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from app.copies.test_bundles import Files, renew_hashes, rewrite
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.app.copies.bundle_import import import_bundle
from quaestor.app.copies.bundles import export_bundle
from quaestor.app.erasure import erase
from quaestor.app.reports.explanations import explain_claim
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.signature import LogRecord
from quaestor.storage.chain import event_hash

HERE = "import-home"


async def _export(folder: Path, file: Path) -> None:
    async with open_home(folder / "home", effort="low", max_todos=7) as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(folder)]))
        assert (await q.run(session_id)).outcome == "done"
        await export_bundle(q, session_id, file)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a bundle that another user made, who has other settings and another key."""
    folder = tmp_path_factory.mktemp("theirs")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        asyncio.run(_export(folder, folder / "bundle.zip"))
    return folder / "bundle.zip"


@pytest.fixture
def bundle(theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Path(shutil.copy(theirs, tmp_path))


async def test_an_imported_session_is_read_verified_and_asked_on(bundle: Path, tmp_path: Path) -> None:
    async with open_home(tmp_path / HERE, max_todos=9) as q:
        imported = await import_bundle(q, bundle)
        manifest = imported.checked.manifest
        name = manifest.session_id
        assert (imported.checked.faults, imported.is_new) == ((), True)
        [listed] = [one async for one in q.listing()]
        assert (listed.session.id, listed.error, listed.status and listed.status.state) == (name, None, "finished")
        assert (await q.store.links(name, manifest.head.events - 1, 1))[0].hash == manifest.head.hash
        assert await q.report(name)
        source = (await q.reports(name))[0].sources[0].sha256
        assert "harbour" in await explain_claim(q, name, 1)
        checked = await verify_session(q, name)
        assert (checked.faults, checked.signature, checked.signed) == ((), "foreign", manifest.signed)
        assert (await verify_session(q, name, "ab" * 32)).faults
        assert (await q.state(name)).options.max_todos == 9  # of this home, not of theirs
        assert not (await import_bundle(q, bundle)).is_new
        await q.ask(name, "When were the harbour lights built?")
        assert (await q.run(name)).outcome == "done"
        assert (await q.reports(name))[-1].version == 2
        assert (await verify_session(q, name)).signature == "valid"
        await erase(q, [name])
        with pytest.raises(UsageError, match="was erased here"):
            await import_bundle(q, bundle)
        assert await q.library.source(source) is None


async def test_a_fork_takes_no_settings_and_approvals_from_another_home(bundle: Path, tmp_path: Path) -> None:
    async with open_home(tmp_path / HERE, max_todos=9) as q:
        manifest = (await import_bundle(q, bundle)).checked.manifest
        name, here = manifest.session_id, manifest.head.events + 1
        whole = await q.fork(name, here)
        for session_id in (name, whole):
            for at in (1, here - 1):
                with pytest.raises(UsageError, match=f"came from another home.*fork it at event {here} or later"):
                    await q.fork(session_id, at)
        for session_id in (whole, await q.fork(whole, here), await q.fork(whole, here + 1)):
            assert (await q.options(session_id)).model_dump()["max_todos"] == 9


async def test_a_bundle_with_a_fault_is_not_stored(bundle: Path, tmp_path: Path) -> None:
    def change(files: Files) -> None:
        files["report.md"] += b"And more."

    async with open_home(tmp_path / HERE) as q:
        assert (await import_bundle(q, rewrite(bundle, change))).checked.faults
        assert await q.sessions() == []


def _relog(change: Callable[[LogRecord], LogRecord], count: int | None = None) -> Callable[[Files], None]:
    """Return what changes the records of a log and hashes them again, as somebody would who has no key."""

    def rewritten(files: Files) -> None:
        previous, written = "0" * 64, list[LogRecord]()
        for line in files["log.jsonl"].splitlines()[:count]:
            record = change(LogRecord.model_validate_json(line))
            content = (
                record.session_id,
                record.seq,
                record.cycle,
                record.at,
                record.state,
                record.type,
                record.version,
            )
            own = event_hash(previous, content, record.todo_id, sha256(record.body.encode()).hexdigest())
            written.append(record.revised(previous=previous, hash=own))
            previous = own
        files["log.jsonl"] = "".join(f"{each.model_dump_json()}\n" for each in written).encode()
        manifest = json.loads(files["manifest.json"])
        manifest["session_id"] = written[0].session_id
        manifest["head"] = {"session_id": written[0].session_id, "events": len(written), "hash": previous}
        manifest["signed"] = None
        files["manifest.json"] = json.dumps(manifest).encode()
        renew_hashes(files)

    return rewritten


def _newer(record: LogRecord) -> LogRecord:
    return record.revised(version=99) if record.seq == 2 else record


def _renamed(record: LogRecord) -> LogRecord:
    return record.revised(session_id="../../evil")


def _same(record: LogRecord) -> LogRecord:
    return record


def _without_sources(files: Files) -> None:
    del files["sources.json"]
    renew_hashes(files)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (_relog(_newer), SetupError, "install the release that wrote it: 'Quaestor "),
        (_relog(_renamed), UsageError, "is no id of a session"),
        (_relog(_same, count=9), UsageError, "had not finished"),
        (_without_sources, UsageError, r"has no sources\.json"),
    ],
)
async def test_what_this_home_cannot_carry_on_is_refused(
    bundle: Path, tmp_path: Path, change: Callable[[Files], None], error: type[Exception], message: str
) -> None:
    async with open_home(tmp_path / HERE) as q:
        with pytest.raises(error, match=message):
            await import_bundle(q, rewrite(bundle, change))
        assert await q.sessions() == []


async def test_another_history_under_the_same_id_is_refused(bundle: Path, tmp_path: Path) -> None:
    def later(record: LogRecord) -> LogRecord:
        return record.revised(at="2020-01-01T00:00:00.000000Z") if record.seq == 2 else record

    async with open_home(tmp_path / HERE) as q:
        await import_bundle(q, bundle)
        with pytest.raises(UsageError, match="is here with another log"):
            await import_bundle(q, rewrite(bundle, _relog(later)))
