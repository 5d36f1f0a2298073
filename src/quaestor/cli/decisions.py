"""Decision sessions as they are read: their cycles, page by page, and their results."""

from collections.abc import AsyncIterator, Iterable, Sequence

from quaestor.app import Quaestor
from quaestor.contracts.cycle import DecisionCycle, DecisionRecord
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.mandate import DecisionOptions, Mandate
from quaestor.contracts.options import RunOptions
from quaestor.desk import recorded
from quaestor.sessions import task_key
from quaestor.views.performance.fold import CycleReader
from quaestor.views.performance.record import Gathering

DECISION = "decision"
"""The workflow of decision sessions."""
PAGE = 1_000
"""Events that are read at once."""


async def begun(quaestor: Quaestor, mandate: Mandate | None, *, backtest: bool) -> str:
    """Give the session of a mandate: the newest that carries it out with the same models, else a new one.

    A backtest that is finished is not taken up again. Raises UsageError without a mandate, for candles that cannot be
    had, and for a model or a budget that cannot be meant.
    """
    if mandate is None:
        raise UsageError("nothing says what is traded; name a mandate with --mandate FILE")
    common = dict(quaestor.settings.run_options())
    said = DecisionOptions.model_validate(
        {**common, "mandate": mandate, "backtest": backtest, "python": "python" in (quaestor.settings.allow or ())}
    )
    asked = await quaestor.modelled(DECISION, recorded(said) if backtest else said)
    known = None if backtest else await _standing(quaestor, mandate, asked)
    return known or await quaestor.begin(DECISION, mandate.objective, asked)


async def options(quaestor: Quaestor, session_id: str) -> DecisionOptions:
    """Give what a session runs with. Raises UsageError for one of another workflow."""
    await _check(quaestor, session_id)
    return DecisionOptions.model_validate(await quaestor.options(session_id))


async def cycles(quaestor: Quaestor, session_id: str) -> AsyncIterator[DecisionCycle]:
    """Give the cycles of a session, the last as far as it came. Raises UsageError for one of another workflow."""
    await _check(quaestor, session_id)
    reader = CycleReader()
    async for events in _pages(quaestor, session_id):
        for cycle in reader.read(events):
            yield cycle
    if last := reader.last():
        yield last


async def latest(quaestor: Quaestor, session_id: str) -> DecisionCycle | None:
    """Give the last cycle as far as it came; None before the first event."""
    reader = CycleReader()
    begun = await quaestor.store.latest(session_id, {"cycle_started"})
    for _ in reader.read(await quaestor.store.events(session_id, begun.seq - 1 if begun else 0)):
        pass
    return reader.last()


class Results:
    """Gathers the results of a session from its events, as they come."""

    def __init__(self) -> None:
        self._reader = CycleReader()
        self._gathering: Gathering | None = None

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events; the first ones are those the session began with."""
        for cycle in self._reader.read(events):
            self._gathered(cycle)

    def record(self, session_id: str, *, risk_free: float, target: float) -> DecisionRecord:
        """Measure the session as far as it came; nothing is taken afterwards. Raises UsageError before it has begun."""
        last = self._reader.last()
        if last is None:
            raise UsageError(f"session {session_id} has not begun yet; wait for its first cycle")
        return self._gathered(last).record(session_id, risk_free=risk_free, target=target)

    def _gathered(self, cycle: DecisionCycle) -> Gathering:
        options = self._reader.options
        if options is None:
            raise UsageError("a log of decisions begins with its mandate; verify the session, and restore a backup")
        self._gathering = self._gathering or Gathering(options)
        self._gathering.add(cycle)
        return self._gathering


async def results(quaestor: Quaestor, session_id: str, *, risk_free: float, target: float) -> DecisionRecord:
    """Measure a session as far as it came. Raises UsageError for one of another workflow."""
    await _check(quaestor, session_id)
    gathered = Results()
    async for events in _pages(quaestor, session_id):
        gathered.take(events)
    return gathered.record(session_id, risk_free=risk_free, target=target)


async def _standing(quaestor: Quaestor, mandate: Mandate, asked: RunOptions) -> str | None:
    """Find the newest session that carries a mandate out in the same way and was not cancelled."""
    key = task_key(mandate.objective)
    for session in await quaestor.sessions():
        lasting = session.workflow == DECISION and session.outcome != "cancelled" and session.task_key == key
        if lasting and asked.same(await quaestor.options(session.id)):
            return session.id
    return None


async def _pages(quaestor: Quaestor, session_id: str) -> AsyncIterator[Sequence[Event]]:
    after = 0
    while events := await quaestor.store.events(session_id, after, PAGE):
        after = events[-1].seq
        yield events


async def _check(quaestor: Quaestor, session_id: str) -> None:
    workflow = (await quaestor.store.session(session_id)).workflow
    if workflow != DECISION:
        raise UsageError(f"session {session_id} is one of {workflow}, and has no cycles of decisions")
