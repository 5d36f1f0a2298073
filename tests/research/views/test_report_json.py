import json

from quaestor.research.views.report_json import ReportData, render_json
from quaestor.views.escaping import escape_hidden_json
from research.views.sample import LONG, TEXTS, bare, report, source


def test_the_schema_reads_what_was_written() -> None:
    for told in (report(partial="stopped"), bare()):
        assert escape_hidden_json(
            ReportData.model_validate_json(render_json(told)).model_dump_json(indent=2)
        ) + "\n" == render_json(told)


def test_the_promised_keys_are_there() -> None:
    told = json.loads(render_json(report()))
    assert {"question", "answer", "claims", "sources", "gaps", "contradictions", "blocked", "partial"} <= told.keys()
    assert {
        "number",
        "text",
        "quoted",
        "verdict",
        "confidence",
        "note",
        "checked_by",
        "citations",
        "todo_id",
        "place",
    } == told["claims"][0].keys()
    assert {"source", "start", "end", "page", "in_table", "quote", "number", "finding"} == told["claims"][0][
        "citations"
    ][0].keys()
    assert {"id", "title", "uri", "sha256"} <= told["sources"][0].keys()


def test_a_citation_is_the_words_of_the_source_it_names() -> None:
    told = json.loads(render_json(report()))
    texts = {source(name).sha256: text for name, text in TEXTS.items()}
    ids = [one["id"] for one in told["sources"]]
    assert ids == [one["sha256"] for one in told["sources"]]
    citations = [citation for one in told["claims"] for citation in one["citations"]]
    assert {citation["number"] for citation in citations} == set(range(1, 8))
    for citation in citations:
        assert citation["source"] in ids
        assert texts[citation["source"]][citation["start"] : citation["end"]] == citation["quote"]
    pages = {citation["number"]: citation["page"] for citation in citations}
    assert (pages[3], pages[4], pages[1]) == (2, 1, None)
    assert [one["published"] for one in told["sources"]].count("2019-07-01") == 1


def test_a_claim_is_told_once_and_named_by_number() -> None:
    told = json.loads(render_json(report()))
    assert [one["number"] for one in told["claims"]] == list(range(1, 15))
    assert told["answer_claim"] == 1
    assert told["summary"] == [2, 3]
    assert told["sections"][3] == {
        "todo_id": "t4",
        "heading": "What did it cost?",
        "claims": [],
        "note": "The search brought nothing on this.",
    }
    places = {one["number"]: (one["place"], one["todo_id"]) for one in told["claims"]}
    assert places[1] == ("answer", None)
    assert places[4] == ("key_findings", None)
    assert places[10] == ("section", "t2")
    assert places[14] == ("conclusion", None)


def test_a_claim_said_again_keeps_its_first_place() -> None:
    again = report().model_copy(update={"conclusion": report().summary})
    told = json.loads(render_json(again))
    assert told["conclusion"] == [2, 3]
    assert [one["place"] for one in told["claims"] if one["number"] == 2] == ["summary"]


def test_a_contradiction_keeps_its_values_with_their_citations() -> None:
    sides = json.loads(render_json(report()))["contradictions"][0]["positions"]
    assert sides[0] == {"value": "91 kilometres", "finding": "t2/1", "citations": [LONG.number]}
    assert sides[2]["citations"] == []


def test_text_is_exact_and_readable() -> None:
    assert "马西亚水道" in render_json(report())
    assert render_json(report()).startswith(
        '{\n  "format": "quaestor-report-2",\n  "kind": "report",\n  "version": 2,\n'
    )
    assert json.loads(render_json(report()))["making"]["spend"]["dollars"] == "0.4210"
