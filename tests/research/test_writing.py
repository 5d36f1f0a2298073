from dataclasses import replace

from fakes.findings import entry
from quaestor.contracts.cost import Spend
from quaestor.contracts.ledger import LedgerEntry
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import GenerationInfo, Report
from quaestor.research.contracts.writing import Frame, WrittenSentence
from quaestor.research.events import QuoteVerdict
from quaestor.research.options import ResearchOptions
from quaestor.research.report_assembly import assemble_report
from quaestor.research.writing import ReportMaterial, assign_findings, complete_without_model, request_sections

MAKING = GenerationInfo(
    model="offline", todos=3, todos_done=2, searches=1, sources_searched=1, spend=Spend(), extractive=True
)


def material(*entries: LedgerEntry, failed: tuple[str, ...] = ()) -> ReportMaterial:
    todos = [Todo(id=one.todo_id, task=one.description, status=TodoStatus.DONE) for one in entries]
    todos += [Todo(id=todo_id, task="Lost", status=TodoStatus.FAILED, result="why") for todo_id in failed]
    return ReportMaterial("Why?", Plan(todos=tuple(todos)), {one.todo_id: one for one in entries}, ResearchOptions())


def report(own: ReportMaterial, *unverified: str, frame: Frame | None = None) -> Report:
    findings = [finding.id for one in own.recorded for finding in one.findings]
    verdicts = [QuoteVerdict(finding=name, verified=name not in unverified) for name in findings]
    draft = complete_without_model(own, {})
    draft = replace(draft, frame=frame or draft.frame)
    return assemble_report(
        own,
        draft,
        verdicts,
        version=1,
        checks={},
        assumptions=(),
        contradictions=(),
        growth_refused=(),
        partial=None,
        making=MAKING,
    )


def test_a_claim_belongs_to_the_first_todo_that_made_it() -> None:
    own = material(entry("t1", "A.", "B."), entry("t2", "B.", "C."), entry("t3", "A."))
    assert {todo_id: [one.claim for one in share] for todo_id, share in assign_findings(own).items()} == {
        "t1": ["A.", "B."],
        "t2": ["C."],
        "t3": [],
    }
    assert [one.todo_id for one in request_sections(own, {})] == ["t1", "t2"]


def test_every_todo_has_its_place_and_one_without_claims_says_why() -> None:
    written = report(material(entry("t1", "A."), entry("t2", "A."), entry("t3"), failed=("t4",)))
    notes = [(section.todo_id, len(section.claims), section.note) for section in written.sections]
    assert notes == [
        ("t1", 1, None),
        ("t2", 0, "What this todo found is said in earlier sections."),
        ("t3", 0, ""),
        ("t4", 0, "why"),
    ]
    assert written.gaps == ("t4 failed: Lost: why",)


def test_what_the_conclusion_says_is_left_to_it() -> None:
    own = material(entry("t1", "A.", "B."), entry("t2", "C."))
    frame = Frame(
        title="Why?",
        summary=(WrittenSentence(text="A.", findings=("t1/1",)),),
        conclusion=(WrittenSentence(text="C.", findings=("t2/1",)), WrittenSentence(text="B.", findings=("t1/2",))),
    )
    written = report(own, frame=frame)
    assert [[claim.text for claim in section.claims] for section in written.sections] == [["A."], []]
    assert written.sections[1].note == "What this todo found is the conclusion."
    assert [claim.text for claim in written.conclusion] == ["C.", "B."]


def test_what_was_not_verified_is_marked_and_not_cited() -> None:
    written = report(material(entry("t1", "A.", "B.")), "t1/2")
    assert [(claim.text, claim.quoted) for claim in written.sections[0].claims] == [("A.", True), ("B.", False)]
    assert len(written.sources) == 1


def test_sources_that_copy_one_another_count_as_one_and_the_report_says_so() -> None:
    said = "The Zorblax bridge over the grey river was opened to all traffic in 1932."
    copy = f"It is told that the {said.removeprefix('The ')}"
    written = report(material(entry("t1", said), entry("t2", copy, "B.")))
    assert [[claim.text for claim in section.claims] for section in written.sections] == [[said], ["B."]]
    assert [claim.text for claim in written.summary] == [said, "B."]
    assert [one.title for one in written.sources] == ["The Zorblax bridge o", "B."]
    assert written.gaps == (
        "“It is told that the ” has the same words as “The Zorblax bridge o”; what they say alike is counted once.",
    )
