"""The one rule of dependencies: every id is known, and nothing waits for itself."""

from collections.abc import Collection, Mapping
from graphlib import CycleError, TopologicalSorter


def faults(edges: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Name the unknown ids and the circle, if any, of a graph from each id to the ids it waits for."""
    unknown = tuple(
        f"{own} depends on {other}, which is not in the plan"
        for own, others in edges.items()
        for other in others
        if other not in edges
    )
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        return (*unknown, f"a circle: {' waits for '.join(circle)}")
    return unknown
