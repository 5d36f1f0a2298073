"""What research may take: calls by its plan, tokens and dollars by what earlier sessions spent."""

from decimal import Decimal
from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.app.costs import CostBook, CostEstimate, describe_estimate, estimate_costs, needs_yes
from quaestor.contracts.cost import Price, Spend, SpendAccount, SpendReport
from quaestor.contracts.event import SESSION_SCOPE
from quaestor.contracts.settings import Settings
from quaestor.faces.cli.approval import approve_cost


def account(name: str, calls: int, tokens: int = 0, dollars: str = "0") -> SpendAccount:
    return SpendAccount(name=name, spend=Spend(model_calls=calls, tokens=tokens, dollars=Decimal(dollars)))


def spent(todos: int, loops: int = 1, tokens: int = 1_000, price: str = "0.01", unpriced: bool = False) -> SpendReport:
    """Return what a session spent whose calls took the same tokens and dollars each."""

    def role(name: str, calls: int) -> SpendAccount:
        return account(name, calls, calls * tokens, str(calls * Decimal(price)))

    roles = (role("planner", 1), role("reader", todos * loops), role("reviewer", todos * loops), role("writer", 2))
    calls = sum(one.spend.model_calls for one in roles)
    return SpendReport(
        session_id="s",
        total=account("total", calls, calls * tokens, str(calls * Decimal(price))),
        by_state=(),
        by_role=roles,
        by_todo=(account(SESSION_SCOPE, 3), *(account(f"t{place}", 1) for place in range(todos))),
        by_model=(),
        lost=account("lost", 0),
        held=account("held", 0),
        seconds=60.0 * todos,
        limits=(),
        unpriced=("lab:small",) if unpriced else (),
        replays=None,
    )


def ranges(estimate: CostEstimate) -> dict[str, tuple[float, ...] | None]:
    return {
        name: tuple(float(each) for each in (one.least, one.middle, one.most)) if one else None
        for name, one in (("calls", estimate.calls), ("tokens", estimate.tokens), ("dollars", estimate.dollars))
    }


LOW = Settings(effort="low", questions=False, model="openai:gpt-5")


def test_without_a_finished_session_only_the_calls_of_the_plan_are_known() -> None:
    assert ranges(estimate_costs(LOW, (), {})) == {"calls": (5, 9, 17), "tokens": None, "dollars": None}
    high = estimate_costs(LOW.revised(effort="high"), (), {})
    assert ranges(high)["calls"] == (6, 10, 1 + 70 * 2 + 63 + 2 + 1)
    assert "what they cost is not known" in describe_estimate(high)


def test_the_offline_model_is_known_to_cost_nothing_before_a_session_has_finished() -> None:
    offline = LOW.revised(model="offline")
    assert describe_estimate(estimate_costs(offline, (), {})) == "No call costs anything."
    mixed = offline.revised(models={"writer": "openai:gpt-5"})
    assert "what they cost is not known" in describe_estimate(estimate_costs(mixed, (), {}))


def test_earlier_sessions_give_the_todos_the_loops_and_what_a_call_of_each_role_takes() -> None:
    estimate = estimate_costs(LOW, (spent(2), spent(3, tokens=2_000), spent(4, loops=3, price="0.02")), {})
    assert estimate.sessions == 3
    assert ranges(estimate) == {
        "calls": (7, 9, 11),
        "tokens": (7_000, 9_000, 22_000),
        "dollars": (0.07, 0.09, 0.22),
    }
    assert describe_estimate(estimate) == (
        "About 9 (7 to 11) model calls, 9,000 (7,000 to 22,000) tokens, $0.09 ($0.07 to $0.22); "
        "it took 3 min (2 min to 4 min) in 3 sessions with this model."
    )


def test_sessions_that_took_no_second_took_under_one_and_not_none() -> None:
    said = describe_estimate(estimate_costs(LOW, (spent(2).model_copy(update={"seconds": 0.3}),), {}))
    assert said.endswith("it took less than 1 s in 1 session with this model."), said


def test_a_role_that_no_session_had_takes_what_a_call_took() -> None:
    checked = estimate_costs(LOW.revised(check=True), (spent(2),), {})
    assert ranges(checked)["tokens"] == (8_000, 8_000, 8_000)


def test_where_a_price_is_not_known_no_dollars_are_named() -> None:
    assert estimate_costs(LOW, (spent(2, unpriced=True),), {}).dollars is None


