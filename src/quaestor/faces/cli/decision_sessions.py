"""Decision sessions as they are read: their cycles, page by page, and their results."""

from collections.abc import AsyncIterator, Iterable, Sequence

from quaestor.app import Quaestor
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.options import RunOptions
from quaestor.runtime.sessions import task_key
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.results import DecisionCycle, DecisionResults
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.performance.results_builder import ResultsBuilder
from quaestor.trading.session_tools import with_candle_sources

WORKFLOW = "decision"
"""The workflow of decision sessions."""
PAGE_SIZE = 1_000
"""Events that are read at once."""


async def start_or_resume(quaestor: Quaestor, mandate: Mandate | None, *, backtest: bool) -> str:
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
    asked = await quaestor.resolve_models(WORKFLOW, with_candle_sources(said) if backtest else said)
    known = None if backtest else await _find_session(quaestor, mandate, asked)
    return known or await quaestor.begin(WORKFLOW, mandate.objective, asked)


async def session_options(quaestor: Quaestor, session_id: str) -> DecisionOptions:
    """Give what a session runs with. Raises UsageError for one of another workflow."""
    await _require_decision_session(quaestor, session_id)
    return DecisionOptions.model_validate(await quaestor.options(session_id))


async def read_cycles(quaestor: Quaestor, session_id: str) -> AsyncIterator[DecisionCycle]:
    """Give the cycles of a session, the last as far as it came. Raises UsageError for one of another workflow."""
    await _require_decision_session(quaestor, session_id)
    reader = CycleReader()
    async for events in _event_pages(quaestor, session_id):
        for cycle in reader.read(events):
            yield cycle
    if last := reader.last():
        yield last


async def latest_cycle(quaestor: Quaestor, session_id: str) -> DecisionCycle | None:
    """Give the last cycle as far as it came; None before the first event."""
    reader = CycleReader()
    begun = await quaestor.store.latest(session_id, {"cycle_started"})
    for _ in reader.read(await quaestor.events(session_id, begun.seq - 1 if begun else 0)):
        pass
    return reader.last()


class ResultsReader:
    """Gathers the results of a session from its events, as they come."""

    def __init__(self) -> None:
        self._reader = CycleReader()
        self._builder: ResultsBuilder | None = None

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events; the first ones are those the session began with."""
        for cycle in self._reader.read(events):
            self._add_cycle(cycle)

    def record(self, session_id: str, *, risk_free: float, target: float) -> DecisionResults:
        """Measure the session as far as it came; nothing is taken afterwards. Raises UsageError before it has begun."""
        last = self._reader.last()
        if last is None:
            raise UsageError(f"session {session_id} has not begun yet; wait for its first cycle")
        return self._add_cycle(last).record(session_id, risk_free=risk_free, target=target)

    def _add_cycle(self, cycle: DecisionCycle) -> ResultsBuilder:
        options = self._reader.options
        if options is None:
            raise UsageError("a log of decisions begins with its mandate; verify the session, and restore a backup")
        self._builder = self._builder or ResultsBuilder(options)
        self._builder.add(cycle)
        return self._builder


async def read_results(quaestor: Quaestor, session_id: str, *, risk_free: float, target: float) -> DecisionResults:
    """Measure a session as far as it came. Raises UsageError for one of another workflow."""
    await _require_decision_session(quaestor, session_id)
    gathered = ResultsReader()
    async for events in _event_pages(quaestor, session_id):
        gathered.take(events)
    return gathered.record(session_id, risk_free=risk_free, target=target)


async def _find_session(quaestor: Quaestor, mandate: Mandate, asked: RunOptions) -> str | None:
    """Find the newest session that carries a mandate out in the same way and was not cancelled."""
    key = task_key(mandate.objective)
    for session in await quaestor.sessions():
        lasting = session.workflow == WORKFLOW and session.outcome != "cancelled" and session.task_key == key
        if lasting and asked.has_same_identity(await quaestor.options(session.id)):
            return session.id
    return None


async def _event_pages(quaestor: Quaestor, session_id: str) -> AsyncIterator[Sequence[Event]]:
    after = 0
    while events := await quaestor.events(session_id, after, PAGE_SIZE):
        after = events[-1].seq
        yield events


async def _require_decision_session(quaestor: Quaestor, session_id: str) -> None:
    workflow = (await quaestor.store.session(session_id)).workflow
    if workflow != WORKFLOW:
        raise UsageError(f"session {session_id} is one of {workflow}, and has no cycles of decisions")
