"""What each choice of the search is worth: the same figures with one choice left out at a time."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bench.evidence.shelf import CHOICES
from bench.evidence.table import Row, lined

from quaestor.contracts.immutable import replace
from quaestor.tools.passage_search import SearchFeatures


async def ablation(data: Path, sets: Mapping[str, Callable[[Path], Awaitable[list[Row]]]]) -> str:
    """Return a table with a figure a row and a column for all choices, for each one left out and for none."""
    everything = SearchFeatures()
    names = list(SearchFeatures.__struct_fields__)
    none = replace(everything, **dict.fromkeys(names, False))
    kinds = {"all": everything, **{f"no {name}": replace(everything, **{name: False}) for name in names}, "none": none}
    columns: list[list[str]] = []
    headings: list[str] = []
    for kind, choices in kinds.items():
        token = CHOICES.set(choices)
        rows = [row for figures in sets.values() for row in await figures(data)]
        CHOICES.reset(token)
        headings = [f"{row.data}, {row.measure}" for row in rows]
        columns.append([kind, *(f"{row.ours:.3f}" for row in rows)])
    return lined(list(zip(["figure", *headings], *columns, strict=True)))
