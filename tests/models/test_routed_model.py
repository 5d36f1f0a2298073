import pytest

from fakes.chores import SWEPT, Answers, Summing
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import ModelReply, OutputRequest
from quaestor.models.wrappers import RoutedModel

DEAR = Spend(model_calls=1, tokens=900)


def named(name: str, *answers: str | ModelReply | Exception, ceiling: Spend | None = None) -> Answers:
    """Return a model of this name, which answers with its name where nothing else is said."""
    model = Answers(*(answers or (name,)), ceiling=ceiling)
    model.name = name
    return model


def call(role: str = "reader", *, failures: int = 0, attempt: int = 1) -> OutputRequest:
    return OutputRequest(
        key="k", todo_id=None, role=role, ordinal=1, attempt=attempt, failures=failures, given=Summing()
    )


async def asked(model: RoutedModel, request: OutputRequest) -> tuple[str, str]:
    """Return who was announced, and what was said."""
    prepared = model.prepare(request)
    return prepared.model, (await model.answer(request, prepared)).text


async def test_a_role_of_its_own_is_answered_by_its_own_model_and_all_others_by_the_usual_one() -> None:
    model = RoutedModel([named("small")], {"planner": [named("large")]})
    assert model.name == "small"
    assert await asked(model, call("planner")) == ("large", "large")
    assert await asked(model, call("reader")) == ("small", "small")


@pytest.mark.parametrize(("failures", "name"), [(0, "a"), (1, "b"), (2, "c"), (3, "c"), (9, "c")])
async def test_a_call_without_reply_is_the_next_models_turn_and_the_last_keeps_it(failures: int, name: str) -> None:
    model = RoutedModel([named("a"), named("b"), named("c")], {})
    assert await asked(model, call(failures=failures)) == (name, name)


async def test_every_model_of_a_chain_begins_without_a_failure_of_its_own() -> None:
    chain = [named("a"), named("b"), named("c")]
    model = RoutedModel(chain, {})
    for failures in range(5):
        await asked(model, call(failures=failures))
    assert [[request.failures for request in each.requests] for each in chain] == [[0], [0], [0, 1, 2]]


async def test_each_role_goes_down_its_own_chain() -> None:
    model = RoutedModel([named("a"), named("b")], {"planner": [named("x"), named("y")]})
    assert [(await asked(model, call("planner", failures=n)))[0] for n in (0, 1, 2)] == ["x", "y", "y"]


async def test_a_reply_that_broke_its_contract_is_put_right_by_whoever_answers_first() -> None:
    model = RoutedModel([named("a"), named("b")], {})
    assert await asked(model, call(attempt=3)) == ("a", "a")


async def test_what_is_reserved_is_the_most_that_the_model_whose_turn_it_is_can_cost() -> None:
    model = RoutedModel([named("a"), named("b", ceiling=DEAR)], {})
    assert [model.prepare(call(failures=n)).ceiling for n in (0, 1)] == [Spend(model_calls=1), DEAR]


async def test_a_model_that_refuses_leaves_the_turn_to_the_next_as_a_failure_that_cost_one_call() -> None:
    model = RoutedModel([named("a", ModelRefused("a answered 401: bad key"), ceiling=DEAR), named("b")], {})
    with pytest.raises(ModelFailed, match="a answered 401: bad key") as caught:
        await asked(model, call())
    assert caught.value.spend == Spend(model_calls=1)
    assert await asked(model, call(failures=1)) == ("b", "b")


@pytest.mark.parametrize("before", [[], [named("a")]])
async def test_a_refusal_of_the_last_model_is_final(before: list[Answers]) -> None:
    model = RoutedModel([*before, named("z", ModelRefused("z answered 403"))], {})
    with pytest.raises(ModelRefused, match="z answered 403"):
        await asked(model, call(failures=len(before)))


async def test_a_role_whose_model_is_the_fallback_too_is_not_refused_twice() -> None:
    spare = named("spare", ModelRefused("spare answered 403"))
    model = RoutedModel([named("a"), spare], {"planner": [spare, spare]})
    with pytest.raises(ModelRefused):
        await asked(model, call("planner"))
    assert len(spare.requests) == 1


async def test_a_failure_keeps_its_words_and_its_cost() -> None:
    model = RoutedModel([named("a", ModelFailed("a: cut off", DEAR)), named("b")], {})
    with pytest.raises(ModelFailed, match="a: cut off") as caught:
        await asked(model, call())
    assert caught.value.spend == DEAR


async def test_a_call_is_made_to_one_model_alone() -> None:
    first, second = named("a", SWEPT), named("b", SWEPT)
    await asked(RoutedModel([first, second], {}), call())
    assert (len(first.requests), len(second.requests)) == (1, 0)


def test_the_longest_chain_says_how_often_a_call_may_be_made() -> None:
    a, b, c = named("a"), named("b"), named("c")
    assert RoutedModel([a], {}).longest_chain == 1
    assert RoutedModel([a], {"planner": [a, b, c], "reader": [b]}).longest_chain == 3
    assert RoutedModel([a, b], {"planner": [c]}).longest_chain == 2
