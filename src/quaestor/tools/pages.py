"""The words of a web page, without its navigation."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from importlib.util import find_spec

from typing_extensions import override

from quaestor.contracts.errors import MissingExtra

NEEDS_EXTRA = "HTML files need an extra: pip install 'quaestor[web]'"

_TALKATIVE = ("trafilatura", "htmldate", "courlan", "justext", "readability")


def extracted(html: str) -> str:
    """Give the main text of a page as Markdown, empty if it has none. Raises MissingExtra without the extra `web`."""
    if not find_spec("trafilatura"):
        raise MissingExtra(NEEDS_EXTRA)
    from trafilatura import baseline, extract  # noqa: PLC0415 (an extra, and slow to import)

    with _quiet():
        text = extract(html, output_format="markdown", include_comments=False, favor_recall=True)
        return text or baseline(html)[1]


def title(html: str) -> str:
    """Give the title of a page, else its first heading, else nothing."""
    reader = _Titles()
    reader.feed(html)
    return " ".join((reader.words["title"] or reader.words["h1"]).split())


class _Titles(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words = {"title": "", "h1": ""}
        self._open = ""
        self._closed: set[str] = set()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.words and tag not in self._closed:
            self._open = tag

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag == self._open:
            self._closed.add(tag)
            self._open = ""

    @override
    def handle_data(self, data: str) -> None:
        if self._open:
            self.words[self._open] += data


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the extraction logs about a page from the terminal; whoever configured logging still gets it."""
    silence = logging.NullHandler()
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    for logger in loggers:
        logger.addHandler(silence)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(silence)
