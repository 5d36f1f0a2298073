import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

import quaestor
from fakes.papers import QUESTION, write_papers
from fakes.sequels import FOLLOW_UP, ask, papers, refresh, rewrite, told
from fakes.sittings import Sitting
from quaestor.app import DATABASE_FILE, Quaestor, default_home, open_home
from quaestor.contracts.errors import (
    HomeNotWritable,
    LeaseUnavailable,
    NoEvidence,
    StoreFull,
    UnknownSession,
    UsageError,
)

BUILT = "When was the Aldmouth lighthouse built?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


@pytest.fixture
async def q(tmp_path: Path) -> AsyncIterator[Quaestor]:
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        yield q


async def test_a_question_becomes_a_report_of_proven_quotes(q: Quaestor, docs: Path) -> None:
    report = await q.research(BUILT, docs=[docs])
    assert report.answer == "1831"
    for citation in report.citations():
        text = await q.library.text(citation.source)
        assert text is not None
        assert text[citation.start : citation.end] == citation.text


async def test_the_same_question_goes_on_with_its_open_session_and_begins_anew_after_it(
    q: Quaestor, docs: Path
) -> None:
    corpus = await q.index([docs])
    first = await q.start(QUESTION, corpus)
    assert await q.start(f"  {QUESTION.replace(' ', '   ')}\n", corpus) == first
    assert await q.start(QUESTION.upper(), corpus) != first
    await q.run(first)
    assert await q.start(QUESTION, corpus) != first


async def test_the_same_question_over_other_documents_is_another_session(q: Quaestor, docs: Path) -> None:
    first = await q.start(QUESTION, await q.index([docs]))
    assert await q.start(QUESTION, await q.index([docs / "fog.md"])) != first


async def test_equal_runs_give_equal_bytes(docs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("The Aldmouth lighthouse is mentioned here too, and built, and built again.\n")
    reports = []
    for home, before in (("one", None), ("two", other)):
        async with quaestor.open(tmp_path / home) as q:
            if before:
                await q.index([before])
            report = await q.research(QUESTION, docs=[docs])
            reports.append(report.model_dump_json(exclude={"sources": {"__all__": {"retrieved_at"}}}))
    assert reports[0] == reports[1]


async def test_sources_that_give_other_numbers_are_no_repetition_but_a_contradiction(q: Quaestor, docs: Path) -> None:
    (docs / "later.txt").write_text("The Aldmouth lighthouse was built in 1835 by the engineer Henrike Vos.\n")
    report = await q.research(BUILT, docs=[docs])
    assert isinstance(report, quaestor.Brief)
    [difference] = report.differences
    assert set(difference.values) == {"1831", "1835"}
    sources = {passage.number: passage.source for passage in report.passages}
    assert len({sources[number] for number in difference.passages}) == 2
    assert report.answer is None


async def test_without_evidence_research_raises(q: Quaestor, docs: Path) -> None:
    with pytest.raises(NoEvidence, match="No report: no passage that was found"):
        await q.research("What is the boiling point of tungsten?", docs=[docs])


async def test_two_runs_of_one_session_at_once_are_one_run_and_one_refusal(q: Quaestor, docs: Path) -> None:
    session_id = await q.start(BUILT, await q.index([docs]))
    ended = await asyncio.gather(q.run(session_id), q.run(session_id), return_exceptions=True)
    assert sorted(isinstance(one, LeaseUnavailable) for one in ended) == [False, True]
    assert (await q.result(session_id)).outcome == "done"


async def test_following_from_any_number_misses_and_repeats_nothing(q: Quaestor, docs: Path) -> None:
    session_id = await q.start(BUILT, await q.index([docs]))
    live = asyncio.create_task(_collect(q, session_id, 0))
    await q.run(session_id)
    seqs = await asyncio.wait_for(live, 300)
    assert seqs == list(range(1, len(seqs) + 1))
    assert await _collect(q, session_id, 7) == seqs[7:]


async def _collect(q: Quaestor, session_id: str, after: int) -> list[int]:
    return [event.seq async for event in q.follow(session_id, after)]


async def test_resuming_what_is_finished_gives_its_report(q: Quaestor, docs: Path) -> None:
    session_id = await q.start(BUILT, await q.index([docs]))
    report = await q.resume(session_id)
    events = await q.events(session_id)
    assert await q.resume(session_id) == report
    assert await q.events(session_id) == events


@pytest.mark.parametrize("hostile", ["nope", "../../etc/passwd", "'; DROP TABLE sessions; --", "x" * 10_000, ""])
async def test_an_unknown_or_hostile_id_is_named_and_nothing_is_made(q: Quaestor, hostile: str) -> None:
    with pytest.raises(UnknownSession, match="there is no session"):
        await q.run(hostile)
    assert await q.sessions() == []


@pytest.mark.parametrize("question", ["", "  \n ", "why " * 30_000])
async def test_no_question_and_far_too_much_question_are_refused(q: Quaestor, docs: Path, question: str) -> None:
    with pytest.raises(UsageError, match=r"question"):
        await q.start(question, await q.index([docs]))


async def test_an_unknown_model_is_refused_before_anything_is_stored(q: Quaestor, docs: Path) -> None:
    with pytest.raises(UsageError, match="'oracle' is not known"):
        await q.research(BUILT, docs=[docs], model="oracle")
    assert await q.sessions() == []


async def test_a_home_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeNotWritable, match="cannot be created"):
        async with quaestor.open(tmp_path / "file" / "home"):
            pass


