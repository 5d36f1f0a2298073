from collections.abc import Callable

from quaestor.contracts.ledger import Finding
from quaestor.research.contracts.roles import ReviewInput
from quaestor.research.offline.reflector import review

FindingOf = Callable[..., Finding]

CHAIN = 'When was the note that "Lidded Jars" replaces created?'


def test_nothing_found_leaves_the_task_open() -> None:
    reply = review(ReviewInput(todo_id="t1", question="Why lids?", task="Why do jars have lids?", loops_left=2))

    assert not reply.is_sufficient
    assert reply.knowledge_gap == "Nothing was found on “Why do jars have lids?”."
    assert reply.follow_up_queries


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


def test_a_facet_nobody_speaks_of_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids of tin."),)
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

    assert reply.knowledge_gap == "Nothing was found on the reasons for jars."
    assert any("because" in query for query in reply.follow_up_queries)


def test_a_name_nobody_speaks_of_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids of tin."),)
    reply = review(
        ReviewInput(
            todo_id="t1",
            question="Jars?",
            task="Which jars did Ann Lee make?",
            findings=found,
            executed=("q",),
            loops_left=1,
        )
    )

    assert "Ann Lee" in reply.knowledge_gap


def test_a_reference_not_followed_yet_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t2/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    reply = review(ReviewInput(todo_id="t1", question=CHAIN, task=CHAIN, findings=found, executed=("q",), loops_left=1))

    assert not reply.is_sufficient
    assert reply.follow_up_queries[0].startswith("Note 12")


def test_the_link_alone_suffices_for_the_todo_that_looks_for_it(finding: FindingOf) -> None:
    found = (finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    task = 'The note that "Lidded Jars" replaces'

    assert review(
        ReviewInput(todo_id="t1", question=CHAIN, task=task, findings=found, executed=("q",), loops_left=1)
    ).is_sufficient


def test_no_query_is_asked_for_twice() -> None:
    first = review(
        ReviewInput(todo_id="t1", question="Why lids?", task="Why do jars have lids?", loops_left=2)
    ).follow_up_queries
    again = review(
        ReviewInput(todo_id="t1", question="Why lids?", task="Why do jars have lids?", executed=first, loops_left=1)
    )

    assert set(first).isdisjoint(again.follow_up_queries)


def test_the_gap_is_said_in_the_language_of_the_question() -> None:
    reply = review(ReviewInput(todo_id="t1", question="谁发明了电话\uff1f", task="谁发明了电话\uff1f", loops_left=0))

    assert reply.knowledge_gap.startswith("未涵盖")
    assert reply.follow_up_queries == ()


def test_an_analysis_has_nothing_to_search_for(finding: FindingOf) -> None:
    found = (finding("t3/1", "Created: 03-May-2001 (Plain Jars); 09-Jul-2010 (Lidded Jars)"),)

    assert review(
        ReviewInput(todo_id="t1", question="Why lids?", task="Compare why", findings=found, loops_left=0)
    ).is_sufficient


def test_what_only_leads_up_to_the_question_leaves_no_gap() -> None:
    reply = review(ReviewInput(todo_id="t1", question="Why were jars given lids?", task="About jars", loops_left=0))

    assert (reply.is_sufficient, reply.knowledge_gap) == (False, "")


def test_another_name_is_asked_for_next(finding: FindingOf) -> None:
    found = (finding("t1/1", 'Closed Vessels: In talks on this note it became known as "the lid".'),)
    task = "Objections to the lid"
    reply = review(ReviewInput(todo_id="t1", question=task, task=task, findings=found, executed=("q",), loops_left=2))

    assert reply.follow_up_queries[0] == "Closed Vessels objection"


def test_several_findings_may_tell_a_side_in_other_words(finding: FindingOf) -> None:
    found = tuple(finding(f"t1/{number}", f"Jars have lids of tin {number}.") for number in (1, 2, 3))
    asked = ReviewInput(
        todo_id="t1", question="Why lids?", task="Why do jars have lids?", findings=found, executed=("q",), loops_left=2
    )

    assert review(asked).is_sufficient


def test_a_name_that_only_says_where_is_no_gap(finding: FindingOf) -> None:
    found = (finding("t1/1", "Lids of tin jars keep dust out."),)
    asked = ReviewInput(
        todo_id="t1", question="Lids?", task="Lids of tin jars in Peru", findings=found, executed=("q",), loops_left=0
    )

    assert review(asked).is_sufficient
