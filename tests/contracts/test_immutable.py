"""Values in memory: frozen, compared by class and fields, and changed in copies alone."""

from collections.abc import Sequence
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.immutable import NOT_STORED, Immutable, field, replace
from quaestor.kernel.state_codec import StateCodec


class Lamp(Immutable):
    height: int
    colour: str = "white"


class Bell(Immutable):
    height: int
    colour: str = "white"


class Harbour(Immutable):
    lamps: tuple[Lamp, ...] = ()
    keepers: Annotated[Sequence[object], NOT_STORED] = field(default_factory=list)


CHANGES: dict[str, Any] = {"depth": 3}


def test_a_value_is_not_changed_but_copied_with_other_fields() -> None:
    lamp = Lamp(12)
    with pytest.raises(AttributeError):
        lamp.height = 13  # type: ignore[misc] # that is the point
    assert replace(lamp, height=13) == Lamp(13)
    assert lamp == Lamp(12)


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="depth"):
        replace(Lamp(12), **CHANGES)
    with pytest.raises(TypeError, match="depth"):
        Lamp(12, **CHANGES)


@given(st.integers(), st.text())
def test_values_of_different_classes_differ_and_equal_ones_have_one_hash(height: int, colour: str) -> None:
    assert Lamp(height, colour) == Lamp(height, colour)
    assert hash(Lamp(height, colour)) == hash(Lamp(height, colour))
    assert Lamp(height, colour) != Bell(height, colour)  # type: ignore[comparison-overlap] # that is the point


def test_what_is_not_stored_is_in_no_snapshot_and_is_as_before_any_event() -> None:
    before = Harbour(keepers=[print])  # a function has no form in JSON
    codec = StateCodec((Harbour,), before)
    state = replace(before, lamps=(Lamp(12),))
    assert codec.decode(codec.encode(state)) == state
