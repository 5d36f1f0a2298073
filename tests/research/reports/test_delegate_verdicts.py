"""Agents that check a statement or citations: what they conclude counts as the checker's verdicts do."""

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from quaestor.research.contracts.delegate_verdicts import CitationInput, CitationVerdicts, FactInput, FactVerdict
from quaestor.research.contracts.report import Claim, Report
from quaestor.research.contracts.verdicts import Verdict
from research.conftest import Entries, Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
CHECK = "Check what was found of the Aldmouth lighthouse."


def script(agent: str, reply: JsonValue) -> Entries:
    """Return a script whose agent checks what the first todo found."""
    plan = todos({"task": LIGHTHOUSE}, {"task": CHECK, "agent": agent, "dependencies": ["t1"]})
    return {"orchestrator": plan, agent: [{"reply": reply}] * 3}


def claims(ran: Ran) -> Sequence[Claim]:
    report = ran.result.report
    assert isinstance(report, Report)
    return report.claims()


@pytest.mark.parametrize(("is_valid", "verdict"), [(True, Verdict.SUPPORTED), (False, Verdict.UNVERIFIABLE)])
async def test_a_citation_that_an_agent_checked_has_its_verdict_in_the_report(
    research: Research, is_valid: bool, verdict: Verdict
) -> None:
    reply: JsonValue = {"finding": "t1/1", "is_valid_citation": is_valid, "confidence": 0.8, "notes": "So it is."}
    ran = await research(script("citation_checker", {"verdicts": [reply]}), orchestrate=True, effort="low")
    finding = ran.state.entries["t1"].findings[0]
    [claim] = [claim for claim in claims(ran) if claim.text == finding.claim]
    assert (claim.quoted, claim.verdict, claim.confidence, claim.note) == (True, verdict, 0.8, "So it is.")
    assert claim.checked_by.startswith("script:")
    assert f"{int(is_valid)} of 1 citations are valid." in ran.state.entries["t2"].findings_summary


@pytest.mark.parametrize(("status", "verdict"), [("supported", Verdict.SUPPORTED), ("refuted", Verdict.REFUTED)])
async def test_a_statement_that_an_agent_checked_has_its_verdict_in_the_report(
    research: Research, status: str, verdict: Verdict
) -> None:
    found = (await research({"planner": todos(LIGHTHOUSE)}, effort="low")).state.entries["t1"].findings[0]
    reply: JsonValue = {
        "statement": found.claim,
        "is_verified": status == "supported",
        "status": status,
        "confidence": 0.7,
        "evidence": [
            {"claim": found.claim, "quotes": [{"source": found.quotes[0].source, "text": found.quotes[0].text}]}
        ],
        "notes": "",
    }
    plan = todos({"task": CHECK, "agent": "fact_verifier"})
    entries: Entries = {
        "orchestrator": plan,
        "fact_verifier": [{"times": 2}, {"reply": reply}],
    }
    ran = await research(entries, orchestrate=True, effort="low")
    entry = ran.state.entries["t1"]
    assert [one.claim for one in entry.findings] == [found.claim]
    assert entry.findings_summary.startswith(f"The statement is {status} (confidence 70%)")
    checked = ran.state.delegate_checks.values()
    assert [(one.verdict, one.confidence) for one in checked] == [(verdict, 0.7)]


@pytest.mark.parametrize(("is_verified", "status"), [(True, "refuted"), (True, "unverifiable"), (False, "supported")])
def test_a_verdict_that_contradicts_itself_leaves_the_question_open(is_verified: bool, status: str) -> None:
    said = {"statement": "S.", "is_verified": is_verified, "status": status}
    verdict = FactVerdict.model_validate(said)
    assert (verdict.is_verified, verdict.status) == (False, "unverifiable")
    assert FactInput(question="Who?", task="Check it.").objections(verdict) == ()


def test_a_verdict_without_evidence_is_refused() -> None:
    given = FactInput(question="Who?", task="Check it.")
    assert given.objections(FactVerdict(statement="S.", is_verified=False, status="refuted")) == (
        "a statement that is refuted needs evidence; without any it is unverifiable",
    )
    assert given.objections(FactVerdict(statement="S.", is_verified=False, status="unverifiable")) == ()


def test_a_verdict_on_a_finding_that_was_not_given_is_refused() -> None:
    given = CitationInput(question="Who?", task="Check it.")
    reply = CitationVerdicts.model_validate({"verdicts": [{"finding": "t9/1", "is_valid_citation": True}]})
    assert given.objections(reply) == ("no finding has the id 't9/1'",)
