from collections.abc import Callable

from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import ReflectGiven
from quaestor.models.offline.reflecting import reflect

FindingOf = Callable[..., Finding]

CHAIN = 'When was the note that "Lidded Jars" replaces created?'


def test_nothing_found_leaves_the_task_open() -> None:
    reply = reflect(ReflectGiven(question="Why lids?", task="Why do jars have lids?", loops_left=2))

    assert not reply.is_sufficient
    assert reply.knowledge_gap == "Not covered: Why do jars have lids?"
    assert reply.follow_up_queries


def test_what_covers_the_task_suffices(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids because dust spoils honey."),)
    reply = reflect(
        ReflectGiven(question="Why lids?", task="Why do jars have lids?", findings=found, executed=("q",), loops_left=2)
    )

    assert reply.is_sufficient
    assert reply.summary == "Jars have lids because dust spoils honey."


def test_a_facet_nobody_speaks_of_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids of tin."),)
    reply = reflect(
        ReflectGiven(question="Why lids?", task="Why do jars have lids?", findings=found, executed=("q",), loops_left=2)
    )

    assert reply.knowledge_gap == "Not covered: reasons"
    assert any("because" in query for query in reply.follow_up_queries)


def test_a_name_nobody_speaks_of_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t1/1", "Jars have lids of tin."),)
    reply = reflect(
        ReflectGiven(
            question="Jars?", task="Which jars did Ann Lee make?", findings=found, executed=("q",), loops_left=1
        )
    )

    assert "Ann Lee" in reply.knowledge_gap


def test_a_reference_not_followed_yet_is_a_gap(finding: FindingOf) -> None:
    found = (finding("t2/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    reply = reflect(ReflectGiven(question=CHAIN, task=CHAIN, findings=found, executed=("q",), loops_left=1))

    assert not reply.is_sufficient
    assert reply.follow_up_queries[0].startswith("Note 12")


def test_the_link_alone_suffices_for_the_todo_that_looks_for_it(finding: FindingOf) -> None:
    found = (finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    task = 'The note that "Lidded Jars" replaces'

    assert reflect(ReflectGiven(question=CHAIN, task=task, findings=found, executed=("q",), loops_left=1)).is_sufficient


def test_no_query_is_asked_for_twice() -> None:
    first = reflect(ReflectGiven(question="Why lids?", task="Why do jars have lids?", loops_left=2)).follow_up_queries
    again = reflect(ReflectGiven(question="Why lids?", task="Why do jars have lids?", executed=first, loops_left=1))

    assert set(first).isdisjoint(again.follow_up_queries)


def test_the_gap_is_said_in_the_language_of_the_question() -> None:
    reply = reflect(ReflectGiven(question="谁发明了电话\uff1f", task="谁发明了电话\uff1f", loops_left=0))

    assert reply.knowledge_gap.startswith("未涵盖")
    assert reply.follow_up_queries == ()


def test_an_analysis_has_nothing_to_search_for(finding: FindingOf) -> None:
    found = (finding("t3/1", "Created: 03-May-2001 (Plain Jars); 09-Jul-2010 (Lidded Jars)"),)

    assert reflect(ReflectGiven(question="Why lids?", task="Compare why", findings=found, loops_left=0)).is_sufficient
