"""The words of scanned PDF files by OCR, page by page; needs the extra `ocr`, whose models are in its package.

Run as a module it is the worker for this alone: a page takes more memory and time than any other document.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import sqrt
from typing import Any, Protocol

from pypdfium2 import PdfDocument, PdfiumError  # type: ignore[import-untyped]  # it ships no types

from quaestor.contracts.lazy import LazyImport
from quaestor.tools.reading.protocol import ParsedDocument, RecognizedPage, SkipReason
from quaestor.tools.reading.worker import WorkerLimits, serve

MAX_PAGES = 100
LIMITS = WorkerLimits(memory_bytes=2**31, cpu_seconds=60)
"""For each page."""
_PIXELS_A_POINT = 2.0
"""144 to the inch: what a page of small print needs."""
_MAX_PIXELS = 3_000_000
_MAX_RATIO = 50
"""Of the sides of a page; on a longer strip the engine finds no line, and fails where it makes it smaller."""
_MIN_CONFIDENCE = 0.5
_PAGE_SEPARATOR = "\n\n"
_ENGINE: LazyImport[Callable[..., Any]] = LazyImport("rapidocr:RapidOCR")
_QUIET_ON_ONE_THREAD = {
    "Global.log_level": "critical",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


class _Found(Protocol):
    """The lines of a picture in the order of reading; None where there are none."""

    txts: Sequence[str] | None
    scores: Sequence[float] | None


def recognize_page(content: bytes, number: int) -> RecognizedPage | SkipReason:
    """Return the words of a page, counted from 1; lines that are less sure than a half are left out."""
    try:
        document = PdfDocument(content)
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(_PIXELS_A_POINT, sqrt(_MAX_PIXELS / max(1.0, width * height)))
        if max(width, height) > _MAX_RATIO * min(width, height):
            return RecognizedPage("", 0.0, len(document))
        picture = page.render(scale=scale).to_numpy()
    except PdfiumError:
        return SkipReason.DAMAGED
    found: _Found = _engine()(picture)
    pairs = zip(found.txts or (), found.scores or (), strict=True)
    lines = [(text.strip(), float(score)) for text, score in pairs if score >= _MIN_CONFIDENCE and text.strip()]
    confidence = sum(score for _, score in lines) / len(lines) if lines else 0.0
    return RecognizedPage("\n".join(text for text, _ in lines), confidence, len(document))


def join_pages(pages: Iterator[RecognizedPage | SkipReason]) -> ParsedDocument | SkipReason:
    """Return the pages as one document, each below a heading that marks it as recognised and says how surely."""
    texts: list[str] = []
    is_empty = True
    for number, page in enumerate(pages, 1):
        if isinstance(page, SkipReason):
            return page
        if page.pages > MAX_PAGES:
            return SkipReason.TOO_MANY_PAGES
        is_empty = is_empty and not page.text
        mark = f"recognised by OCR, confidence {page.confidence:.0%}" if page.text else "no words recognised"
        texts.append(f"# Page {number}, {mark}{_PAGE_SEPARATOR}{page.text}".strip())
    if is_empty:
        return SkipReason.NO_WORDS
    starts = accumulate((len(text) + len(_PAGE_SEPARATOR) for text in texts[:-1]), initial=0)
    return ParsedDocument(text=_PAGE_SEPARATOR.join(texts), pages=tuple(starts))


@cache
def _engine() -> Callable[..., _Found]:
    engine: Callable[..., _Found] = _ENGINE.load()(params=_QUIET_ON_ONE_THREAD)
    return engine


if __name__ == "__main__":
    serve(LIMITS)
