from pathlib import Path

import pytest

from quaestor.app.reports.exports import pack_export, write_export
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import ExportKind

FILES = {"a.md": b"one", "sources/b.md": b"two"}


def test_a_folder_is_written_whole_and_never_over_another(tmp_path: Path) -> None:
    write_export(FILES, ExportKind.FOLDER, tmp_path / "made" / "here")
    assert (tmp_path / "made" / "here" / "sources" / "b.md").read_bytes() == b"two"
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]
    with pytest.raises(UsageError, match="no empty folder"):
        write_export(FILES, ExportKind.FOLDER, tmp_path / "made")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x"])
def test_an_exporter_writes_below_its_folder_alone(tmp_path: Path, path: str) -> None:
    with pytest.raises(SetupError, match="outside"):
        write_export({path: b""}, ExportKind.FOLDER, tmp_path / "made")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be written"):
        write_export({"x": b""}, ExportKind.FILE, tmp_path / "missing" / "x")


def test_an_archive_is_the_same_for_the_same_files() -> None:
    assert pack_export(FILES, ExportKind.FOLDER) == pack_export(dict(FILES), ExportKind.FOLDER)
    assert pack_export({"x.bib": b"one"}, ExportKind.FILE) == b"one"
