"""docs/exports.md names every format."""

import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from quaestor.app.reports.exports import choose_exporter, get_exporter
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.runtime import exporters

PAGE = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")


def test_every_format_is_named_with_its_suffix_and_no_other() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)
    assert rows == [
        (name, f"`{each.suffix}`" if each.suffix else "a folder", each.description)
        for name, each in exporters.BUILT_IN_EXPORTERS.items()
    ]


def offered(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Offer an exporter as an installed package would."""
    found = EntryPoints([EntryPoint("outline", place, exporters.ENTRY_POINT_GROUP)])
    monkeypatch.setattr(exporters, "entry_points", lambda group: found.select(group=group))


def test_a_package_that_brings_something_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "json:dumps")
    with pytest.raises(SetupError, match="'outline' at json:dumps is a function, not an Exporter"):
        get_exporter("outline")


BAD: Mapping[str, str] = {"x.foo": "does not follow from its name", "x": "does not follow"}


@pytest.mark.parametrize("name", BAD)
def test_a_suffix_that_says_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=BAD[name]):
        choose_exporter(None, Path(name))
    with pytest.raises(UsageError, match="no format of exports is called 'odt'; known are docx"):
        choose_exporter("odt", Path(name))
