"""An outage is no verdict: a run whose providers or engines are out of order pauses, and goes on once they answer."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.coast import built, coast, town
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Status
from fakes.papers import QUESTION, write_papers
from fakes.researcher import Researcher
from fakes.sample import sample
from fakes.site import Site, page
from online.conftest import settings
from quaestor.app import open_home
from quaestor.app.workers.dispatch import Dispatcher, DispatchLimits
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.errors import ProviderUnavailable
from quaestor.contracts.event import ModelResponded
from quaestor.contracts.result import Result
from quaestor.research.contracts.brief import Brief

GOOD = Researcher()


class Faulty:
    """A provider that is in order for so many answers, and out of order until it is repaired."""

    def __init__(self, status: Status, good: int = 0) -> None:
        self.status = status
        self.good = good
        self.repaired = False
        self.refused = 0

    def __call__(self, asked: Asked) -> Answer:
        if self.repaired or self.good > 0:
            self.good -= 1
            return GOOD(asked)
        self.refused += 1
        return self.status


async def begin(home: Path, options: Mapping[str, JsonValue]) -> str:
    docs = write_papers(home.parent)
    async with open_home(home, **options) as q:
        return await q.start(QUESTION, await q.index([docs]))


async def carry_on(home: Path, options: Mapping[str, JsonValue], session_id: str) -> Result:
    async with open_home(home, **options) as q:
        return await q.run(session_id)


@pytest.mark.parametrize(
    ("status", "good"), sample(product([500, 503, 429], [0, 2]), lambda place: place in {1, 4})
)  # each kind of refusal once, the first call and a later one
async def test_a_provider_that_is_out_of_order_pauses_the_run(tmp_path: Path, status: int, good: int) -> None:
    provider = Faulty(Status(status=status, message="out of order"), good)
    async with OpenAIServer(provider) as server:
        options = settings(server)
        session_id = await begin(tmp_path / "home", options)
        with pytest.raises(ProviderUnavailable, match=f"{status}: out of order"):
            await carry_on(tmp_path / "home", options, session_id)
        async with open_home(tmp_path / "home") as q:
            assert (await q.result(session_id)).pause == "setup"
        provider.repaired = True
        assert (await carry_on(tmp_path / "home", options, session_id)).outcome == "done"


async def test_a_server_that_was_gone_costs_nothing(tmp_path: Path) -> None:
    async with OpenAIServer(GOOD) as server:
        options, port = settings(server), server.port
    session_id = await begin(tmp_path / "home", options)
    with pytest.raises(ProviderUnavailable, match="no connection"):
        await carry_on(tmp_path / "home", options, session_id)
    async with OpenAIServer(GOOD, port=port):
        assert (await carry_on(tmp_path / "home", options, session_id)).outcome == "done"
    async with open_home(tmp_path / "home") as q:
        answers = [each.payload for each in await q.events(session_id) if isinstance(each.payload, ModelResponded)]
    assert {answer.spend.tokens for answer in answers if answer.unavailable} == {0}


async def test_a_pause_of_an_hour_is_named_and_nobody_is_asked_during_it(tmp_path: Path) -> None:
    provider = Faulty(Status(status=429, message="slow down", headers={"Retry-After": "3600"}))
    async with OpenAIServer(provider) as server:
        options = settings(server)
        session_id = await begin(tmp_path / "home", options)
        with pytest.raises(ProviderUnavailable, match=r"pause until \d{4}-\d\d-\d\d \d\d:\d\d UTC"):
            await carry_on(tmp_path / "home", options, session_id)
        assert provider.refused == 1
        provider.repaired = True
        assert (await carry_on(tmp_path / "home", options, session_id)).outcome == "done"


class InTwoHours:
    """A clock that is ahead."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=2)


async def test_a_worker_goes_on_once_the_pause_that_a_provider_asked_for_is_over(tmp_path: Path) -> None:
    provider = Faulty(Status(status=429, message="slow down", headers={"Retry-After": "3600"}))
    async with OpenAIServer(provider) as server:
        options = settings(server)
        session_id = await begin(tmp_path / "home", options)
        with pytest.raises(ProviderUnavailable):
            await carry_on(tmp_path / "home", options, session_id)
        provider.repaired = True
        async with open_home(tmp_path / "home", **options) as q:
            worker = SessionWorker(q, 1)
            limits = DispatchLimits(1, 15)
            await Dispatcher(q.store, q.clock, worker, limits).dispatch(0)
            assert not worker.carries(session_id)
            await Dispatcher(q.store, InTwoHours(), worker, limits).dispatch(0)
            await worker.rested.wait()
            assert (await q.result(session_id)).outcome == "done"


async def test_a_session_that_an_outage_paused_is_replayed(tmp_path: Path) -> None:
    provider = Faulty(Status(status=500), good=3)
    async with OpenAIServer(provider) as server:
        options = settings(server)
        session_id = await begin(tmp_path / "home", options)
        with pytest.raises(ProviderUnavailable):
            await carry_on(tmp_path / "home", options, session_id)
        provider.repaired = True
        first = await carry_on(tmp_path / "home", options, session_id)
    async with open_home(tmp_path / "home", model=f"replay:{session_id}") as q:
        again = await q.run(await q.start(QUESTION, None))
    assert again.report == first.report


async def test_engines_that_are_all_down_are_no_evidence_of_absence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = f"When was the lighthouse of {town(11)} built?"
    out_of_order = page("out of order", status=503, headers={"retry-after": "3600"})
    async with Site({}, other=lambda _: out_of_order) as down:
        port = down.port
        monkeypatch.setenv("SEARXNG_URL", down.url)
        monkeypatch.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{port}")
        options: dict[str, JsonValue] = {"web": ["searxng"], "effort": "low", "pause_seconds": 0}
        async with open_home(tmp_path, **options) as q:
            session_id = await q.start(question, None)
            paused = await q.run(session_id)
            status = (await q.session(session_id)).status
            assert status
            assert status.due_at
            assert timedelta(minutes=50) < status.due_at - q.clock.now() <= timedelta(minutes=60)
    assert paused.pause == "setup"
    assert "no search engine answers" in paused.statement
    async with coast(port=port), open_home(tmp_path, **options) as q:
        result = await q.run(session_id)
    assert isinstance(result.report, Brief)
    assert str(built(11)) in (result.report.answer or "")
    async with open_home(tmp_path, model=f"replay:{session_id}") as q:
        assert (await q.run(await q.start(question, None))).report == result.report
