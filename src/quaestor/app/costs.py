"""What sessions cost, for lists of them, and what a new one may cost by those that are finished."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import ceil
from typing import TypeVar

from pydantic import Field

from quaestor.app.overview import SessionOverview
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Price, Spend, SpendAccount, SpendReport, Usage
from quaestor.contracts.event import SESSION_SCOPE
from quaestor.contracts.session import Session, SessionQuery
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.research.call_estimate import PlannedWork, planned_calls, usual_work
from quaestor.research.options import ResearchOptions
from quaestor.research.views.time_estimate import format_duration
from quaestor.views.spend import SpendFold
from quaestor.views.text import count_noun

_NumberT = TypeVar("_NumberT", int, float, Decimal)

_MAX_SESSIONS = 2_000
"""Whose counts are kept, those that were read last."""
_MAX_EVENTS = 2_000
"""Events counted for one look, so that a list comes at once; the next look counts on."""
_MAX_COMPARED = 20
"""Finished sessions that an estimate looks at, the newest."""

_Setup = tuple[str, tuple[tuple[str, str], ...]]
"""The model, and those of single roles."""


class Estimated(Contract):
    """An amount in the middle of what it may be, and its range."""

    middle: Decimal
    least: Decimal
    most: Decimal


class CostEstimate(Contract):
    """What a research session may take: calls by its plan, the rest by finished sessions with the same model."""

    sessions: int = Field(ge=0, description="Finished sessions that the tokens, dollars and seconds are from.")
    calls: Estimated
    tokens: Estimated | None = None
    dollars: Estimated | None = Field(default=None, description="None also where the price of a model is not known.")
    seconds: Estimated | None = None
    is_paid: bool = Field(default=False, description="Whether a call costs something at a price that is known.")


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

    async def estimate(self, quaestor: Quaestor, settings: Settings) -> CostEstimate:
        """Return what research with these settings may take.

        Calls are those of its effort, over as many todos and loops as finished sessions with the same model had; what a
        call of each role takes is what it took there, at the prices of today where these are higher.
        """
        query = SessionQuery(workflow="research", finished=True, limit=_MAX_COMPARED)
        alike = [
            each for each in await quaestor.select_sessions(query) if await self._is_alike(quaestor, each, settings)
        ]
        reports = tuple((await self.read(quaestor, alike)).values())
        return estimate_costs(settings, reports, quaestor.current_prices(settings))

    async def _is_alike(self, quaestor: Quaestor, session: Session, settings: Settings) -> bool:
        return await self._setup(quaestor, session) == (settings.model, tuple(sorted(settings.models.items())))

    async def _setup(self, quaestor: Quaestor, session: Session) -> _Setup | None:
        if session.id not in self._setups:
            self._setups[session.id] = _comparable_setup(await quaestor.options(session.id))
            if len(self._setups) > _MAX_SESSIONS:
                self._setups.popitem(last=False)
        return self._setups[session.id]


def _comparable_setup(options: RunOptions) -> _Setup | None:
    if not isinstance(options, ResearchOptions) or options.replays:
        return None
    return options.model, tuple(sorted(options.models.items()))


def estimate_costs(settings: Settings, past: Sequence[SpendReport], prices: Mapping[str, Price | None]) -> CostEstimate:
    """Return what a session may take by its plan, and by what finished sessions with the same model spent.

    `prices` are those of today. The offline model takes no tokens and no dollars, also where no session has finished.
    """
    reports = [_at_current_prices(report, settings, prices) for report in past]
    works = _work_of(settings, reports)
    calls = [planned_calls(work, settings) for work in works]
    is_free = not reports and {settings.model, *settings.models.values()} == {"offline"}
    nothing = _estimated((0, 0, 0)) if is_free else None
    return CostEstimate(
        sessions=len(reports),
        calls=_estimated([sum(one.values()) for one in calls]),
        tokens=_by_role(calls, [_shares(report, lambda one: one.spend.tokens) for report in reports]) or nothing,
        dollars=None
        if any(report.unpriced for report in reports)
        else _by_role(calls, [_shares(report, lambda one: one.spend.dollars) for report in reports]) or nothing,
        seconds=_estimated(_spread([report.seconds for report in reports])) if reports else None,
        is_paid=any(price and (price.call or price.input or price.output) for price in prices.values()),
    )


def _at_current_prices(report: SpendReport, settings: Settings, prices: Mapping[str, Price | None]) -> SpendReport:
    """Return what a session would have cost today, each role at the price of its model, but no less than then."""
    roles = [_priced_account(one, prices.get(settings.models.get(one.name, settings.model))) for one in report.by_role]
    dearer = sum(
        (new.spend.dollars - old.spend.dollars for new, old in zip(roles, report.by_role, strict=True)), Decimal(0)
    )
    return report.revised(
        by_role=tuple(roles),
        total=report.total.revised(spend=report.total.spend + Spend(dollars=dearer)),
        unpriced=tuple(name for name in report.unpriced if prices.get(name) is None),
    )


def _priced_account(account: SpendAccount, price: Price | None) -> SpendAccount:
    """Return an account with the dollars of its calls at a price, each of average size, where that is more.

    Tokens that no provider counted are taken for input, which most of the tokens of a call are.
    """
    spend = account.spend
    if price is None or not spend.model_calls:
        return account
    usage = Usage(
        input_tokens=ceil(max(spend.tokens - account.output_tokens, account.input_tokens) / spend.model_calls),
        cached_tokens=account.cached_tokens // spend.model_calls,
        output_tokens=ceil(account.output_tokens / spend.model_calls),
    )
    return account.revised(
        spend=spend.revised(dollars=max(spend.dollars, spend.model_calls * price.cost(usage))),
    )


def _work_of(settings: Settings, reports: Sequence[SpendReport]) -> Sequence[PlannedWork]:
    """Return the least, the middle and the most work: as earlier sessions had it, else as a planner plans it."""
    sized = [size for report in reports if (size := _size(report))]
    if not sized:
        return usual_work(settings)
    most = usual_work(settings)[-1].loops
    todos, loops = _spread([one for one, _ in sized]), _spread([min(each, most) for _, each in sized])
    return [PlannedWork(count, each) for count, each in zip(todos, loops, strict=True)]


def _size(report: SpendReport) -> tuple[int, float] | None:
    """Return the todos of a session and the loops of each; None where none of them read anything."""
    todos = sum(one.name != SESSION_SCOPE for one in report.by_todo)
    read = sum(one.spend.model_calls for one in report.by_role if one.name == "reader")
    return (todos, max(read / todos, 1.0)) if todos and read else None


def _shares(report: SpendReport, amount: Callable[[SpendAccount], Decimal | int]) -> Mapping[str, Decimal]:
    """Return what a call of each role took, and under no name what any call took."""
    called = [one for one in (*report.by_role, report.total) if one.spend.model_calls]
    return {"" if one is report.total else one.name: Decimal(amount(one)) / one.spend.model_calls for one in called}


def _by_role(calls: Sequence[Mapping[str, float]], shares: Sequence[Mapping[str, Decimal]]) -> Estimated | None:
    """Return the sum over the roles of their calls and what each takes; None without any session."""
    if not any(shares):
        return None
    sums = [Decimal(0)] * len(calls)
    for role in calls[0]:
        taken = _spread([each.get(role, each[""]) for each in shares if each])
        sums = [whole + Decimal(one[role]) * share for whole, one, share in zip(sums, calls, taken, strict=True)]
    return _estimated(sums)


def _spread(values: Sequence[_NumberT]) -> Sequence[_NumberT]:
    """Return the least, the middle and the largest of values."""
    ordered = sorted(values)
    return [ordered[0], ordered[len(ordered) // 2], ordered[-1]]


def _estimated(spread: Sequence[float | Decimal]) -> Estimated:
    least, middle, most = (Decimal(value) for value in spread)
    return Estimated(least=least, middle=middle, most=most)


def needs_yes(estimate: CostEstimate, settings: Settings) -> bool:
    """Return whether a session may cost more than the settings let pass, within its own limit.

    Of a paid model that no session has finished with, only that limit is known.
    """
    unknown = Decimal("Infinity") if estimate.is_paid and not estimate.sessions else Decimal(0)
    most = estimate.dollars.most if estimate.dollars else unknown
    if settings.max_dollars is not None:
        most = min(most, settings.max_dollars)
    return most > settings.confirm_dollars


def describe_estimate(estimate: CostEstimate) -> str:
    """Return an estimate in a sentence, with what it is based on."""
    if estimate.dollars and estimate.tokens and not (estimate.dollars.most or estimate.tokens.most):
        parts = ["No call costs anything"]
    else:
        parts = [f"About {_format_range(estimate.calls, lambda n: f'{n:,.0f}')} model calls"]
    if estimate.tokens and estimate.tokens.most:
        parts.append(f"{_format_range(estimate.tokens, lambda n: f'{n:,.0f}')} tokens")
    if estimate.dollars and estimate.dollars.most:
        parts.append(_format_range(estimate.dollars, lambda n: f"${n:,.2f}"))
    if estimate.seconds is None:
        return (
            f"{parts[0]}."
            if estimate.dollars
            else f"{', '.join(parts)}. No finished session with this model yet, so what they cost is not known."
        )
    took = _format_range(estimate.seconds, lambda n: format_duration(float(n)))
    return f"{', '.join(parts)}; it took {took} in {count_noun(estimate.sessions, 'session')} with this model."


def _format_range(amount: Estimated, shown: Callable[[Decimal], str]) -> str:
    middle, least, most = shown(amount.middle), shown(amount.least), shown(amount.most)
    return middle if least == most else f"{middle} ({least} to {most})"
