"""What became of cycles, counted by name."""

from collections import Counter
from collections.abc import Sequence

from quaestor.contracts.cycle import DecisionCycle, RuleCount, Tally
from quaestor.contracts.decision import RuleId, Violation


class Counting:
    """Counts cycles as they come."""

    def __init__(self, assets: Sequence[str]) -> None:
        self._assets = assets
        self._cycles = 0
        self._failed = 0
        self._signals = Counter[str]()
        self._decisions = Counter[str]()
        self._executions = Counter[str]()
        self._broken = Counter[tuple[RuleId, str]]()
        self._said: dict[RuleId, str] = {}
        self._unpriced = Counter[str]()

    def add(self, cycle: DecisionCycle) -> None:
        """Count one more cycle."""
        self._cycles += 1
        self._failed += cycle.failed is not None
        if cycle.report:
            self._signals[cycle.report.signal.value] += 1
        if cycle.decision:
            self._decisions[cycle.decision.action] += 1
        if cycle.execution:
            self._executions[cycle.execution.status] += 1
        if cycle.market:
            self._unpriced.update(asset for asset in self._assets if asset not in cycle.market.prices)
        for violation in cycle.validation.violations if cycle.validation else ():
            self._break(violation)

    def tally(self) -> Tally:
        """Give the counts, each kind by name."""
        return Tally(
            cycles=self._cycles,
            signals=dict(sorted(self._signals.items())),
            decisions=dict(sorted(self._decisions.items())),
            executions=dict(sorted(self._executions.items())),
            failed=self._failed,
            violations=tuple(
                RuleCount(
                    rule_id=rule,
                    errors=self._broken[rule, "error"],
                    warnings=self._broken[rule, "warning"],
                    last=said,
                )
                for rule, said in sorted(self._said.items())
            ),
            unpriced=dict(sorted(self._unpriced.items())),
        )

    def _break(self, violation: Violation) -> None:
        self._broken[violation.rule_id, violation.severity] += 1
        self._said[violation.rule_id] = violation.message
