from fakes.findings import hit
from quaestor.contracts.options import ResearchOptions
from quaestor.workflows.parts.gathering import went_on
from quaestor.workflows.parts.life import Life
from quaestor.workflows.parts.outcomes import Outcomes, Searched, search_key

OPTIONS = ResearchOptions(corpus="corpus_1", reading_characters=1000)
A, B = hit("passage a"), hit("passage b")


def life(*queries: str, **more: object) -> Life:
    return Life(todo_id="t1", step="searching", queries=queries).model_copy(update=more)


def outcomes(**found: Searched) -> Outcomes:
    return Outcomes(searches={search_key(query): outcome for query, outcome in found.items()})


def test_equal_queries_have_one_key() -> None:
    assert search_key("Fog  Bell") == search_key("fog bell ")
    assert search_key("fog bell") != search_key("fog bells")


def test_reading_begins_when_every_query_has_an_outcome() -> None:
    waiting = life("x", "y")
    assert went_on(waiting, outcomes(x=Searched(hits=(A,))), OPTIONS) == waiting
    done = went_on(waiting, outcomes(x=Searched(hits=(A,)), y=Searched(hits=(B, A))), OPTIONS)
    assert (done.step, done.unread, done.executed) == ("reading", (A, B), ("x", "y"))


def test_what_was_read_before_is_not_read_again() -> None:
    first = went_on(life("x"), outcomes(x=Searched(hits=(A,))), OPTIONS)
    again = first.model_copy(update={"step": "searching", "queries": ("y",), "unread": ()})
    assert went_on(again, outcomes(y=Searched(hits=(A, B))), OPTIONS).unread == (B,)


def test_one_search_that_fails_does_not_hurt_the_others() -> None:
    found = went_on(life("x", "y"), outcomes(x=Searched(error="down"), y=Searched(hits=(A,))), OPTIONS)
    assert (found.step, found.unread, found.failure) == ("reading", (A,), None)
    assert found.gaps == ("A search failed: down",)


def test_all_searches_failing_fails_the_todo_and_no_result_does_not() -> None:
    failed = went_on(life("x", "y"), outcomes(x=Searched(error="down"), y=Searched(error="off")), OPTIONS)
    assert (failed.step, failed.failure) == ("recording", "every search failed: down")
    nothing = went_on(life("x"), outcomes(x=Searched()), OPTIONS)
    assert (nothing.step, nothing.failure) == ("recording", None)


def test_what_a_reader_sees_has_a_ceiling() -> None:
    many = tuple(hit(f"{place:03}" * 100) for place in range(30))
    shown = went_on(life("x"), outcomes(x=Searched(hits=many)), OPTIONS).unread
    assert 0 < sum(len(one.model_dump_json()) for one in shown) <= OPTIONS.reading_characters