async def test_a_full_disk_stops_the_run_and_loses_nothing(docs: Path, tmp_path: Path) -> None:
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        session_id = await q.start(QUESTION, await q.index([docs]))
        database = q.store._database  # type: ignore[attr-defined]  # a full disk is made by a page limit
        [[pages]] = database.rows("PRAGMA page_count")
        database.rows(f"PRAGMA max_page_count = {pages + 8}")
        with pytest.raises(StoreFull, match="what was acknowledged is safe"):
            await q.run(session_id)
        kept = await q.events(session_id)
        assert len(kept) > 1
    async with quaestor.open(tmp_path / "home") as q:
        await q.resume(session_id)
        assert (await q.events(session_id))[: len(kept)] == kept
        assert await q.store.verify_chain(session_id) == []


async def test_everything_is_kept_in_one_file(q: Quaestor, docs: Path, tmp_path: Path) -> None:
    await q.research(BUILT, docs=[docs])
    assert {path.name.removesuffix("-wal").removesuffix("-shm") for path in (tmp_path / "home").iterdir()} == {
        DATABASE_FILE
    }


def test_the_home_is_named_by_the_environment_or_the_platform(tmp_path: Path) -> None:
    assert default_home({"QUAESTOR_HOME": str(tmp_path)}) == tmp_path
    assert default_home({}).name == "quaestor"


async def test_the_first_question_again_does_not_join_the_follow_up(tmp_path: Path) -> None:
    sitting = await told(tmp_path)
    async with open_home(sitting.folder, model=(await sitting.state()).options.model, effort="low") as q:
        await q.ask(sitting.session_id, FOLLOW_UP)
        assert await q.start(QUESTION, await q.index([papers(sitting)])) != sitting.session_id


# tests/app/test_steering.py: two more WAYS of a replay
async def refreshed_twice(folder: Path) -> Sitting:
    sitting = await told(folder)
    await refresh(sitting)
    rewrite(sitting, "fog.md", "1844", "1845")
    await refresh(sitting)
    return sitting


async def asked_the_same_again(folder: Path) -> Sitting:
    vague = {"reply": {"is_clear": False, "questions": ["Which one?"], "assumptions": []}}
    sitting = await told(folder, {"clarifier": [{}, vague]}, questions=False)
    await ask(sitting, QUESTION)
    return sitting


@pytest.mark.parametrize("way", [refreshed_twice, asked_the_same_again])
async def test_a_replay_gives_in_every_cycle_what_was_given_then(
    tmp_path: Path, way: Callable[[Path], Awaitable[Sitting]]
) -> None:
    sitting = await way(tmp_path)
    async with open_home(sitting.folder, model=f"replay:{sitting.session_id}") as q:
        session_id = await q.start(QUESTION, None)
        await q.run(session_id)
        assert await q.reports(session_id) == await q.reports(sitting.session_id)
