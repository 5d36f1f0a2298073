"""The cycles of a decision session, one line each."""

from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.contracts.arguments import SessionId
from quaestor.contracts.terminal import AtTerminal
from quaestor.trading import sessions
from quaestor.trading.commands.cycle_line import HEADING, broken_rules, format_cycle
from quaestor.trading.contracts.decision import Signal
from quaestor.trading.contracts.results import DecisionCycle

Execution = Literal["executed", "skipped", "rejected", "failed"]


async def cycles(
    session: SessionId,
    /,
    *,
    signal: Annotated[Signal | None, Parameter(help="Only cycles with this signal.")] = None,
    action: Annotated[str | None, Parameter(help="Only cycles that decided on this: buy, sell or hold.")] = None,
    execution: Annotated[Execution | None, Parameter(help="Only cycles that ended so.")] = None,
    rule: Annotated[str | None, Parameter(help="Only cycles that broke this rule, as max_cash_pct.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole cycles as JSON lines.")] = False,
    terminal: AtTerminal,
) -> int:
    """List the cycles of a decision session: what each saw, decided and did."""

    def wanted(cycle: DecisionCycle) -> bool:
        return (
            signal in {None, cycle.report.signal if cycle.report else None}
            and action in {None, cycle.decision.action if cycle.decision else None}
            and execution in {None, cycle.execution.status if cycle.execution else None}
            and (rule is None or rule in broken_rules(cycle))
        )

    async with terminal.open() as host:
        await sessions.session_options(host, session)
        if not json:
            terminal.write_table_line(HEADING)
        async for cycle in sessions.read_cycles(host.read_events(session)):
            if wanted(cycle):
                if json:
                    terminal.write_stdout(f"{cycle.model_dump_json()}\n")
                else:
                    terminal.write_table_line(format_cycle(cycle, terminal.truncate))
    return 0
