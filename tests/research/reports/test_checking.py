"""Whole runs whose drafts a checker reads: quoted is one thing, supported another."""

from collections.abc import Mapping, Sequence

import pytest

from quaestor.contracts.action import Action, OutputPass, Record
from quaestor.contracts.event import ContractRejected, Event, ModelRequested, ToolResponded
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.report import Claim, Report
from quaestor.research.contracts.tools import Verdicts
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.events import QuoteVerdict, ReportVerified
from quaestor.research.workflow import Research as Workflow
from research.conftest import Entries, Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
PLANNER = todos(LIGHTHOUSE, BELL)
TALL = "It was the tallest of all."

Reply = Mapping[str, object]


def section(todo_id: str, text: str, *findings: str) -> Reply:
    """Return the script of a writer of one section with one sentence."""
    return {"todo": todo_id, "reply": {"heading": "Lights", "sentences": [{"text": text, "findings": list(findings)}]}}


def refuted(*numbers: int) -> Reply:
    """Return the script of a checker that refutes some sentences and supports the others, at any call."""
    denied = [{"number": number, "verdict": "refuted", "note": "Nobody measured it."} for number in numbers]
    others = [{"number": number, "verdict": "supported"} for number in range(1, 99) if number not in numbers]
    return {"reply": {"verdicts": [*denied, *others]}}


def script(*checker: Reply, writer: Sequence[Reply] = (section("t1", TALL, "t1/1"),)) -> Entries:
    return {"planner": PLANNER, "checker": checker, "writer": writer}


def checks(ran: Ran) -> list[ModelRequested]:
    asked = (event.payload for event in ran.of("model_requested"))
    return [one for one in asked if isinstance(one, ModelRequested) and one.role == "checker"]


def lines(ran: Ran) -> list[QuotedSentence]:
    """Return every sentence that the checker was given, call after call."""
    given = {asked.key: CheckInput.model_validate(asked.given).sentences for asked in checks(ran)}
    return [line for sentences in given.values() for line in sentences]


def claims(ran: Ran) -> Mapping[str, Claim]:
    return {claim.text: claim for claim in ran.result.report.claims()} if ran.result.report else {}


async def test_a_sentence_that_the_checker_refutes_is_shown_as_refuted(research: Research) -> None:
    ran = await research(script(refuted(1)), check=True, effort="low")
    denied = claims(ran)[TALL]
    assert (denied.quoted, denied.verdict, denied.note) == (True, Verdict.REFUTED, "Nobody measured it.")
    assert denied.checked_by == "script:script.yaml"
    assert [citation.finding for citation in denied.citations] == ["t1/1"]
    others = {claim.verdict for text, claim in claims(ran).items() if text != TALL}
    assert others == {Verdict.SUPPORTED}
    [verified] = [event.payload for event in ran.of("report_verified")]
    assert isinstance(verified, ReportVerified)
    counts = (verified.quoted, verified.unquoted, verified.supported, verified.refuted)
    assert counts == (len(claims(ran)), 0, len(claims(ran)) - 1, 1)
    assert all(verdict.verified for verdict in verified.verdicts)


async def test_what_is_refuted_stands_in_no_summary(research: Research) -> None:
    frame = {
        "title": "Lights",
        "summary": [{"text": TALL, "findings": ["t1/1"]}, {"text": "So.", "findings": ["t2/1"]}],
    }
    writer = [section("t1", TALL, "t1/1"), section("t2", "It was cast.", "t2/1"), {"todo": None, "reply": frame}]
    ran = await research(script(refuted(1), writer=writer), check=True, effort="low")
    assert ran.result.report
    assert [claim.text for claim in ran.result.report.summary] == ["So."]
    assert [claim.text for claim in ran.result.report.sections[0].claims] == [TALL]


async def test_a_sentence_that_the_checker_refutes_can_be_left_out(research: Research) -> None:
    ran = await research(script(refuted(1)), check=True, effort="low", unsupported="drop")
    assert TALL not in claims(ran)
    assert claims(ran)
    assert sorted(claim.number for claim in claims(ran).values()) == list(range(1, len(claims(ran)) + 1))


async def test_a_refuted_answer_is_not_given(research: Research) -> None:
    said = {"text": "In 1831.", "findings": ["t1/1"]}
    frame = {"todo": None, "reply": {"title": "Lights", "summary": [{**said, "text": "So it is."}], "answer": said}}
    writer = [section("t1", TALL, "t1/1"), section("t2", "It was cast.", "t2/1"), frame]
    sure = await research(script(writer=writer), check=True, effort="low")
    assert sure.result.report
    assert sure.result.report.answer == "In 1831."
    number = next(line.number for line in lines(sure) if line.text == "In 1831.")
    unsure = await research(script(refuted(number), writer=writer), check=True, effort="low")
    assert unsure.result.report
    assert (unsure.result.report.answer, unsure.result.report.answer_claim) == (None, None)


