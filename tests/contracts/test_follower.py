import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.contracts.event import Event, Recognised, Unrecognised
from quaestor.contracts.follower import Row, copied, parsed, restored, written
from storage.followers.samples import LOG, event

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    max_leaves=20,
)


def through_json(source: Event) -> Event:
    return restored(Row.model_validate_json(copied(source).model_dump_json()))


@pytest.mark.parametrize("source", LOG, ids=lambda event: str(event.seq))
def test_an_event_comes_back_from_its_row(source: Event) -> None:
    assert restored(copied(source)) == source
    assert through_json(source).model_dump_json() == source.model_dump_json()


@given(value=JSON)
def test_any_value_comes_back_from_its_row(value: JsonValue) -> None:
    assert through_json(event(2, value)).model_dump_json() == event(2, value).model_dump_json()


@given(text=st.text() | JSON.map(json.dumps) | JSON.map(lambda value: json.dumps(value, indent=1)))
def test_what_a_newer_version_wrote_comes_back_to_the_character(text: str) -> None:
    assert written(parsed(text)) == text
    payload: Recognised | Unrecognised = Unrecognised(type="dreamt", stored_version=3, body=text)
    source = event(2).model_copy(update={"payload": payload})
    assert through_json(source) == source


def test_a_row_has_what_tells_its_event_from_others() -> None:
    assert len({copied(source).head for source in LOG}) == len(LOG)
    assert copied(event(2, "a")).head == copied(event(2, "b")).head


def test_a_payload_is_fields_as_far_as_it_can_be() -> None:
    row = copied(event(2, {"of": 1}))
    assert (row.type, row.version) == ("fact_recorded", 1)
    assert row.payload == {"key": "k2", "contract": "Fact", "value": {"of": 1}}