PRICE = Price(input=Decimal(10), output=Decimal(50))
"""Of which a call of 1,000 tokens of input costs a cent."""


@pytest.mark.parametrize(
    ("paid", "price", "dollars"),
    [
        ("0", PRICE, (0.08, 0.08, 0.08)),
        ("0.005", PRICE, (0.08, 0.08, 0.08)),
        ("0.02", PRICE, (0.16, 0.16, 0.16)),
        ("0", None, (0, 0, 0)),
    ],
)
def test_past_calls_cost_what_was_paid_or_what_they_would_cost_today_whichever_is_more(
    paid: str, price: Price | None, dollars: tuple[float, ...]
) -> None:
    """A role that no session had takes what any call took, also at the prices of today."""
    checked = LOW.revised(check=True)
    assert ranges(estimate_costs(checked, (spent(2, price=paid),), {"openai:gpt-5": price}))["dollars"] == dollars


def test_output_costs_what_output_costs_and_each_role_what_its_own_model_does() -> None:
    said = spent(2, price="0")
    roles = tuple(one.revised(input_tokens=0, output_tokens=one.spend.tokens) for one in said.by_role)
    mixed = LOW.revised(models={"writer": "openai:other"})
    prices = {"openai:gpt-5": None, "openai:other": PRICE}
    assert ranges(estimate_costs(mixed, (said,), prices))["dollars"] == (0.02, 0.02, 0.02)
    assert ranges(estimate_costs(mixed, (said.revised(by_role=roles),), prices))["dollars"] == (0.1, 0.1, 0.1)


def test_a_model_that_had_no_price_is_priced_once_it_has_one() -> None:
    past = (spent(2, price="0").revised(unpriced=("openai:gpt-5",)),)
    assert estimate_costs(LOW, past, {"openai:gpt-5": None}).dollars is None
    priced = estimate_costs(LOW, past, {"openai:gpt-5": PRICE})
    assert ranges(priced)["dollars"] == (0.07, 0.07, 0.07)
    assert needs_yes(priced, LOW.revised(confirm_dollars="0.01"))


def test_a_yes_is_needed_above_what_is_let_pass_and_within_the_limit_of_the_session() -> None:
    estimate = estimate_costs(LOW, (spent(3, price="0.2"),), {})
    for settings, needed in (
        (LOW, True),
        (LOW.revised(confirm_dollars=5), False),
        (LOW.revised(max_dollars="0.50"), False),
        (LOW.revised(max_dollars="0.50", confirm_dollars=0), True),
    ):
        assert needs_yes(estimate, settings) is needed
    assert not needs_yes(estimate_costs(LOW, (), {}), LOW.revised(confirm_dollars=0))


def test_what_an_unknown_session_of_a_paid_model_costs_needs_a_yes_or_a_limit() -> None:
    paid = estimate_costs(LOW, (), {"openai:gpt-5": PRICE})
    assert needs_yes(paid, LOW)
    assert not needs_yes(paid, LOW.revised(max_dollars="0.50"))
    assert not needs_yes(estimate_costs(LOW, (), {"openai:gpt-5": Price(input=Decimal(0), output=Decimal(0))}), LOW)
    assert not needs_yes(estimate_costs(LOW, (), {"openai:gpt-5": None}), LOW)
    mixed = LOW.revised(models={"reader": "lab:small"})
    known = estimate_costs(mixed, (spent(2, unpriced=True),), {"openai:gpt-5": PRICE, "lab:small": None})
    assert known.dollars is None
    assert not needs_yes(known, mixed)  # a person saw what such a session comes to


async def test_a_person_is_asked_only_where_it_may_cost_more_than_they_let_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def decline(question: str) -> bool:
        asked.append(question)
        return False

    async with open_home(tmp_path / "home") as q:
        assert await approve_cost(q, decline)
        assert capsys.readouterr().err == ""
        assert (await CostBook().estimate(q, q.settings)).sessions == 0
    async with open_home(tmp_path / "home", model="ollama:small") as q:
        assert await approve_cost(q, decline)
    assert asked == []
    assert "model calls. No finished session" in capsys.readouterr().err
    async with open_home(
        tmp_path / "home", model="lab:small", prices={"lab:small": PRICE.model_dump(mode="json")}
    ) as q:
        assert not await approve_cost(q, decline)
        assert await approve_cost(q, None)
    assert asked == ["start it?"]
