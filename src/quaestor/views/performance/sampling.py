"""Fewer points of a curve for a picture, chosen so that nothing that sticks out is lost."""

from collections.abc import Iterable, Sequence


def sampled(values: Sequence[float], most: int, keep: Iterable[int] = ()) -> tuple[int, ...]:
    """Choose at most `most` places of a curve, in order, with the first, the last and those in `keep`.

    The others are the lowest and the highest value of every bucket of neighbours, so every extreme of the curve stays.
    `most` is at least 4 more than the places in `keep`.
    """
    if len(values) <= most:
        return tuple(range(len(values)))
    chosen = {0, len(values) - 1, *keep}
    buckets = (most - len(chosen)) // 2
    for bucket in range(buckets):
        places = range(len(values) * bucket // buckets, len(values) * (bucket + 1) // buckets)
        chosen |= {min(places, key=values.__getitem__), max(places, key=values.__getitem__)}
    return tuple(sorted(chosen))
