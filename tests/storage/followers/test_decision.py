"""A decision, rebuilt from nothing but its copy."""

from collections.abc import Callable

from fakes.time import ManualClock
from fakes.trading import Desk, begin, candles, carried, decision, folded, options
from quaestor.contracts.event import ContractAccepted, Event
from quaestor.contracts.follower import Replica, row_to_event
from quaestor.runtime.replication import only_session, replicate_once
from quaestor.runtime.replicator import Replicator
from quaestor.storage.sqlite import open_store
from quaestor.trading.contracts.decision import PortfolioDecision
from quaestor.trading.plugin import CODEC


def decided(event: Event) -> list[PortfolioDecision]:
    match event.payload:
        case ContractAccepted(contract="PortfolioDecision", output=output):
            return [PortfolioDecision.model_validate(output)]
        case _:
            return []


async def test_the_state_events_of_a_cycle_are_those_of_the_log_and_give_its_decision(
    reopened: Callable[[], Replica],
) -> None:
    store, clock, said = open_store(":memory:"), ManualClock(), options()
    await begin(store, said, clock)
    state = await carried(store, clock, said, [candles([110, 120, 130])], Desk({"PortfolioDecision": [decision()]}))
    [session] = await store.sessions()
    await replicate_once(Replicator(store, reopened()), only_session(session.id))
    log = [CODEC.decode(event) for event in await store.events(session.id)]
    await store.close()

    copy = [CODEC.decode(row_to_event(row)) for row in await reopened().rows(session.id)]
    first = [event.model_dump_json() for event in copy if event.cycle == 1]
    assert first == [event.model_dump_json() for event in log if event.cycle == 1]
    assert all(event.session_id == session.id and event.state and event.at.tzinfo for event in copy)
    assert {event.cycle for event in copy} > {1}
    [made] = [each for event in copy if event.cycle == 1 for each in decided(event)]
    assert made == PortfolioDecision.model_validate_json(decision())
    assert folded(copy) == state
