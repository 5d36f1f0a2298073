import pytest

from fakes.findings import entry
from quaestor.contracts.cost import Spend
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import GenerationInfo, Report
from quaestor.research.contracts.verdicts import ClaimCheck, Verdict
from quaestor.research.contracts.writing import Frame, Section, WrittenSentence
from quaestor.research.events import QuoteVerdict
from quaestor.research.options import ResearchOptions
from quaestor.research.reports.assembly import assemble_report
from quaestor.research.reports.draft import ReportDraft, findings_by_id, to_statement
from quaestor.research.reports.material import ReportMaterial

QUESTION = "When was the lamp of Aldmouth lit?"
LIT, BUILT = "The lamp was not lit before 1931.", "Jonas Vos built the tower in 1874."
MAKING = GenerationInfo(
    model="m", todos=1, todos_done=1, searches=1, sources_searched=1, spend=Spend(), extractive=False
)


def report(heading: str, *, refuted: tuple[str, ...] = ()) -> Report:
    found = entry("t1", LIT, BUILT)
    todo = Todo(id="t1", task=found.description, status=TodoStatus.DONE)
    said = tuple(WrittenSentence(text=one.claim, findings=(one.id,)) for one in found.findings)
    material = ReportMaterial(QUESTION, Plan(todos=(todo,)), {"t1": found}, ResearchOptions())
    denied = [to_statement(sentence, findings_by_id(material)) for sentence in said if sentence.text in refuted]
    return assemble_report(
        material,
        ReportDraft({"t1": Section(heading=heading, sentences=said)}, Frame(title=heading, summary=said)),
        [QuoteVerdict(finding=one.id, verified=True) for one in found.findings],
        version=1,
        checks=dict.fromkeys(denied, ClaimCheck(verdict=Verdict.REFUTED)),
        assumptions=(),
        contradictions=(),
        growth_refused=(),
        partial=None,
        making=MAKING,
    )


@pytest.mark.parametrize(
    "heading",
    [
        "The lamp of 1931",
        "Jonas Vos and the lamp of Aldmouth",
        "How the tower got its lamp",
        "History and Cost of the Tower",
        "Findings",
        "The lamp: History, builder and costs",
        "The lamp of Aldmouth \u2013 Overview",
    ],
)
def test_a_title_and_a_heading_are_those_that_a_model_wrote(heading: str) -> None:
    made = report(heading)
    assert (made.title, made.sections[0].heading) == (heading, heading)


@pytest.mark.parametrize(
    "heading", ["The lamp of 1932", "How Petra Lund built the tower", "The Tower of 1932", "Tower: how Lund built it"]
)
def test_one_with_a_number_or_a_name_that_nothing_below_holds_gives_way_to_the_question_and_the_task(
    heading: str,
) -> None:
    made = report(heading)
    assert (made.title, made.sections[0].heading) == (QUESTION, entry("t1").description)


def test_a_refuted_claim_holds_no_heading() -> None:
    made = report("The lamp of 1931", refuted=(LIT,))
    assert (made.title, made.sections[0].heading) == (QUESTION, entry("t1").description)
    assert report("The tower of 1874", refuted=(LIT,)).title == "The tower of 1874"
    assert report("The lamp", refuted=(LIT, BUILT)).title == QUESTION
