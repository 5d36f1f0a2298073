"""A session turn by turn: what a client says, and what it does next."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml

from fakes.papers import QUESTION, write_papers
from fakes.sequels import FOLLOW_UP, ask, refresh, told
from fakes.sittings import LIGHTHOUSE, Sitting
from quaestor.app import Quaestor, open_home
from quaestor.app.turns.turn_state import TURNS_FOLD
from quaestor.app.turns.turns import TurnRef, newest_turn, read_turn
from quaestor.contracts.command import Pause
from quaestor.contracts.event import Answered, CycleStarted
from quaestor.contracts.immutable import replace
from quaestor.contracts.result import Turn, TurnResult
from quaestor.research.events import ReportWritten
from quaestor.runtime.fold_snapshots import FoldSnapshots
from quaestor.views.conversation import ConversationLine, build_conversation

HOSTILE = ["nope", "../../etc/passwd", "'; DROP TABLE sessions; --", "x" * 10_000, "\0", "20200101-000000-abcdef"]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with open_home(tmp_path / "home", effort="low") as q:
        yield q


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


async def test_a_question_is_answered_in_one_turn(q: Quaestor, docs: Path) -> None:
    result = await q.turn(Turn(query=LIGHTHOUSE), [docs])
    assert (result.next_action, result.error) == ("report_ready", None)
    assert result.report is not None
    assert result.report.answer == "1831"
    assert result.session_id is not None
    assert await q.report(result.session_id) == result.report


async def test_a_turn_with_a_session_and_a_question_asks_it_on(q: Quaestor, docs: Path) -> None:
    first = await q.turn(Turn(query=LIGHTHOUSE), [docs])
    second = await q.turn(Turn(session_id=first.session_id, query=FOLLOW_UP))
    assert (second.session_id, second.next_action) == (first.session_id, "report_ready")
    assert second.report is not None
    assert (second.report.version, second.report.question) == (2, FOLLOW_UP)
    assert await q.reports(str(first.session_id)) == [first.report, second.report]


async def test_a_turn_with_a_session_alone_goes_on_and_gives_what_there_is(q: Quaestor, docs: Path) -> None:
    session_id = await q.start(LIGHTHOUSE, await q.index([docs]))
    result = await q.turn(Turn(session_id=session_id))
    assert result.next_action == "report_ready"
    events = await q.events(session_id)
    assert await q.turn(Turn(session_id=session_id)) == result
    assert await q.events(session_id) == events


async def test_what_is_unclear_is_asked_and_answered_in_the_next_turn(tmp_path: Path, docs: Path) -> None:
    async with open_home(tmp_path / "home", effort="low") as q:
        asked = await q.turn(Turn(query="When was it built?"), [docs])
    assert (asked.next_action, asked.report) == ("awaiting_clarification", None)
    assert asked.output == "Whom or what does 'it' mean in 'When was it built?'?"
    async with open_home(tmp_path / "home") as q:
        answered = await q.turn(Turn(session_id=asked.session_id, answer="the Aldmouth lighthouse"))
        assert answered.next_action == "report_ready"
        facts = [event.payload for event in await q.events(str(asked.session_id))]
    assert [fact.text for fact in facts if isinstance(fact, Answered)] == ["the Aldmouth lighthouse"]


async def test_a_plan_under_review_is_to_be_confirmed(tmp_path: Path, docs: Path) -> None:
    async with open_home(tmp_path / "home", review_plan=True) as q:
        asked = await q.turn(Turn(query=QUESTION), [docs])
        assert asked.next_action == "awaiting_confirmation"
        assert "Is this plan" in str(asked.output)
        wrong = await q.turn(Turn(session_id=asked.session_id, answer="hm"))
        assert (wrong.next_action, wrong.session_id) == ("error", asked.session_id)
        assert "confirm it or edit it" in str(wrong.error)
        confirmed = await q.turn(Turn(session_id=asked.session_id, answer="/confirm_plan"))
    assert confirmed.next_action == "report_ready"


async def test_where_nothing_is_found_there_is_no_report_and_it_is_said(q: Quaestor, docs: Path) -> None:
    result = await q.turn(Turn(query="Who invented the zip fastener?"), [docs])
    assert (result.next_action, result.report) == ("completed_no_report", None)
    assert "No report" in str(result.output)


async def test_a_turn_that_somebody_pauses_is_paused_and_the_next_one_goes_on(tmp_path: Path) -> None:
    sitting = await waiting_for_a_model(tmp_path)
    async with open_home(sitting.folder) as q:
        running = asyncio.create_task(q.turn(Turn(session_id=sitting.session_id)))
        await sitting.until(lambda event: event.type == "model_requested")
        assert await sitting.tell(Pause()) is None
        result = await asyncio.wait_for(running, 300)
        assert (result.next_action, result.output) == ("paused", "paused; resume to go on")
        assert (await q.turn(Turn(session_id=sitting.session_id))).next_action == "report_ready"


async def waiting_for_a_model(folder: Path) -> Sitting:
    """Return a session that is not run yet and whose clarifier takes its time."""
    (folder / "home").mkdir()
    script = folder / "home" / "slow.yaml"
    script.write_text(yaml.safe_dump({"clarifier": [{"latency": 0.6}]}), encoding="utf-8")
    async with open_home(folder / "home", model=f"script:{script}", effort="low") as q:
        return Sitting(folder / "home", await q.start(LIGHTHOUSE, await q.index([write_papers(folder)])))


async def test_of_two_turns_at_once_one_does_the_work_and_the_other_is_told_that_it_is_done(tmp_path: Path) -> None:
    sitting = await waiting_for_a_model(tmp_path)

    async def one() -> TurnResult:
        async with open_home(sitting.folder) as q:
            return await q.turn(Turn(session_id=sitting.session_id))

    results = await asyncio.gather(one(), one())
    assert sorted(result.next_action for result in results) == ["processing", "report_ready"]
    assert {result.session_id for result in results} == {sitting.session_id}
    assert len(await sitting.of(ReportWritten)) == 1
    async with open_home(sitting.folder) as q:
        assert await q.store.verify_chain(sitting.session_id) == []


async def test_of_two_that_ask_on_at_once_one_is_answered_and_the_other_is_told_why_not(tmp_path: Path) -> None:
    sitting = await told(tmp_path)

    async def one(question: str) -> TurnResult:
        async with open_home(sitting.folder) as q:
            return await q.turn(Turn(session_id=sitting.session_id, query=question))

    results = await asyncio.gather(one(FOLLOW_UP), one("Who kept the Aldmouth lighthouse?"))
    [refused] = [result for result in results if result.next_action != "report_ready"]
    assert refused.next_action in {"error", "processing"}
    assert len(await sitting.of(CycleStarted)) == 1
    async with open_home(sitting.folder) as q:
        assert await q.store.verify_chain(sitting.session_id) == []
        assert len(await q.reports(sitting.session_id)) == 2


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: repr(each)[:20])
@pytest.mark.parametrize("said", [{}, {"query": LIGHTHOUSE}, {"answer": "yes"}], ids=lambda said: "".join(said) or "-")
async def test_an_unknown_or_hostile_id_is_named_and_nothing_is_made(
    q: Quaestor, hostile: str, said: dict[str, str], tmp_path: Path
) -> None:
    before = files(tmp_path)
    result = await q.turn(Turn.model_validate({"session_id": hostile, **said}))
    assert (result.next_action, result.session_id, result.report) == ("error", hostile, None)
    assert "there is no session" in str(result.error)
    assert hostile[:20].strip("\0") in str(result.error)
    assert await q.sessions() == []
    assert files(tmp_path) == before


async def test_a_session_that_goes_on_is_not_asked_on(tmp_path: Path) -> None:
    sitting = await waiting_for_a_model(tmp_path)
    async with open_home(sitting.folder) as q:
        result = await q.turn(Turn(session_id=sitting.session_id, query=FOLLOW_UP))
    assert result.next_action == "error"
    assert str(result.error).startswith(f"session {sitting.session_id}: the session is not finished")
    assert await sitting.of(CycleStarted) == []


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (Turn(query="  "), "the question is empty"),
        (Turn(query=LIGHTHOUSE, model="oracle"), "'oracle' is not known"),
        (Turn(query=LIGHTHOUSE, tools=("nobody",)), "nobody"),
        (Turn(query="why " * 30_000), "at most 20,000 can be asked"),
    ],
    ids=["empty", "model", "engine", "long"],
)
async def test_a_turn_that_cannot_be_meant_begins_nothing_and_says_why(
    q: Quaestor, docs: Path, turn: Turn, why: str
) -> None:
    result = await q.turn(turn, [docs])
    assert (result.session_id, result.next_action) == (None, "error")
    assert why in str(result.error)
    assert await q.sessions() == []


async def test_a_new_question_needs_something_to_read(q: Quaestor) -> None:
    result = await q.turn(Turn(query=LIGHTHOUSE))
    assert (result.session_id, result.next_action) == (None, "error")
    assert "no documents were named" in str(result.error)


async def test_a_turn_may_name_another_model(q: Quaestor, docs: Path, tmp_path: Path) -> None:
    script = tmp_path / "silent.yaml"
    script.write_text(yaml.safe_dump({"reader": [{"fault": "garbage", "times": 99}]}), encoding="utf-8")
    result = await q.turn(Turn(query=LIGHTHOUSE, model=f"script:{script}"), [docs])
    assert result.next_action in {"awaiting_clarification", "completed_no_report"}
    assert (await q.state(str(result.session_id))).options.model == f"script:{script}"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "a turn needs a query"),
        ({"answer": "yes"}, "a turn needs a query"),
        ({"session_id": "s", "query": "a", "answer": "b"}, "asks or answers, not both"),
        ({"query": ""}, "the question is empty"),
        ({"quary": "a"}, "quary cannot be used"),
        ({"query": 5}, "query cannot be used"),
    ],
)
async def test_what_is_no_turn_is_answered_with_an_error(q: Quaestor, said: dict[str, object], why: str) -> None:
    result = await q.turn(said)
    assert (result.next_action, why in str(result.error)) == ("error", True), result.error


async def test_a_turn_without_intent_is_answered_with_an_error(q: Quaestor) -> None:
    assert (await q.turn(Turn())).next_action == "error"


async def test_a_turn_gives_its_session_at_once_to_a_client_that_follows_it(q: Quaestor, docs: Path) -> None:
    begun = await q.turn(Turn(query=LIGHTHOUSE), [docs], run=False)
    assert begun.next_action == "processing"
    assert (await q.session(str(begun.session_id))).events == 1
    assert (await q.turn(Turn(session_id=begun.session_id))).next_action == "report_ready"


async def test_a_conversation_holds_both_questions_and_matches_every_tool_to_what_it_gave(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    await ask(sitting)
    lines = list(build_conversation(await sitting.events()))
    users = [line for line in lines if line.speaker == "user"]
    assert lines[0] == users[0]
    assert [line.content for line in users] == [QUESTION, FOLLOW_UP]
    assert paired(lines) > 5
    assert [line.seq for line in lines] == sorted(line.seq for line in lines)
    assert {"clarifier", "planner", "reader", "writer", "quaestor"} <= {
        line.name for line in lines if line.speaker == "model"
    }


def paired(lines: list[ConversationLine]) -> int:
    """Check that every request is answered once, under its ref and by its tool; count them."""
    running: dict[str, str] = {}
    requests = [line for line in lines if line.speaker == "tool_request"]
    for line in lines:
        assert line.speaker == "user" or line.ref or line.name == "quaestor"
        if line.speaker == "tool_request":
            assert line.ref not in running
            running[str(line.ref)] = line.name
        elif line.speaker == "tool_response":
            assert running.pop(str(line.ref)) == line.name
    assert running == {}
    return len(requests)


async def test_resuming_a_report_that_was_refreshed_in_vain_gives_it(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    await refresh(sitting)
    async with open_home(sitting.folder) as q:
        assert await q.resume(sitting.session_id) == await q.report(sitting.session_id)


@pytest.mark.parametrize("answer", ["", "x" * 20_001], ids=["empty", "long"])
async def test_an_answer_that_cannot_be_used_is_answered_with_an_error(q: Quaestor, docs: Path, answer: str) -> None:
    asked = await q.turn(Turn(query="When was it built?"), [docs])
    result = await q.turn(Turn(session_id=asked.session_id, answer=answer))
    assert (result.next_action, result.session_id) == ("error", asked.session_id)
    assert "cannot be used" in str(result.error)


async def test_who_asks_for_a_turn_goes_on_from_the_snapshot_of_who_asked_before(q: Quaestor, docs: Path) -> None:
    session_id = await q.start(LIGHTHOUSE, await q.index([docs]))
    await q.run(session_id)
    seq, known = await q.fold_log(session_id, TURNS_FOLD)
    known.turns[0] = replace(known.turns[0], said="as the snapshot has it")
    await FoldSnapshots(session_id, TURNS_FOLD, q.store, q.snapshots).keep(seq, known)
    assert (await newest_turn(q, session_id))[1].said == "as the snapshot has it"
    await q.turn(Turn(session_id=session_id, query=FOLLOW_UP))
    assert (await read_turn(q, TurnRef(session_id))).said == "as the snapshot has it"
    second = await read_turn(q, TurnRef(session_id, seq))
    assert (second.said, bool(second.document)) == (FOLLOW_UP, True)
    assert (await newest_turn(q, session_id))[0] == TurnRef(session_id, seq)