async def test_the_checker_is_given_each_sentence_once_with_the_words_it_rests_on(research: Research) -> None:
    ran = await research(script(), check=True, effort="low")
    [asked] = checks(ran)
    assert (asked.key, asked.contract) == ("check/1", "SentenceVerdicts")
    given = lines(ran)
    assert [line.number for line in given] == list(range(1, len(given) + 1))
    assert {line.text for line in given} == set(claims(ran))
    for line in given:
        assert line.quotes == tuple(citation.text for citation in claims(ran)[line.text].citations)
    verified = next(event.seq for event in ran.of("tool_responded") if event.state == "VERIFYING")
    assert verified < next(event.seq for event in ran.of("model_requested") if event.state == "VERIFYING")


async def test_a_long_draft_is_checked_in_parts_and_a_verdict_finds_its_sentence(research: Research) -> None:
    calm = await research(script(), check=True, effort="low", reading_characters=600)
    parts = [CheckInput.model_validate(asked.given).sentences for asked in checks(calm)]
    assert len(parts) > 1
    assert [asked.key for asked in checks(calm)] == [f"check/{place}" for place in range(1, len(parts) + 1)]
    assert [line.number for line in lines(calm)] == list(range(1, len(lines(calm)) + 1))
    denied = parts[1][0]
    late = {**refuted(denied.number), "latency": 0.05}
    ran = await research(script(refuted(), late), check=True, effort="low", reading_characters=600)
    assert denied.text in claims(calm)
    assert denied.text not in claims(ran)  # it was in the summary alone
    assert {claim.verdict for claim in claims(ran).values()} == {Verdict.SUPPORTED}


async def test_verdicts_on_none_of_the_sentences_are_refused_and_asked_for_again(research: Research) -> None:
    stray = {"reply": {"verdicts": [{"number": 99, "verdict": "refuted"}]}}
    ran = await research(script(stray, refuted()), check=True, effort="low")
    [rejected] = ran.of("contract_rejected")
    assert isinstance(rejected.payload, ContractRejected)
    assert not rejected.payload.final
    assert "no verdict on a sentence that was given" in rejected.payload.objections[0]
    assert claims(ran)[TALL].verdict is Verdict.SUPPORTED


async def test_of_verdicts_that_are_usable_in_part_the_part_counts(research: Research) -> None:
    some = {"reply": {"verdicts": [{"number": 1, "verdict": "supported"}, {"number": 99, "verdict": "refuted"}]}}
    ran = await research(script(some), check=True, effort="low")
    assert ran.of("contract_rejected") == []
    assert claims(ran)[TALL].verdict is Verdict.SUPPORTED
    assert {claim.verdict for text, claim in claims(ran).items() if text != TALL} == {Verdict.NOT_CHECKED}


@pytest.mark.parametrize("checker", [{"fault": "garbage", "times": 3}, {"fault": "error", "times": 3}])
async def test_a_checker_without_a_usable_answer_takes_nothing_away(research: Research, checker: Reply) -> None:
    ran = await research(script(*[checker] * 3), check=True, effort="low")
    assert len(checks(ran)) == 3
    last = ran.of("contract_rejected")[-1].payload
    assert isinstance(last, ContractRejected)
    assert (last.role, last.final) == ("checker", True)
    assert (ran.result.status, ran.result.outcome) == ("finished", "done")
    unchecked = await research(script(), effort="low")
    said = "The checker was asked and gave no verdict."
    assert claims(ran) == {text: claim.revised(note=said) for text, claim in claims(unchecked).items()}
    assert {claim.note for claim in claims(unchecked).values()} == {""}
    assert {claim.verdict for claim in claims(ran).values()} == {Verdict.NOT_CHECKED}


async def test_without_the_option_nothing_is_checked(research: Research) -> None:
    assert checks(await research(script(refuted(1)), effort="low")) == []


async def test_a_frame_that_names_no_finding_is_refused_and_the_findings_take_its_place(research: Research) -> None:
    frame = {"title": "Lights", "summary": [{"text": "They shine.", "findings": []}]}
    writer = [section("t1", TALL, "t1/1"), *[{"reply": frame}] * 3]
    ran = await research(script(writer=writer), effort="low")
    refused = [event.payload for event in ran.of("contract_rejected") if isinstance(event.payload, ContractRejected)]
    assert {one.objections for one in refused if one.contract == "Frame"} == {
        ("no sentence names a finding, so nothing of it could stand in the report",)
    }
    report = ran.result.report
    assert isinstance(report, Report)
    assert report.summary
    assert all(claim.quoted for claim in report.summary)
    assert report.making.fallbacks == ("frame",)


