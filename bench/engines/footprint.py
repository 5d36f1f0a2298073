"""What the packages of a candidate bring beyond those of a core with the extra `postgres`."""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement


def footprint(packages: Iterable[str]) -> str:
    """Return how many packages they bring, and their megabytes on disk."""
    brought = closure(packages) - closure(["quaestor", "psycopg", "psycopg-binary"])
    files = (file for name in brought for file in distribution(name).files or ())
    size = sum(path.stat().st_size for file in files if (path := file.locate()).exists())  # type: ignore[attr-defined]
    return f"{len(brought)} packages, {size / 1e6:.1f} MB"


def closure(packages: Iterable[str]) -> set[str]:
    """Return packages with all that they require; extras are left out."""
    found: set[str] = set()
    left = [name.lower() for name in packages]
    while left:
        name = left.pop()
        if name in found:
            continue
        try:
            required = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # of another platform
        found.add(name)
        wanted = (each for each in map(Requirement, required) if not each.marker or each.marker.evaluate({"extra": ""}))
        left += (each.name.lower().replace("_", "-") for each in wanted)
    return found
