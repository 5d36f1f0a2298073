"""What a person tells a session that nobody carries on at that moment; with other processes see `test_attach`."""

import re
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Prepare, Quaestor
from fakes.papers import QUESTION


@pytest.fixture
def asking(prepare: Prepare) -> Ended:
    """Return a run that asks what is meant."""
    ended = prepare("research", "Who built it?", "--docs", "FOLDER/papers")
    assert (ended.code, ended.out) == (5, "")
    return ended


@pytest.fixture
def begun(quaestor: Quaestor, finished: Ended) -> str:
    """Return a session that has a plan and has found something."""
    recorded = quaestor("events", finished.session, "--type", "todo_recorded").out.split()[0]
    return quaestor("fork", finished.session, "--at", recorded).out.strip()


def test_a_question_names_the_command_that_answers_it(asking: Ended, home: Path) -> None:
    assert "  Whom or what does 'it' mean in 'Who built it?'?" in asking.err
    assert f"answer with: quaestor answer {asking.session} 'YOUR ANSWER' --home {home}" in asking.err


def test_an_answer_carries_the_session_on_to_its_report(quaestor: Quaestor, asking: Ended) -> None:
    ended = quaestor("answer", asking.session, "The Aldmouth lighthouse", "--format", "html")
    assert ended.code == 0
    assert ended.out.startswith("<!doctype html>")
    assert quaestor("answer", asking.session, "Something else").code == 2


def test_a_stream_of_the_answered_run_can_begin_behind_the_question(quaestor: Quaestor, asking: Ended) -> None:
    seen = quaestor("events", asking.session).out.splitlines()[-1].split()[0]
    ended = quaestor("answer", asking.session, "The Aldmouth lighthouse", "--json", "--after", seen)
    assert '"message":"a person answered ask/1"' in ended.out.splitlines()[0]
    assert '"type":"final_report"' in ended.out


def test_what_answers_nothing_is_refused(quaestor: Quaestor, asking: Ended) -> None:
    for text in ("", "  ", "x" * 20_001, "caf\udce9"):
        ended = quaestor("answer", asking.session, text)
        assert ended.code == 2
        assert ended.err.startswith("quaestor: the answer '")
        assert len(ended.err) < 300
    assert quaestor("resume", asking.session).code == 5


def test_an_order_for_a_plan_is_no_answer(quaestor: Quaestor, asking: Ended) -> None:
    ended = quaestor("answer", asking.session, "/Confirm_Plan")
    assert ended.code == 2
    assert "no plan yet" in ended.err


