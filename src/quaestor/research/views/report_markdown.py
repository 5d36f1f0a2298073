"""The report as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

import re
from collections.abc import Iterable

from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Claim, Report
from quaestor.research.views.report_outline import (
    EXTRACTIVE_NOTICE,
    Dispute,
    Reference,
    ReportPart,
    citation_numbers,
    claim_status,
    closing_parts,
    detail_parts,
    disputes,
    open_points,
    opening_parts,
    production_facts,
    proof_notice,
    references,
)
from quaestor.views.escaping import escape_markdown, one_line, quote_line
from quaestor.views.text import format_timestamp

_PLAIN_URL = re.compile(r"https?://[^\s<>\\`\"\ufffd]+", re.IGNORECASE)


def render_markdown(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report."""
    blocks = (
        f"# {escape_markdown(report.title)}",
        *([f"> **Partial report.** {escape_markdown(report.partial)}"] if report.partial else []),
        *([f"**Question:** {escape_markdown(report.question)}"] if report.question != report.title else []),
        *([f"*{escape_markdown(notice)}*"] if (notice := proof_notice(report)) else []),
        *_answer(report),
        *(block for part in opening_parts(report) for block in _part(part, "##")),
        *_group("Details", (block for part in detail_parts(report) for block in _part(part, "###"))),
        *_group("Contradictions", _list(_dispute(dispute) for dispute in disputes(report))),
        *_group("Assumptions", _list(escape_markdown(assumed) for assumed in report.assumptions)),
        *_group("Gaps", _list(escape_markdown(point) for point in open_points(report))),
        *(block for part in closing_parts(report) for block in _part(part, "##")),
        *_group("References", _list(_reference(reference) for reference in references(report))),
        *_group("How this was made", _production(report)),
    )
    return "\n\n".join(blocks) + "\n"


def _answer(report: Report) -> list[str]:
    if report.answer_claim:
        return [f"**Answer:** {_sentence(report.answer_claim)}"]
    return [f"**Answer:** {escape_markdown(report.answer)} (not quoted)"] if report.answer else []


def _part(part: ReportPart, level: str) -> list[str]:
    sentences = [_sentence(claim) for claim in part.claims]
    body = _list(sentences) if part.listed else [" ".join(sentences)] * bool(sentences)
    note = [f"*{escape_markdown(part.note)}*"] if part.note else []
    return [f"{level} {escape_markdown(part.heading)}", *body, *note]


def _group(heading: str, blocks: Iterable[str]) -> list[str]:
    found = list(blocks)
    return [f"## {heading}", *found] if found else []


def _list(items: Iterable[str]) -> list[str]:
    lines = [f"- {item}" for item in items]
    return ["\n".join(lines)] if lines else []


def _sentence(claim: Claim) -> str:
    status = claim_status(claim)
    mark = f" ({escape_markdown(status)})" if status else ""
    return f"{escape_markdown(claim.text)}{_markers(citation_numbers(claim))}{mark}"


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
