from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.cost import Budget, LimitUsage, Spend, SpendAccount, SpendReport, Usage
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    BudgetRaised,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.kernel.run_state import RunState, fold
from quaestor.research.options import ResearchOptions
from quaestor.views.spend import SpendFold
from quaestor.views.text import format_amount


def build_spend_report(events: Iterable[Event]) -> SpendReport:
    """Return what the session with these events spent."""
    gathered = SpendFold()
    for event in events:
        gathered.take(event)
    return gathered.report()


BUDGET = Budget(tokens=10_000, dollars=Decimal("0.1"), seconds=60, model_calls=0)
CEILING = Spend(model_calls=1, tokens=900, dollars=Decimal("0.01"))
PAID = Spend(model_calls=1, tokens=120, dollars=Decimal("0.002"))
SEARCHED = Spend(tool_calls=1)


def log(*facts: tuple[str, KnownPayload], options: ResearchOptions | None = None) -> list[Event]:
    """Return a session with these facts, each a second after the one before, with the state it belongs to."""
    first = SessionStarted(
        question="why?",
        workflow="research",
        task_key="k",
        options=(options or ResearchOptions(budget=BUDGET)).model_dump(mode="json"),
    )
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Event(
            session_id="s",
            seq=seq,
            cycle=1,
            at=began + timedelta(seconds=seq),
            state=place.partition(" ")[0],
            todo_id=place.partition(" ")[2] or None,
            payload=fact,
        )
        for seq, (place, fact) in enumerate((("CLARIFYING", first), *facts), 1)
    ]


def asked(key: str, role: str = "reader", model: str = "test:small", reserved: Spend = CEILING) -> ModelRequested:
    return ModelRequested(
        key=key,
        role=role,
        model=model,
        contract="Reading",
        ordinal=1,
        attempt=1,
        given={},
        reserved=reserved,
    )


def answered(
    key: str,
    role: str = "reader",
    spend: Spend = PAID,
    usage: Usage | None = None,
    *,
    priced: bool = True,
    cached: bool = False,
) -> ModelResponded:
    return ModelResponded(
        key=key,
        role=role,
        reply="{}",
        error=None,
        spend=spend,
        usage=usage,
        priced=priced,
        cached=cached,
        milliseconds=1500,
    )


def searching(key: str) -> ToolRequested:
    return ToolRequested(key=key, tool="search", repeatable=True, given={}, reserved=SEARCHED)


def searched(key: str) -> ToolResponded:
    return ToolResponded(key=key, tool="search", result={}, error=None, spend=SEARCHED, milliseconds=20)


def named(accounts: Sequence[SpendAccount]) -> dict[str, Spend]:
    return {account.name: account.spend for account in accounts}


def test_a_call_is_counted_in_its_state_role_todo_and_model_with_its_tokens() -> None:
    usage = Usage(input_tokens=100, cached_tokens=60, output_tokens=20)
    spent = build_spend_report(
        log(
            ("PLANNING", asked("plan", "planner", "test:large")),
            ("PLANNING", answered("plan", "planner")),
            ("SEARCHING t1", searching("search/1")),
            ("SEARCHING t1", searched("search/1")),
            ("READING t1", asked("read/1")),
            ("READING t1", answered("read/1", usage=usage)),
        )
    )
    assert named(spent.by_state) == {"PLANNING": PAID, "SEARCHING": SEARCHED, "READING": PAID}
    assert named(spent.by_role) == {"planner": PAID, "search": SEARCHED, "reader": PAID}
    assert named(spent.by_todo) == {"session": PAID, "t1": SEARCHED + PAID}
    assert named(spent.by_model) == {"test:large": PAID, "tools": SEARCHED, "test:small": PAID}
    assert spent.by_state[2] == SpendAccount(
        name="READING", spend=PAID, input_tokens=100, cached_tokens=60, output_tokens=20, milliseconds=1500
    )
    assert spent.total.spend == PAID + PAID + SEARCHED
    assert (spent.lost.spend, spent.held.spend) == (Spend(), Spend())


def test_what_a_kill_or_a_cancellation_lost_is_in_the_total_and_said_by_itself() -> None:
    spent = build_spend_report(
        log(
            ("READING t1", asked("a")),
            ("READING t2", asked("b")),
            ("READING", Resumed(after="crash", reopened=("a", "b"))),
            ("READING t1", asked("a")),
            ("READING t1", answered("a")),
            ("READING t2", asked("b")),
            ("READING t2", ActionCancelled(key="b")),
            ("READING t1", asked("c")),
        )
    )
    assert spent.lost.spend == CEILING + CEILING + CEILING
    assert spent.total.spend == PAID + CEILING + CEILING + CEILING
    assert named(spent.by_todo) == {"t1": CEILING + PAID, "t2": CEILING + CEILING}
    assert spent.held.spend == CEILING