def test_a_run_that_the_set_up_paused_names_the_command_that_goes_on(
    quaestor: Quaestor, docs: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("planner: [{fault: error, times: 3}]\nquery_writer: [{fault: error, times: 3}]\n", "utf-8")
    ended = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{script}", "--no-questions")
    assert ended.code == 3
    assert ended.err.rstrip().endswith(f"(`quaestor resume {ended.session}` goes on)")
    script.write_text("{}", "utf-8")
    assert quaestor("resume", ended.session).code == 0


def test_a_run_whose_model_is_of_no_use_goes_on_in_a_fork_with_another_one(
    quaestor: Quaestor, docs: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    useless = '[{reply: {sorry: "I cannot help with that."}, times: 99}]'
    script.write_text("\n".join(f"{role}: {useless}" for role in ("planner", "query_writer", "reader")), "utf-8")
    ended = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{script}", "--no-questions")
    assert ended.code == 3
    assert "see to the model and resume, or fork the session with another one" in ended.err
    named = re.search(
        rf"\(`quaestor resume {ended.session}` goes on, `quaestor (fork .*) --model MODEL` with", ended.err
    )
    assert named
    forked = quaestor(*named[1].split(), "--model", "offline").out.strip()
    assert quaestor("resume", forked).code == 0


def test_questions_can_be_switched_off(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", "Who built it?", "--docs", docs, "--no-questions")
    assert ended.code in {0, 6}
    assert "question:" not in ended.err


def test_a_plan_under_review_waits_and_is_confirmed(quaestor: Quaestor, docs: Path, home: Path) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--review-plan")
    assert (ended.code, ended.out) == (5, "")
    assert f"look at it  quaestor plan {ended.session} --home {home}" in ended.err
    assert f"confirm it  quaestor answer {ended.session} /confirm_plan --home {home}" in ended.err
    assert quaestor("events", ended.session, "--type", "tool_requested").out == ""
    assert quaestor("answer", ended.session, "hm").code == 2
    assert quaestor("answer", ended.session, " /CONFIRM_plan ").code == 0


def test_finish_writes_the_report_from_what_there_is(quaestor: Quaestor, begun: str) -> None:
    ended = quaestor("finish", begun, "--format", "json")
    assert ended.code == 4
    assert ended.out.startswith("{")
    refused = quaestor("finish", begun)
    assert refused.code == 2
    assert refused.err.endswith("ask on with a follow-up question, or fork it\n")  # no option would help


def test_what_is_cancelled_has_no_report_and_is_not_gone_on_with(quaestor: Quaestor, begun: str) -> None:
    assert quaestor("cancel", begun).code == 0
    assert f"{begun}  finished: cancelled" in quaestor("ps").out
    ended = quaestor("resume", begun)
    assert (ended.code, ended.out) == (1, "")
    assert "cancelled" in ended.err


def test_what_is_paused_says_how_it_goes_on(quaestor: Quaestor, begun: str, home: Path) -> None:
    paused = quaestor("pause", begun)
    assert paused.err == f"paused; continue with: quaestor resume {begun} --home {home}\n"
    assert f"{begun}  paused" in quaestor("ps").out
    assert quaestor("resume", begun).code == 0


def test_a_todo_that_failed_for_good_is_tried_again_or_given_up(quaestor: Quaestor, docs: Path) -> None:
    script = docs.parent / "lost.yaml"
    script.write_text("reader:\n  - {fault: error, times: 99}\n")
    asked = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{script}")
    assert asked.code == 5
    assert "Retry it, or go on without it?" in asked.err
    lost = next(row.split()[0] for row in asked.err.splitlines()[::-1] if " times: " in row)
    script.write_text("{}")
    again = quaestor("retry", asked.session, lost)
    assert again.code == 0
    assert again.err.startswith(f"{lost} is tried again; continue with: ")
    assert f"does {lost} again" in quaestor("plan", asked.session).out
    for todo, reason in (("t99", "there is no t99"), (lost, "tried again already")):
        refused = quaestor("retry", asked.session, todo)
        assert refused.code == 2
        assert reason in refused.err


def test_a_budget_is_raised_where_it_is_limited(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--review-plan", "--budget", "0.50", "--max-seconds", "60")
    raised = quaestor("budget", ended.session, "--add", "0.25", "--add-seconds", "30")
    assert raised.code == 0
    assert raised.err.startswith("the budget is raised; continue with: ")
    told = quaestor("events", ended.session, "--type", "budget_raised", "--json").out
    assert '"dollars":"0.75"' in told
    assert '"seconds":90' in told
    for option, value in (("--add", "-1"), ("--add", "nan"), ("--add-tokens", "5"), ("--add", "0")):
        assert quaestor("budget", ended.session, option, value).code == 2


def test_a_fork_goes_its_own_way(quaestor: Quaestor, finished: Ended, begun: str) -> None:
    ended = quaestor("resume", begun)
    assert ended.code == 0
    assert ended.out.splitlines()[:3] == finished.out.splitlines()[:3]
    assert "forked" in quaestor("events", begun).out
    assert quaestor("fork", finished.session, "--at", "99999").code == 2


def test_a_fork_with_a_model_that_is_not_there_copies_nothing(quaestor: Quaestor, finished: Ended) -> None:
    before = quaestor("ps", "--json").out
    assert quaestor("fork", finished.session, "--at", "20", "--model", "nobody:x").code == 2
    assert quaestor("ps", "--json").out == before


@pytest.mark.parametrize("order", [["answer", "text"], ["pause"], ["finish"], ["cancel"], ["retry", "t1"], ["budget"]])
def test_nothing_is_told_to_a_session_that_is_not_there(quaestor: Quaestor, order: list[str]) -> None:
    ended = quaestor(order[0], "20200101-000000-abcdef", *order[1:])
    assert ended.code == 2
    assert "20200101-000000-abcdef" in ended.err
