import json
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    PAYLOAD_VERSIONS,
    Event,
    EventPayload,
    KnownPayload,
    Paused,
    ToolResponded,
    UnknownPayload,
    parse_payload,
    serialize_payload,
)

STABLE = """session_started state_entered plan_created plan_updated todo_started todo_recorded todo_failed todo_blocked
model_requested model_responded contract_accepted contract_rejected tool_requested tool_responded tool_interrupted
memory_compressed budget_reached report_written report_verified paused resumed session_finished error"""


def test_the_stable_names_are_there() -> None:
    assert set(STABLE.split()) <= PAYLOAD_VERSIONS.keys()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.text(max_size=30))
def test_what_is_written_is_read_back(result: str, key: str) -> None:
    fact = ToolResponded(key=key, todo_id=None, tool="t", result=result, error=None, spend=Spend(), milliseconds=3)
    assert parse_payload(*serialize_payload(fact)) == fact


@pytest.mark.parametrize("depth", [60, 199, 200, 250])
def test_what_is_nested_deep_is_read_back(depth: int) -> None:
    result: JsonValue = "x"
    for _ in range(depth):
        result = [result]
    fact = ToolResponded(key="k", todo_id=None, tool="t", result=result, error=None, spend=Spend(), milliseconds=3)
    assert parse_payload(*serialize_payload(fact)) == fact


@pytest.mark.parametrize("body", ["{", '{"kind": "interrupt"}', '{"kind": "interrupt", "reason": "r", "more": 1}'])
def test_what_is_damaged_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|validation error"):
        parse_payload("paused", 1, body)


@given(st.text(min_size=1, max_size=30), st.integers(1, 9), JSON)
def test_what_a_newer_version_wrote_is_kept_unchanged(kind: str, version: int, extra: str) -> None:
    body = json.dumps({"extra": extra})
    kept = parse_payload(kind if kind not in PAYLOAD_VERSIONS else f"new_{kind}", version, body)
    assert isinstance(kept, UnknownPayload)
    assert serialize_payload(kept)[1:] == (version, body)
    newer = parse_payload("paused", PAYLOAD_VERSIONS["paused"] + 1, body)
    assert serialize_payload(newer) == ("paused", PAYLOAD_VERSIONS["paused"] + 1, body)


def test_an_event_refuses_unknown_fields_and_is_frozen() -> None:
    fact: KnownPayload = Paused(kind="interrupt", reason="r")
    event = Event(session_id="s", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="X", payload=fact)
    with pytest.raises(ValidationError, match="frozen"):
        event.seq = 2  # type: ignore[misc]  # that it is refused is the test
    with pytest.raises(ValidationError, match="Extra inputs"):
        Event.model_validate({**event.model_dump(), "more": 1})
    assert Event.model_validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize("kind", [kind for kind in get_args(KnownPayload) if "todo_id" in kind.model_fields])
def test_an_event_knows_the_todo_of_every_fact_that_has_one(kind: type[EventPayload]) -> None:
    fact = kind.model_construct(todo_id="t7")  # type: ignore[call-arg]  # of the fact only this field matters
    rest: KnownPayload = Paused(kind="interrupt", reason="r")
    event = Event(session_id="s", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="X", payload=rest)
    assert event.todo_id is None
    assert event.model_copy(update={"payload": fact}).todo_id == "t7"
