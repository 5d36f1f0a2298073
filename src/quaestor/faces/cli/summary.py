"""What is known of a session beside what all sessions have, by its workflow."""

from collections.abc import Iterator
from dataclasses import dataclass

from quaestor.app.text import count_noun, first_lines
from quaestor.longtask.contracts import Phase
from quaestor.longtask.state import PlannedTask, TaskState
from quaestor.research.state import ResearchState
from quaestor.research.views.plan_text import plan_lines, plan_summary
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.state import NotStarted, SessionState

LabelledValues = tuple[tuple[str, str], ...]
"""Pairs of a label and a value."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What a session works with, its limits but for the budget, what came of it, and lines that stand below."""

    given: LabelledValues = ()
    limits: tuple[str, ...] = ()
    results: LabelledValues = ()
    below: tuple[str, ...] = ()


def summarize_research(state: ResearchState) -> SessionSummary:
    """Give what is known of a research session."""
    options = state.options
    findings = state.all_findings()
    sources = {quote.source for finding in findings for quote in finding.quotes}
    disputes = tuple(
        ("contradiction", f"{dispute.subject}: {' against '.join(dispute.values)}") for dispute in state.contradictions
    )
    tools = (("workspace", options.workspace), ("tools", ", ".join(options.allow))) if options.allow else ()
    return SessionSummary(
        given=(("documents", f"{options.documents:,} in {', '.join(options.roots)}"), *tools),
        limits=(
            f"{options.queries} queries a loop",
            f"{options.loops} loops a todo",
            f"{options.max_todos} todos",
        ),
        results=(
            ("searches", f"{state.outcomes.asked:,}"),
            ("found", f"{count_noun(len(findings), 'finding')} from {count_noun(len(sources), 'source')}"),
            *disputes,
            ("report", f"version {state.report.version}" if state.report else "none"),
            ("plan", plan_summary(state.plan)),
        ),
        below=plan_lines(state.plan, {}),
    )


def summarize_task(task: TaskState) -> SessionSummary:
    """Return what is known of a long task."""
    options = task.setup.options
    planned = task if isinstance(task, PlannedTask) else None
    return SessionSummary(
        given=(("workspace", options.workspace), ("tools", ", ".join(options.available_tools) or "none")),
        limits=(f"{options.rounds} rounds", f"{options.seconds:g} seconds a program"),
        results=tuple(_task_results(planned)) if planned else _UNPLANNED_RESULTS,
        below=tuple(_task_lines(planned)) if planned else (),
    )


_UNPLANNED_RESULTS = (("rounds", "0"), ("made", "0 files"), ("errors", "none"), ("plan", "none"))


def _task_results(task: PlannedTask) -> Iterator[tuple[str, str]]:
    yield "rounds", f"{task.round:,}"
    if task.untrusted_source:
        yield "untrusted", f"words of others were read: {task.untrusted_source}"
    yield "made", count_noun(len(task.workspace.artifacts), "file")
    errors = task.failures.errors
    unresolved = sum(not error.resolution for error in errors)
    yield "errors", f"{len(errors):,}, {unresolved:,} of them not resolved" if errors else "none"
    if task.answer:
        yield "answer", task.answer
    complete = sum(phase.status == "complete" for phase in task.plan.phases)
    yield "plan", f"{count_noun(len(task.plan.phases), 'phase')}, {complete:,} complete"


def _task_lines(task: PlannedTask) -> Iterator[str]:
    for phase in task.plan.phases:
        yield from _phase_lines(phase)
    yield from first_lines(list(_artifact_lines(task)))


def summarize_decision(state: SessionState) -> SessionSummary:
    """Give what is known of a decision session."""
    if isinstance(state, NotStarted):
        return SessionSummary()
    mandate, portfolio = state.options.mandate, state.portfolio
    candles = " from ".join(filter(None, (mandate.timeframe, mandate.candles or mandate.exchange)))
    held = ", ".join(f"{units:f} {asset}" for asset, units in portfolio.holdings.items())
    return SessionSummary(
        given=(("assets", ", ".join(mandate.assets)), ("candles", candles), ("broker", _broker(mandate))),
        limits=mandate.constraints.describe(),
        results=(
            ("cycles", f"{state.cycle:,}"),
            ("orders", f"{state.executed_orders:,} executed, {len(portfolio.open_orders):,} in doubt"),
            ("cash", f"{portfolio.cash:f} {mandate.currency}"),
            ("holds", held or "none"),
            ("worth", f"{state.equity:f} {mandate.currency} at the last scan"),
        ),
        below=state.memory.describe() if state.memory else (),
    )


def _broker(mandate: Mandate) -> str:
    if mandate.broker == "paper":
        return mandate.broker
    return f"{mandate.exchange}, {'with real money' if mandate.live else 'its sandbox'}"


def _phase_lines(phase: Phase) -> Iterator[str]:
    yield f"{phase.id:<8}  {phase.status.replace('_', ' '):<11}  {phase.title}"
    for item in phase.checklist:
        yield f"  [{'x' if item.done else ' '}] {item.text}"


def _artifact_lines(task: PlannedTask) -> Iterator[str]:
    made = sorted(task.workspace.artifacts.values(), key=lambda one: one.path)
    widest = max((len(one.path) for one in made), default=0)
    for one in made:
        yield f"{one.path:<{widest}}  version {one.version}  {one.size:>9,} bytes  {one.sha256[:12]}"
