"""A report and a brief as pages show them: nothing of them is lost, and what is empty is left out."""

import json

import pytest

from quaestor.contracts.source import Quote
from quaestor.research.contracts.brief import AnswerProof, Brief, BriefChange, BriefPassage, CheckedAnswer, ShownRow
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.views.brief_html import render_brief_html
from quaestor.research.views.brief_json import render_brief_json
from quaestor.research.views.brief_markdown import render_brief_markdown
from quaestor.research.views.readable import citing_claims, readable_document
from research.views.sample import APPOINTED, LONG, TEXTS, claim, report, source


def brief(answer: str | None = None, answer_proof: AnswerProof | None = None, gaps: tuple[str, ...] = ()) -> Brief:
    return Brief(
        version=1,
        question="When?",
        answer=answer,
        answer_proof=answer_proof,
        parts=("When?",),
        passages=(BriefPassage(**dict(APPOINTED.revised(number=1)), part="When?", context=APPOINTED),),
        gaps=gaps,
        sources=(source("aqua"),),
        making=report().making,
    )


def test_every_sentence_contradiction_and_gap_of_a_report_is_in_a_chapter() -> None:
    written = report()
    shown = readable_document(written)
    chapters = [part for chapter in shown.chapters for part in (chapter, *chapter.parts)]
    texts = {said.text for chapter in chapters for said in chapter.sentences} | (
        {shown.answer.text} if shown.answer else set()
    )
    disputed = {each.text for each in written.disputed}
    assert {each.text for each in written.claims()} - disputed <= texts
    assert sum(len(chapter.disputes) for chapter in chapters) == len(written.contradictions)
    assert set(written.gaps) <= {point for chapter in chapters for point in chapter.points}
    assert len({chapter.key for chapter in chapters}) == len(chapters)
    assert not any(chapter.is_empty for chapter in chapters)
    assert [each.source for each in shown.references] == list(written.sources)


def test_a_claim_that_is_checked_is_told_from_one_that_is_not() -> None:
    supported = claim(90, "It is.", LONG).revised(verdict=Verdict.SUPPORTED)
    refuted = claim(91, "It is not.", LONG).revised(verdict=Verdict.REFUTED, note="The quote says otherwise.")
    missed = claim(93, "It may be.", LONG).revised(note="The checker was asked and gave no verdict.")
    unasked = claim(94, "It was.", LONG)
    others = (claim(92, "Nobody says so.", quoted=False), missed, unasked)
    written = report().revised(summary=(supported, refuted, *others))
    [summary] = [chapter for chapter in readable_document(written).chapters if chapter.key == "summary"]
    assert [(said.is_supported, said.status) for said in summary.sentences] == [
        (True, ""),
        (False, "refuted: The quote says otherwise."),
        (False, "not quoted"),
        (False, "not checked"),
        (False, ""),
    ]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "Date (the date in the sentence that holds every word of the question)"),
        ("de", "Datum (das Datum in dem Satz, der jedes Wort der Frage enthält)"),
    ],
)
def test_how_a_date_was_chosen_is_told_in_the_language_of_the_report(language: str, label: str) -> None:
    proof = AnswerProof(kind=CheckedAnswer.DATE, label="the date", passages=(1,))
    shown = readable_document(brief(answer="97", answer_proof=proof).revised(language=language))
    assert shown.answer
    assert shown.answer_label == label


def test_the_claims_of_a_citation_are_found_by_its_number() -> None:
    written = report()
    claims = citing_claims(written, APPOINTED.number)
    assert claims
    assert all(APPOINTED in each.citations for each in claims)
    assert citing_claims(written, 999) == ()


def test_a_brief_shows_its_paragraphs_with_their_marks_and_its_answer_with_its_proof() -> None:
    proof = AnswerProof(kind=CheckedAnswer.FIELD, label="Date of PEP 8", passages=(1,))
    written = brief(answer="97", answer_proof=proof, gaps=("Who asked",))
    shown = readable_document(written)
    assert shown.answer
    assert (shown.answer.text, shown.answer.numbers, shown.answer_label) == ("97", (1,), "Field (Date of PEP 8)")
    assert [chapter.key for chapter in shown.chapters] == ["gaps", "part-1"]
    [paragraph] = shown.chapters[1].paragraphs
    assert [run.number for run in paragraph.runs if run.number] == [1]
    assert citing_claims(written, 1) == ()


def test_a_list_in_a_brief_shows_each_row_that_it_is_made_of() -> None:
    quote = Quote(source=source("guide").sha256, start=0, end=14, text="| Tern |\n380 |")
    rows = (ShownRow(name="Tern", quote=quote), ShownRow(name="Auk", quote=quote))
    proof = AnswerProof(kind=CheckedAnswer.LIST, label="the table", rows=rows)
    [chapter, _] = readable_document(brief(answer="Tern; Auk", answer_proof=proof)).chapters
    assert chapter.points == ("Tern: “| Tern | ↵ 380 |”", "Auk: “| Tern | ↵ 380 |”")


def test_a_change_that_is_told_elsewhere_stands_below_the_passages_in_every_format() -> None:
    text = TEXTS["guide"]
    said = Quote(source=source("guide").sha256, start=0, end=len(text), text=text)
    plain = brief()
    with_change = plain.revised(
        changes=(BriefChange(passage=1, said=said, heading="2.1"),), sources=(*plain.sources, source("guide"))
    )
    shown = readable_document(with_change)
    assert [chapter.key for chapter in shown.chapters] == ["part-1", "changes"]
    told_there = "The guide gives the Marcia a length of 88 kilometres. It was repaired several times."
    line = f"“{told_there}” (A visitor's guide, 2.1)"
    assert shown.chapters[1].points == (line,)
    assert f"- {line}\n" in render_brief_markdown(with_change).replace("\\", "")
    page = render_brief_html(with_change)
    assert page.index("Changes told elsewhere") > page.index("Frontinus")
    assert "of 88 kilometres. It was repaired" in page
    [told] = json.loads(render_brief_json(with_change))["changes"]
    assert (told["passage"], told["source"], text[told["start"] : told["end"]]) == (1, said.source, told["quote"])
    assert told["heading"] == "2.1"
    for made in (render_brief_markdown(plain), render_brief_html(plain)):
        assert "Changes told elsewhere" not in made


def test_what_only_is_of_a_later_record_has_a_chapter_of_its_own_behind_the_changes() -> None:
    text = TEXTS["guide"]
    said = Quote(source=source("guide").sha256, start=0, end=len(text), text=text)
    changes = (BriefChange(passage=1, said=said), BriefChange(passage=1, said=said, only_later=True))
    made = brief().revised(changes=changes, sources=(source("aqua"), source("guide")))
    assert [chapter.key for chapter in readable_document(made).chapters] == ["part-1", "changes", "later"]
    for page in (render_brief_markdown(made), render_brief_html(made)):
        assert page.index("Changes told elsewhere") < page.index("Said later")
        assert page.count("of 88 kilometres") == 2
        assert page.count("later than") == 1
        assert page.index("later than") > page.index("Said later")
    assert [one["only_later"] for one in json.loads(render_brief_json(made))["changes"]] == [False, True]
