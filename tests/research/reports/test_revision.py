"""One section of a finished report, written again."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from fakes.papers import QUESTION, write_papers
from quaestor.app import Quaestor, open_home
from quaestor.contracts.errors import CommandRefused
from quaestor.contracts.result import Result
from quaestor.research.contracts.report import Report
from quaestor.research.contracts.writing import SectionInput
from quaestor.research.reports.revision import Revision, find_section, request_revision
from research.conftest import todos

LIGHTHOUSE, BELL = "When was the Aldmouth lighthouse built?", "When was the fog bell of Aldmouth cast?"
BUILT, CAST = (
    {"text": "It was built in 1831.", "findings": ["t1/1"]},
    {"text": "It was cast in 1844.", "findings": ["t2/1"]},
)
SECOND = {"heading": "The bell", "sentences": [CAST]}
ANEW = ("The bell was cast in 1844.", "The lighthouse was there since 1831.")
AGAIN = {
    "heading": "The bell of Aldmouth",
    "sentences": [{"text": ANEW[0], "findings": ["t2/1"]}, {"text": ANEW[1], "findings": ["t1/1"]}],
}
FRAME = {"title": "Lights", "summary": [{"text": "Both are old.", "findings": ["t1/1", "t2/1"]}]}
BOTH = {"heading": "Both", "sentences": [BUILT, CAST]}


class Desk:
    """A home with a session whose report is written."""

    def __init__(self, quaestor: Quaestor, session_id: str) -> None:
        self.quaestor = quaestor
        self.session_id = session_id

    async def revise(self, section: str, wish: str = "") -> Result:
        await self.quaestor.revise(self.session_id, section, wish)
        return await self.quaestor.run(self.session_id)


async def written(tmp_path: Path, quaestor: Quaestor) -> Desk:
    session_id = await quaestor.start(QUESTION, await quaestor.index([tmp_path / "papers"]))
    await quaestor.run(session_id)
    return Desk(quaestor, session_id)


def script(tmp_path: Path, *answers: Mapping[str, object]) -> str:
    write_papers(tmp_path)
    revised = [{"todo": "t2", **answer} for answer in answers]
    writer = [{"todo": "t1", "reply": BOTH}, *revised, {"reply": FRAME}]
    file = tmp_path / "own.yaml"
    file.write_text(yaml.safe_dump({"planner": todos(LIGHTHOUSE, BELL), "writer": writer}), encoding="utf-8")
    return f"script:{file}"


def words(report: Report) -> dict[str, tuple[str, ...]]:
    parts = {one.todo_id: tuple(claim.text for claim in one.claims) for one in report.sections}
    return {**parts, "summary": tuple(claim.text for claim in report.summary)}


async def test_only_the_named_section_is_written_again_and_all_numbers_stay(tmp_path: Path) -> None:
    model = script(tmp_path, {"reply": AGAIN})
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        before = await q.report(desk.session_id)
        assert isinstance(before, Report)
        named = [find_section(before, name) for name in ("t2", "2", f" {BELL.upper()}")]
        result = await desk.revise("2", "Name the year first.")
        after = await q.report(desk.session_id)
    assert (result.outcome, result.statement) == ("done", "The report was written.")
    assert isinstance(after, Report)
    assert after.version == 2
    assert [one.todo_id for one in named if one] == ["t2", "t2", "t2"]
    assert words(after) == {**words(before), "t2": ANEW}
    numbers = {claim.text: (claim.number, [one.number for one in claim.citations]) for claim in before.claims()}
    kept = {claim.text: (claim.number, [one.number for one in claim.citations]) for claim in after.claims()}
    assert {text: kept[text] for text in kept.keys() & numbers.keys()} == {
        text: numbers[text] for text in kept.keys() & numbers.keys()
    }
    assert len({number for number, _ in kept.values()}) == len(kept)
    assert after.revised(version=1, sections=before.sections, making=before.making) == before


async def test_the_writer_reads_the_wish_the_section_as_it_is_and_all_findings(tmp_path: Path) -> None:
    model = script(tmp_path, {"reply": AGAIN})
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        state = await q.state(desk.session_id)
        assert state.written is not None
        revision = Revision("t2", "Name the year first.", state.written)
        asked = request_revision(state.report_material, revision, "write/section/t2")
    given = asked.given
    assert isinstance(given, SectionInput)
    assert (given.wish, given.present) == ("Name the year first.", ("It was cast in 1844.",))
    assert given.other_headings == (LIGHTHOUSE,)
    assert given.findings[0].id.startswith("t2/")
    assert {finding.id.partition("/")[0] for finding in given.findings} == {"t1", "t2"}


async def test_a_section_that_there_is_not_is_refused(tmp_path: Path) -> None:
    async with open_home(tmp_path / "home", model=script(tmp_path), questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        for section, why in (
            ("t9", r"it has t1 \(When was the .* built\?\), t2 \("),
            ("0", "no section '0'"),
            ("²", "no section"),
        ):
            with pytest.raises(CommandRefused, match=why):
                await desk.revise(section)


async def test_a_brief_has_no_section_that_a_model_could_write_again(tmp_path: Path) -> None:
    write_papers(tmp_path)
    async with open_home(tmp_path / "home", questions=False) as q:
        desk = await written(tmp_path, q)
        with pytest.raises(CommandRefused, match="no model writes in this session"):
            await desk.revise("t1")


async def test_a_writer_that_fails_leaves_the_report_as_it_is(tmp_path: Path) -> None:
    model = script(tmp_path, {"fault": "garbage", "times": 3}, {"reply": AGAIN})
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        result = await desk.revise("t2")
        assert result.outcome == "failed"
        assert result.statement.startswith("The section was not written again, so version 1 of the report stands: ")
        versions = [report.version for report in await q.reports(desk.session_id)]
        assert versions == [1]
        assert (await desk.revise("t2")).outcome == "done"


async def test_what_was_revised_is_revised_again_after_a_restart(tmp_path: Path) -> None:
    model = script(tmp_path, {"reply": AGAIN}, {"reply": SECOND})
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        before = await q.report(desk.session_id)
        await desk.revise("t2", "More.")
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        result = await Desk(q, desk.session_id).revise("t2", "Less.")
        after = await q.report(desk.session_id)
    assert result.outcome == "done"
    assert isinstance(before, Report)
    assert isinstance(after, Report)
    assert (after.version, words(after)) == (3, words(before))


async def test_a_section_that_a_model_writes_at_last_is_no_gap_any_more_and_one_that_stays_unwritten_is(
    tmp_path: Path,
) -> None:
    model = script(tmp_path)
    unusable = {"todo": "t1", "fault": "garbage", "times": 3}
    given = yaml.safe_load((tmp_path / "own.yaml").read_text(encoding="utf-8"))
    given["writer"] = [unusable, {"todo": "t2", "reply": AGAIN}, {"reply": FRAME}]
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(given), encoding="utf-8")
    async with open_home(tmp_path / "home", model=model, questions=False, effort="low") as q:
        desk = await written(tmp_path, q)
        before = await q.report(desk.session_id)
        revised = (await desk.revise("t2")).report
    assert isinstance(before, Report)
    assert isinstance(revised, Report)
    named = [[gap.rpartition(": ")[2] for gap in one.gaps if "no usable text" in gap] for one in (before, revised)]
    assert named == [[f"“{LIGHTHOUSE}”, “{BELL}”."], [f"“{LIGHTHOUSE}”."]]
