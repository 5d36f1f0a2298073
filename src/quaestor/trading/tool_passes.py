"""Tool passes of one state: a model chooses calls, they are run one after the other, and it is asked again.

They end when a pass chooses nothing, when no pass is left, or when no tool run is.
"""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

from quaestor.contracts.codec import value_to_json
from quaestor.contracts.event import Event, ToolCall, ToolInterrupted, ToolResponded, ToolsChosen
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.payload import Value
from quaestor.contracts.workspace import ProgramResult
from quaestor.trading.contracts.indicators import IndicatorResult, named_indicator_values
from quaestor.trading.contracts.role_inputs import ComputedValue

MAX_RESULT_CHARS = 2_000
"""Characters of one tool run that a prompt shows."""

_PRINTED_VALUE = re.compile(
    r"^\s*+(?P<name>[\w ()/,.:\[\]-]{1,80}?)\s*+[=:]\s*+(?P<value>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*$"
)


class ToolPasses(Immutable):
    """The progress of the tool passes of one state; `calls` are the chosen ones that were not run yet."""

    passes: int = 0
    runs: int = 0
    calls: tuple[ToolCall, ...] = ()
    readings: tuple[ComputedValue, ...] = ()
    seen: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    done: bool = False

    def next_key(self, stem: str) -> str:
        """Return the key of the next action: the next pass, or the next run of the last one."""
        return f"{stem}/{self.passes}/{self.runs + 1}" if self.calls else f"{stem}/{self.passes + 1}"


def fold(passes: ToolPasses, event: Event, max_passes: int, max_runs: int) -> ToolPasses:
    """Return the passes after one more event of their state."""
    match event.payload:
        case ToolsChosen() as chosen:
            return _fold_chosen(passes, chosen, max_passes, max_runs)
        case ToolResponded(tool=tool, error=str(error)):
            return _fold_run(passes, max_passes, f"{tool}: {error}")
        case ToolResponded(key=key, tool=tool, result=result):
            line = f"{tool} (run {key}): {_truncate_json(value_to_json(result))}"
            return _fold_run(passes, max_passes, line, tuple(_computed_values(result, key)))
        case ToolInterrupted(tool=tool):
            return _fold_run(passes, max_passes, f"{tool}: it was interrupted, and nobody knows how far it came")
        case _:
            return passes


def _fold_chosen(before: ToolPasses, chosen: ToolsChosen, max_passes: int, max_runs: int) -> ToolPasses:
    calls = chosen.calls[: max_runs - before.runs]
    cut = tuple(f"{call.tool}: no tool run is left" for call in chosen.calls[len(calls) :])
    passes = before.passes + 1
    done = not calls and (not chosen.refused or passes >= max_passes or bool(cut))
    return replace(before, passes=passes, calls=calls, refused=(*chosen.refused, *cut), done=done)


def _fold_run(before: ToolPasses, max_passes: int, line: str, readings: tuple[ComputedValue, ...] = ()) -> ToolPasses:
    calls = before.calls[1:]
    return replace(
        before,
        runs=before.runs + 1,
        calls=calls,
        readings=(*before.readings, *readings),
        seen=before.seen if readings else (*before.seen, line),
        done=not calls and before.passes >= max_passes,
    )


def _computed_values(result: Value, run: str) -> Iterator[ComputedValue]:
    """Return the numbers that a run computed: outputs of an indicator, and lines `name = number` of a program."""
    if isinstance(result, IndicatorResult):
        for name, value in named_indicator_values(result).items():
            yield ComputedValue(name=name, value=value, run=run)
    if isinstance(result, ProgramResult):
        for line in result.stdout.splitlines():
            if printed := _PRINTED_VALUE.match(line):
                yield ComputedValue(name=printed["name"], value=float(printed["value"]), run=run)


def _truncate_json(result: JsonValue) -> str:
    text = json.dumps(result, ensure_ascii=False)
    return text if len(text) <= MAX_RESULT_CHARS else f"{text[:MAX_RESULT_CHARS]}…"
