import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.contracts.event import Event, KnownPayload, UnknownPayload
from quaestor.contracts.follower import ReplicaRow, event_to_row, parse_row_payload, row_to_event, serialize_row_payload
from storage.followers.samples import LOG, event

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=20,
)


def through_json(source: Event) -> Event:
    return row_to_event(ReplicaRow.model_validate_json(event_to_row(source).model_dump_json()))


@pytest.mark.parametrize("source", LOG, ids=lambda event: str(event.seq))
def test_an_event_comes_back_from_its_row(source: Event) -> None:
    assert row_to_event(event_to_row(source)) == source
    assert through_json(source).model_dump_json() == source.model_dump_json()


@given(value=JSON)
def test_any_value_comes_back_from_its_row(value: JsonValue) -> None:
    assert through_json(event(2, value)).model_dump_json() == event(2, value).model_dump_json()


@given(text=st.text() | JSON.map(json.dumps) | JSON.map(lambda value: json.dumps(value, indent=1)))
def test_what_a_newer_version_wrote_comes_back_to_the_character(text: str) -> None:
    assert serialize_row_payload(parse_row_payload(text)) == text
    payload: KnownPayload | UnknownPayload = UnknownPayload(type="dreamt", stored_version=3, body=text)
    source = event(2).model_copy(update={"payload": payload})
    assert through_json(source) == source


def test_a_row_has_what_tells_its_event_from_others() -> None:
    assert len({event_to_row(source).identity for source in LOG}) == len(LOG)
    assert event_to_row(event(2, "a")).identity == event_to_row(event(2, "b")).identity


def test_a_payload_is_fields_as_far_as_it_can_be() -> None:
    row = event_to_row(event(2, {"of": 1}))
    assert (row.type, row.version) == ("fact_recorded", 2)
    assert row.payload == {"key": "k2", "contract": "Fact", "value": {"of": 1}}
