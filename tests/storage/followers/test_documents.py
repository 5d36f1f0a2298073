from collections.abc import Mapping
from datetime import UTC, datetime

import bson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.contracts.event import Event
from quaestor.contracts.follower import ReplicaRow, event_to_row
from quaestor.storage.followers.mongo_documents import (
    MAX_DOCUMENT_CHARACTERS,
    document_to_row,
    part_documents,
    row_to_document,
)
from storage.followers.samples import LOG, deep, event

MOST = 16 * 2**20
LEAF = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(0.001, 1e300) | st.text()
KEPT = st.recursive(
    st.dictionaries(st.text("ab_-é ", min_size=1), LEAF | st.lists(LEAF)),
    lambda part: st.dictionaries(st.text("ab_-é ", min_size=1), part | st.lists(part)),
    max_leaves=20,
)
HELD: bson.CodecOptions[Mapping[str, object]] = bson.CodecOptions(tz_aware=True)


def through_bson(source: ReplicaRow) -> ReplicaRow:
    texts = [str(bson.decode(bson.encode(part))["text"]) for part in part_documents(source)]
    return document_to_row(bson.decode(bson.encode(row_to_document(source)), HELD), texts)


@pytest.mark.parametrize("source", LOG, ids=lambda event: str(event.seq))
def test_a_row_comes_back_from_its_document(source: Event) -> None:
    assert through_bson(event_to_row(source)).model_dump_json() == event_to_row(source).model_dump_json()


@given(value=KEPT)
def test_a_plain_payload_is_a_sub_document(value: JsonValue) -> None:
    source = event_to_row(event(2, value))
    assert isinstance(row_to_document(source)["payload"], dict)
    assert through_bson(source).model_dump_json() == source.model_dump_json()


@pytest.mark.parametrize(
    "hard",
    [
        *({key: 1} for key in ("$set", "a.b", "", "\0", "a\0b")),
        *([number] for number in (2**63, -(2**63) - 1, -0.0)),
        [[1]],
        {"a": [{"b": [1, []]}]},
        deep(90),
    ],
)
def test_what_a_server_might_not_keep_is_a_text(hard: JsonValue) -> None:
    source = event_to_row(event(2, hard))
    assert isinstance(row_to_document(source)["payload"], str)
    assert through_bson(source).model_dump_json() == source.model_dump_json()


@given(at=st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))  # noqa: DTZ001 -- hypothesis adds the zone
def test_a_time_keeps_its_microseconds(at: datetime) -> None:
    source = event_to_row(event(2)).model_copy(update={"at": at})
    assert through_bson(source) == source


@pytest.mark.parametrize(
    "value",
    [
        [1] * (MAX_DOCUMENT_CHARACTERS // 2 - 50),
        "日" * (MAX_DOCUMENT_CHARACTERS - 100),
        "日" * MAX_DOCUMENT_CHARACTERS,
        {"a.b": "日" * (MAX_DOCUMENT_CHARACTERS - 100)},
    ],
    ids=["numbers", "text", "parts", "keys"],
)
def test_no_document_is_longer_than_a_document_may_be(value: JsonValue) -> None:
    source = event_to_row(event(2)).model_copy(update={"payload": {"value": value}})
    sizes = [len(bson.encode(each)) for each in (row_to_document(source), *part_documents(source))]
    assert max(sizes) < MOST


def test_a_document_says_where_and_when_it_belongs() -> None:
    held = row_to_document(event_to_row(event(7, {"of": 1}, cycle=3)))
    assert held["_id"] == "s1:7"
    assert (held["session_id"], held["seq"], held["cycle"], held["state"]) == ("s1", 7, 3, "EXECUTING")
    assert (held["type"], held["version"], held["at"]) == ("fact_recorded", 2, event(7).at)


@pytest.mark.parametrize("missing", ["session_id", "seq", "at", "micros", "payload", "type"])
def test_a_document_that_lacks_something_is_no_row(missing: str) -> None:
    held = row_to_document(event_to_row(event(2)))
    del held[missing]
    with pytest.raises(ValueError, match=r"no time|Row"):
        document_to_row(held)
