"""Replies of models that are usable in part: what is usable of them is used, and nothing else."""

import pytest
from pydantic import ValidationError

from quaestor.research.contracts.delegate_verdicts import FactVerdict
from quaestor.research.contracts.optional_roles import SentenceVerdicts
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import Queries, Reading, Review
from quaestor.research.contracts.writing import Frame, Section

GOOD = {"claim": "It is of 1831.", "quotes": [{"source": "p1", "text": "built in 1831"}]}


def test_a_verdict_that_is_none_takes_no_other_away() -> None:
    said = [
        {"number": 1, "verdict": "refuted", "note": "It says the opposite. " * 40, "confidence": 95},
        {"number": 2, "verdict": "partially supported"},
        {"number": 3, "verdict": "supported", "confidence": 1},
    ]
    checked = SentenceVerdicts.model_validate({"verdicts": said}).verdicts
    assert [(one.number, one.verdict, one.confidence) for one in checked] == [
        (1, "refuted", 0.95),
        (3, "supported", 1.0),
    ]
    assert len(checked[0].note) <= 500
    assert checked[0].note.startswith("It says the opposite. It says")


def test_lists_that_are_too_long_are_cut() -> None:
    many = [f"query {number}" for number in range(30)]
    assert len(Queries.model_validate({"queries": many}).queries) == 20
    review = Review.model_validate({"is_sufficient": False, "follow_up_queries": many, "new_todos": many})
    assert (len(review.follow_up_queries), len(review.new_todos)) == (10, 5)
    plan = PlanDraft.model_validate({"todos": [{"task": "Find it.", "queries": many}], "assumptions": many})
    assert (len(plan.todos[0].queries), len(plan.assumptions)) == (20, 10)
    assert len(Reading.model_validate({"findings": [GOOD] * 50}).findings) == 40


def test_texts_that_are_too_long_are_cut() -> None:
    review = Review.model_validate({"is_sufficient": True, "knowledge_gap": "x" * 1500, "summary": "y z " * 900})
    assert len(review.knowledge_gap) == 1000
    assert len(review.summary) <= 2000
    heading = Section.model_validate({"heading": "h" * 400, "sentences": [{"text": "So."}]}).heading
    assert heading == "h" * 299 + "…"


def test_sentences_without_words_are_left_out() -> None:
    sentences = [{"text": ""}, {"text": "So.", "findings": ["t1/1"]}, "So?", None]
    assert [one.text for one in Section.model_validate({"heading": "H", "sentences": sentences}).sentences] == ["So."]
    assert [one.text for one in Frame.model_validate({"title": "T", "summary": sentences}).summary] == ["So."]


def test_an_answer_that_is_none_takes_nothing_else_away() -> None:
    frame = Frame.model_validate({"title": "T", "summary": [{"text": "So."}], "answer": ""})
    assert (frame.answer, len(frame.summary)) == (None, 1)


def test_a_todo_of_a_plan_is_never_left_out_unseen() -> None:
    with pytest.raises(ValidationError, match="task"):
        PlanDraft.model_validate({"todos": [{"task": "Find it."}, {"task": ""}]})


def test_a_list_of_nothing_usable_is_refused_with_its_faults() -> None:
    with pytest.raises(ValidationError, match=r"verdicts\.0\.verdict"):
        SentenceVerdicts.model_validate({"verdicts": [{"number": 1, "verdict": "maybe"}]})
    assert Reading.model_validate({"findings": []}).findings == ()


def test_a_confidence_in_percent_is_a_share_and_a_larger_one_is_none() -> None:
    said = {"statement": "So.", "is_verified": True, "status": "supported"}
    assert FactVerdict.model_validate({**said, "confidence": 80}).confidence == 0.8
    for wrong in (101, -1, "high"):
        with pytest.raises(ValidationError):
            FactVerdict.model_validate({**said, "confidence": wrong})
