"""What the developers install takes the oldest Python that the project promises."""

from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

LOCK = Path(__file__).parents[2] / "requirements.lock"
OLDEST = {"python_version": "3.11", "python_full_version": "3.11.0"}


def test_every_package_of_the_lock_takes_the_oldest_python() -> None:
    """Some are only for later releases of 3.11: these need a second line, for the earlier ones."""
    refused = []
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        wanted = Requirement(line)
        if wanted.marker and not (wanted.marker.evaluate() and wanted.marker.evaluate(OLDEST)):
            continue
        pythons = distribution(wanted.name).metadata["Requires-Python"]
        if pythons and not SpecifierSet(pythons).contains(OLDEST["python_full_version"]):
            refused.append(f"{line}: {pythons}")
    assert refused == []
