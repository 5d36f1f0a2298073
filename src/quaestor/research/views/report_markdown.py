"""The report as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

import re
from collections.abc import Iterable

from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Report
from quaestor.research.views.readable import Chapter, Sentence, readable_document
from quaestor.research.views.report_outline import (
    EXTRACTIVE_NOTICE,
    Dispute,
    Reference,
    production_facts,
    proof_notice,
)
from quaestor.views.escaping import escape_markdown, one_line, quote_line
from quaestor.views.text import format_timestamp

_PLAIN_URL = re.compile(r"https?://[^\s<>\\`\"\ufffd]+", re.IGNORECASE)


def render_markdown(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report."""
    shown = readable_document(report)
    blocks = (
        f"# {escape_markdown(shown.title)}",
        *([f"> **Partial report.** {escape_markdown(shown.partial)}"] if shown.partial else []),
        *([f"**Question:** {escape_markdown(shown.question)}"] if shown.question != shown.title else []),
        *([f"*{escape_markdown(notice)}*"] if (notice := proof_notice(report)) else []),
        *([f"**{shown.answer_label}:** {_sentence(shown.answer)}"] if shown.answer else []),
        *(block for chapter in shown.chapters for block in _chapter(chapter, "##")),
        *_group("References", _list(map(_reference, shown.references))),
        *_group("How this was made", _production(report)),
    )
    return "\n\n".join(blocks) + "\n"


def _chapter(chapter: Chapter, level: str) -> list[str]:
    sentences = [_sentence(sentence) for sentence in chapter.sentences]
    return [
        f"{level} {escape_markdown(chapter.heading)}",
        *(_list(sentences) if chapter.is_list else [" ".join(sentences)] * bool(sentences)),
        *([f"*{escape_markdown(chapter.note)}*"] if chapter.note else []),
        *_list(map(_dispute, chapter.disputes)),
        *_list(map(escape_markdown, chapter.points)),
        *(block for part in chapter.parts for block in _chapter(part, f"{level}#")),
    ]


def _group(heading: str, blocks: Iterable[str]) -> list[str]:
    found = list(blocks)
    return [f"## {heading}", *found] if found else []


def _list(items: Iterable[str]) -> list[str]:
    lines = [f"- {item}" for item in items]
    return ["\n".join(lines)] if lines else []


def _sentence(sentence: Sentence) -> str:
    mark = f" ({escape_markdown(sentence.status)})" if sentence.status else ""
    return f"{escape_markdown(sentence.text)}{_markers(sentence.numbers)}{mark}"


def _markers(cited: Iterable[int]) -> str:
    markers = "".join(f"[{number}]" for number in cited)
    return f" {markers}" if markers else ""


def _dispute(dispute: Dispute) -> str:
    sides = (
        f"“{escape_markdown(position.value)}”"
        f"{_markers(position.numbers) or f' (finding {escape_markdown(position.finding)})'}"
        for position in dispute.positions
    )
    return f"**{escape_markdown(dispute.subject)}**: {' against '.join(sides)}"


def _reference(reference: Reference) -> str:
    source = reference.source
    quotes = (
        f"  - [{each.number}] “{escape_markdown(quote_line(each.text))}”{_page(each, source)}"
        for each in reference.citations
    )
    return "\n".join((source_line(source), *quotes))


def source_line(source: Source) -> str:
    """Return the name of a source, where it is, its hash and its dates, on one line."""
    name = escape_markdown(source.title) or escape_markdown(source.uri)
    retrieved = format_timestamp(source.retrieved_at)
    head = f"**{name}**, {_place(source)}, sha256 `{source.sha256[:12]}`, retrieved {retrieved}"
    return f"{head}, dated {source.published}" if source.published else head


def _page(citation: Citation, source: Source) -> str:
    page = source.page(citation.start)
    return f", page {page}" if page else ""


def _place(source: Source) -> str:
    return f"<{source.uri}>" if _PLAIN_URL.fullmatch(one_line(source.uri)) else escape_markdown(source.uri)


def _production(report: Report) -> list[str]:
    made = _list(f"{label}: {escape_markdown(value)}" for label, value in production_facts(report.making))
    return [EXTRACTIVE_NOTICE, *made] if report.making.extractive else made
