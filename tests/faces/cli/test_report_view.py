import io
import re

import pytest
from rich.console import Console

from faces.cli.conftest import Ended, Quaestor
from quaestor.faces.cli.report_view import page_report, show_report

REPORT = """\
# When was the bell cast?

**Answer:** In 1844\\. [1]

## Details

- The keeper rang it by hand\\. [1]

## References

- **Fog bells**, /notes/fog\\_bells.md, sha256 `2d5328393555`, retrieved 2026-11-22 13:46:29 UTC
  - [1] “cast in 1844”
- **Bells**, <https://bells.example/a?b=1>, sha256 `331e51819ddd`, retrieved 2026-11-22 13:46:26 UTC, dated 2020-01-02

## How this was made

- Model: offline
"""


def screen(width: int, height: int) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)


def drawn(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_answer_is_first_and_nothing_is_for_machines(width: int) -> None:
    console = screen(width, 50)
    show_report(REPORT, "quaestor report", console=console)
    text = drawn(console)
    assert text.index("When was the bell cast?") < text.index("Answer: In 1844. [1]") < text.index("Fog bells")
    for machine in ("sha256", "2d5328393555", "retrieved", "How this was made", "**", "\\."):
        assert machine not in text
    assert all(len(line) <= width for line in text.splitlines())


def test_sources_are_links_to_their_files_and_pages() -> None:
    console = Console(file=io.StringIO(), width=80, height=50, force_terminal=True, color_system="standard")
    show_report(REPORT, "quaestor report", console=console)
    links = re.findall(r"\x1b\]8;[^;]*;([^\x1b]+)\x1b", drawn(console))
    assert links == ["file:///notes/fog_bells.md", "https://bells.example/a?b=1"]


def test_no_more_than_a_screen_is_shown_and_the_rest_is_named() -> None:
    console = screen(80, 12)
    show_report(
        REPORT + "\n\n".join(f"Paragraph {number}." for number in range(40)), "quaestor report X", console=console
    )
    lines = drawn(console).splitlines()
    assert len(lines) <= 12
    assert lines[-1].startswith("… ")
    assert lines[-1].endswith("more lines: quaestor report X")


def test_a_source_cannot_move_the_cursor() -> None:
    console = screen(80, 50)
    show_report("# \x1b[2Jgone\x07", "quaestor report", console=console)
    assert "\x1b[2J" not in drawn(console)


def test_the_whole_report_is_paged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PAGER", "cat")
    page_report(REPORT)
    assert "In 1844" in capsys.readouterr().out


def test_what_is_piped_or_named_stays_markdown(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.out.startswith(("#", ">"))
    assert quaestor("report", "--format", "md").out == quaestor("report").out == finished.out
