"""What a reply may name: the labels of what was shown, and the agents of the run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fakes.findings import finding, hit
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.source import Hit
from quaestor.research.contracts.plan import DraftTodo, PlanDraft, TodoStatus
from quaestor.research.contracts.roles import (
    DraftFinding,
    DraftQuote,
    PlanInput,
    Reading,
    ReadInput,
    Review,
    ReviewInput,
    label_quotes,
)
from quaestor.research.contracts.writing import Summary

ONE, TWO = hit("One."), hit("Two.")
THREE, FOUR = finding("t1/1", "Three."), finding("t1/2", "Four.")
BOTH = Finding(id="t2/1", claim="Three and four.", quotes=(*THREE.quotes, *FOUR.quotes))
GIVEN = ReadInput(question="Who?", task="Find it.", hits=(ONE, TWO), findings=(BOTH, THREE))
UNKNOWN = "0" * 64


def reading(*sources: str) -> Reading:
    """Return a reading with one finding a source."""
    return Reading(
        findings=tuple(
            DraftFinding(claim="So it is.", quotes=(DraftQuote(source=source, text="words"),)) for source in sources
        )
    )


def test_passages_have_the_first_labels_and_the_quotes_of_findings_go_on() -> None:
    assert label_quotes(GIVEN.hits, GIVEN.findings) == {
        "p1": ONE.passage,
        "p2": TWO.passage,
        "p3": THREE.quotes[0],
        "p4": FOUR.quotes[0],
        "p5": THREE.quotes[0],
    }
    assert label_quotes((), (THREE,)) == {"p1": THREE.quotes[0]}
    assert label_quotes((), ()) == {}


@given(st.lists(st.sampled_from([ONE, TWO]), max_size=4), st.lists(st.sampled_from([BOTH, THREE, FOUR]), max_size=4))
def test_everything_that_is_shown_has_a_label_of_its_own(hits: list[Hit], findings: list[Finding]) -> None:
    labels = label_quotes(hits, findings)
    shown = [*(one.passage for one in hits), *(quote for one in findings for quote in one.quotes)]
    assert list(labels) == [f"p{place}" for place in range(1, len(shown) + 1)]
    assert list(labels.values()) == shown
    given = ReadInput(question="Who?", task="Find it.", hits=tuple(hits), findings=tuple(findings))
    assert given.objections(reading(*list(labels)[:20])) == ()
    assert given.objections(reading(f"p{len(shown) + 1}")) == (f"no passage has the label 'p{len(shown) + 1}'",)


@pytest.mark.parametrize("source", ["p1", "p5", ONE.passage.source, FOUR.quotes[0].source])
def test_a_quote_may_name_a_label_or_the_hash_of_what_was_shown(source: str) -> None:
    assert GIVEN.objections(reading(source)) == ()


@pytest.mark.parametrize("source", ["p0", "p6", "p01", UNKNOWN, hit("Never shown.").passage.source])
def test_a_reading_of_what_was_not_shown_is_refused_and_used_where_it_quotes_something_else_too(source: str) -> None:
    assert GIVEN.objections(reading(source)) == (f"no passage has the label {source!r}",)
    assert GIVEN.objections(reading("p1", source)) == ()


def test_everything_unknown_is_named_once() -> None:
    quotes = tuple(DraftQuote(source=source, text="words") for source in ("p9", "p8"))
    several = Reading(findings=(*reading("p8", UNKNOWN).findings, DraftFinding(claim="So it is.", quotes=quotes)))
    assert GIVEN.objections(several) == tuple(f"no passage has the label {one!r}" for one in (UNKNOWN, "p8", "p9"))


@pytest.mark.parametrize("source", ["", "1", "p", "P1", " p1", "p1 ", "p1\n", "p-1", "t1/1", "0" * 63, "A" * 64])
def test_nothing_but_a_label_or_a_hash_names_a_source(source: str) -> None:
    with pytest.raises(ValidationError, match="String should match pattern"):
        DraftQuote(source=source, text="words")


def test_another_contract_than_the_one_that_is_wanted_is_refused() -> None:
    assert GIVEN.objections(Summary(text="words")) == ("a Reading is wanted, not a Summary",)


CARDS = tuple(AgentCard(name=name, description="Acts.") for name in ("scout", "dates"))
PENDING = TodoStatus.PENDING


def drafts(*agents: str | None) -> tuple[DraftTodo, ...]:
    return tuple(DraftTodo(task=f"Do {place}.", agent=agent) for place, agent in enumerate(agents))


@pytest.mark.parametrize(
    ("agents", "cards", "objections"),
    [
        (("scout", None, "dates"), CARDS, ()),
        (("scout", "clerk", "clerk"), CARDS, ("no agent is called 'clerk'; this run has dates, scout",)),
        (
            ("Scout", ""),
            CARDS,
            (
                "no agent is called 'Scout'; this run has dates, scout",
                "no agent is called ''; this run has dates, scout",
            ),
        ),
        (("scout", None), (), ("no agent is called 'scout'; this run has none",)),
    ],
)
def test_todos_are_delegated_to_agents_of_the_run_alone(
    agents: tuple[str | None, ...], cards: tuple[AgentCard, ...], objections: tuple[str, ...]
) -> None:
    plan = PlanInput(question="Who?", agents=cards)
    assert plan.objections(PlanDraft(todos=drafts(*agents))) == objections
    review = ReviewInput(question="Who?", todo_id="t1", task="x", room=3, agents=cards)
    reply = Review(is_sufficient=True, new_todos=("More.", *drafts(*agents)))
    assert review.objections(reply) == objections
