"""Decision sessions as commands use them: found or begun by their mandate, and read back cycle by cycle."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from quaestor.contracts.command import OpenCycle
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.host import Host, send_command
from quaestor.contracts.session import Session, SessionQuery, task_key
from quaestor.contracts.settings import RunOptions
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.results import DecisionCycle, DecisionResults
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.performance.results_builder import ResultsBuilder
from quaestor.trading.state import NotStarted
from quaestor.trading.workflow import DecisionWorkflow

WORKFLOW = DecisionWorkflow.name
_MAX_CANDIDATES = 1_000
"""Sessions of one objective that are looked at."""


async def start_or_resume(host: Host, mandate: Mandate, *, backtest: bool) -> str:
    """Return the session of a mandate: the newest that carries it out with the same models, else a new one.

    A finished backtest is not taken up again. Raises UsageError for candles that cannot be read, and for a model or a
    budget that cannot be used.
    """
    given: dict[str, JsonValue] = {"mandate": mandate.model_dump(mode="json"), "backtest": backtest}
    options = await host.configure(WORKFLOW, SessionRequest(text=mandate.objective, options=given))
    if backtest:
        return await host.begin(WORKFLOW, mandate.objective, options)
    known = await _find_session(host, mandate, options)
    if known is None:
        await _refuse_fresh_cash(host, options)
    return known or await host.begin(WORKFLOW, mandate.objective, options)


async def open_next_cycle(host: Host, session_id: str) -> None:
    """Open the next cycle of a session that is finished. Raises CommandRefused when it cannot have one."""
    if (await host.session(session_id)).outcome is None:
        return
    await send_command(host, session_id, OpenCycle(why="decision"))


async def session_options(host: Host, session_id: str) -> DecisionOptions:
    """Return what a session runs with. Raises UsageError for one of another workflow."""
    workflow = (await host.session(session_id)).workflow
    if workflow != WORKFLOW:
        raise UsageError(f"session {session_id} is one of {workflow}, and has no cycles of decisions")
    return DecisionOptions.model_validate(await host.options(session_id))


async def read_cycles(events: AsyncIterator[Event]) -> AsyncIterator[DecisionCycle]:
    """Iterate over the cycles in the events of a session, the last one as far as it came."""
    reader = CycleReader()
    async for event in events:
        for cycle in reader.read((event,)):
            yield cycle
    if last := reader.last():
        yield last


async def latest_cycle(host: Host, session_id: str) -> DecisionCycle | None:
    """Return the last cycle as far as it came; None before the first event."""
    reader = CycleReader()
    begun = await host.latest(session_id, {"cycle_started"})
    for _ in reader.read(await host.events(session_id, begun.seq - 1 if begun else 0)):
        pass
    return reader.last()


@dataclass(slots=True)
class ResultsReader:
    """A reader that builds the results of a session from its events, as they come."""

    _reader: CycleReader = field(default_factory=CycleReader)
    _builder: ResultsBuilder | None = None

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events; the first ones are those the session began with."""
        for cycle in self._reader.read(events):
            self._begun().add(cycle)

    def record(self, session_id: str, *, risk_free: float, target: float) -> DecisionResults:
        """Measure the session as far as it came. Raises UsageError before it has begun."""
        last = self._reader.last()
        if last is None:
            raise UsageError(f"session {session_id} has not begun yet; wait for its first cycle")
        with_last = self._begun().copied()
        with_last.add(last)
        return with_last.record(session_id, risk_free=risk_free, target=target)

    def _begun(self) -> ResultsBuilder:
        options = self._reader.options
        if options is None:
            raise UsageError("a log of decisions begins with its mandate; verify the session, and restore a backup")
        self._builder = self._builder or ResultsBuilder(options)
        return self._builder


async def read_results(events: AsyncIterator[Event], *, risk_free: float = 0, target: float = 0) -> DecisionResults:
    """Measure a session as far as its events go. Raises UsageError before its first cycle."""
    gathered, session_id = ResultsReader(), ""
    async for event in events:
        session_id = event.session_id
        gathered.take((event,))
    return gathered.record(session_id, risk_free=risk_free, target=target)


async def _refuse_fresh_cash(host: Host, options: RunOptions) -> None:
    """Raise UsageError where a portfolio runs under another version of a mandate: it would begin with new cash."""
    changed = DecisionOptions.model_validate(options)
    for session in await _sessions_of(host, changed.mandate):
        running = await session_options(host, session.id)
        state = await host.folded(session.id, DecisionWorkflow())
        if running.backtest or isinstance(state, NotStarted) or not state.has_traded:
            continue
        differs = ", ".join(_differences(running, changed))
        raise UsageError(
            f"session {session.id} has a portfolio under another version of this mandate ({differs}), and a new "
            f"session would begin with {changed.mandate.cash:f} {changed.mandate.currency}; put the old values back, "
            "decide in that session by its id, or change the objective to begin again"
        )


def _differences(running: DecisionOptions, changed: DecisionOptions) -> Iterator[str]:
    """Name the fields of two mandates that differ, and the models if they do."""
    before, after = running.mandate.model_dump(mode="json"), changed.mandate.model_dump(mode="json")
    yield from (name for name in after if before[name] != after[name])
    named = sorted(changed.identity - {"mandate"})
    yield from (name for name in named if getattr(running, name) != getattr(changed, name))


async def _sessions_of(host: Host, mandate: Mandate) -> Sequence[Session]:
    """Return the sessions of an objective that were not cancelled, the newest first."""
    query = SessionQuery(workflow=WORKFLOW, task_key=task_key(mandate.objective), limit=_MAX_CANDIDATES)
    return [session for session in await host.select_sessions(query) if session.outcome != "cancelled"]


async def _find_session(host: Host, mandate: Mandate, options: RunOptions) -> str | None:
    """Return the newest session that carries a mandate out in the same way and was not cancelled."""
    for session in await _sessions_of(host, mandate):
        if options.has_same_identity(await host.options(session.id)):
            return session.id
    return None
