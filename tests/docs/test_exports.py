"""docs/exports.md names every format, and the format of a package that it shows works."""

import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from quaestor.app.exports import choose_exporter, get_exporter, write_export
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import Exporter
from quaestor.runtime import exporters
from views.exports.material import material

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


def test_the_format_that_it_shows_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_package.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    offered(monkeypatch, "my_package:OUTLINE")
    exporter = choose_exporter("outline", Path("x"))
    assert isinstance(exporter, Exporter)
    write_export(exporter.write(material()), exporter.kind, tmp_path / "outline.txt")
    assert "- It says: The lamp of Aldmouth burns oil" in (tmp_path / "outline.txt").read_text("utf-8")
    assert exporters.exporter_names()[-1] == "outline"


def test_a_package_that_brings_something_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "json:dumps")
    with pytest.raises(SetupError, match="'outline' at json:dumps is a function, not an Exporter"):
        get_exporter("outline")
    offered(monkeypatch, "nowhere:x")
    with pytest.raises(SetupError, match="reinstall its package"):
        get_exporter("outline")


BAD: Mapping[str, str] = {"x.foo": "does not follow from its name", "x": "does not follow"}


@pytest.mark.parametrize("name", BAD)
def test_a_suffix_that_says_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=BAD[name]):
        choose_exporter(None, Path(name))
    with pytest.raises(UsageError, match="no format of exports is called 'odt'; known are docx"):
        choose_exporter("odt", Path(name))
