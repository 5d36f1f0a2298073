from fakes.findings import hit
from quaestor.contracts.action import OutputPass
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.plan import Todo
from quaestor.research.contracts.roles import ReviewInput
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import steps
from quaestor.research.todos.lifecycle import advance, next_actions
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.tool_outcomes import PassageSearchOutcome, ToolOutcomes, search_key

OPTIONS = ResearchOptions(corpus="corpus_1", reading_characters=1000)
A, B = hit("passage a"), hit("passage b")


def searching(*queries: str) -> TodoState:
    return TodoState(todo_id="t1", step=steps.Searching(steps.SearchRequests(queries=queries)))


def outcomes(**found: PassageSearchOutcome) -> ToolOutcomes:
    return ToolOutcomes(searches={search_key(query): outcome for query, outcome in found.items()})


def test_equal_queries_have_one_key() -> None:
    assert search_key("Fog  Bell") == search_key("fog bell ")
    assert search_key("fog bell") != search_key("fog bells")


def test_reading_begins_when_every_query_has_an_outcome() -> None:
    waiting = searching("x", "y")
    assert advance(waiting, outcomes(x=PassageSearchOutcome(hits=(A,))), OPTIONS) == waiting
    done = advance(waiting, outcomes(x=PassageSearchOutcome(hits=(A,)), y=PassageSearchOutcome(hits=(B, A))), OPTIONS)
    assert (done.step, done.unread, done.executed) == (steps.Reading(), (A, B), ("x", "y"))


def test_what_was_read_before_is_not_read_again() -> None:
    first = advance(searching("x"), outcomes(x=PassageSearchOutcome(hits=(A,))), OPTIONS)
    again = replace(first, step=searching("y").step, unread=())
    assert advance(again, outcomes(y=PassageSearchOutcome(hits=(A, B))), OPTIONS).unread == (B,)


def test_one_search_that_fails_does_not_hurt_the_others() -> None:
    found = advance(
        searching("x", "y"), outcomes(x=PassageSearchOutcome(error="down"), y=PassageSearchOutcome(hits=(A,))), OPTIONS
    )
    assert (found.step, found.unread) == (steps.Reading(), (A,))
    assert found.gaps == ("A search failed: down",)


def test_all_searches_failing_fails_the_todo_and_no_result_does_not() -> None:
    failed = advance(
        searching("x", "y"),
        outcomes(x=PassageSearchOutcome(error="down"), y=PassageSearchOutcome(error="off")),
        OPTIONS,
    )
    assert failed.step == steps.Recording("every search failed: down")
    nothing = advance(searching("x"), outcomes(x=PassageSearchOutcome()), OPTIONS)
    assert nothing.step == steps.Recording()


def test_a_reviewer_is_told_how_many_searches_may_follow() -> None:
    state = TodoState(todo_id="t1", step=steps.Reviewing(), executed=("x",), loop=1)
    todo = Todo.model_validate_json('{"id": "t1", "task": "Why lids?", "kind": "research"}')
    (action,) = next_actions(state, todo, question="Why lids?", outcomes=ToolOutcomes(), options=OPTIONS)

    assert isinstance(action, OutputPass)
    assert isinstance(action.given, ReviewInput)
    assert action.given.loops_left == OPTIONS.loops - 1


def test_what_a_reader_sees_has_a_ceiling() -> None:
    many = tuple(hit(f"{place:03}" * 100) for place in range(30))
    shown = advance(searching("x"), outcomes(x=PassageSearchOutcome(hits=many)), OPTIONS).unread
    assert 0 < sum(len(one.model_dump_json()) for one in shown) <= OPTIONS.reading_characters
