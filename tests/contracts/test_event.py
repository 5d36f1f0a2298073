import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from quaestor.contracts.codec import parse_payload, serialize_payload
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    PAYLOAD_VERSIONS,
    Event,
    KnownPayload,
    Paused,
    SessionFinished,
    ToolResponded,
    UnknownPayload,
)
from quaestor.research.codec import CODEC

STABLE = """session_started state_entered plan_created plan_updated todo_started todo_recorded todo_failed todo_blocked
model_requested model_responded contract_accepted contract_rejected tool_requested tool_responded tool_interrupted
memory_compressed budget_reached report_written report_verified paused resumed session_finished error"""


def test_the_stable_names_are_there() -> None:
    assert set(STABLE.split()) <= PAYLOAD_VERSIONS.keys() | CODEC.payloads.keys()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, st.text(max_size=30))
def test_what_is_written_is_read_back(result: str, key: str) -> None:
    fact = ToolResponded(key=key, tool="t", result=result, error=None, spend=Spend(), milliseconds=3)
    assert parse_payload(*serialize_payload(fact)) == (fact, None)


@pytest.mark.parametrize("depth", [60, 199, 200, 250])
def test_what_is_nested_deep_is_read_back(depth: int) -> None:
    result: JsonValue = "x"
    for _ in range(depth):
        result = [result]
    fact = ToolResponded(key="k", tool="t", result=result, error=None, spend=Spend(), milliseconds=3)
    assert parse_payload(*serialize_payload(fact)) == (fact, None)


@pytest.mark.parametrize("body", ["{", '{"kind": "interrupt"}', '{"kind": "interrupt", "reason": "r", "more": 1}'])
def test_what_is_damaged_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|validation error"):
        parse_payload("paused", 1, body)


@given(st.text(min_size=1, max_size=30), st.integers(1, 9), JSON)
def test_what_a_newer_version_wrote_is_kept_unchanged(kind: str, version: int, extra: str) -> None:
    body = json.dumps({"extra": extra})
    kept, _ = parse_payload(kind if kind not in PAYLOAD_VERSIONS else f"new_{kind}", version, body)
    assert isinstance(kept, UnknownPayload)
    assert serialize_payload(kept)[1:] == (version, body)
    newer, _ = parse_payload("paused", PAYLOAD_VERSIONS["paused"] + 1, body)
    assert serialize_payload(newer) == ("paused", PAYLOAD_VERSIONS["paused"] + 1, body)


def test_an_event_refuses_unknown_fields_and_is_frozen() -> None:
    fact: KnownPayload = Paused(kind="interrupt", reason="r")
    event = Event(session_id="s", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="X", payload=fact)
    with pytest.raises(ValidationError, match="frozen"):
        event.seq = 2  # type: ignore[misc]  # that it is refused is the test
    with pytest.raises(ValidationError, match="Extra inputs"):
        Event.model_validate({**event.model_dump(), "more": 1})
    assert Event.model_validate_json(event.model_dump_json()) == event


OLD_BODIES = [
    ("action_cancelled", 1, '{"key": "k", "todo_id": null}', None),
    ("tool_interrupted", 1, '{"key": "search/1", "todo_id": "t1.2", "tool": "search"}', "t1.2"),
    ("state_entered", 1, '{"scope": "t2", "previous": null}', "t2"),
    ("state_entered", 1, '{"scope": "session", "previous": null}', None),
    ("answered", 1, '{"ref": "todo/t3/round/1/approval", "text": "yes"}', "t3"),
    ("answered", 1, '{"ref": "plan", "text": "yes"}', None),
    ("fact_recorded", 1, '{"key": "todo/t4/round/1/acted", "contract": "C", "value": 1}', "t4"),
    ("fact_recorded", 1, '{"key": "c1/memory", "contract": "C", "value": 1}', None),
]


@pytest.mark.parametrize(("kind", "version", "body", "todo_id"), OLD_BODIES)
def test_the_todo_of_an_old_body_moves_to_the_envelope(kind: str, version: int, body: str, todo_id: str | None) -> None:
    payload, named = parse_payload(kind, version, body)
    assert named == todo_id
    assert "todo_id" not in payload.model_dump()
    assert parse_payload(*serialize_payload(payload), named) == (payload, todo_id)


def test_a_body_of_today_names_no_todo() -> None:
    assert parse_payload("fact_recorded", 2, '{"key": "todo/t4/x", "contract": "C", "value": 1}')[1] is None


OLD_BODIES_OF_RESEARCH = [
    ("todo_started", '{"todo_id": "t7"}', "t7"),
    ("todo_failed", '{"todo_id": "t8", "reason": "no"}', "t8"),
    ("plan_updated", '{"update": {"completed_todo_id": "t9", "outcome": "", "status": "done"}}', "t9"),
]


@pytest.mark.parametrize(("kind", "body", "todo_id"), OLD_BODIES_OF_RESEARCH)
def test_the_todo_of_an_old_body_of_a_workflow_moves_to_the_envelope(kind: str, body: str, todo_id: str) -> None:
    stored, named = parse_payload(kind, 1, body)
    assert (stored, named) == (UnknownPayload(type=kind, stored_version=1, body=body), None)
    event = Event(session_id="s", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="X", payload=stored)
    decoded = CODEC.decode(event)
    assert (type(decoded.payload), decoded.todo_id) == (CODEC.payloads[kind], todo_id)
    assert CODEC.decode(decoded) == decoded


def test_an_outcome_has_its_name_of_today() -> None:
    finished, _ = parse_payload("session_finished", 1, '{"outcome": "no_evidence", "statement": "Nothing."}')
    assert finished == SessionFinished(outcome="no_result", statement="Nothing.")