def test_every_limit_is_given_with_its_share() -> None:
    spent = build_spend_report(log(("READING t1", asked("a")), ("READING t1", answered("a"))))
    assert spent.limits == (
        LimitUsage(name="model_calls", used=Decimal(1), allowed=Decimal(0), gathering=Decimal(0), share=None),
        LimitUsage(name="tokens", used=Decimal(120), allowed=Decimal(10_000), gathering=Decimal(8000), share=0.012),
        LimitUsage(
            name="dollars", used=Decimal("0.002"), allowed=Decimal("0.1"), gathering=Decimal("0.08"), share=0.02
        ),
        LimitUsage(name="seconds", used=Decimal(1), allowed=Decimal(60), gathering=Decimal(48), share=0.0167),
    )


def test_models_without_a_price_calls_from_the_cache_and_replays_are_named() -> None:
    spent = build_spend_report(
        log(
            ("READING t1", asked("a", model="test:odd")),
            ("READING t1", answered("a", spend=Spend(model_calls=1, tokens=9), priced=False)),
            ("READING t1", asked("b")),
            ("READING t1", answered("b", spend=Spend(), cached=True)),
            ("READING t1", answered("unasked")),
            options=ResearchOptions(replays="s0"),
        )
    )
    assert spent.unpriced == ("test:odd",)
    assert [(account.name, account.recalled) for account in spent.by_model] == [
        ("test:odd", 0),
        ("test:small", 1),
        ("unknown", 0),
    ]
    assert spent.total.recalled == 1
    assert spent.replays == "s0"


def test_todos_stand_in_the_order_of_their_numbers() -> None:
    todos = ("t10", "t2", None, "t2.1", "t1")
    facts = [(f"READING {todo or ''}", fact) for todo in todos for fact in (asked("k"), answered("k"))]
    spent = build_spend_report(log(*facts))
    assert [account.name for account in spent.by_todo] == ["session", "t1", "t2", "t2.1", "t10"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0"),
        (100, "100"),
        (12_345, "12,345"),
        (Decimal("0.080"), "0.08"),
        (1.5, "1.5"),
        (Decimal("3e-6"), "0.000003"),
    ],
)
def test_a_number_is_written_without_noughts_that_say_nothing(number: float | Decimal, said: str) -> None:
    assert format_amount(number) == said


def test_a_limit_that_was_raised_is_the_limit() -> None:
    raised = BUDGET.model_copy(update={"tokens": 20_000})
    spent = build_spend_report(log(("READING", BudgetRaised(budget=raised))))
    assert [limit.allowed for limit in spent.limits if limit.name == "tokens"] == [Decimal(20_000)]


KEYS = st.sampled_from(("a", "b", "c"))

ROLES = st.sampled_from(("reader", "planner"))
SPENDS = st.builds(
    Spend,
    model_calls=st.integers(0, 3),
    tokens=st.integers(0, 10**6),
    dollars=st.decimals(0, 5, places=6, allow_nan=False),
)
FACTS: st.SearchStrategy[KnownPayload] = st.one_of(
    st.builds(asked, KEYS, ROLES, st.sampled_from(("m", "n")), SPENDS),
    st.builds(answered, KEYS, ROLES, SPENDS),
    st.builds(searching, KEYS),
    st.builds(searched, KEYS),
    st.builds(ActionCancelled, key=KEYS),
    st.builds(ToolInterrupted, key=KEYS, tool=st.just("search")),
    st.builds(Resumed, after=st.sampled_from(("pause", "crash"))),
    st.just(Paused(kind="interrupt", reason="")),
    st.just(Answered(ref="ask/1", text="the old one")),
    st.just(BudgetRaised(budget=BUDGET)),
    st.just(SessionFinished(outcome="done", statement="")),
)
PLACES = st.builds(str.format, st.sampled_from(("READING {}", "WRITING {}")), st.sampled_from(("", "t1", "t2")))
LOGS = st.lists(st.tuples(PLACES, FACTS), max_size=30)


@given(LOGS)
def test_every_way_of_adding_up_gives_what_the_kernel_counts(facts: list[tuple[str, KnownPayload]]) -> None:
    events = log(*facts)
    spent, run = build_spend_report(events), reduce(fold, events, RunState())
    assert spent.total.spend == run.spent
    assert spent.total.spend + spent.held.spend == run.committed
    assert spent.seconds == pytest.approx(run.elapsed)
    for accounts in lists(spent):
        assert sum((account.spend for account in accounts), Spend()) == spent.total.spend
        assert sum(account.milliseconds for account in accounts) == spent.total.milliseconds


def lists(spent: SpendReport) -> Iterator[tuple[SpendAccount, ...]]:
    yield from (spent.by_state, spent.by_role, spent.by_todo, spent.by_model)
