"""A report on a terminal: rendered, the answer first, at most one screen of it; the whole of it in a pager."""

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from rich.console import Console
from rich.style import Style
from rich.text import Text

from quaestor.app.text import count_noun, replace_hidden
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.terminal import ReportOutput

if TYPE_CHECKING:
    from rich.markdown import Markdown

_MARKDOWN: "LazyImport[type[Markdown]]" = LazyImport("rich.markdown:Markdown")
_PROVENANCE = re.compile(r", sha256 `[0-9a-f]+`, retrieved [0-9: -]+ UTC")
_SOURCE = re.compile(r"^- \*\*(?P<name>.+?)\*\*, (?P<place><https?://\S+>|/\S+)", re.MULTILINE)
_PRODUCTION = re.compile(r"^## How this was made\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FILE_HOST = "https://file.invalid"
"""In the place of `file://`, which the renderer of Markdown takes for dangerous and leaves as text."""
_KEPT_LINES = 6
"""Of a screen, for what is printed below the report."""


def is_rendered(delivery: ReportOutput) -> bool:
    """Return whether a report is for a person's eyes here: on a terminal, and in no format that was named."""
    return delivery.form is None and delivery.out is None and sys.stdout.isatty()


def show_report(markdown: str, whole: str, *, console: Console | None = None) -> None:
    """Print the beginning of a report, as much as fits the screen; `whole` is the command that prints all of it."""
    console = console or Console()
    lines = _draw(for_terminal(markdown), console)
    shown = lines[: max(console.height - _KEPT_LINES, 1)]
    for line in shown:
        console.print(line)
    if rest := len(lines) - len(shown):
        console.print(f"… {count_noun(rest, 'more line')}: {whole}", style="dim", highlight=False, soft_wrap=True)


def page_report(markdown: str) -> None:
    """Show a whole report in the person's pager."""
    page_markdown(for_terminal(markdown))


def page_markdown(markdown: str, *, console: Console | None = None) -> None:
    """Show a text in the person's pager, rendered."""
    console = console or Console()
    with console.pager(styles=True, links=True):
        for line in _draw(markdown, console):
            console.print(line)


def _draw(markdown: str, console: Console) -> Sequence[Text]:
    """Return the lines of a text at the width of a terminal, without the blanks that fill them."""
    lines: list[Text] = []
    for segments in console.render_lines(_MARKDOWN.load()(markdown, hyperlinks=True), pad=False):
        line = Text(no_wrap=True)
        for segment in segments:
            line.append(segment.text, _with_file_link(segment.style or Style.null()))
        line.rstrip()
        lines.append(line)
    return lines


def _with_file_link(style: Style) -> Style:
    if style.link and style.link.startswith(_FILE_HOST):
        return style.update_link(f"file://{style.link.removeprefix(_FILE_HOST)}")
    return style


def for_terminal(markdown: str) -> str:
    """Return a report without what only a machine reads: hashes, times of retrieval, how it was made.

    The name of a source is a link to its file or page. Characters that move a cursor are replaced.
    """
    text = _PRODUCTION.sub("", _PROVENANCE.sub("", replace_hidden(markdown)))
    return _SOURCE.sub(_linked, text)


def _linked(found: re.Match[str]) -> str:
    place = re.sub(r"\\(.)", r"\1", found["place"].strip("<>"))
    address = f"{_FILE_HOST}{quote(place)}" if place.startswith("/") else place
    return f"- [{found['name']}](<{address}>)"
