"""What a reader's program would load, follow or run in a rendered report."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from typing_extensions import override

from quaestor.research.contracts.report import Report
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_json import render_json
from quaestor.research.views.report_markdown import render_markdown

_HARMLESS = re.compile(
    r"html|head|meta|title|style|body|header|main|nav|section|article|div|span|p|h[1-6]|ul|ol|li|dl|dt|dd|sup|a|button|mark"
    r"|strong|q|blockquote|bdi|code"
)
_BARE = re.compile(r"(?<!\\):(?=//)|(?<=www)\.", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def live(report: Report) -> list[str]:
    """Name every link but those to cited sources, every picture, script and hidden character, however rendered."""
    cited = {source.uri for source in report.sources}
    page = _Page(cited)
    page.feed(render_html(report))
    unseen = (
        f"{found[0]!r}"
        for text in (render_html(report), render_markdown(report), render_json(report))
        for found in _UNSEEN.finditer(text)
    )
    return [*page.live, *_in_markdown(render_markdown(report), cited), *unseen]


def _in_markdown(text: str, cited: set[str]) -> Iterator[str]:
    for token in MarkdownIt("commonmark").parse(text):
        for part in (token, *(token.children or ())):
            target = part.attrs.get("href") or part.attrs.get("src")
            if part.type in {"html_block", "html_inline", "image"} or (target and target not in cited):
                yield f"{part.type} {target} {part.content}"
    for uri in cited:
        text = text.replace(f"<{uri}>", "")
    yield from (text[max(found.start() - 20, 0) : found.end() + 40] for found in _BARE.finditer(text))


class _Page(HTMLParser):
    def __init__(self, cited: set[str]) -> None:
        super().__init__()
        self.live: list[str] = []
        self._cited = cited

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not _HARMLESS.fullmatch(tag):
            self.live.append(f"<{tag}>")
        for name, value in attrs:
            own = name == "href" and (value or "").startswith("#")
            if (name in {"href", "src", "style"} and not own and value not in self._cited) or name.startswith("on"):
                self.live.append(f"{name}={value}")
