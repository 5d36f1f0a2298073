"""What sessions cost, for lists of them, and what a new one may cost by those that are finished."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import median

from pydantic import Field

from quaestor.app.overview import SessionOverview
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import SpendReport
from quaestor.contracts.session import Session, SessionQuery
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.research.options import ResearchOptions
from quaestor.research.setup import LOOPS_BY_EFFORT, QUERIES_BY_EFFORT
from quaestor.views.spend import SpendFold

_MAX_SESSIONS = 2_000
"""Whose counts are kept, those that were read last."""
_MAX_EVENTS = 2_000
"""Events counted for one look, so that a list comes at once; the next look counts on."""
_MAX_COMPARED = 20
"""Finished sessions that an estimate looks at, the newest."""

_Setup = tuple[str, int, int]
"""Model, queries a loop and loops a todo."""


class CostEstimate(Contract):
    """What finished sessions with the same model and effort came to, in the middle of them."""

    sessions: int = Field(ge=1)
    dollars: Decimal
    tokens: int
    seconds: float


class CostBook:
    """The counts of what sessions spent; each event is counted once."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, tuple[int, SpendFold]] = OrderedDict()
        """By session: how many events are counted, and what they came to."""
        self._setups: OrderedDict[str, _Setup | None] = OrderedDict()
        """By session: what its cost depends on; None where that is not comparable."""

    async def read(
        self, quaestor: Quaestor, sessions: Sequence[Session | SessionOverview]
    ) -> Mapping[str, SpendReport]:
        """Return what sessions spent, by id; those are absent whose logs are too long to be counted at once."""
        left, known = _MAX_EVENTS, dict[str, SpendReport]()
        for session in sessions:
            counted, fold = self._counts.pop(session.id, (0, SpendFold()))
            for event in await quaestor.events(session.id, counted, left) if session.events > counted and left else ():
                fold.take(event)
                counted, left = event.seq, left - 1
            self._counts[session.id] = counted, fold
            if counted >= session.events:
                known[session.id] = fold.report()
        while len(self._counts) > _MAX_SESSIONS:
            self._counts.popitem(last=False)
        return known

    async def estimate(self, quaestor: Quaestor, settings: Settings) -> CostEstimate | None:
        """Return what research with these settings may cost; None while no finished session had the same."""
        query = SessionQuery(workflow="research", finished=True, limit=_MAX_COMPARED)
        wanted = (
            settings.model,
            settings.queries or QUERIES_BY_EFFORT[settings.effort],
            settings.loops or LOOPS_BY_EFFORT[settings.effort],
        )
        alike = [each for each in await quaestor.select_sessions(query) if await self._setup(quaestor, each) == wanted]
        reports = (await self.read(quaestor, alike)).values()
        if not reports:
            return None
        return CostEstimate(
            sessions=len(reports),
            dollars=median(report.total.spend.dollars for report in reports),
            tokens=int(median(report.total.spend.tokens for report in reports)),
            seconds=median(report.seconds for report in reports),
        )

    async def _setup(self, quaestor: Quaestor, session: Session) -> _Setup | None:
        if session.id not in self._setups:
            self._setups[session.id] = _comparable_setup(await quaestor.options(session.id))
            if len(self._setups) > _MAX_SESSIONS:
                self._setups.popitem(last=False)
        return self._setups[session.id]


def _comparable_setup(options: RunOptions) -> _Setup | None:
    if not isinstance(options, ResearchOptions) or options.replays:
        return None
    return options.model, options.queries, options.loops
