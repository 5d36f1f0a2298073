"""The documentation is read in the terminal."""

from pathlib import Path

from faces.cli.conftest import Quaestor

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
