"""The documentation is read in the terminal."""

import shutil
import subprocess
from pathlib import Path

from faces.cli.conftest import Quaestor
from quaestor.faces.cli.program import COMMANDS

DOCS = Path(__file__).parents[3] / "docs"


def test_pages_are_listed_and_shown(quaestor: Quaestor) -> None:
    listed = quaestor("docs").out.splitlines()[1:]
    assert [line.split()[0] for line in listed] == sorted(file.stem for file in DOCS.glob("*.md"))
    assert "longtask" in "\n".join(listed)
    assert quaestor("docs", "longtask").out == (DOCS / "longtask.md").read_text(encoding="utf-8")


def test_a_page_that_does_not_exist_is_answered_with_those_like_it(quaestor: Quaestor) -> None:
    unknown = quaestor("docs", "../longtasks")
    assert (unknown.code, unknown.out) == (2, "")
    assert "there is no page '../longtasks'; there is longtask" in unknown.err


def test_the_manual_page_has_every_command_with_its_options(quaestor: Quaestor, tmp_path: Path) -> None:
    page = quaestor("docs", "--man").out
    assert page.startswith('.TH QUAESTOR 1 "" "Quaestor ')
    for name in COMMANDS:
        assert f".SS quaestor {name}" in page
    assert ".SS quaestor export [SESSION]\n" in page
    assert (
        "\\fB\\-\\-bundle\\fR\nWrite everything into this one file, which \\fBquaestor verify FILE\\fR checks" in page
    )
    assert not [line for line in page.splitlines() if line.startswith(("'", ".")) and line[1:3].islower()]
    if shutil.which("man"):
        file = tmp_path / "quaestor.1"
        file.write_text(page, encoding="utf-8")
        shown = subprocess.run(["man", "--warnings", "-l", file], capture_output=True, text=True, check=True)
        assert shown.stderr == ""
        assert "quaestor export [SESSION]" in shown.stdout