async def test_what_rests_on_no_finding_sums_up_nothing_and_is_counted_among_the_gaps(research: Research) -> None:
    good, made_up, bare = (
        {"text": text, "findings": refs}
        for text, refs in (("They are old.", ["t1/1"]), ("They sing.", ["t1/1", "t9/9"]), ("They shine.", []))
    )
    frame = {
        "title": "Lights",
        "summary": [good, bare],
        "key_findings": [made_up],
        "conclusion": [bare],
        "answer": bare,
    }
    lit = {"todo": "t1", "reply": {"heading": "Lights", "sentences": [good, bare, made_up]}}
    report = (await research(script(writer=[lit, {"reply": frame}]), effort="low")).result.report
    assert isinstance(report, Report)
    assert [claim.text for claim in (*report.summary, *report.key_findings, *report.conclusion)] == ["They are old."]
    assert [claim.text for claim in report.sections[0].claims] == ["They are old.", "They shine."]
    assert report.answer is None
    assert "Sentences left out because they rest on no finding: 2." in report.gaps


async def test_where_every_sentence_rests_on_findings_none_is_left_out(research: Research) -> None:
    report = (await research(script(), effort="low")).result.report
    assert isinstance(report, Report)
    assert not any("left out" in gap for gap in report.gaps)


async def test_of_a_draft_only_what_is_proven_is_checked(research: Research) -> None:
    ran = await research(script(writer=[section("t1", TALL)]), check=True, effort="low")
    assert TALL in claims(ran)
    assert {line.text for line in lines(ran)} == claims(ran).keys() - {TALL}


async def test_what_turns_out_not_to_stand_in_its_source_is_not_checked(research: Research) -> None:
    ran = await research(script(), check=True, effort="low")
    proven, lost = QuoteVerdict(finding="t1/1", verified=True), QuoteVerdict(finding="t2/1", verified=False)
    [check] = wanted_after(ran, proven, lost)
    assert isinstance(check, OutputPass)
    assert isinstance(check.given, CheckInput)
    found = ran.state.entries["t1"].findings[0].claim
    assert [line.text for line in check.given.sentences] == [TALL, found]
    [publish] = wanted_after(ran, lost)
    assert isinstance(publish, Record)


def wanted_after(ran: Ran, *verdicts: QuoteVerdict) -> Sequence[Action]:
    """Return what would have been wanted in a run if its quotes had been verified like this."""
    workflow = Workflow()
    state = workflow.begin()
    verified = next(place for place, event in enumerate(ran.events) if is_verified(event))
    for event in ran.events[:verified]:
        state = workflow.apply(state, event)
    otherwise = ran.events[verified].payload.model_copy(update={"result": Verdicts(verdicts=verdicts)})
    return workflow.next(workflow.apply(state, ran.events[verified].model_copy(update={"payload": otherwise})))


def is_verified(event: Event) -> bool:
    return isinstance(event.payload, ToolResponded) and event.payload.tool == "verify"


async def test_a_draft_whose_every_sentence_is_refuted_is_no_report(research: Research) -> None:
    numbers = [line.number for line in lines(await research(script(), check=True, effort="low"))]
    ran = await research(script(refuted(*numbers)), check=True, effort="low")
    assert (ran.result.outcome, ran.result.report) == ("no_result", None)
    assert "Refuted by the checker: " in ran.result.statement
    assert ran.of("report_written") == []


async def test_a_run_that_ended_early_spends_nothing_on_a_check(research: Research) -> None:
    ran = await research(script(refuted(1)), check=True, effort="low", max_steps=10, parallel=1)
    assert (ran.result.outcome, checks(ran)) == ("partial", [])
    assert claims(ran)[TALL].verdict is Verdict.NOT_CHECKED


async def test_a_budget_that_has_no_room_for_the_check_does_not_cost_the_report(research: Research) -> None:
    whole = await research(script(refuted(1)), check=True, effort="low")
    ran = await research(
        script(refuted(1)), check=True, effort="low", max_model_calls=whole.state.spend.model_calls - 1
    )
    [reached] = [event.payload.model_dump() for event in ran.of("budget_reached")]
    assert reached["refused_key"] == "check/1"
    assert (ran.result.outcome, checks(ran)) == ("partial", [])
    assert claims(ran)[TALL].verdict is Verdict.NOT_CHECKED
