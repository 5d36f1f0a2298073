"""Follow-up questions, refreshed reports, and the versions of a report."""

import json
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Prepare, Quaestor

LIT = "When were the leading lights of Aldmouth lit?"
COST = "What did the fog bell of Aldmouth cost?"


STANDS = "No cited source has changed, so version 1 of the report stands."


@pytest.fixture
def told(prepare: Prepare) -> Ended:
    """Return a run whose report is about the leading lights."""
    ended = prepare("research", LIT, "--docs", "FOLDER/papers")
    assert ended.code == 0
    return ended


@pytest.fixture
def own(quaestor: Quaestor, docs: Path) -> Ended:
    """Return such a run over documents of the test alone."""
    return quaestor("research", LIT, "--docs", docs)


@pytest.fixture
def begun(quaestor: Quaestor, told: Ended) -> str:
    """Return a session that has a plan and no report."""
    return quaestor("fork", told.session, "--at", "20").out.strip()


def test_a_follow_up_prints_its_own_report(quaestor: Quaestor, told: Ended, home: Path) -> None:
    ended = quaestor("ask", told.session, COST)
    assert ended.code == 0
    assert f"\n# {COST}\n" in ended.out
    assert "310 crowns" in ended.out
    assert ended.session == told.session
    assert f"read it again  quaestor report {told.session} --home {home}" in ended.err
    assert quaestor("report", told.session).out == ended.out
    assert quaestor("report", told.session, "--version", "2").out == ended.out
    assert quaestor("report", told.session, "--version", "1").out == told.out
    assert "finished: done" in quaestor("ps").out
    assert quaestor("verify", told.session).code == 0


def test_how_a_version_differs_from_the_one_before_is_text(quaestor: Quaestor, told: Ended) -> None:
    quaestor("ask", told.session, COST)
    ended = quaestor("report", told.session, "--diff")
    assert ended.code == 0
    assert ended.out.startswith("Version 1 and version 2 differ:")
    assert any(line.startswith("+ ") and "310 crowns" in line for line in ended.out.splitlines())
    assert quaestor("report", told.session, "--version", "2", "--diff").out == ended.out


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--version", "2"], "has no version 2 of a report; it has 1"),
        (["--version", "0"], "has no version 0 of a report; it has 1"),
        (["--version", "-1"], "has no version -1 of a report; it has 1"),
        (["--diff"], "version 1 is the first, so there is none before it; it has 1"),
        (["--version", "one"], "one"),
        (["--diff", "--format", "html"], "leave out --format and --out"),
        (["--diff", "--out", "difference.md"], "leave out --format and --out"),
    ],
)
def test_a_version_that_there_is_not_is_named_with_those_that_there_are(
    quaestor: Quaestor, told: Ended, said: list[str], why: str
) -> None:
    ended = quaestor("report", told.session, *said)
    assert (ended.code, ended.out) == (2, "")
    assert why in ended.err
    assert not Path("difference.md").exists()


def test_a_session_without_a_report_has_no_version(quaestor: Quaestor, begun: str) -> None:
    assert "it has none" in quaestor("report", begun, "--version", "1").err
    ended = quaestor("report", begun, "--diff")
    assert (ended.code, ended.out) == (2, "")
    assert "no report yet" in ended.err


def test_a_follow_up_can_be_watched_as_a_stream(quaestor: Quaestor, told: Ended) -> None:
    ended = quaestor("ask", told.session, COST, "--json")
    first, *lines = [json.loads(line) for line in ended.out.splitlines()]
    assert first["message"] == f"begins again, with a follow-up question: {COST}"
    assert [line["version"] for line in lines if line["type"] == "final_report"] == [2]


def test_a_follow_up_may_ask_back(quaestor: Quaestor, told: Ended) -> None:
    ended = quaestor("ask", told.session, "Who built it?")
    assert (ended.code, ended.out) == (5, "")
    answered = quaestor("answer", told.session, "The Aldmouth lighthouse")
    assert answered.code == 0
    assert "\n# Who built it? (" in answered.out


