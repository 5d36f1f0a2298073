"""Events as a log has them, some of them hard to copy."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from quaestor.contracts.event import Event, FactRecorded, KnownPayload, SessionStarted, UnknownPayload
from quaestor.contracts.follower import ReplicaRow, event_to_row

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

HARD: tuple[JsonValue, ...] = (
    {},
    {"dotted.key": 1, "$set": {"a": 1}, "": 2, "\0": 3, "a\0b": 4},
    {"rows": [[1, 2.5], [[]], [None]]},
    [2**63 - 1, -(2**63), 2**63, -(10**40), 0, -0.0, 1.0, 1e16, 5e-324, 1.7976931348623157e308, 0.1],
    "Ærø 日本 \U0001f600 e\u0301 \ufeff\u202e \0 \r\n\u2028 \x7f \"}\n{'",
    {"_id": "x", "session_id": "other", "seq": "y", "at": None, "$oid": "5f", "$date": 1},
    [True, False, None, [], [{}], {"a": [{"b": [{"c": {}}]}]}],
    "5f43a1b2c3d4e5f60718293a",
)


def event(seq: int, value: JsonValue = None, name: str = "s1", cycle: int = 1) -> Event:
    payload: KnownPayload = (
        SessionStarted(question="Who?", workflow="research", task_key="key", options=value)
        if seq == 1
        else FactRecorded(key=f"k{seq}", contract="Fact", value=value)
    )
    at = NOON + timedelta(microseconds=seq * 1_001 + 7)
    return Event(session_id=name, seq=seq, cycle=cycle, at=at, state="EXECUTING", payload=payload)


def unknown(seq: int, body: str) -> Event:
    return event(seq).model_copy(update={"payload": UnknownPayload(type="dreamt", stored_version=3, body=body)})


def deep(levels: int) -> JsonValue:
    value: JsonValue = "bottom"
    for level in range(levels):
        value = {"down": value} if level % 2 else [value, {}]
    return value


LOG: Sequence[Event] = [
    event(1),
    *(event(seq, value) for seq, value in enumerate(HARD, 2)),
    event(10, deep(60)),
    event(11, deep(150)),
    unknown(12, '{"of":  1}'),
    unknown(13, '{"of":1e16,"b":{"$c":"\\u00e9"}}'),
    unknown(14, "no JSON \0 at all"),
    unknown(15, '["a list"]'),
    event(16, "last", cycle=2),
]


def rows(events: Sequence[Event]) -> list[ReplicaRow]:
    return [event_to_row(each) for each in events]


def plain(first: int, last: int, name: str = "s1") -> list[ReplicaRow]:
    return [event_to_row(event(seq, f"value {seq}", name)) for seq in range(first, last + 1)]
