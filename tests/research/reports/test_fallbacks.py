"""What a model gave no usable answer for: the report, in its language, and the line at the end of a run say so."""

from collections.abc import Mapping, Sequence

import pytest

from quaestor import render_html, render_json, render_markdown
from quaestor.research.contracts.report import Report
from quaestor.research.views.summary import summarize_document
from research.conftest import Entries, Research, todos

LIGHTHOUSE, BELL = "When was the Aldmouth lighthouse built?", "When was the fog bell of Aldmouth cast?"
UNUSABLE: Sequence[Mapping[str, object]] = [{"fault": "garbage", "times": 99}]
SECTION = {"heading": "Lights", "sentences": [{"text": "It was built in 1831.", "findings": ["t1/1"]}]}
FRAME = {"title": "Lights", "summary": [{"text": "It was built in 1831.", "findings": ["t1/1"]}]}
NO_PLAN = "The planner gave no usable plan, so the question was looked into as one todo."
NO_SECTIONS = (
    "The writer gave no usable text for these sections, so they only list what was found, if anything: "
    f"“{LIGHTHOUSE}”, “{BELL}”."
)
NO_FRAME = (
    "The writer gave no usable summary, so it lists the first finding of every todo, and there is no direct answer "
    "and no conclusion."
)
GOOD: Entries = {
    "planner": todos(LIGHTHOUSE, BELL),
    "reader": [
        {
            "todo": todo,
            "reply": {"findings": [{"claim": claim, "quotes": [{"source": "p1", "text": claim}]}]},
        }
        for todo, claim in (
            ("t1", "The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos."),
            ("t2", "The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy."),
        )
    ],
    "writer": [{"todo": "t1", "reply": SECTION}, {"reply": FRAME}],
}


@pytest.mark.parametrize(
    ("script", "parts", "notes"),
    [
        (GOOD, (), ()),
        ({**GOOD, "planner": UNUSABLE}, ("plan",), (NO_PLAN,)),
        ({**GOOD, "writer": UNUSABLE}, ("t1", "t2", "frame"), (NO_SECTIONS, NO_FRAME)),
        (
            {**GOOD, "writer": [{"todo": "t1", "reply": SECTION}, *UNUSABLE]},
            ("frame",),
            (NO_FRAME,),
        ),
    ],
    ids=["none", "the plan", "sections and frame", "the frame"],
)
async def test_what_a_model_gave_no_usable_answer_for_is_a_gap_and_is_counted_at_the_end(
    research: Research, script: Entries, parts: Sequence[str], notes: Sequence[str]
) -> None:
    report = (await research(script, effort="low")).result.report
    assert isinstance(report, Report)
    assert report.making.fallbacks == tuple(parts)
    assert tuple(gap for gap in report.gaps if " gave no usable " in gap) == tuple(notes)
    for note in notes:
        assert all(note in render(report) for render in (render_json, render_markdown, render_html))
    count = f"no usable answer of the model for {len(parts)} part"
    assert (count in summarize_document(report).text) == bool(parts)


async def test_a_section_under_a_given_heading_that_nobody_wrote_does_not_say_that_nothing_belongs_there(
    research: Research,
) -> None:
    ran = await research({**GOOD, "writer": [*UNUSABLE[:1]]}, effort="low", sections=["Light", "Sound"])
    assert isinstance(ran.result.report, Report)
    assert {one.note for one in ran.result.report.sections} == {"Nothing that was written on this could be proven."}
    assert ran.result.report.making.fallbacks == ("s1", "s2", "frame")


async def test_it_is_said_in_the_language_of_the_report(research: Research) -> None:
    report = (await research({**GOOD, "planner": UNUSABLE}, effort="low", language="de")).result.report
    assert isinstance(report, Report)
    assert "Der Planer gab keinen brauchbaren Plan; die Frage wurde als eine einzige Aufgabe bearbeitet." in report.gaps
