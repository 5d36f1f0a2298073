"""Whole runs in which a verdict is on words and the quotes under them, whoever gave it."""

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from quaestor.research.contracts.optional_roles import CheckInput
from quaestor.research.contracts.report import Claim, Report
from quaestor.research.contracts.verdicts import RULES, Verdict
from quaestor.research.views.document import render_json
from research.conftest import Entries, Ran, Research, todos

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
SAID = "It was the tallest of all."
BUILT = "The Aldmouth lighthouse was built in {} by the engineer Henrike Vos."
Reply = Mapping[str, JsonValue]
PROVIDERS: JsonValue = {"local": {"base_url": "http://127.0.0.1:9"}}
MODELS: JsonValue = ["local:small"]
"""Behind the script, which answers every call: words that may be a model's are judged by rules."""


def sentence(text: str, *findings: str) -> dict[str, JsonValue]:
    return {"text": text, "findings": list(findings)}


def writer(*sentences: JsonValue, **frame: JsonValue) -> Sequence[Mapping[str, object]]:
    """Return the script of a writer: the sections of all todos in one call, then the frame."""
    section = {"todo": "t1", "reply": {"heading": "H", "sentences": sentences}}
    return [section, {"todo": None, "reply": {"title": "Lights", **frame}}]


def checker(*verdicts: tuple[int, str]) -> Sequence[Mapping[str, object]]:
    return [{"reply": {"verdicts": [{"number": number, "verdict": verdict} for number, verdict in verdicts]}}]


def report(ran: Ran) -> Report:
    assert isinstance(ran.result.report, Report)
    return ran.result.report


def asked(ran: Ran) -> CheckInput:
    [given] = [event.payload.model_dump()["given"] for event in ran.of("model_requested") if is_check(event.payload)]
    return CheckInput.model_validate(given)


def is_check(payload: object) -> bool:
    return getattr(payload, "role", "") == "checker"


def cited(claim: Claim) -> list[str]:
    return [citation.finding for citation in claim.citations]


async def test_the_same_words_on_other_quotes_are_judged_apart(research: Research) -> None:
    own = writer(sentence(SAID, "t1/1"), sentence(SAID, "t2/1"), summary=[sentence(SAID, "t2/1")])
    entries: Entries = {
        "planner": todos(LIGHTHOUSE, BELL),
        "writer": own,
        "checker": checker((1, "supported"), (2, "refuted")),
    }
    ran = await research(entries, check=True, effort="low")
    assert [line.text for line in asked(ran).sentences] == [SAID, SAID]
    [first], [other] = (section.claims for section in report(ran).sections)
    assert (first.verdict, cited(first)) == (Verdict.SUPPORTED, ["t1/1"])
    assert (other.verdict, cited(other)) == (Verdict.REFUTED, ["t2/1"])
    assert report(ran).summary == ()


async def test_what_breaks_a_rule_is_checked_too_and_its_refutation_counts(research: Research) -> None:
    wrong = "It was built in 1999."
    own = writer(sentence(wrong, "t1/1"), sentence(SAID, "t1/1"), summary=[sentence(wrong, "t1/1")])
    script: Entries = {"planner": todos(LIGHTHOUSE), "writer": own}
    unchecked = await research(script, check=False, effort="low", providers=PROVIDERS, fallback=MODELS)
    [broken, _] = report(unchecked).sections[0].claims
    assert (broken.verdict, broken.checked_by) == (Verdict.UNVERIFIABLE, RULES)
    assert report(unchecked).summary == ()
    ran = await research(
        {**script, "checker": checker((1, "refuted"), (2, "supported"))},
        check=True,
        effort="low",
        providers=PROVIDERS,
        fallback=MODELS,
    )
    assert wrong in [line.text for line in asked(ran).sentences]
    [refuted, _] = report(ran).sections[0].claims
    assert (refuted.text, refuted.verdict) == (wrong, Verdict.REFUTED)
    generous = await research(
        {**script, "checker": checker((1, "supported"), (2, "supported"))},
        check=True,
        effort="low",
        providers=PROVIDERS,
        fallback=MODELS,
    )
    assert report(generous).sections[0].claims[0].verdict is Verdict.UNVERIFIABLE


async def test_a_direct_answer_is_checked_with_its_question(research: Research) -> None:
    own = writer(sentence(SAID, "t1/1"), summary=[sentence("1831", "t1/1")], answer=sentence("1831", "t1/1"))
    verdicts = checker((1, "supported"), (2, "supported"), (3, "refuted"))
    entries: Entries = {"planner": todos(LIGHTHOUSE), "writer": own, "checker": verdicts}
    ran = await research(entries, question=LIGHTHOUSE, check=True, effort="low")
    assert [(line.text, line.answers) for line in asked(ran).sentences] == [
        (SAID, ""),
        ("1831", ""),
        ("1831", LIGHTHOUSE),
    ]
    assert [frame.content for frame in asked(ran).frames("sentences") or () if LIGHTHOUSE in frame.content]
    assert report(ran).answer is None
    assert [claim.verdict for claim in report(ran).summary] == [Verdict.SUPPORTED]


async def test_of_two_verdicts_on_one_sentence_the_stricter_counts(research: Research) -> None:
    own = writer(sentence(SAID, "t1/1"), summary=[sentence("So it is.", "t1/1")])
    verdicts = checker((1, "refuted"), (1, "supported"), (2, "supported"))
    ran = await research({"planner": todos(LIGHTHOUSE), "writer": own, "checker": verdicts}, check=True, effort="low")
    assert report(ran).sections[0].claims[0].verdict is Verdict.REFUTED


