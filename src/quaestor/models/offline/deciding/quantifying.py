"""The quant: every rule of the strategy votes, and the sum of the votes is the signal."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quaestor.contracts.decision import Indicated, QuantGiven, QuantReport, Reading, Signal
from quaestor.contracts.mandate import Strategy

Computed = Mapping[str, Reading]


class Vote(NamedTuple):
    """What one rule says: 1 is bullish, -1 bearish, 0 neither; and what it was read from."""

    said: int
    read: tuple[Reading, ...]


def quantify(given: QuantGiven) -> QuantReport:
    """Read the indicators of the first asset; where none could be computed, it is uncertain what they say."""
    computed = {reading.name: reading for reading in given.readings}
    votes = tuple(_votes(f"{given.assets[0]} {given.timeframes[0]}", given.strategy, computed))
    if not votes:
        return QuantReport(signal=Signal.UNCERTAIN, confidence=0, reasoning="No rule has all its indicators.")
    total = sum(vote.said for vote in votes)
    signal = Signal.BULLISH if total > 0 else Signal.BEARISH if total < 0 else Signal.NEUTRAL
    bullish, bearish = (sum(vote.said == said for vote in votes) for said in (1, -1))
    return QuantReport(
        signal=signal,
        confidence=round(0.5 + 0.5 * abs(total) / len(votes), 4),
        reasoning=f"Of {len(votes)} rules {bullish} say bullish and {bearish} bearish.",
        technical_indicators={
            reading.name: Indicated(value=reading.value, run=reading.run) for vote in votes for reading in vote.read
        },
    )


def _votes(stem: str, strategy: Strategy, computed: Computed) -> Iterator[Vote]:
    for rule in strategy.rules:
        match rule:
            case "rsi":
                vote = _rsi(stem, strategy, computed)
            case "macd":
                vote = _macd(stem, strategy, computed)
            case "cross":
                vote = _cross(stem, strategy, computed)
        if vote:
            yield vote


def _rsi(stem: str, strategy: Strategy, computed: Computed) -> Vote | None:
    rule = strategy.rsi
    read = computed.get(f"{stem} rsi({rule.period})")
    return Vote((read.value < rule.low) - (read.value > rule.high), (read,)) if read else None


def _macd(stem: str, strategy: Strategy, computed: Computed) -> Vote | None:
    rule = strategy.macd
    read = computed.get(f"{stem} macd({rule.fast},{rule.slow},{rule.signal}).histogram")
    return Vote(_sign(read.value), (read,)) if read else None


def _cross(stem: str, strategy: Strategy, computed: Computed) -> Vote | None:
    rule = strategy.cross
    fast, slow = (computed.get(f"{stem} sma({period})") for period in (rule.fast, rule.slow))
    return Vote(_sign(fast.value - slow.value), (fast, slow)) if fast and slow else None


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