def test_a_follow_up_that_nothing_answers_leaves_the_report_as_it_was(quaestor: Quaestor, told: Ended) -> None:
    ended = quaestor("ask", told.session, "What is the boiling point of tungsten?")
    assert (ended.code, ended.out) == (6, "")
    assert "No report" in ended.err
    assert quaestor("report", told.session).out == told.out


def test_a_follow_up_goes_to_a_file(quaestor: Quaestor, told: Ended, tmp_path: Path) -> None:
    ended = quaestor("ask", told.session, COST, "--format", "json", "--out", tmp_path / "report.json")
    assert (ended.code, ended.out) == (0, "")
    assert json.loads((tmp_path / "report.json").read_text())["version"] == 2
    assert quaestor("ask", told.session, COST, "--out", tmp_path).code == 2
    assert quaestor("events", told.session, "--type", "cycle_started").out.count("\n") == 1


@pytest.mark.parametrize("question", ["", "  ", "why " * 30_000, "caf\udce9"], ids=["none", "blank", "long", "odd"])
def test_what_is_no_question_is_refused(quaestor: Quaestor, told: Ended, question: str) -> None:
    ended = quaestor("ask", told.session, question)
    assert (ended.code, ended.out) == (2, "")
    assert "question" in ended.err
    assert len(ended.err) < 500


def test_a_question_may_begin_with_a_dash(quaestor: Quaestor, told: Ended, home: Path) -> None:
    asked = quaestor("--home", home, "ask", told.session, "--", "-4 crowns for the fog bell of Aldmouth?")
    assert asked.code in {0, 6}


ASKING_ON = pytest.mark.parametrize("order", [["ask", COST], ["refresh"], ["revise", "t1"]], ids=lambda order: order[0])


@ASKING_ON
def test_what_is_not_finished_does_not_begin_again(quaestor: Quaestor, begun: str, order: list[str]) -> None:
    ended = quaestor(order[0], begun, *order[1:])
    assert (ended.code, ended.out) == (2, "")
    assert f"session {begun}: the session is not finished; wait for its report, or finish it now" in ended.err


@ASKING_ON
def test_what_was_interrupted_is_resumed_before_it_is_asked_on(
    quaestor: Quaestor, begun: str, home: Path, order: list[str]
) -> None:
    said = quaestor(order[0], begun, *order[1:]).err
    assert f"No process carries it on; go on with: quaestor resume {begun} --home {home}" in said
    assert quaestor("resume", begun).code == 0
    assert quaestor("ask", begun, COST).code == 0


@ASKING_ON
def test_what_waits_for_a_person_is_answered_before_it_is_asked_on(
    quaestor: Quaestor, docs: Path, order: list[str]
) -> None:
    waiting = quaestor("research", LIT, "--docs", docs, "--review-plan")
    assert waiting.code == 5
    said = quaestor(order[0], waiting.session, *order[1:]).err
    assert "wait for its report" in said
    assert "It waits for a person (" in said
    assert f"this shows how to answer: quaestor resume {waiting.session}" in said
    assert f"quaestor answer {waiting.session} /confirm_plan" in quaestor("resume", waiting.session).err


