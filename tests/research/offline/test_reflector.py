from collections.abc import Callable

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.research.contracts.roles import ReviewInput
from quaestor.research.offline.reflector import review

FindingOf = Callable[..., Finding]

CHAIN = 'When was the note that "Lidded Jars" replaces created?'


def test_what_covers_the_task_suffices(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids because dust spoils honey."),)
    reply = review(
        ReviewInput(
            todo_id="t1",
            question="Why lids?",
            task="Why do jars have lids?",
            findings=found,
            executed=("q",),
            loops_left=2,
        )
    )

    assert reply.is_sufficient
    assert reply.summary == "Jars have lids because dust spoils honey."


def test_a_reference_not_followed_yet_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t2/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    reply = review(ReviewInput(todo_id="t1", question=CHAIN, task=CHAIN, findings=found, executed=("q",), loops_left=1))

    assert not reply.is_sufficient
    assert reply.follow_up_queries[0].startswith("Note 12")


def test_no_query_is_asked_for_twice() -> None:
    asked = ReviewInput(
        todo_id="t1", question="Jars?", task="Which jars did Ann Lee make?", executed=("lids",), loops_left=2
    )
    first = review(asked).follow_up_queries
    again = review(asked.revised(executed=first))

    assert first
    assert set(first).isdisjoint(again.follow_up_queries)


def test_an_analysis_has_nothing_to_search_for(finding: FindingOf) -> None:
    found = (finding("t3/1", "Created: 03-May-2001 (Plain Jars); 09-Jul-2010 (Lidded Jars)"),)

    assert review(
        ReviewInput(todo_id="t1", question="Why lids?", task="Compare why", findings=found, loops_left=0)
    ).is_sufficient


def test_another_name_is_asked_for_next(finding: FindingOf) -> None:
    found = (finding("t1/1", 'Closed Vessels: In talks on this note it became known as "the lid".'),)
    task = "Objections to the lid"
    reply = review(ReviewInput(todo_id="t1", question=task, task=task, findings=found, executed=("q",), loops_left=2))

    assert reply.follow_up_queries[0] == "Closed Vessels objection rejected alternative"


def test_several_findings_may_tell_a_side_in_other_words(finding: FindingOf) -> None:
    found = tuple(finding(f"t1/{number}", f"Jars have lids of tin {number}.") for number in (1, 2, 3))
    asked = ReviewInput(
        todo_id="t1", question="Why lids?", task="Why do jars have lids?", findings=found, executed=("q",), loops_left=2
    )

    assert review(asked).is_sufficient


def test_nothing_found_leaves_what_the_task_names_open() -> None:
    reply = review(
        ReviewInput(todo_id="t1", question="Jars?", task="Which jars did Ann Lee make?", executed=("q",), loops_left=2)
    )

    assert not reply.is_sufficient
    assert reply.knowledge_gap == "No passage holds “Ann Lee”."
    assert reply.follow_up_queries[0] == "Ann Lee"


def test_a_name_that_no_quote_holds_is_searched_for(finding: FindingOf) -> None:
    found = (finding("t1/1", "Ann Lee made pots."),)
    asked = ReviewInput(
        todo_id="t1",
        question="Jars?",
        task="Did Ann Lee know Bo Ek of Leland?",
        findings=found,
        executed=("q",),
        loops_left=1,
    )

    assert review(asked).follow_up_queries == ("Bo Ek", "Leland")
    assert review(asked).knowledge_gap == ""
    assert review(asked.revised(loops_left=0)).follow_up_queries == ()


@pytest.mark.parametrize(
    ("text", "searches"),
    [
        ("The keeper of Aldmouth rang a bell. Ida Blom sold lamps. Ships paid dues. Towers stood in Vesk.", ()),
        ("Ida Blom sold lamps of tin to the keepers of towers in Vesk.", ()),
        ("Which lamps did Ida Blom sell?", ("Ida Blom",)),
    ],
)
def test_a_story_and_a_statement_are_searched_whole_and_by_no_name_alone(
    finding: FindingOf, text: str, searches: tuple[str, ...]
) -> None:
    found = (finding("t1/1", "The bell was of iron."),)
    given = ReviewInput(todo_id="t1", question=text, task=text, findings=found, executed=(text,), loops_left=2)

    assert review(given).follow_up_queries == searches
