from fakes.findings import entry
from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import replace
from quaestor.contracts.ledger import LedgerEntry
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import GenerationInfo, Report
from quaestor.research.contracts.writing import Frame, Section, SectionInput, WrittenSentence
from quaestor.research.events import QuoteVerdict
from quaestor.research.options import ResearchOptions
from quaestor.research.reports.assembly import assemble_report
from quaestor.research.reports.draft import Sections
from quaestor.research.reports.material import ReportMaterial
from quaestor.research.reports.writing import (
    assign_findings,
    complete_without_model,
    request_sections,
    split_section,
)

MAKING = GenerationInfo(
    model="offline", todos=3, todos_done=2, searches=1, sources_searched=1, spend=Spend(), extractive=True
)


def material(*entries: LedgerEntry, failed: tuple[str, ...] = (), room: int = 8_000) -> ReportMaterial:
    todos = [Todo(id=one.todo_id, task=one.description, status=TodoStatus.DONE) for one in entries]
    todos += [Todo(id=todo_id, task="Lost", status=TodoStatus.FAILED, result="why") for todo_id in failed]
    by_todo = {one.todo_id: one for one in entries}
    return ReportMaterial("Why?", Plan(todos=tuple(todos)), by_todo, ResearchOptions(prompt_characters=room))


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
    assert [one.key for one in request_sections(own, {})] == ["write/section/t1+t2"]


def keys(own: ReportMaterial, sections: Sections, *, is_complete: bool = True) -> list[str]:
    return [one.key.rpartition("/")[2] for one in request_sections(own, sections, is_complete=is_complete)]


def test_few_findings_of_several_todos_are_written_in_one_pass() -> None:
    own = material(entry("t1", "A."), entry("t2"), entry("t3", "B."))
    [asked] = request_sections(own, {})
    given = SectionInput.model_validate(asked.given)
    assert (asked.key, asked.todo_id) == ("write/section/t1+t3", "t1")
    assert (given.task, given.other_tasks) == (own.entries["t1"].description, (own.entries["t3"].description,))
    assert [finding.id for finding in given.findings] == ["t1/1", "t3/1"]


def test_many_findings_are_written_alone_and_at_once_and_few_wait_for_more() -> None:
    own = material(entry("t1", "A."), entry("t2", "B.", "C.", "D."), entry("t3", "E."), room=500)
    assert keys(own, {}) == ["t2", "t1+t3"]
    assert keys(own, {}, is_complete=False) == ["t2"]


def test_the_groups_of_todos_do_not_depend_on_which_pass_was_answered_first() -> None:
    own = material(*(entry(f"t{number}", f"{number}.") for number in range(1, 8)), room=500)
    assert keys(own, {}) == ["t1+t2+t3", "t4+t5+t6", "t7"]
    written = split_section(own, ("t4", "t5", "t6"), Section(heading="H", sentences=(WrittenSentence(text="A."),)))
    assert keys(own, written) == ["t1+t2+t3", "t7"]


def test_a_pass_of_several_todos_leaves_each_its_own_sentences() -> None:
    own = material(entry("t1", "A."), entry("t2", "B."), entry("t3", "C."))
    sentences = (
        WrittenSentence(text="So A and B.", findings=("t2/1", "t1/1")),
        WrittenSentence(text="In short."),
        WrittenSentence(text="A.", findings=("t1/1",)),
    )
    sections = split_section(own, ("t1", "t2", "t3"), Section(heading="All", sentences=sentences))
    assert {todo_id: [one.text for one in section.sentences] for todo_id, section in sections.items()} == {
        "t1": ["A."],
        "t2": ["So A and B.", "In short."],
        "t3": ["C."],
    }
    assert sections["t1"].heading == own.entries["t1"].description


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
