"""Kill -9 while a person is asked: nothing is asked twice, nothing told is lost, and no tool runs unconfirmed."""

import asyncio
import signal
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from crash.conftest import Home, Moments, run_until_killed, spread
from fakes.children import check_kept, die, ended, fork
from fakes.sittings import BELL, LIGHTHOUSE, Sitting, sit
from quaestor.app import open_home
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Answered, Event, QuestionAsked, SessionFinished, ToolRequested
from quaestor.research.events import PlanReviewed

VAGUE = "When was it built?"
ANSWERS = {"ask/1": "the Aldmouth lighthouse", "plan": "/confirm_plan"}


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Sitting:
    """Return a session that was not run yet and will ask what its question means and whether its plan is right."""
    script = {"planner": [{"reply": {"todos": [{"task": LIGHTHOUSE}, {"task": BELL}]}}]}
    folder = tmp_path_factory.mktemp("people")
    begun = asyncio.run(sit(folder, script, VAGUE, review_plan=True, queries=1))
    asyncio.run(_rehearsed(Home(begun.folder, begun.session_id).copied(folder / "rehearsal")))
    return begun


async def _rehearsed(home: Home) -> None:
    """Run a session to its end in this process: its children need not import what it has."""
    async with open_home(home.folder) as q:
        while (await q.run(home.session_id)).status == "waiting":
            question = asked(await q.events(home.session_id))
            assert question is not None
            await q.tell(home.session_id, Answer(text=ANSWERS[question.ref]))


def asked(events: Sequence[Event]) -> QuestionAsked | None:
    """Return the question that stands open at the end of a log."""
    last = events[-1].payload
    return last if isinstance(last, QuestionAsked) else None


def brought_to_its_end(home: Home) -> Sequence[Event]:
    """Carry a session on, opened again for each question, and answer whatever it asks; check its log."""
    while not isinstance(home.events()[-1].payload, SessionFinished):
        asyncio.run(_carried_on(home))
    events = home.events()
    payloads = [event.payload for event in events]
    assert [fact.ref for fact in payloads if isinstance(fact, QuestionAsked)] == ["ask/1", "plan"]
    assert [fact.text for fact in payloads if isinstance(fact, Answered)] == ["the Aldmouth lighthouse"]
    assert [fact.review for fact in payloads if isinstance(fact, PlanReviewed)] == ["confirmed"]
    confirmed = next(event.seq for event in events if isinstance(event.payload, PlanReviewed))
    assert min(event.seq for event in events if isinstance(event.payload, ToolRequested)) > confirmed
    return events


async def _carried_on(home: Home) -> None:
    async with open_home(home.folder) as q:
        await q.run(home.session_id)
        if question := asked(await q.events(home.session_id)):
            assert await q.tell(home.session_id, Answer(text=ANSWERS[question.ref])) is None


@pytest.mark.parametrize("moments", spread(4))
def test_a_kill_at_an_append_of_asking_and_reviewing_changes_nothing(
    waiting: Sitting, tmp_path: Path, moments: Moments
) -> None:
    """Up to the first tool; what comes after it is killed elsewhere."""
    base, numbers, kills, places = Home(waiting.folder, waiting.session_id), iter(moments), 0, count()
    while not any(isinstance(event.payload, ToolRequested) for event in base.events()):
        number = next(numbers)
        home = base.copied(tmp_path / f"{next(places)}")
        if run_until_killed(home, moments.phase, number) == 0:
            base, numbers = home, iter(moments)
            if question := asked(home.events()):
                asyncio.run(_told(home, ANSWERS[question.ref]))
            continue
        kills += 1
        acknowledged = home.events()
        if any(isinstance(event.payload, ToolRequested) for event in acknowledged):
            break
        check_kept(acknowledged, brought_to_its_end(home), kills=1)
    assert kills >= 6 // moments.step


async def _told(home: Home, text: str) -> None:
    async with open_home(home.folder) as q:
        assert await q.tell(home.session_id, Answer(text=text)) is None


@pytest.mark.parametrize("ref", ["ask/1", "plan"])
def test_an_answer_whose_sender_is_killed_is_obeyed_once_by_whoever_comes_next(
    waiting: Sitting, tmp_path: Path, ref: str
) -> None:
    home = Home(waiting.folder, waiting.session_id).copied(tmp_path / "home")

    async def until_asked() -> None:
        async with open_home(home.folder) as q:
            while (await q.run(home.session_id)).status == "waiting":
                question = asked(await q.events(home.session_id))
                assert question is not None
                if question.ref == ref:
                    return
                await q.tell(home.session_id, Answer(text=ANSWERS[question.ref]))

    async def send_and_die() -> None:
        async with open_home(home.folder) as q:
            at = (await q.events(home.session_id))[-1].at
            await q.store.send(home.session_id, Answer(text=ANSWERS[ref]), at)
            die()

    assert ended(fork(until_asked)) == 0
    before = home.events()
    assert ended(fork(send_and_die)) == -signal.SIGKILL
    assert home.events() == before
    check_kept(before, brought_to_its_end(home), kills=0)
