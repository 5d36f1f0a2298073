from pathlib import Path
from zipfile import ZipFile

import pytest

from faces.cli.conftest import Ended, Quaestor


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_format_follows_from_the_target_or_is_named(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    assert quaestor("export", finished.session, "--out", tmp_path / "x.bib").code == 0
    assert (tmp_path / "x.bib").read_text("utf-8").startswith("@misc{")
    (tmp_path / "leads.bib").symlink_to(tmp_path / "x.bib")
    assert quaestor("export", "--out", tmp_path / "leads.bib").code == 0
    assert (tmp_path / "leads.bib").is_symlink()
    assert quaestor("export", "--out", tmp_path / "notes", "--format", "obsidian").code == 0
    assert list((tmp_path / "notes" / "sources").glob("*.md"))


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name a target"),
        (("--out", "{}/x.bib", "--bundle", "{}/x.zip"), "name a target"),
        (("--bundle", "{}/x.zip", "--format", "ris"), "name a target"),
        (("--out", "{}/x.foo"), "does not follow from its name"),
        (("--out", "{}/x.bib", "--version", "0"), "has no version 0 of a report; it has 1"),
        (("--out", "{}/none/x.bib"), "there is no folder"),
        (("--bundle", "{}"), "is a folder"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    quaestor: Quaestor, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    ended = quaestor("export", *(option.format(tmp_path) for option in options))
    assert (ended.code, message in ended.err) == (2, True), ended.err


@pytest.mark.usefixtures("finished")
def test_a_bundle_is_verified_without_its_home(quaestor: Quaestor, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.zip"
    written = quaestor("export", "--bundle", bundle)
    assert (written.code, "check it anywhere with" in written.err) == (0, True), written.err
    held = quaestor("verify", bundle, "--home", tmp_path / "nowhere")
    assert (held.code, "events" in held.out, held.err) == (0, True, "")
    assert not (tmp_path / "nowhere").exists()
    with ZipFile(bundle, "a") as archive:
        archive.writestr("more.txt", "x")
    broken = quaestor("verify", bundle)
    assert (broken.code, broken.out) == (1, "'more.txt' is in no manifest\n")
