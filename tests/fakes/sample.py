"""Which of many cases the gate runs; the others are left to `make soak`, which runs them all."""

from collections.abc import Callable, Iterable

import pytest
from _pytest.mark import ParameterSet


def sample(cases: Iterable[object], kept: Callable[[int], bool], *ids: str) -> list[ParameterSet]:
    """Return the cases as parameters; those whose position is not kept are for soak. Several values are a tuple."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if kept(place) else pytest.mark.soak,
            id=ids[place] if ids else None,
        )
        for place, case in enumerate(cases)
    ]
