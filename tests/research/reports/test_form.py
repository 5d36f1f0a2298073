"""Reports in a form that a person asked for: headings, length and language."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import ModelRequested
from quaestor.research.commands.report_options import ReportOptions, read_template
from quaestor.research.contracts.report import Report
from research.conftest import Entries, Research, todos

LIGHTHOUSE, BELL = "When was the Aldmouth lighthouse built?", "When was the fog bell of Aldmouth cast?"
FRAME = {
    "title": "Lights",
    "summary": [{"text": f"Summary {place}.", "findings": ["t1/1"]} for place in range(4)],
    "key_findings": [{"text": "A key finding.", "findings": ["t2/1"]}],
    "conclusion": [{"text": f"Conclusion {place}.", "findings": ["t1/1"]} for place in range(2)],
}


def section(heading: str, *findings: str) -> dict[str, object]:
    said = [{"text": f"{heading} {ref}.", "findings": [ref]} for ref in findings]
    return {"heading": "Its own heading", "sentences": said or [{"text": "There is nothing.", "findings": []}]}


def script(*sections: dict[str, object]) -> Entries:
    writer: list[Mapping[str, object]] = [*({"reply": one} for one in sections), {"reply": FRAME}]
    return {"planner": todos(LIGHTHOUSE, BELL), "writer": writer}


async def test_the_sections_are_those_of_the_headings_that_a_person_gave(research: Research) -> None:
    written = script(section("Cost", "t1/1", "t2/1"), section("Risks"), section("History", "t2/1"))
    ran = await research(written, sections=["Cost", "Risks", "History"], effort="low")
    report = ran.state.report
    assert isinstance(report, Report)
    assert [(one.todo_id, one.heading, len(one.claims), one.note) for one in report.sections] == [
        ("s1", "Cost", 2, None),
        ("s2", "Risks", 0, "Nothing that was found belongs under this heading."),
        ("s3", "History", 1, None),
    ]
    asked = [event.payload for event in ran.of("model_requested") if isinstance(event.payload, ModelRequested)]
    assert [one.key for one in asked if one.key.startswith("write/section/")] == [
        "write/section/s1",
        "write/section/s2",
        "write/section/s3",
    ]


async def test_at_the_wall_findings_without_a_section_are_under_the_first_heading(research: Research) -> None:
    written: Entries = {"planner": todos(LIGHTHOUSE, BELL), "writer": [{"fault": "garbage", "times": 20}]}
    ran = await research(written, sections=["Cost", "Risks"], effort="low", max_model_calls=8)
    report = ran.state.report
    assert isinstance(report, Report)
    assert report.partial
    assert [(one.heading, bool(one.claims)) for one in report.sections] == [("Cost", True), ("Risks", False)]


async def test_a_short_report_is_cut_to_its_length(research: Research) -> None:
    long = {"heading": "All", "sentences": [{"text": f"Sentence {n}.", "findings": ["t1/1"]} for n in range(5)]}
    frame = {**FRAME, "key_findings": [{"text": "A key finding.", "findings": ["t1/1"]}]}
    written: Entries = {"planner": todos(LIGHTHOUSE), "writer": [{"todo": "t1", "reply": long}, {"reply": frame}]}
    report = (await research(written, length="short", effort="low")).state.report
    assert isinstance(report, Report)
    assert [len(report.summary), len(report.key_findings), len(report.conclusion)] == [2, 0, 1]
    assert [len(one.claims) for one in report.sections] == [3]


async def test_the_language_is_that_of_the_question_or_the_one_asked_for(research: Research) -> None:
    german = await research({"planner": todos(LIGHTHOUSE)}, "Wer baute den Leuchtturm von Aldmouth?", effort="low")
    chosen = await research({"planner": todos(LIGHTHOUSE)}, effort="low", language="pt")
    assert [ran.state.report.language for ran in (german, chosen) if ran.state.report] == ["de", "pt"]


def test_a_template_has_its_headings_a_line(tmp_path: Path) -> None:
    file = tmp_path / "template.md"
    for text, headings in (
        ("# Title\n\nwords\n\n## Cost\nwords\n## Risks, and who bears them\n", ["Cost", "Risks, and who bears them"]),
        ("# Cost\n# Risks\n", ["Cost", "Risks"]),
        ("1. Cost\n- Risks\n\nHistory\n", ["Cost", "Risks", "History"]),
    ):
        file.write_text(text, encoding="utf-8")
        assert read_template(file) == headings
    assert ReportOptions(template=file).given()["sections"] == ["Cost", "Risks", "History"]


def test_a_template_without_headings_and_one_beside_headings_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("\n", encoding="utf-8")
    for faulty in (empty, tmp_path / "absent.md", tmp_path):
        with pytest.raises(UsageError, match="--template"):
            read_template(faulty)
    with pytest.raises(UsageError, match="give one of them"):
        ReportOptions(template=empty, sections=["Cost"]).given()
