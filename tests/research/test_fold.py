"""How a session goes from phase to phase: pure rules over its events."""

from datetime import UTC, datetime
from decimal import Decimal
from functools import reduce
from typing import Literal

import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Cancelled, ContractAccepted, Event, FinishRequested, KnownPayload, ModelResponded
from quaestor.research.contracts.plan import Plan, Todo
from quaestor.research.contracts.roles import Queries
from quaestor.research.events import PlanCreated, PlanReviewed
from quaestor.research.fold import fold
from quaestor.research.phases import Cancelling, Executing, Phase, ReviewingPlan
from quaestor.research.state import ResearchState
from quaestor.research.workflow import Research

ONE = Plan(todos=(Todo(id="t1", task="Look it up"),))
AWAITING = PlanCreated(plan=ONE, review="awaiting_confirmation")


def state_after(*facts: KnownPayload) -> ResearchState:
    events = (
        Event(session_id="s", seq=seq, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="PLANNING", payload=fact)
        for seq, fact in enumerate(facts, 1)
    )
    return reduce(fold, events, ResearchState(question="What is it?"))


@pytest.mark.parametrize(
    ("review", "phase"), [("auto_approved", Executing()), ("awaiting_confirmation", ReviewingPlan())]
)
def test_a_plan_is_under_review_only_if_that_is_wanted(
    review: Literal["auto_approved", "awaiting_confirmation"], phase: Phase
) -> None:
    assert state_after(PlanCreated(plan=ONE, review=review)).phase == phase


def test_the_end_of_a_review_begins_the_execution() -> None:
    assert state_after(AWAITING, PlanReviewed(review="confirmed")).phase == Executing()


def test_a_session_that_is_stopped_while_its_plan_is_under_review_ends_without_a_report() -> None:
    [finish] = Research().next(state_after(AWAITING, FinishRequested()))
    assert (finish.kind, finish.state, finish.key) == ("finish", "DONE", "finish")


def test_an_answer_that_no_phase_waits_for_changes_no_phase() -> None:
    late = ContractAccepted(key="k", role="query_writer", contract="Queries", output=Queries(queries=("x",)))
    assert state_after(AWAITING, late).phase == ReviewingPlan()
    assert state_after(AWAITING, Cancelled(), late, PlanReviewed(review="confirmed")).phase == Cancelling()


def test_a_lost_call_counts_in_what_a_report_says_it_cost() -> None:
    most = Spend(model_calls=1, tokens=900, dollars=Decimal("0.01"))
    lost = ModelResponded(
        key="k", role="reader", reply=None, error="no answer within 2 s", spend=most, milliseconds=2000
    )
    assert state_after(PlanCreated(plan=ONE), lost).answered == most
