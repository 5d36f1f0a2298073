"""Model calls whose outcome never came: what a provider may have charged for them all the same."""

from collections.abc import Mapping

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Resumed,
    ToolResponded,
    UnknownPayload,
)
from quaestor.contracts.immutable import Immutable, field, replace


class LostCalls(Immutable):
    """Calls that were cut off or cancelled, each with the most it can have cost; one that is free is never lost."""

    open: Mapping[str, Spend] = field(default_factory=dict)
    """What is reserved for the calls in flight, by key."""
    spend: Spend = field(default_factory=Spend)
    """What was reserved for those that were lost."""

    def fold(self, payload: KnownPayload | UnknownPayload) -> "LostCalls":
        """Return the calls after one more event; an outcome of a replay brings those of its session."""
        match payload:
            case ModelRequested(key=key, reserved=reserved) if reserved.tokens or reserved.dollars:
                return replace(self, open={**self.open, key: reserved})
            case ModelResponded(key=key, lost=lost) if lost or key in self.open:
                return self._without(key, lost or Spend())
            case ToolResponded(lost=Spend() as lost):
                return replace(self, spend=self.spend + lost)
            case ActionCancelled(key=key) if key in self.open:
                return self._without(key, self.open[key])
            case Resumed() if self.open:
                return LostCalls(spend=sum(self.open.values(), self.spend))
            case _:
                return self

    def _without(self, key: str, lost: Spend) -> "LostCalls":
        left = {other: reserved for other, reserved in self.open.items() if other != key}
        return LostCalls(open=left, spend=self.spend + lost)