async def test_a_sentence_without_a_verdict_is_named_among_what_is_missing(research: Research) -> None:
    own = writer(sentence(SAID, "t1/1"), summary=[sentence("So it is.", "t1/1")])
    script: Entries = {"planner": todos(LIGHTHOUSE), "writer": own}
    ran = await research({**script, "checker": checker((1, "supported"))}, check=True, effort="low")
    assert "Sentences on which the checker was asked and gave no verdict: 1." in report(ran).gaps
    whole = await research({**script, "checker": checker((1, "supported"), (2, "supported"))}, check=True, effort="low")
    assert not [gap for gap in report(whole).gaps if "no verdict" in gap]


async def test_a_verdict_of_an_agent_holds_only_on_the_evidence_that_it_found(research: Research) -> None:
    verdict: Reply = {"statement": SAID, "is_verified": True, "status": "supported", "evidence": [lost("p1")]}
    entries: Entries = {
        "orchestrator": todos(LIGHTHOUSE, {"task": "Check it.", "agent": "fact_verifier"}),
        "fact_verifier": [{"times": 2}, {"reply": verdict}],
        "writer": writer(sentence(SAID, "t1/1"), summary=[sentence(SAID, "t1/1")]),
    }
    ran = await research(entries, orchestrate=True, effort="low")
    assert {claim.verdict for claim in report(ran).claims() if claim.text == SAID} == {Verdict.NOT_CHECKED}


def lost(source: str) -> JsonValue:
    return {"claim": SAID, "quotes": [{"source": source, "text": "It stands nowhere at all."}]}


async def two_sources(research: Research, claim: str, **script: Sequence[Mapping[str, object]]) -> Report:
    """Run two todos that quote two sources, of 1831 and of 1835; `claim` is what the second quote is said to say."""
    first = await research({}, question=LIGHTHOUSE, more=BUILT.format(1835))
    hits = [hit for search in first.state.outcomes.searches.values() for hit in search.hits]
    sources = {
        year: hit.passage.source for hit in hits for year in (1831, 1835) if BUILT.format(year) in hit.passage.text
    }
    readers = [
        {
            "todo": todo_id,
            "reply": {"findings": [{"claim": words, "quotes": [{"source": sources[year], "text": said}]}]},
        }
        for todo_id, year, words, said in (
            ("t1", 1831, BUILT.format(1831), BUILT.format(1831)),
            ("t2", 1835, claim, BUILT.format(1835)),
        )
    ]
    entries: Entries = {"planner": todos(LIGHTHOUSE, "Which engineer built it?"), "reader": readers, **script}
    return report(
        await research(
            entries, more=BUILT.format(1835), check=False, effort="low", providers=PROVIDERS, fallback=MODELS
        )
    )


async def test_what_contradicts_each_other_is_in_the_json_whatever_words_the_writer_chose(research: Research) -> None:
    own = writer(
        sentence("One book has 1831.", "t1/1"),
        sentence("Another has 1835.", "t2/1"),
        summary=[sentence("The books differ.", "t1/1", "t2/1")],
    )
    written = await two_sources(research, BUILT.format(1835), writer=own)
    assert len(written.contradictions) == 1
    claims: list[dict[str, JsonValue]] = json.loads(render_json(written))["claims"]
    assert [claim["text"] for claim in claims if claim["place"] == "disputed"] == [
        BUILT.format(1831),
        BUILT.format(1835),
    ]
    assert {citation.source for claim in written.disputed for citation in claim.citations} == {
        source.sha256 for source in written.sources
    }


async def test_a_slip_of_a_reader_contradicts_no_source(research: Research) -> None:
    written = await two_sources(research, BUILT.format(1840))
    assert written.contradictions == ()
    assert written.disputed == ()


async def test_what_a_reviewer_rejected_comes_back_in_no_other_place(research: Research) -> None:
    rejected: Reply = {
        "is_sufficient": False,
        "status": "failed",
        "knowledge_gap": "",
        "summary": "The bell was cast in gold.",
    }
    entries: Entries = {
        "planner": todos(LIGHTHOUSE, BELL),
        "reviewer": [{"todo": name, "reply": rejected} for name in ("t2", "t2.1", "t2.2", "t2.1.1")],
    }
    ran = await research(entries, loops=1)
    assert ran.result.outcome == "partial"
    assert "in gold" not in render_json(report(ran))
    assert "Its reviewer judged that it failed: no reason was given" in render_json(report(ran))


async def test_what_several_todos_miss_alike_is_told_of_each(research: Research) -> None:
    missing: Reply = {"is_sufficient": False, "knowledge_gap": "More is missing."}
    reviews = [{"todo": name, "reply": missing, "times": 3} for name in ("t2", "t3")]
    entries: Entries = {"planner": todos(LIGHTHOUSE, BELL, "Who kept the lights?"), "reviewer": reviews}
    ran = await research(entries, loops=1)
    assert "t2, t3: More is missing." in report(ran).gaps


async def test_a_long_report_leaves_out_no_finding(research: Research) -> None:
    entries: Entries = {"planner": todos(LIGHTHOUSE), "writer": writer(sentence(SAID, "t1/1"), summary=[])}
    ran, normal = await research(entries, effort="low", length="long"), await research(entries, effort="low")
    found = {finding.id for finding in ran.state.entries["t1"].findings}
    assert len(found) > 1
    assert {ref for claim in report(ran).sections[0].claims for ref in cited(claim)} == found
    assert [cited(claim) for claim in report(normal).sections[0].claims] == [["t1/1"]]
