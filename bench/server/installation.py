"""What an extra brings to an installation, beside the core."""

from importlib.metadata import distribution

from bench.engines.footprint import closure
from packaging.requirements import Requirement


def describe_extra(name: str) -> str:
    """Return how many packages an extra adds to the core, and their megabytes on disk without what Python compiles."""
    required = (Requirement(each) for each in distribution("quaestor").requires or ())
    wanted = (each.name for each in required if each.marker and each.marker.evaluate({"extra": name}))
    brought = closure(wanted) - closure(["quaestor"])
    files = [file for each in brought for file in distribution(each).files or () if file.suffix != ".pyc"]
    size = sum(path.stat().st_size for file in files if (path := file.locate()).exists())  # type: ignore[attr-defined]
    return f"{len(brought)} packages, {size / 1e6:.1f} MB beside the core"