def test_what_another_process_carries_on_is_waited_for(
    quaestor: Quaestor, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = "the session is not finished; wait for its report, or finish it now"

    async def holder(_quaestor: object, _session_id: str) -> str:
        return "process 1 on elsewhere"

    async def refuse(_quaestor: object, _session_id: str, _order: object) -> str:
        return refusal

    monkeypatch.setattr("quaestor.app.Quaestor.holder", holder)
    monkeypatch.setattr("quaestor.app.Quaestor.tell", refuse)
    ended = quaestor("ask", begun, COST)
    assert ended.err == f"quaestor: session {begun}: {refusal}\n"


def test_a_finished_session_that_refuses_says_why_and_no_more(quaestor: Quaestor, told: Ended) -> None:
    assert "resume" not in quaestor("revise", told.session, "t1").err


@pytest.mark.parametrize(
    "order", [["ask", COST], ["refresh"], ["report", "--version", "1"]], ids=lambda order: order[0]
)
@pytest.mark.parametrize("hostile", ["20200101-000000-abcdef", "../../etc/passwd", "'; DROP TABLE sessions; --"])
def test_a_session_that_is_not_there_is_named_and_not_made(
    quaestor: Quaestor, home: Path, order: list[str], hostile: str
) -> None:
    ended = quaestor(order[0], hostile, *order[1:])
    assert (ended.code, ended.out) == (2, "")
    assert hostile in ended.err
    assert quaestor("ps").out == ""
    assert {path.name.partition("-")[0] for path in home.iterdir()} == {"quaestor.db"}


def test_a_report_whose_sources_are_what_they_were_stands(quaestor: Quaestor, told: Ended) -> None:
    ended = quaestor("refresh", told.session)
    assert (ended.code, ended.out) == (0, told.out)
    assert STANDS in ended.err.splitlines()
    assert "differ" not in ended.err
    assert quaestor("report", told.session).out == quaestor("attach", told.session).out == told.out


def test_a_report_that_stands_is_written_in_the_format_and_to_the_file_that_are_asked_for(
    quaestor: Quaestor, told: Ended, tmp_path: Path
) -> None:
    ended = quaestor("refresh", told.session, "--format", "json")
    assert (ended.code, ended.out) == (0, quaestor("report", told.session, "--format", "json").out)
    to_file = quaestor("refresh", told.session, "--out", tmp_path / "report.html")
    assert (to_file.code, to_file.out) == (0, "")
    assert STANDS in to_file.err.splitlines()
    assert (tmp_path / "report.html").read_text() == quaestor("report", told.session, "--format", "html").out
    stream = quaestor("refresh", told.session, "--json").out
    assert STANDS in json.loads(stream.splitlines()[-1]).values()


def test_a_report_whose_sources_changed_is_written_anew_and_the_difference_is_said(
    quaestor: Quaestor, own: Ended, docs: Path, tmp_path: Path
) -> None:
    lights = docs / "leading-lights.txt"
    lights.write_text(lights.read_text().replace("1866", "1867"))
    ended = quaestor("refresh", own.session, "--out", tmp_path / "report.md")
    assert (ended.code, ended.out) == (0, "")
    assert "1867" in (tmp_path / "report.md").read_text()
    assert "1866" not in (tmp_path / "report.md").read_text()
    lines = ended.err.splitlines()
    said = lines.index("Version 1 and version 2 differ:")
    assert any(line.startswith("+ ") and "1867" in line for line in lines[said:])
    assert any(line.startswith("- ") and "1866" in line for line in lines[said:])
    assert quaestor("report", own.session, "--diff").out.splitlines() == lines[said:]


def test_a_folder_that_is_gone_is_named(quaestor: Quaestor, own: Ended, docs: Path, tmp_path: Path) -> None:
    docs.rename(tmp_path / "elsewhere")
    ended = quaestor("refresh", own.session)
    assert (ended.code, ended.out) == (2, "")
    assert str(docs) in ended.err
    assert quaestor("report", own.session).out == own.out


def test_after_a_refresh_that_changed_nothing_the_report_stands_and_is_shown_and_replayed(
    quaestor: Quaestor, own: Ended, docs: Path
) -> None:
    before = quaestor("show", own.session).out
    ended = quaestor("refresh", own.session)
    assert (ended.code, ended.out) == (0, own.out)
    assert STANDS in ended.err.splitlines()
    shown = quaestor("show", own.session).out
    assert [line for line in before.splitlines() if line.startswith(("report", "searches"))] == [
        line for line in shown.splitlines() if line.startswith(("report", "searches"))
    ]
    again = quaestor("research", LIT, "--docs", docs, "--model", f"replay:{own.session}")
    assert again.code == 0
    assert again.out == own.out
