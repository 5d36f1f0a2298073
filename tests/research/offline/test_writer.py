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


def test_every_sentence_of_the_frame_rests_on_findings(finding: FindingOf) -> None:
    found = tuple(
        finding(f"t{todo}/{number}", f"Jar {todo} has {number} lids.") for number in (1, 2, 3) for todo in (1, 2)
    )
    asked = FrameInput(question="Why do jars have lids?", headings=(), findings=found)
    frame = write_frame(asked)
    sentences = (*frame.summary, *frame.key_findings, *frame.conclusion)

    assert asked.objections(frame) == ()
    assert all(sentence.findings for sentence in sentences)
    assert len({sentence.text for sentence in sentences}) == len(sentences) == len(found)


def test_the_summary_hears_every_todo(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Jars have lids."),
        finding("t2/1", "Glass breaks."),
        finding("t1/2", "Jars have tin lids."),
    )
    frame = write_frame(FrameInput(question="Why do jars have lids?", headings=(), findings=found))

    assert {sentence.findings[0] for sentence in frame.summary} == {"t1/1", "t2/1"}


def test_the_summary_of_a_short_answer_is_what_it_rests_on(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Glass breaks."),
        finding("t1/2", "Lidded Jars (Note 40) — Replaces: 12"),
        finding("t2/1", "Plain Jars (Note 12) — Created: 03-May-2001"),
    )
    frame = write_frame(
        FrameInput(question='When was the note that "Lidded Jars" replaces created?', headings=(), findings=found)
    )

    assert frame.answer is not None
    assert frame.answer.text == "03-May-2001"
    assert [sentence.findings for sentence in frame.summary] == [("t1/2",), ("t2/1",)]


def test_a_claim_found_twice_is_said_once(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids."), finding("t2/1", "Jars have lids."))
    frame = write_frame(FrameInput(question="Why do jars have lids?", headings=(), findings=found))

    assert [(sentence.text, sentence.findings) for sentence in frame.summary] == [("Jars have lids.", ("t1/1", "t2/1"))]


def test_the_conclusion_is_what_sets_the_alternatives_side_by_side_or_nothing(finding: FindingOf) -> None:
    sides = (finding("t1/1", "A cork keeps wine in.", "a"), finding("t2/1", "A lid keeps dust out.", "b"))
    woven = Finding(
        id="t3/1",
        claim="Cork: A cork keeps wine in. Lid: A lid keeps dust out.",
        quotes=(*sides[0].quotes, *sides[1].quotes),
    )
    question = "When should one use a cork or a lid?"

    with_analysis = write_frame(FrameInput(question=question, headings=(), findings=(*sides, woven)))
    assert [sentence.findings for sentence in with_analysis.conclusion] == [("t3/1",)]
    assert [sentence.findings for sentence in with_analysis.summary] == [("t1/1",), ("t2/1",)]
    assert write_frame(FrameInput(question=question, headings=(), findings=sides)).conclusion == ()


def test_the_summary_follows_the_plan(finding: FindingOf) -> None:
    found = (finding("t10/1", "Jars have lids."), finding("t2/1", "Lids keep dust out."))
    frame = write_frame(FrameInput(question="Why do jars have lids?", headings=(), findings=found))

    assert [sentence.findings for sentence in frame.summary] == [("t2/1",), ("t10/1",)]
