from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.ledger import Finding
from quaestor.contracts.tools import SearchInput
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.roles import QueriesInput
from quaestor.research.offline.query_writer import choose_searches, write_digest, write_queries

FindingOf = Callable[..., Finding]

TASK = "Why do jars have lids?"
CHAIN = 'When was the note that "Lidded Jars" replaces created?'


def queries(given: DelegateToolInput) -> list[str]:
    return [SearchInput.model_validate(call.given).query for call in choose_searches(given)]


def test_a_tool_pass_searches_as_the_query_writer_would() -> None:
    written = write_queries(QueriesInput(question="Why lids?", task=TASK, wanted=3)).queries

    assert queries(DelegateToolInput(question="Why lids?", task=TASK, passes_left=2)) == list(written)


@given(question=st.text(min_size=1), task=st.text(min_size=1), passes_left=st.integers(0, 2))
def test_every_call_is_a_search_of_its_own(question: str, task: str, passes_left: int) -> None:
    calls = choose_searches(DelegateToolInput(question=question, task=task, passes_left=passes_left))

    assert {call.tool for call in calls} == {"search"}
    assert len({call.ref for call in calls}) == len(calls) <= 3
    assert len({SearchInput.model_validate(call.given).query.casefold() for call in calls}) == len(calls)


def test_what_was_found_before_leads_the_searches(finding: FindingOf) -> None:
    known = (finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    shown = DelegateToolInput(question=CHAIN, task=CHAIN, findings=known, passes_left=2)

    assert queries(shown)[0].startswith("Note 12 ")
    assert not any("Note 12" in query for query in queries(shown.model_copy(update={"findings": ()})))


def test_one_round_of_searches_is_enough() -> None:
    assert choose_searches(DelegateToolInput(question="Why lids?", task=TASK, executed=("lids",), passes_left=1)) == ()


def test_a_digest_holds_every_claim_that_fits(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars are of glass."), finding("t2/1", "Lids are of tin."))

    assert write_digest(DelegateSummaryInput(question="Jars?", task="Sum up", findings=found)).text == (
        "Jars are of glass.\nLids are of tin."
    )


def test_a_digest_of_nothing_says_so() -> None:
    assert (
        write_digest(DelegateSummaryInput(question="Jars?", task="Sum up")).text
        == "The todos this one builds on found nothing."
    )


@given(claims=st.lists(st.text(min_size=1), max_size=5), characters=st.integers(1, 200))
def test_every_digest_is_as_short_as_asked_for(claims: list[str], characters: int) -> None:
    quote = {"source": "0" * 64, "start": 0, "end": 1, "text": "x"}
    found = tuple(
        Finding.model_validate({"id": f"t1/{place}", "claim": claim, "quotes": [quote]})
        for place, claim in enumerate(claims, 1)
    )
    asked = DelegateSummaryInput(question="Jars?", task="Sum up", findings=found, characters=characters)

    assert asked.objections(write_digest(asked)) == ()
