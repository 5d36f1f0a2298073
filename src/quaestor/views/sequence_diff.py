"""What moved between two orders: as little as possible, and never what is pinned."""

from collections.abc import Collection, Sequence


def unmoved_items(before: Sequence[str], after: Sequence[str], pinned: Collection[str] = ()) -> frozenset[str]:
    """Return the ids that need not move to get from one order to the other; each order names an id once.

    They are the heaviest chain of ids that stands in both orders the same way round, where one pinned id outweighs
    all others. So every pinned id is in it, unless the pinned ones themselves changed places.
    """
    places = {own: place for place, own in enumerate(before)}
    shared = [own for own in after if own in places]
    chains: list[tuple[int, int]] = []
    for end, own in enumerate(shared):
        shorter = (chain for chain in range(end) if places[shared[chain]] < places[own])
        weight, previous = max(((chains[chain][0], chain) for chain in shorter), default=(0, -1))
        chains.append((weight + (len(shared) + 1 if own in pinned else 1), previous))
    _, last = max(((weight, end) for end, (weight, _) in enumerate(chains)), default=(0, -1))
    resting: list[str] = []
    while last >= 0:
        resting.append(shared[last])
        last = chains[last][1]
    return frozenset(resting)
