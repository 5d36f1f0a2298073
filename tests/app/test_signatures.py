"""What a signed head shows of a log that was rewritten by somebody who can write the database."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import rmtree

import apsw
import pytest

from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Status
from fakes.papers import QUESTION, write_papers
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.app.copies.backup import back_up, restore
from quaestor.app.erasure import erase
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import SetupError
from quaestor.contracts.signature import SignedHead
from quaestor.runtime.ed25519 import is_valid
from quaestor.storage.chain import EventRow, rechain

REWRITTEN = "the chain is whole again"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "quaestor"


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with open_home(tmp_path / "home", effort="low", anchors=str(tmp_path / "anchors")) as q:
        yield q


async def finished(q: Quaestor, folder: Path) -> str:
    session_id = await q.start(QUESTION, await q.index([write_papers(folder)]))
    assert (await q.run(session_id)).outcome == "done"
    return session_id


async def go_on(q: Quaestor, session_id: str) -> None:
    await q.ask(session_id, "Who kept the lighthouse?")
    assert (await q.run(session_id)).outcome == "done"


def forget_record(config: Path) -> None:
    """Delete the record of signed heads, as whoever can write beside the key can."""
    rmtree(config / "signed-heads")


def rewrite(folder: Path, session_id: str, *more: str) -> None:
    """Change the first state of a log and rebuild its chain and its head, as whoever holds the database can."""
    database = apsw.Connection(str(folder / "home" / DATABASE_FILE))
    with database:
        rows = database.execute(
            "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash, todo_id FROM events "
            "WHERE session_id = ? ORDER BY seq",
            (session_id,),
        ).fetchall()
        changed = [EventRow(*row) for row in rows]  # type: ignore[arg-type]
        changed[1] = changed[1]._replace(at="2020-01-01T00:00:00.000000Z")
        for row in rechain(changed, session_id):
            database.execute(
                "UPDATE events SET at = ?, previous = ?, hash = ? WHERE session_id = ? AND seq = ?",
                (row.at, row.previous, row.hash, session_id, row.seq),
            )
        database.execute("UPDATE sessions SET head = ? WHERE id = ?", (row.hash, session_id))
        for sql in more:
            database.execute(sql)
    database.close()


async def test_the_head_is_signed_when_a_run_ends(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    checked = await verify_session(q, session_id)
    assert (checked.faults, checked.signature) == ((), "valid")
    assert checked.signed is not None
    assert (checked.signed.head.hash, checked.signed.head.events) == (checked.head, checked.events)
    assert await q.sign(session_id) == checked.signed


async def test_the_head_is_signed_when_a_run_rests_because_of_its_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with OpenAIServer(lambda _: Status(status=401)) as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
        async with open_home(tmp_path / "home", model="ollama:small") as q:
            session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
            with pytest.raises(SetupError, match="401"):
                await q.run(session_id)
            checked = await verify_session(q, session_id)
    assert (checked.faults, checked.signature) == ((), "valid")
    assert checked.signed is not None
    assert (checked.signed.head.hash, checked.signed.head.events) == (checked.head, checked.events)


async def test_a_head_that_could_not_be_anchored_is_anchored_once_that_can_be(q: Quaestor, tmp_path: Path) -> None:
    (tmp_path / "anchors").mkdir()
    session_id = await finished(q, tmp_path)
    with pytest.raises(SetupError, match="anchors"):
        await q.sign(session_id)
    (tmp_path / "anchors").rmdir()
    signed = [await q.sign(session_id) for _ in range(2)]
    anchored = [SignedHead.model_validate_json(line) for line in (tmp_path / "anchors").read_text().splitlines()]
    assert anchored == signed[:1] == signed[1:]
    assert (await verify_session(q, session_id)).faults == ()


async def test_anchors_that_lead_into_the_home_are_refused(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    [database] = (tmp_path / "home").glob("*.db")
    (tmp_path / "anchors").unlink()
    (tmp_path / "anchors").symlink_to(database)
    size = database.stat().st_size
    with pytest.raises(SetupError, match="name a file outside it"):
        await q.sign(session_id)
    assert database.stat().st_size == size


async def test_a_key_is_made_once_and_is_for_its_user_alone(q: Quaestor, tmp_path: Path, config: Path) -> None:
    first = await q.sign(await finished(q, tmp_path))
    assert (config / "signing.key").stat().st_mode & 0o777 == 0o600
    async with open_home(tmp_path / "other") as other:
        corpus = await other.index([tmp_path / "papers"])
        assert (await other.sign(await other.start(QUESTION, corpus))).key == first.key


async def test_a_rewritten_log_whose_chain_holds_is_named(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(tmp_path, session_id)
    assert await q.store.verify_chain(session_id) == [], REWRITTEN
    faults = (await verify_session(q, session_id)).faults
    assert len(faults) == 1
    assert "was signed as" in faults[0]


@pytest.mark.parametrize("left", ["head = (SELECT head FROM sessions)", "key = '" + "ab" * 32 + "'"])
async def test_a_signature_that_was_made_to_fit_is_named(q: Quaestor, tmp_path: Path, left: str) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(tmp_path, session_id, f"UPDATE signatures SET {left}")  # noqa: S608 -- of this test
    assert any("does not fit it" in fault for fault in (await verify_session(q, session_id)).faults)


async def test_a_log_that_another_key_has_signed_is_named(
    q: Quaestor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(tmp_path, session_id, "DELETE FROM signatures")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "rival"))
    async with open_home(tmp_path / "home") as rival:
        forged = await rival.sign(session_id)
        assert (await verify_session(rival, session_id)).signature == "valid"
        own = q.signer.public_key()
        assert "which is not the one" in (await verify_session(rival, session_id, own)).faults[0]
    assert any("which is not the one" in fault for fault in (await verify_session(q, session_id)).faults)
    assert forged.key != own


async def test_deleted_signatures_are_named(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(tmp_path, session_id, "DELETE FROM signatures")
    deleted, rewritten = (await verify_session(q, session_id)).faults[:2]
    assert "the database has no such signature" in deleted
    assert "and the log has another one" in rewritten


async def test_a_log_that_is_whole_without_its_signatures_is_not_taken_for_one_that_never_had_any(
    q: Quaestor, tmp_path: Path
) -> None:
    session_id = await finished(q, tmp_path)
    database = apsw.Connection(str(tmp_path / "home" / DATABASE_FILE))
    database.execute("DELETE FROM signatures")
    database.close()
    [fault] = (await verify_session(q, session_id)).faults
    assert "the database has no such signature" in fault


async def test_a_copy_of_a_home_goes_on_with_a_record_of_its_own(q: Quaestor, tmp_path: Path, config: Path) -> None:
    session_id = await finished(q, tmp_path)
    await back_up(q, tmp_path / "backup")
    await go_on(q, session_id)
    await restore(tmp_path / "copy", tmp_path / "backup")
    async with open_home(tmp_path / "copy") as copy:
        assert (await verify_session(copy, session_id)).faults == ()
    assert (await verify_session(q, session_id)).faults == ()
    assert [each.stat().st_mode & 0o777 for each in (config / "signed-heads").iterdir()] == [0o600]


async def test_a_backup_that_is_put_back_in_its_place_contradicts_no_record(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    await back_up(q, tmp_path / "backup")
    await go_on(q, session_id)
    rmtree(tmp_path / "home")
    await restore(tmp_path / "home", tmp_path / "backup")
    async with open_home(tmp_path / "home") as restored:
        assert (await verify_session(restored, session_id)).faults == ()


async def test_a_rewritten_log_without_signatures_contradicts_its_anchor(
    q: Quaestor, tmp_path: Path, config: Path
) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(tmp_path, session_id, "DELETE FROM signatures")
    forget_record(config)
    [fault] = (await verify_session(q, session_id)).faults
    assert "was anchored as" in fault
    anchored = SignedHead.model_validate_json((tmp_path / "anchors").read_text())
    assert anchored.head.session_id == session_id


async def test_a_log_that_ends_before_its_signed_head_is_named(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    rewrite(
        tmp_path,
        session_id,
        "DELETE FROM events WHERE seq = (SELECT events FROM sessions)",
        "UPDATE sessions SET events = events - 1",
        "UPDATE sessions SET head = (SELECT hash FROM events WHERE seq = sessions.events)",
    )
    assert await q.store.verify_chain(session_id) == []
    assert any("the log ends before it" in fault for fault in (await verify_session(q, session_id)).faults)


async def test_the_signature_of_an_erased_session_stays(q: Quaestor, tmp_path: Path) -> None:
    session_id = await finished(q, tmp_path)
    signed = await q.sign(session_id)
    await erase(q, [session_id])
    checked = await verify_session(q, session_id)
    assert (checked.faults, checked.signature, checked.signed) == ((), "valid", signed)
    assert checked.head == signed.head.hash


async def test_a_key_that_others_can_read_is_refused_and_ends_no_run(q: Quaestor, tmp_path: Path, config: Path) -> None:
    noted: list[str] = []
    _put_open_key(config)
    session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
    assert (await q.run(session_id, note=noted.append)).outcome == "done"
    assert "others may have read" in noted[0]


async def test_a_report_carries_head_and_signature(q: Quaestor, tmp_path: Path) -> None:
    from quaestor.app.reports.versions import attach_signature  # noqa: PLC0415

    session_id = await finished(q, tmp_path)
    signed = await q.sign(session_id)
    for form in ("md", "html", "json"):
        text = attach_signature(await q.render_report(session_id, form) or "", form, signed)
        assert signed.head.hash in text
        assert signed.signature in text
    assert SignedHead.model_validate(json.loads(text)["log"]) == signed


def test_a_signature_is_ed25519() -> None:
    """The second test vector of RFC 8032."""
    key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    signature = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert is_valid(key, b"\x72", signature)
    assert not is_valid(key, b"\x73", signature)


def _put_open_key(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "signing.key").write_text("00" * 32)
    (folder / "signing.key").chmod(0o644)
