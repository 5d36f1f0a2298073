from collections.abc import Callable

from quaestor.contracts.ledger import Finding
from quaestor.research.contracts.writing import FrameInput, SectionInput
from quaestor.research.offline.writer import write_frame, write_section

FindingOf = Callable[..., Finding]


def test_a_section_says_its_claims_source_by_source(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Jars hold jam.", "a"),
        finding("t1/2", "Pots hold soil.", "b"),
        finding("t1/3", "Jars break.", "a"),
    )
    section = write_section(
        SectionInput(question="Jars?", todo_id="t1", task="Jars\nand pots", summary="", findings=found)
    )

    assert section.heading == "Jars and pots"
    assert [sentence.text for sentence in section.sentences] == ["Jars hold jam.", "Jars break.", "Pots hold soil."]
    assert [sentence.findings for sentence in section.sentences] == [("t1/1",), ("t1/3",), ("t1/2",)]


def test_the_summary_hears_every_todo(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Jars have lids."),
        finding("t2/1", "Glass breaks."),
        finding("t1/2", "Jars have tin lids."),
    )
    frame = write_frame(FrameInput(question="Why do jars have lids?", headings=(), findings=found))

    assert {sentence.findings[0] for sentence in frame.summary} == {"t1/1", "t2/1"}


def test_the_frame_adds_nothing_to_the_first_claim_of_every_todo(finding: FindingOf) -> None:
    found = tuple(
        finding(f"t{todo}/{number}", f"Jar {todo} has {number} lids.") for todo in (1, 2) for number in (1, 2)
    )
    asked = FrameInput(question="Why do jars have lids?", headings=(), findings=found)
    frame = write_frame(asked)

    assert asked.objections(frame) == ()
    assert [sentence.text for sentence in frame.summary] == ["Jar 1 has 1 lids.", "Jar 2 has 1 lids."]
    assert (frame.answer, frame.key_findings, frame.conclusion) == (None, (), ())
