"""What calls of models and tools come to, as metrics of OpenTelemetry.

Names below `gen_ai.` and `error.` are those of the semantic conventions in the version of `SCHEMA_URL`, and so are the
buckets; what they have no name for is below `quaestor.`.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Literal

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event, ModelRequested, ModelResponded, SessionFinished, ToolResponded
from quaestor.contracts.immutable import Immutable, replace
from quaestor.storage.followers.trace_attributes import AttributeValue, reply_error, result_error, split_model_name

Attributes = frozenset[tuple[str, AttributeValue]]
_TOKEN_BOUNDS = tuple(4.0**power for power in range(14))
_SECOND_BOUNDS = tuple(0.01 * 2.0**power for power in range(14))
_MILLISECONDS = 1_000


class Distribution(Immutable):
    """How values are spread: how many are at most each bound, and above the one before it, and their sum."""

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    total: float = 0

    @classmethod
    def empty(cls, bounds: tuple[float, ...]) -> "Distribution":
        """Return that of no values."""
        return cls(bounds, (0,) * (len(bounds) + 1))

    def add(self, value: float) -> "Distribution":
        """Return that with one value more."""
        place = bisect_left(self.bounds, value)
        counts = (*self.counts[:place], self.counts[place] + 1, *self.counts[place + 1 :])
        return replace(self, counts=counts, total=self.total + value)


class Metric(Immutable):
    """One metric: a number that goes up and down, one that only grows, or distributions; for each set of attributes."""

    name: str
    unit: str
    kind: Literal["gauge", "counter", "histogram"]
    points: Mapping[Attributes, float | Distribution]


class CallMetrics:
    """The metrics of the calls in the events that it is shown, since its beginning."""

    def __init__(self) -> None:
        self._models: dict[str, dict[str, str]] = {}
        """Of calls that are not answered yet, by session, then by key."""
        self._spent = Spend()
        self._actions: dict[Attributes, float] = {}
        self._seconds: dict[Attributes, Distribution] = {}
        self._tokens: dict[Attributes, Distribution] = {}

    def note(self, event: Event) -> None:
        """Count an event, if it is about a call."""
        match event.payload:
            case ModelRequested(key=key, model=model):
                self._models.setdefault(event.session_id, {})[key] = model
            case ModelResponded() as reply:
                self._count("model_call", reply_error(reply), reply.spend)
                if model := self._models.get(event.session_id, {}).pop(reply.key, ""):
                    self._note_reply(model, reply)
            case ToolResponded() as result:
                self._count("tool_call", result_error(result), result.spend)
            case SessionFinished():  # calls that were cut off are never answered
                self._models.pop(event.session_id, None)
            case _:
                pass

    def read(self) -> Sequence[Metric]:
        """Return the metrics as they are now."""
        return (
            Metric("quaestor.actions", "{action}", "counter", self._actions.copy()),
            Metric("quaestor.spend.tokens", "{token}", "counter", {frozenset(): self._spent.tokens}),
            Metric("quaestor.spend.dollars", "{USD}", "counter", {frozenset(): float(self._spent.dollars)}),
            Metric("gen_ai.client.operation.duration", "s", "histogram", self._seconds.copy()),
            Metric("gen_ai.client.token.usage", "{token}", "histogram", self._tokens.copy()),
        )

    def _count(self, kind: str, error: str | None, spend: Spend) -> None:
        attributes = _attributes({"quaestor.action.kind": kind}, error)
        self._actions[attributes] = self._actions.get(attributes, 0) + 1
        self._spent += spend

    def _note_reply(self, model: str, reply: ModelResponded) -> None:
        provider, name = split_model_name(model)
        call = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": name}
        seconds = reply.milliseconds / _MILLISECONDS
        _add(self._seconds, _attributes(call, reply_error(reply)), _SECOND_BOUNDS, seconds)
        if reply.usage:
            used = {"input": reply.usage.input_tokens, "output": reply.usage.output_tokens}
            for kind, tokens in used.items():
                _add(self._tokens, _attributes({**call, "gen_ai.token.type": kind}), _TOKEN_BOUNDS, tokens)


def _attributes(values: Mapping[str, AttributeValue], error: str | None = None) -> Attributes:
    return frozenset({**values, **({"error.type": error} if error else {})}.items())


def _add(
    found: dict[Attributes, Distribution], attributes: Attributes, bounds: tuple[float, ...], value: float
) -> None:
    found[attributes] = found.get(attributes, Distribution.empty(bounds)).add(value)
