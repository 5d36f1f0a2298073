"""What holds of a home holds where Postgres keeps its sessions, and from every machine: each has a home of its own."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from fakes.children import check_kept, die, ended, fork
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Asked, Status
from fakes.papers import QUESTION, write_papers
from fakes.postgres import Postgres
from fakes.sittings import LIGHTHOUSE, PLANNED, Sitting, sit
from online.conftest import settings
from quaestor.app import DATABASE_FILE, open_home
from quaestor.app.copies.backup import back_up, restore
from quaestor.app.erasure import erase
from quaestor.app.stores import describe_server
from quaestor.app.verification import verify_session
from quaestor.contracts.command import AddBudget, Answer, Cancel
from quaestor.contracts.errors import LeaseUnavailable, ProviderUnavailable, SetupError, UsageError
from quaestor.contracts.event import Answered, Event, QuestionAsked
from quaestor.contracts.ports import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


@pytest.fixture
def url(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> str:
    place = postgres.home()
    monkeypatch.setenv("QUAESTOR_STORE", place)
    return place


async def started(home: Path, docs: Path) -> str:
    async with open_home(home, effort="low") as q:
        return await q.start(QUESTION, await q.index([docs]))


async def report_of(home: Path, session_id: str) -> str:
    async with open_home(home) as q:
        report = await q.report(session_id)
        assert report is not None
        assert (await verify_session(q, session_id)).faults == ()
        return report.model_dump_json(exclude={"sources": {"__all__": {"retrieved_at"}}})


async def log_of(home: Path, session_id: str) -> Sequence[Event]:
    async with open_home(home) as q:
        return await q.events(session_id)


async def test_a_report_is_that_of_a_run_on_sqlite_to_the_byte(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, reports = write_papers(tmp_path), []
    for home, store in (("file", None), ("server", postgres.home())):
        if store:
            monkeypatch.setenv("QUAESTOR_STORE", store)
        session_id = await started(tmp_path / home, docs)
        async with open_home(tmp_path / home) as q:
            await q.run(session_id)
        reports.append(await report_of(tmp_path / home, session_id))
    assert reports[0] == reports[1]
    assert not (tmp_path / "server" / DATABASE_FILE).exists()


@pytest.mark.usefixtures("url")
def test_a_session_killed_on_one_machine_is_carried_to_its_end_on_another(tmp_path: Path) -> None:
    docs = write_papers(tmp_path)
    undisturbed = asyncio.run(started(tmp_path / "a", docs))

    async def run(home: str, session_id: str, appends: int | None = None) -> None:
        async with open_home(tmp_path / home) as q:
            if appends:
                kill_at(q.store, appends)
            assert (await q.run(session_id)).status == "finished"

    assert ended(fork(lambda: run("a", undisturbed))) == 0
    expected = asyncio.run(report_of(tmp_path / "b", undisturbed))
    for place, appends in enumerate((2, 3, 5)):
        session_id = asyncio.run(started(tmp_path / "a", docs))
        assert ended(fork(lambda: run("a", session_id, appends))) < 0  # noqa: B023 -- it ends here
        acknowledged = asyncio.run(log_of(tmp_path / "b", session_id))
        assert ended(fork(lambda: run(f"machine{place}", session_id))) == 0  # noqa: B023 -- it ends here
        check_kept(acknowledged, asyncio.run(log_of(tmp_path / "b", session_id)), kills=1)
        assert asyncio.run(report_of(tmp_path / "b", session_id)) == expected


def kill_at(store: Store, appends: int) -> None:
    """Kill this process in the n-th transaction of an append, at the last moment before its commit."""
    database = store._database  # type: ignore[attr-defined]
    commit, count = database._commit, 0

    def doomed(connection: object, transaction: str) -> None:
        nonlocal count
        count += 1
        if count == appends:
            die()
        commit(connection, transaction)

    database._commit = doomed


@pytest.mark.usefixtures("url")
async def test_what_one_machine_asks_is_answered_on_another(tmp_path: Path) -> None:
    here = await sit(tmp_path / "here", {"planner": PLANNED}, "When was it built?")
    there = Sitting(tmp_path / "there", here.session_id)
    assert (await here.run()).asked is not None
    [question] = await there.of(QuestionAsked)
    assert question.kind == "clarification"
    assert await there.tell(Answer(text="the Aldmouth lighthouse")) is None
    assert (await here.run()).status == "finished"
    assert [fact.text for fact in await there.of(Answered)] == ["the Aldmouth lighthouse"]


@pytest.mark.usefixtures("url")
async def test_a_command_from_another_machine_reaches_the_run(tmp_path: Path) -> None:
    slow = [{"todo": "t2", "latency": 30}]
    here = await sit(tmp_path / "here", {"planner": PLANNED, "query_writer": slow}, max_model_calls=50)
    there = Sitting(tmp_path / "there", here.session_id)
    running = asyncio.create_task(here.run())
    await there.until(lambda event: event.type == "plan_updated")
    with pytest.raises(LeaseUnavailable):
        await there.run()
    assert await there.tell(AddBudget(model_calls=10)) is None
    assert await there.tell(Cancel()) is None
    assert (await running).outcome == "cancelled"


async def test_a_backup_of_postgres_goes_back_into_postgres_or_into_a_home(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUAESTOR_STORE", postgres.home())
    session_id, file = await started(tmp_path / "a", write_papers(tmp_path)), tmp_path / "backup.tar"
    async with open_home(tmp_path / "a") as q:
        await q.run(session_id)
        assert (await back_up(q, file)).faults == ()
    with pytest.raises(UsageError, match="has sessions"):
        await restore(tmp_path / "b", file)
    report, log = await report_of(tmp_path / "a", session_id), await log_of(tmp_path / "a", session_id)
    for home in ("c", "d"):
        if home == "c":
            monkeypatch.setenv("QUAESTOR_STORE", postgres.home())
        else:
            monkeypatch.delenv("QUAESTOR_STORE")
        assert (await restore(tmp_path / home, file)).faults == ()
        assert await report_of(tmp_path / home, session_id) == report
        assert await log_of(tmp_path / home, session_id) == log


def test_the_doctor_names_the_server_and_what_it_may_lose(postgres: Postgres) -> None:
    with pytest.raises(SetupError, match=r"/postgres runs with fsync off and full_page_writes off; set both to on"):
        describe_server(postgres.home())


@pytest.mark.usefixtures("url")
async def test_what_is_erased_is_gone_for_every_machine(tmp_path: Path) -> None:
    docs = write_papers(tmp_path)
    async with open_home(tmp_path / "here", effort="low", cache=True) as q:
        report = await q.research(LIGHTHOUSE, docs=[docs])
        [session] = await q.sessions()
        await erase(q, [session.id])
        assert await q.sessions() == []
        assert await q.library.text(report.citations()[0].source) is None
        assert await q.store.remains() == []


@pytest.mark.usefixtures("url")
async def test_a_pause_that_a_provider_asks_one_machine_for_is_kept_by_another(tmp_path: Path) -> None:
    asked = 0

    def busy(_: Asked) -> Status:
        nonlocal asked
        asked += 1
        return Status(status=429, message="slow down", headers={"Retry-After": "3600"})

    docs = write_papers(tmp_path)
    async with OpenAIServer(busy) as server:
        for machine in ("here", "there"):
            async with open_home(tmp_path / machine, **settings(server)) as q:
                session_id = await q.start(f"{QUESTION} ({machine})", await q.index([docs]))
                with pytest.raises(ProviderUnavailable, match=r"pause until \d{4}-\d\d-\d\d \d\d:\d\d UTC"):
                    await q.run(session_id)
                status = (await q.session(session_id)).status
                assert status
                assert status.due_at
    assert asked == 1
