"""Calls whose provider is out of order: made again, given up where others are answered, else a reason to pause."""

from collections.abc import Iterator
from datetime import UTC, datetime

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionStarted,
)
from quaestor.kernel.run_state import RunState, fold

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def asks(key: str, model: str = "a") -> ModelRequested:
    return ModelRequested(key=key, role="reader", model=model, contract="Done", ordinal=1, attempt=1, given={})


def answers(key: str, error: str | None = None, *, unavailable: bool = False) -> ModelResponded:
    return ModelResponded(
        key=key,
        role="reader",
        reply=None if error else "{}",
        error=error,
        unavailable=unavailable,
        spend=Spend(),
        milliseconds=1,
    )


def fails(key: str) -> Iterator[KnownPayload]:
    yield from (asks(key), answers(key, "503", unavailable=True))


def after(*payloads: KnownPayload) -> RunState:
    run = RunState()
    started = SessionStarted(question="?", workflow="chores", task_key="1", options={})
    for seq, payload in enumerate((started, *payloads), 1):
        run = fold(run, Event(session_id="s", seq=seq, cycle=1, at=NOW, state="WORKING", payload=payload))
    return run


def test_a_provider_that_answers_nobody_is_out_of_order() -> None:
    tries = after(*fails("one"), *fails("two"), *fails("one")).tries["one"]
    assert (tries.failures, tries.unavailable, tries.others_answered) == (2, "503", False)


def test_one_that_answers_others_meanwhile_is_not() -> None:
    tries = after(*fails("one"), asks("two"), answers("two"), *fails("one")).tries["one"]
    assert tries.others_answered


def test_the_reply_of_another_provider_does_not_count() -> None:
    tries = after(*fails("one"), asks("two", "b"), answers("two"), *fails("one")).tries["one"]
    assert not tries.others_answered


def test_a_reply_before_the_first_failure_does_not_count() -> None:
    tries = after(asks("two"), answers("two"), *fails("one"), *fails("one")).tries["one"]
    assert not tries.others_answered


def test_once_the_session_goes_on_the_call_is_made_as_if_it_had_never_failed() -> None:
    paused = (Paused(kind="setup", reason="503"), Resumed(after="pause"))
    tries = after(*fails("one"), *fails("one"), *fails("one"), *paused).tries["one"]
    assert (tries.failures, tries.unavailable) == (0, None)


def test_other_failures_stay_counted_over_a_pause() -> None:
    lost = (asks("one"), answers("one", "no answer within 1 s"))
    tries = after(*lost, Paused(kind="interrupt", reason="-"), Resumed(after="pause")).tries["one"]
    assert tries.failures == 1
