"""Tool passes of one state: when they go on, when they are over, and which numbers count as computed."""

from datetime import UTC, datetime

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import Event, KnownPayload, ToolCall, ToolInterrupted, ToolResponded, ToolsChosen
from quaestor.contracts.workspace import ProgramResult
from quaestor.trading.plugin import CODEC
from quaestor.trading.tool_passes import MAX_RESULT_CHARS, ToolPasses, fold

AT = datetime(2026, 1, 1, tzinfo=UTC)


def after(turns: ToolPasses, *payloads: KnownPayload, passes: int = 3, runs: int = 3) -> ToolPasses:
    for payload in payloads:
        event = Event(session_id="s", seq=1, cycle=1, at=AT, state="ANALYZING", payload=payload)
        turns = fold(turns, CODEC.decode(event), passes, runs)
    return turns


def chosen(*tools: str, refused: tuple[str, ...] = ()) -> ToolsChosen:
    calls = tuple(ToolCall(ref=f"c{place}", tool=tool, given={}) for place, tool in enumerate(tools))
    return ToolsChosen(key="k", role="quant", calls=calls, refused=refused)


def ran(stdout: str = "", error: str | None = None, tool: str = "python") -> ToolResponded:
    result = None if error else ProgramResult(exit_code=0, stdout=stdout)
    return ToolResponded(key="c1/study/1/1", tool=tool, result=result, error=error, spend=Spend(), milliseconds=1)


def test_calls_are_run_one_after_the_other_under_keys_of_their_own() -> None:
    turns = ToolPasses()
    keys = [turns.next_key("study")]
    for payload in (chosen("python", "python"), ran(), ran(), chosen("python")):
        turns = after(turns, payload)
        keys.append(turns.next_key("study"))
    assert keys == ["study/1", "study/1/1", "study/1/2", "study/2", "study/2/3"]


def test_a_turn_is_over_when_a_pass_chooses_nothing() -> None:
    assert after(ToolPasses(), chosen()).done
    assert not after(ToolPasses(), chosen("python")).done
    assert not after(ToolPasses(), chosen("python"), ran()).done


def test_a_refused_pass_may_be_followed_by_another_as_long_as_one_is_left() -> None:
    refused = chosen(refused=("python: no",))
    assert not after(ToolPasses(), refused).done
    assert after(ToolPasses(), refused, refused, refused).done


def test_no_more_is_run_than_may_be() -> None:
    turns = after(ToolPasses(), chosen("python", "python"), ran(), ran(), chosen("python", "python"))
    assert len(turns.calls) == 1
    assert turns.refused == ("python: no tool run is left",)
    assert after(turns, ran(), chosen("python")).done


def test_lines_that_assign_a_number_are_computed_numbers_and_other_words_are_not() -> None:
    turns = after(ToolPasses(), chosen("python"), ran("mean return = 0.25\nspread: -1e-3\nThe trend is up.\nx = high"))
    assert [(one.name, one.value, one.run) for one in turns.readings] == [
        ("mean return", 0.25, "c1/study/1/1"),
        ("spread", -0.001, "c1/study/1/1"),
    ]
    assert turns.seen == ()


def test_a_run_that_failed_or_was_interrupted_is_told() -> None:
    broken = after(ToolPasses(), chosen("python"), ran(error="no memory"))
    assert broken.seen == ("python: no memory",)
    lost = ToolInterrupted(key="k", tool="python")
    assert "interrupted" in after(ToolPasses(), chosen("python"), lost).seen[0]


def test_a_long_result_is_told_in_part() -> None:
    turns = after(ToolPasses(), chosen("python"), ran("x" * 5000))
    assert len(turns.seen[0]) < MAX_RESULT_CHARS + 60
