"""The report as Markdown (CommonMark). No text of a source can become structure, a link or HTML in it."""

import re
from collections.abc import Iterable

from quaestor.contracts.report import Citation, Claim, Report
from quaestor.contracts.source import Source
from quaestor.views.outline import (
    EXTRACTIVE,
    Dispute,
    Part,
    Reference,
    closing,
    details,
    disputes,
    facts,
    moment,
    numbers,
    open_points,
    opening,
    references,
)
from quaestor.views.plain import plain
from quaestor.views.visible import one_line

_PLAIN_URL = re.compile(r"https?://[^\s<>\\`\"\ufffd]+", re.IGNORECASE)


def markdown(report: Report) -> str:
    """Render a report; the text ends with a line end and is the same to the byte for the same report."""
    blocks = (
        f"# {plain(report.title)}",
        *([f"> **Partial report.** {plain(report.partial)}"] if report.partial else []),
        *([f"**Question:** {plain(report.question)}"] if report.question != report.title else []),
        *_answer(report),
        *(block for part in opening(report) for block in _part(part, "##")),
        *_group("Details", (block for part in details(report) for block in _part(part, "###"))),
        *_group("Contradictions", _list(_dispute(dispute) for dispute in disputes(report))),
        *_group("Gaps", _list(plain(point) for point in open_points(report))),
        *(block for part in closing(report) for block in _part(part, "##")),
        *_group("References", _list(_reference(reference) for reference in references(report))),
        *_group("How this was made", _making(report)),
    )
    return "\n\n".join(blocks) + "\n"


def _answer(report: Report) -> list[str]:
    if report.answer_claim:
        return [f"**Answer:** {_sentence(report.answer_claim)}"]
    return [f"**Answer:** {plain(report.answer)} (unsupported)"] if report.answer else []


def _part(part: Part, level: str) -> list[str]:
    sentences = [_sentence(claim) for claim in part.claims]
    body = _list(sentences) if part.listed else [" ".join(sentences)] * bool(sentences)
    note = [f"*{plain(part.note)}*"] if part.note else []
    return [f"{level} {plain(part.heading)}", *body, *note]


def _group(heading: str, blocks: Iterable[str]) -> list[str]:
    found = list(blocks)
    return [f"## {heading}", *found] if found else []


def _list(items: Iterable[str]) -> list[str]:
    lines = [f"- {item}" for item in items]
    return ["\n".join(lines)] if lines else []


def _sentence(claim: Claim) -> str:
    mark = "" if claim.supported else " (unsupported)"
    return f"{plain(claim.text)}{_markers(numbers(claim))}{mark}"


def _markers(cited: Iterable[int]) -> str:
    markers = "".join(f"[{number}]" for number in cited)
    return f" {markers}" if markers else ""


def _dispute(dispute: Dispute) -> str:
    sides = (
        f"“{plain(position.value)}”{_markers(position.numbers) or f' (finding {plain(position.finding)})'}"
        for position in dispute.positions
    )
    return f"**{plain(dispute.subject)}**: {' against '.join(sides)}"


def _reference(reference: Reference) -> str:
    source = reference.source
    name = plain(source.title) or plain(source.uri)
    head = f"**{name}**, {_place(source)}, sha256 `{source.sha256[:12]}`, retrieved {moment(source.retrieved_at)}"
    if source.published:
        head = f"{head}, dated {source.published}"
    quotes = (f"  - [{each.number}] “{plain(each.text)}”{_page(each, source)}" for each in reference.citations)
    return "\n".join((head, *quotes))


def _page(citation: Citation, source: Source) -> str:
    page = source.page(citation.start)
    return f", page {page}" if page else ""


def _place(source: Source) -> str:
    return f"<{source.uri}>" if _PLAIN_URL.fullmatch(one_line(source.uri)) else plain(source.uri)


def _making(report: Report) -> list[str]:
    made = _list(f"{label}: {plain(value)}" for label, value in facts(report.making))
    return [EXTRACTIVE, *made] if report.making.extractive else made
