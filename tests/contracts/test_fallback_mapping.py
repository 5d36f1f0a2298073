from collections.abc import Iterator, Mapping

import pytest

from quaestor.contracts.lazy import FallbackMapping


class Others:
    """Two further mappings, and how many of them were asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> Iterator[Mapping[str, int]]:
        for other in ({"b": 20, "c": 30}, {"c": 300, "d": 400}):
            self.asked += 1
            yield other


def test_its_own_entries_come_first_and_ask_for_no_other_mapping() -> None:
    others = Others()
    mapping = FallbackMapping({"a": 1, "b": 2}, others)
    assert (mapping["a"], mapping["b"], next(iter(mapping)), others.asked) == (1, 2, "a", 0)


def test_others_are_asked_in_their_order_and_no_further_than_needed() -> None:
    others = Others()
    mapping = FallbackMapping({"a": 1}, others)
    assert (mapping["c"], others.asked) == (30, 1)
    assert (mapping.get("d"), "e" in mapping) == (400, False)
    with pytest.raises(KeyError, match="e"):
        mapping["e"]


def test_every_key_is_there_once() -> None:
    mapping = FallbackMapping({"a": 1, "b": 2}, Others())
    assert (list(mapping), len(mapping)) == (["a", "b", "c", "d"], 4)
