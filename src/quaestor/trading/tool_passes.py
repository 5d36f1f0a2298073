"""Tool passes of one state: a model chooses calls, they are run one after the other, and it looks again.

The turn ends when a pass chooses nothing, when no pass is left, or when no tool run is.
"""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import value_to_json
from quaestor.contracts.event import Event, ToolCall, ToolInterrupted, ToolResponded, ToolsChosen, Value
from quaestor.contracts.workspace import ProgramResult
from quaestor.trading.contracts.decision import ComputedValue, named_indicator_values
from quaestor.trading.contracts.market import IndicatorResult

MAX_RESULT_CHARS = 2_000
"""Characters of one tool run that a prompt tells."""

_PRINTED_VALUE = re.compile(
    r"^\s*(?P<name>[\w ()/,.:\[\]-]{1,80}?)\s*[=:]\s*(?P<value>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*$"
)


class ToolPasses(Contract):
    """How far the tool passes of one state are."""

    passes: int = 0
    runs: int = 0
    calls: tuple[ToolCall, ...] = ()
    readings: tuple[ComputedValue, ...] = ()
    seen: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    over: bool = False

    def key(self, stem: str) -> str:
        """Give the key of what is wanted now: the next pass, or the next run of the last one."""
        return f"{stem}/{self.passes}/{self.runs + 1}" if self.calls else f"{stem}/{self.passes + 1}"


def fold(turns: ToolPasses, event: Event, most_passes: int, most_runs: int) -> ToolPasses:
    """Give the turns after one more event of their state."""
    match event.payload:
        case ToolsChosen() as chosen:
            return _fold_chosen(turns, chosen, most_passes, most_runs)
        case ToolResponded(tool=tool, error=str(error)):
            return _fold_run(turns, most_passes, f"{tool}: {error}")
        case ToolResponded(key=key, tool=tool, result=result):
            readings = tuple(_computed_values(result, key))
            return _fold_run(
                turns, most_passes, f"{tool} (run {key}): {_truncate_json(value_to_json(result))}", readings
            )
        case ToolInterrupted(tool=tool):
            return _fold_run(turns, most_passes, f"{tool}: it was interrupted, and nobody knows how far it came")
        case _:
            return turns


def _fold_chosen(turns: ToolPasses, chosen: ToolsChosen, most_passes: int, most_runs: int) -> ToolPasses:
    calls = chosen.calls[: most_runs - turns.runs]
    cut = tuple(f"{call.tool}: no tool run is left" for call in chosen.calls[len(calls) :])
    passes = turns.passes + 1
    over = not calls and (not chosen.refused or passes >= most_passes or bool(cut))
    return turns.model_copy(update={"passes": passes, "calls": calls, "refused": (*chosen.refused, *cut), "over": over})


def _fold_run(turns: ToolPasses, most_passes: int, told: str, readings: tuple[ComputedValue, ...] = ()) -> ToolPasses:
    calls = turns.calls[1:]
    return turns.model_copy(
        update={
            "runs": turns.runs + 1,
            "calls": calls,
            "readings": (*turns.readings, *readings),
            "seen": turns.seen if readings else (*turns.seen, told),
            "over": not calls and turns.passes >= most_passes,
        }
    )


def _computed_values(result: Value, run: str) -> Iterator[ComputedValue]:
    """Give the numbers a tool run computed: the outputs of an indicator, and lines `name = number` of a program."""
    if isinstance(result, IndicatorResult):
        for name, value in named_indicator_values(result).items():
            yield ComputedValue(name=name, value=value, run=run)
    if isinstance(result, ProgramResult):
        for line in result.stdout.splitlines():
            if said := _PRINTED_VALUE.match(line):
                yield ComputedValue(name=said["name"], value=float(said["value"]), run=run)


def _truncate_json(result: JsonValue) -> str:
    text = json.dumps(result, ensure_ascii=False)
    return text if len(text) <= MAX_RESULT_CHARS else f"{text[:MAX_RESULT_CHARS]}…"
