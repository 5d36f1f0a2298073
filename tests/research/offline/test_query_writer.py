from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.roles import QueriesInput
from quaestor.research.offline.query_writer import write_queries

CHAIN = 'When was the note that "Lidded Jars" replaces created?'


def test_a_reference_that_was_found_leads_the_next_query() -> None:
    queries = write_queries(
        QueriesInput(question=CHAIN, task=CHAIN, wanted=2, known=("Lidded Jars (Note 40) — Replaces: 12",))
    ).queries

    assert queries[0].startswith("Note 12 ")
    assert "created" in queries[0]


def test_a_reference_that_was_followed_is_not_followed_again() -> None:
    known = ("Lidded Jars (Note 40) — Replaces: 12", "Plain Jars (Note 12) — Created: 03-May-2001")
    queries = write_queries(QueriesInput(question=CHAIN, task=CHAIN, wanted=3, known=known)).queries

    assert not any("Note 12" in query for query in queries)


def test_references_beyond_the_number_wanted_share_a_query() -> None:
    known = ("Lidded Jars (Note 40) — Replaces: 12, 13",)
    (query,) = write_queries(QueriesInput(question=CHAIN, task=CHAIN, wanted=1, known=known)).queries

    assert {"12", "13"} <= set(query.split())


def test_what_the_reflector_asks_for_comes_before_the_task() -> None:
    asked = QueriesInput(question="Why lids?", task="Why lids?", wanted=1, follow_ups=("glass lids dust",))

    assert write_queries(asked).queries == ("glass lids dust",)


def test_a_query_that_differs_in_case_alone_is_executed_already() -> None:
    asked = QueriesInput(question="US jars", task="US jars", wanted=2, executed=("us jars",))

    assert asked.objections(write_queries(asked)) == ()


def test_the_task_is_searched_as_it_is_written_then_the_question() -> None:
    asked = QueriesInput(question="Why were lids made of tin?", task="Tin lids: when?", wanted=3)

    assert write_queries(asked).queries == ("Tin lids: when?", "Why were lids made of tin?")


def test_a_field_is_searched_by_the_word_of_headers_too() -> None:
    asked = QueriesInput(question="Who wrote jarlid and lidkit?", task="Who wrote jarlid and lidkit?", wanted=3)

    assert write_queries(asked).queries == (asked.task, "wrote jarlid lidkit title author")


def test_whether_something_still_is_is_searched_by_the_words_for_its_end() -> None:
    def queries(task: str) -> tuple[str, ...]:
        return write_queries(QueriesInput(question=task, task=task, wanted=2)).queries

    asked = "Does the Lid Committee still exist?"
    assert queries(asked) == (asked, "Lid Committee replaced dissolved abolished discontinued ended")
    assert queries("Gibt es den Verein noch?")[1] == "Verein ersetzt aufgelöst abgeschafft eingestellt beendet"
    assert queries("Does the Lid Committee sell still water?") == ("Does the Lid Committee sell still water?",)
    assert queries("Is it still used?") == ("Is it still used?",)


def test_a_side_of_a_name_alone_is_searched_in_the_words_for_that_side() -> None:
    alone, more = "Why was Note 40 accepted?", "Why does Note 40 name no maker of lids?"
    told = [write_queries(QueriesInput(question=one, task=one, wanted=2)).queries for one in (alone, more)]

    assert told[0][0] == alone
    assert "Note 40" in told[0][1]
    assert "rationale" in told[0][1]
    assert told[1] == (more,)


def test_the_date_of_a_title_is_searched_in_the_header_of_its_document_too() -> None:
    question = 'Which was created first, "Lidded Jars" or "Plain Jars"?'
    asked = QueriesInput(question=question, task="Plain Jars: created first", wanted=3)

    assert write_queries(asked).queries == ("Plain Jars: created first", question, "Plain Jars title author")


@given(task=st.text(min_size=1), wanted=st.integers(1, 8), rounds=st.integers(1, 4))
def test_every_round_gives_new_queries(task: str, wanted: int, rounds: int) -> None:
    executed: tuple[str, ...] = ()
    for _ in range(rounds):
        asked = QueriesInput(question=task, task=task, wanted=wanted, executed=executed)
        reply = write_queries(asked)
        assert asked.objections(reply) == ()
        executed += reply.queries


def test_another_name_that_was_found_leads_with_the_words_of_the_side_asked_for() -> None:
    known = ('Closed Vessels: In talks on this note it became known as "the lid".',)
    asked = QueriesInput(question="Why was the lid added?", task="Why was the lid added?", wanted=3, known=known)

    assert write_queries(asked).queries[1] == "Closed Vessels rationale motivation because"


def test_a_text_about_many_things_is_searched_whole_even_where_its_task_was_cut() -> None:
    story = "Anna kept the light. Ships paid dues at night. The bell was struck by hand. Iron towers stood there."
    for task in (story, f"{story[:40]}…"):
        assert write_queries(QueriesInput(question=story, task=task, wanted=3)).queries == (story,)
