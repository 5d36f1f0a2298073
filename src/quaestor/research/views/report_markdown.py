"""The report as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

import re
from collections.abc import Iterable

from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Report
from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.research.views.readable import Chapter, Sentence, readable_document
from quaestor.research.views.report_outline import Dispute, Reference, place_label, production_facts, proof_notice
from quaestor.views.escaping import escape_markdown, escape_markdown_inline, one_line, quote_line
from quaestor.views.text import format_timestamp

_PLAIN_URL = re.compile(r"https?://[^\s<>\\`\"\ufffd]+", re.IGNORECASE)


def render_markdown(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report."""
    shown, words = readable_document(report), report_words(report.language)
    blocks = (
        f"# {escape_markdown(shown.title)}",
        *([f"> **{words.partial_report}** {escape_markdown(shown.partial)}"] if shown.partial else []),
        *([f"**{words.question}** {escape_markdown(shown.question)}"] if shown.question != shown.title else []),
        *([f"*{escape_markdown(notice)}*"] if (notice := proof_notice(report, words)) else []),
        *([f"**{shown.answer_label}:** {_sentence(shown.answer)}"] if shown.answer else []),
        *(block for chapter in shown.chapters for block in _chapter(chapter, "##", words)),
        *section_blocks(words.references, list_block(_reference(one, words) for one in shown.references)),
        *section_blocks(words.making, _production(report, words)),
    )
    return "\n\n".join(blocks) + "\n"


def _chapter(chapter: Chapter, level: str, words: ReportWords) -> list[str]:
    sentences = [_sentence(sentence) for sentence in chapter.sentences]
    return [
        f"{level} {escape_markdown(chapter.heading)}",
        *(list_block(sentences) if chapter.is_list else [" ".join(sentences)] * bool(sentences)),
        *([f"*{escape_markdown(chapter.note)}*"] if chapter.note else []),
        *list_block(_dispute(one, words) for one in chapter.disputes),
        *list_block(map(escape_markdown, chapter.points)),
        *(block for part in chapter.parts for block in _chapter(part, f"{level}#", words)),
    ]


def section_blocks(heading: str, blocks: Iterable[str]) -> list[str]:
    """Return the blocks below their heading; nothing where there are none."""
    found = list(blocks)
    return [f"## {heading}", *found] if found else []


def list_block(items: Iterable[str]) -> list[str]:
    """Return a list as one block; nothing where it has no items."""
    lines = [f"- {item}" for item in items]
    return ["\n".join(lines)] if lines else []


def _sentence(sentence: Sentence) -> str:
    mark = f" ({escape_markdown(sentence.status)})" if sentence.status else ""
    return f"{escape_markdown(sentence.text)}{citation_marks(sentence.numbers)}{mark}"


def citation_marks(numbers: Iterable[int]) -> str:
    """Return the numbers of citations behind a blank; nothing without any."""
    markers = "".join(f"[{number}]" for number in numbers)
    return f" {markers}" if markers else ""


def _dispute(dispute: Dispute, words: ReportWords) -> str:
    sides = (
        f"“{escape_markdown(position.value)}”"
        f"{citation_marks(position.numbers) or f' ({escape_markdown(words.finding.format(id=position.finding))})'}"
        for position in dispute.positions
    )
    return f"**{escape_markdown(dispute.subject)}**: {f' {words.against} '.join(sides)}"


def _reference(reference: Reference, words: ReportWords) -> str:
    source = reference.source
    quotes = (
        f"  - [{each.number}] “{escape_markdown(quote_line(each.text))}”{_cited_place(each, source, words)}"
        for each in reference.citations
    )
    return "\n".join((source_line(source, words), *quotes))


def source_line(source: Source, words: ReportWords) -> str:
    """Return the name of a source, where it is, its hash and its dates, on one line."""
    name = escape_markdown_inline(source.title) or escape_markdown_inline(source.uri)
    retrieved = format_timestamp(source.retrieved_at)
    head = f"**{name}**, {_place(source)}, sha256 `{source.sha256[:12]}`, {words.retrieved.lower()} {retrieved}"
    return f"{head}, {words.dated.lower()} {source.published}" if source.published else head


def _cited_place(citation: Citation, source: Source, words: ReportWords) -> str:
    label = place_label(citation, source, words)
    return f", {escape_markdown(label)}" if label else ""


def _place(source: Source) -> str:
    return f"<{source.uri}>" if _PLAIN_URL.fullmatch(one_line(source.uri)) else escape_markdown(source.uri)


def _production(report: Report, words: ReportWords) -> list[str]:
    made = list_block(f"{label}: {escape_markdown(value)}" for label, value in production_facts(report.making, words))
    return [words.extractive_notice, *made] if report.making.extractive else made
