"""A fold of what was recorded is a fold of what was stored."""

from fakes.time import ManualClock
from fakes.trading import Desk, begin, candles, carried, decision, options
from quaestor.storage.sqlite import open_store
from quaestor.trading.plugin import CODEC
from quaestor.trading.workflow import DecisionWorkflow


async def test_a_decision_session_that_is_read_again_is_in_the_same_state() -> None:
    store, clock, said = open_store(":memory:"), ManualClock(), options()
    await begin(store, said, clock)
    state = await carried(store, clock, said, [candles([110, 120, 130])], Desk({"PortfolioDecision": [decision()]}))
    workflow, again = DecisionWorkflow(), DecisionWorkflow().begin()
    for stored in await store.events("s"):
        again = workflow.apply(again, CODEC.decode(stored))
    await store.close()
    assert again == state
